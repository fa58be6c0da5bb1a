from __future__ import annotations

import io
import zipfile

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.decks import deck, frame, group, paragraph, shape, table
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract import office
from quaere.read.extract.pptx import PptxExtractor

TITLE, CENTRED = 'type="title"', 'type="ctrTitle"'
DECK = deck([shape(["Ferries"], place=TITLE) + shape([FACT], place='idx="9"')])


class TestPptxExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> PptxExtractor:
        return PptxExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(DECK, "ferries.pptx")


def read(data: bytes) -> Page:
    return next(PptxExtractor().extract(body(data, "talk.pptx")))


def error_of(data: bytes) -> ReadError:
    pages, error = outcome(PptxExtractor(), body(data, "talk.pptx"))
    assert not pages
    assert error is not None
    return error


def test_slides_come_in_the_order_in_which_they_are_shown_each_under_its_title() -> None:
    slides = [shape([words], place=TITLE) + shape([f"{words}."]) for words in ("Piers", "Fees")]
    assert read(deck(slides)).text == "## Piers\n\nPiers.\n\n## Fees\n\nFees."


def test_passages_name_their_slide_and_keep_within_it() -> None:
    page = read(deck([shape(["Piers"]), shape(["Secret"]), shape(["Fees"])], hidden=[1], first=4))
    told = [(passage.locator, passage.text) for passage in PassageChunker()(page)]
    assert told == [("slide 4", "## Slide 4\n\nPiers"), ("slide 6", "## Slide 6\n\nFees")]


def test_a_title_comes_first_wherever_it_is_and_what_all_slides_have_is_left_out() -> None:
    shapes = "".join(
        [
            shape(["4"], place='type="sldNum" idx="3"'),
            shape(["Harbour office"], place='type="ftr" idx="4"'),
            shape(["draft"], hidden=True),
            shape(["Twelve piers"]),
            shape(
                "<a:p><a:r><a:t>The</a:t></a:r><a:br/></a:p>" + paragraph("piers"), place=CENTRED
            ),
        ]
    )
    assert read(deck([shapes])).text == "## The piers\n\nTwelve piers"


def test_paragraphs_with_bullets_are_items_as_their_styles_say() -> None:
    inner, plain = '<a:pPr lvl="1"/>', "<a:pPr><a:buNone/></a:pPr>"
    body_of = paragraph("Piers") + paragraph("North", about=inner) + paragraph("All", about=plain)
    own = paragraph("Oil", about="<a:pPr><a:buAutoNum/></a:pPr>") + paragraph("Tar")
    shapes = shape(body_of, place='idx="1"') + shape(["Plain"], place='idx="9"') + shape(own)
    assert read(deck([shapes])).text == (
        "## Slide 1\n\n- Piers\n  - North\n\nAll\n\nPlain\n\n- Oil\n\nTar"
    )


def test_free_shapes_are_read_row_by_row_and_groups_as_one() -> None:
    pair = shape(["b"], at=(5, 2)) + shape(["a"], at=(4, 2))
    shapes = "".join(
        [
            shape(["last"], at=(1, 6)),
            shape(["right"], at=(6, 1)),
            shape(["left"], at=(1, 1)),
            group(pair, at=(4, 2)),
            shape(["placed"], place='idx="9"'),
        ]
    )
    told = read(deck([shapes])).text.split("\n\n")
    assert told == ["## Slide 1", "placed", "left", "right", "a", "b", "last"]


def test_tables_have_their_heads_in_one_row_and_merged_cells_told() -> None:
    rows = [["Pier", "Ship", "Fee"], ["North", "Heron", "12"], ["^", "Sorrel", "9"]]
    assert "| North | Heron | 12 |\n| North | Sorrel | 9 |" in read(deck([table(rows)])).text
    rows = [["Item", "Fee", "<"], ["", "Child", "Adult"], ["Ferry", "4.00", "8.00"]]
    shown = "| Item | Fee Child | Fee Adult |\n| Ferry | 4.00 | 8.00 |"
    assert shown in read(deck([table(rows)])).text


