"""Where to look for what nothing answers."""

from __future__ import annotations

from collections.abc import Sequence

from tests.verify.samples import entry, passage

from quaere.domain.report import Nearby
from quaere.domain.source import Mark, Passage
from quaere.synthesize.nearest import LINE_CHARS, SHOWN, in_one_line, nearest, shown_line

ASKED = "Who paid for the repair of the wheel?"
TEXT = """\
The mill stands on the Maren.

## Repairs of the wheel

### Flood

The wheel was stopped by [3] stones. The miller paid for the repair of its `sluice`.
- The wheel turns.
"""


def _near(*pages: Passage, asked: str = ASKED) -> tuple[Nearby, ...]:
    pool = [entry(number, page) for number, page in enumerate(pages, start=1)]
    return nearest(asked, pool, {page.id: page for page in pages})


def _page(text: str = TEXT, *, url: str = "file:///notes/the%20mill.md") -> Passage:
    return passage(text, title="The [1] mill", url=url)


def test_a_place_is_told_with_its_headings_and_the_line_that_has_most_of_the_question() -> None:
    page = _page().model_copy(update={"locator": "lines 1-8", "headings": "## Mills"})
    (place,) = _near(page)
    assert place.line.text == "The miller paid for the repair of its `sluice`."
    assert page.text[place.line.start - page.start : place.line.end - page.start] == place.line.text
    assert place.line.passage == page.id
    assert place.heading == "Repairs of the wheel › Flood"
    assert (place.title, place.url) == ("The (1) mill", page.url)
    assert place.location == "/notes/the mill.md, lines 1-8"


def test_offsets_are_those_of_the_page_and_not_of_the_passage() -> None:
    later = _page().stretch(TEXT.index("###"), len(TEXT))
    (place,) = _near(later)
    assert TEXT[place.line.start : place.line.end] == place.line.text
    assert place.heading == "Repairs of the wheel › Flood"


def test_the_first_places_are_told_in_their_order_and_no_page_of_the_web() -> None:
    web = _page(url="https://valley.example/mill")
    own = [_page(f"Wheel {n}.", url=f"file:///notes/{n}.md") for n in range(SHOWN + 2)]
    assert [place.line.text for place in _near(web, *own)] == [each.text for each in own[:SHOWN]]


def test_a_table_that_has_no_word_of_the_question_is_no_place_to_look() -> None:
    rows = "| Boat | Tons |\n| --- | --- |\n| Eel | 12 |\n"
    alien = _page(rows, url="file:///boats.csv").model_copy(update={"whole_table": True})
    near = alien.model_copy(update={"title": "Wheels", "id": "near"})
    assert [place.title for place in _near(alien, near)] == ["Wheels"]
    prose = _page("Whoever gave money has his name on the gate.")
    assert len(_near(prose)) == 1, "its meaning may be near"


def test_a_heading_is_the_line_only_where_there_is_nothing_else() -> None:
    (place,) = _near(_page("## The wheel and its repair\n"))
    assert place.line.text.startswith("## The wheel")


def test_a_row_of_a_table_is_told_without_its_bars_and_with_its_own_place() -> None:
    rows = "| Work | Paid by |\n|---|---|\n| wheel |  |\n| repair of the wheel | Ada |\n"
    marks = tuple(
        Mark(start=rows.index(begin), label=f"row {number}")
        for number, begin in enumerate(("| wheel", "| repair"), start=1)
    )
    table = _page(rows).model_copy(update={"whole_table": True, "marks": marks})
    (place,) = _near(table)
    assert shown_line(place) == "repair of the wheel | Ada"
    assert place.locator == "row 2"


def test_nothing_of_a_line_passes_for_a_citation() -> None:
    (place,) = _near(_page("- The wheel was stopped by [3] stones."))
    assert shown_line(place) == "The wheel was stopped by (3) stones."
    assert "[" not in in_one_line(place)


def test_a_long_line_is_cut_between_words() -> None:
    (place,) = _near(_page("wheel " * LINE_CHARS + "end"))
    shown = shown_line(place)
    assert len(shown) <= LINE_CHARS + 2
    assert shown.endswith("wheel …")
    assert place.line.text.endswith("end"), "the report has all of it"


def test_an_entry_without_its_text_is_passed_over() -> None:
    pages: Sequence[Passage] = [_page(), _page("The wheel.", url="file:///notes/w.md")]
    pool = [entry(number, page) for number, page in enumerate(pages, start=1)]
    (place,) = nearest(ASKED, pool, {pages[1].id: pages[1]})
    assert place.line.text == "The wheel."
