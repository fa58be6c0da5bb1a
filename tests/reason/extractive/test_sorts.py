"""A list that names all there is of a sort says yes or no."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import answer

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.queries import everyday_queries
from quaere.text.languages.language import language_of, speaking
from quaere.text.sorts import sorts


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("Does it run on Windows?", "Supported systems: Linux, macOS.", "No"),
        ("Does it run on Linux?", "Supported systems: Linux, macOS.", "Yes"),
        ("Does it run on Windows?", "It runs on systems such as Linux and macOS.", None),
        ("Does it run on Windows?", "It runs on Linux and macOS.", "No"),
        ("Does it run on Windows?", "It runs on Linux.", None),
        ("Does it run on Windows?", "It runs on Linux only.", "No"),
        ("Does it run on Windows?", "It does not run on Linux or macOS.", None),
        ("Does it run on Windows?", "The viewer runs on Linux and macOS.", None),
        ("Does it run on Windows?", "It runs on Linux and macOS. Windows comes later.", None),
        ("Does it run on Windows?", "It runs on Linux and macOS. It runs on iOS, Debian.", None),
        ("Does Skua run on Windows?", "It runs on Linux and macOS.", None),
        ("Does Hask run on Windows?", "It runs on Linux and macOS.", "No"),
        ("Is it available in Norway?", "It is available in red and blue.", None),
        ("Is it available in green?", "It is available in red and blue.", "No"),
        ("Is it available in green?", "Colours: black, red.", "No"),
        ("Is it available in green?", "Colours: moss, rust, slate.", None),
        ("Is it available in grey?", "Colours: gray, blue.", None),
        ("Is it available in small?", "Sizes: S, M, L.", None),
        ("Are dogs allowed?", "Pets: welcome.", None),
        ("Can I pay with PayPal?", "Payment: due within 30 days.", None),
        ("Can I pay by credit card?", "Payment: cash, card.", None),
        ("Does it run on Windows?", "Supported systems: all 64-bit systems.", None),
        ("Does it run on Ubuntu?", "It runs on Windows and Linux.", None),
        ("Does it run on macOS?", "Supported systems: Linux, Mac, Windows.", None),
        ("Does it run on macOS?", "It runs on Linux and Windows. Ask for the Mac.", None),
        ("Is it available in green or black?", "It is available in red and blue.", None),
        ("Can I pay with PayPal?", "We accept cash and debit cards.", "No"),
        ("Are cats allowed?", "Pets allowed: dogs.", "No"),
        ("Can it go in the dishwasher?", "Wash it by hand only.", "No"),
        ("Läuft es unter Windows?", "Systeme: Linux, macOS.", None),
    ],
)  # fmt: skip
def test_what_is_not_in_a_whole_list_is_a_no(question: str, said: str, told: str | None) -> None:
    found = answer(question, ("Hask", f"Hask reads tides. {said}"))
    direct = found[0].direct if found else None
    is_told = direct is not None and direct.kind is DirectKind.YES_NO and direct.confidence >= SURE
    assert (direct.text if direct and is_told else None) == told


def test_other_things_of_the_sort_are_looked_for_where_the_sources_lack_one() -> None:
    class Folder:
        def document_share(self, word: str) -> float:
            return 0.1 if word in {"linux", "systems", "run"} else 0.0

    (query,) = everyday_queries("Does it run on Windows?", Folder())
    assert query.text == "run linux"


def test_a_question_in_another_language_asked_first_does_not_change_the_sorts() -> None:
    sorts.cache_clear()
    said = ("Hask", "Hask reads tides. Supported systems: Linux, macOS.")
    german = "Läuft es unter Windows?"
    with speaking(language_of(german)):
        answer(german, said)
    direct = answer("Does it run on Windows?", said)[0].direct
    assert direct is not None
    assert direct.text == "No"