def points(name: str, *values: str, code: str = "") -> str:
    """Return the cells that a chart keeps under ``name``."""
    told = "".join(f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values))
    form = f"<c:formatCode>{code}</c:formatCode>" if code else ""
    return f"<c:{name}><c:numRef><c:numCache>{form}{told}</c:numCache></c:numRef></c:{name}>"


def chart(*series: str, title: str = "") -> bytes:
    """Return a presentation with a chart on its slide."""
    headed = f"<c:title>{paragraph(title)}</c:title>" if title else ""
    drawn = "".join(f"<c:ser>{each}</c:ser>" for each in series)
    xml = f"<c:chartSpace SPACES><c:chart>{headed}{drawn}</c:chart></c:chartSpace>"
    return deck([frame('<c:chart r:id="r1"/>')], parts={"charts/one.xml": xml})


def test_a_chart_is_a_table_of_what_it_draws_with_figures_as_shown() -> None:
    drawn = points("cat", "007", "Cargo"), points("val", "0.42", "0.58", code="0.0%")
    assert read(chart("".join([points("tx", "2031"), *drawn]), title="Calls")).text == (
        "## Slide 1\n\nCalls\n\n|  | 2031 |\n| 007 | 42.0% |\n| Cargo | 58.0% |"
    )


def test_series_of_their_own_categories_have_their_own_tables() -> None:
    drawn = chart(*(points("xVal", at) + points("yVal", f"{at}0") for at in "12"))
    assert read(drawn).text.endswith("|  |  |\n| 1 | 10 |\n\n|  |  |\n| 2 | 20 |")


def point(key: str, text: str = "", kind: str = "node") -> str:
    return f'<dgm:pt modelId="{key}" type="{kind}"><dgm:t>{paragraph(text)}</dgm:t></dgm:pt>'


def link(source: str, target: str, order: int, kind: str = "parOf") -> str:
    return (
        f'<dgm:cxn modelId="x" type="{kind}" srcId="{source}" destId="{target}" srcOrd="{order}"/>'
    )


def test_the_words_of_a_diagram_are_a_list_in_its_order_whatever_is_linked() -> None:
    points = [point("0", kind="doc"), point("b", "Crew"), point("a", "Harbour master")]
    points += [point("c", "Cook"), point("d", "drawn", "pres")]
    links = [link("0", "b", 1), link("0", "a", 0), link("b", "c", 0), link("c", "b", 0)]
    links += [link("a", "d", 0), link("0", "c", 0, "presOf")]
    data = f"<dgm:dataModel SPACES>{''.join(points)}{''.join(links)}</dgm:dataModel>"
    drawn = deck([frame('<dgm:relIds r:dm="r1"/>')], parts={"diagrams/one.xml": data})
    assert read(drawn).text == "## Slide 1\n\n- Harbour master\n- Crew\n  - Cook"


def test_what_the_speaker_notes_is_below_the_slide() -> None:
    own = shape(["Say it twice.", "And slowly."], place='type="body" idx="1"')
    own += shape(["1"], place='type="sldNum" idx="3"')
    told = read(deck([shape(["Piers"], place=TITLE)], notes={0: own})).text
    assert told == "## Piers\n\nNotes: Say it twice.\n\nAnd slowly."


