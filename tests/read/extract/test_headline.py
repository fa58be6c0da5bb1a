from __future__ import annotations

import pytest

from quaere.read.extract.headline import below_headline, headline
from quaere.read.extract.markup import parse_html


@pytest.mark.parametrize(
    ("html", "told", "site", "expected"),
    [
        ("<title>Ferries - Gazette</title><h1>Ferries</h1>", "Ferries - Gazette", "", "Ferries"),
        ("<title>Paper | OLD FERRY</title><h1>Paper</h1><h1>Old ferry</h1>", "", "", "Old ferry"),
        ("<title>Gazette: Old ferries</title><h1>Old ferries</h1>", "", "", "Old ferries"),
        ("<title>Ferries are late - Gazette</title><h1>Ferries</h1>", "Ferries are late - Gazette",
         "Gazette", "Ferries are late"),
        ("<title>Ferries are late</title><h1>Gazette</h1>", "Gazette", "", "Ferries are late"),
        ("<title>Home</title>", "Ferries are late", "", "Ferries are late"),
        ("<title>Gazette</title>", "Gazette", "Gazette", "Gazette"),
        ("<title></title><h1>Ferries</h1>", "Ferries", "", "Ferries"),
        ("<title>Straße – Ort</title><h1>Strasse</h1>", "Straße – Ort", "", "Strasse"),
        ("<p>x", "", "", ""),
    ],
)  # fmt: skip
def test_the_title_is_the_article_s_not_the_site_s(
    html: str, told: str, site: str, expected: str
) -> None:
    assert headline(parse_html(html), told, site) == expected


LEAD = "The ferry will stay in port until the storm is over."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"# Old ferry\n\n{LEAD}", LEAD),
        (
            f"News\n\n## OLD  FERRY\n\n{LEAD}\n\n# Old ferry\n\n{LEAD}",
            f"{LEAD}\n\n# Old ferry\n\n{LEAD}",
        ),
        (f"# Gazette\n\n## Old ferry\n\n{LEAD} {LEAD}", f"{LEAD} {LEAD}"),
    ],
)
def test_the_article_begins_below_its_headline(text: str, left: str) -> None:
    assert below_headline(text, "Old ferry") == left


@pytest.mark.parametrize(
    "text",
    ["", "# Old ferry", LEAD, f"# Old ferry sinks\n\n{LEAD}", f"{LEAD}\n\n# Old ferry\n\n{LEAD}"],
)
def test_without_a_headline_above_it_a_text_stays_whole(text: str) -> None:
    assert below_headline(text, "Old ferry") == text