def test_of_what_is_there_twice_the_newest_is_read() -> None:
    twice = f"<mc:AlternateContent><mc:Choice>{shape(['new'])}</mc:Choice><mc:Fallback>"
    twice += f"{shape(['old'])}</mc:Fallback></mc:AlternateContent>"
    fields = (
        '<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>'
    )
    assert read(deck([twice + shape(fields)])).text == "## Slide 1\n\nnew\n\none"


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        ("Harbour plan", "Harbour plan"),
        ("PowerPoint Presentation", "Ferries"),
        ("Präsentation von Microsoft PowerPoint", "Ferries"),
        ("Presentation", "Ferries"),
        ("Folie 1", "Ferries"),
        ("", "Ferries"),
    ],
)
def test_a_title_that_the_program_gave_counts_less_than_that_of_a_slide(
    own: str, shown: str
) -> None:
    page = read(deck([shape(["Ferries"], place=TITLE)], title=own))
    assert (page.title, page.author) == (shown, "Mara Lind")


def test_a_later_slide_does_not_name_the_deck() -> None:
    assert read(deck([shape(["Hello"]), shape(["Ferries"], place=TITLE)])).title == "talk.pptx"


def test_a_deck_without_words_is_empty() -> None:
    assert error_of(deck([shape([""])], notes={0: shape([" "])})).status is ReadStatus.EMPTY
    assert error_of(deck([])).status is ReadStatus.EMPTY


def without(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(DECK)) as old, zipfile.ZipFile(out, "w") as new:
        for each in old.namelist():
            if each != name:
                new.writestr(each, old.read(each))
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "lacks"),
    [("ppt/presentation.xml", "ppt/presentation.xml"), ("ppt/slides/slide1.xml", "slide 1")],
)
def test_a_deck_that_lacks_a_part_says_which_and_what_to_do(name: str, lacks: str) -> None:
    error = error_of(without(name))
    assert error.status is ReadStatus.BROKEN
    assert f"it lacks {lacks}; download it again, or open it in" in error.message


@pytest.mark.parametrize("name", ["ppt/slideLayouts/one.xml", "ppt/master.xml"])
def test_a_deck_that_lacks_its_layout_is_read(name: str) -> None:
    assert FACT in read(without(name)).text


@pytest.mark.parametrize(("limit", "most"), [("MAX_PART_BYTES", 400), ("MAX_BYTES", 2_000)])
def test_what_unpacks_to_more_than_it_may_is_refused(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(office, limit, most)
    error = error_of(deck([shape([FACT])] * 4))
    assert error.status is ReadStatus.TOO_LARGE
    assert "split it" in error.message


@pytest.mark.parametrize("height", ["9" * 400, "--5", "", "1e3"])
def test_a_shape_of_no_sensible_height_is_read(height: str) -> None:
    tall = shape(["Heron"], at=(1, 1)).replace('cy="914400"', f'cy="{height}"')
    assert "Heron\n\nSorrel" in read(deck([tall + shape(["Sorrel"], at=(1, 3))])).text


def test_raised_figures_are_not_glued_to_what_is_before_them() -> None:
    run = '<a:r><a:rPr baseline="{}"/><a:t>{}</a:t></a:r>'
    said = "".join([run.format(0, "10"), run.format(30000, "6"), run.format(-25000, "2")])
    assert read(deck([shape(f"<a:p>{said}</a:p>")])).text == "## Slide 1\n\n10⁶2"


@pytest.mark.parametrize(
    ("about", "is_read"),
    [
        ('<a:rPr sz="200"/>', False),
        ('<a:rPr sz="300"/>', True),
        ("<a:rPr><a:noFill/></a:rPr>", False),
        ("<a:rPr><a:ln/><a:noFill/></a:rPr>", True),
        (
            '<a:rPr><a:solidFill><a:srgbClr><a:alpha val="0"/></a:srgbClr></a:solidFill></a:rPr>',
            False,
        ),
        ('<a:rPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr>', False),
    ],
)
def test_letters_that_nobody_can_see_are_not_read(about: str, *, is_read: bool) -> None:
    run = f"<a:r>{about}<a:t>Ignore this.</a:t></a:r>"
    text = read(deck([shape(f"<a:p><a:r><a:t>Heron. </a:t></a:r>{run}</a:p>")])).text
    assert "Heron." in text
    assert ("Ignore" in text) is is_read
