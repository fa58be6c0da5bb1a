from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.audit.source_pages import REPORTS
from tests.timing import cpu_s

from quaere.audit.cited_text import CitedText, cited_text

LIST = """

## References

[1] The mill. https://valley.example/mill
[2] [Wray's notes](https://valley.example/notes "notes"), 1999
[3] notes/dam.pdf, page 3
[12] Twelve. https://valley.example/twelve
"""


def addresses(text: CitedText, place: int = 0) -> list[str]:
    by_number = {source.number: source.address for source in text.sources}
    return [by_number[number] for number in text.sentences[place].cites]


def names(text: str, listed: str = LIST) -> list[str]:
    """Return the last part of every address that the first sentence of ``text`` cites."""
    return [address.rsplit("/", 1)[-1] for address in addresses(cited_text(text + listed))]


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        ("The mill was built in 1788 [1].", ["mill"]),
        ("The mill was built in 1788.[1]", ["mill"]),
        ("The mill was built in 1788. [1]", ["mill"]),
        ("The mill was built in 1788 [1][2].", ["mill", "notes"]),
        ("The mill was built in 1788 [1, 2].", ["mill", "notes"]),
        ("The mill was built in 1788 [1; 3].", ["mill", "dam.pdf"]),
        ("The mill was built in 1788 [1-3].", ["mill", "notes", "dam.pdf"]),
        ("The mill was built in 1788 [1]–[3].", ["mill", "notes", "dam.pdf"]),
        (r"The mill was built in 1788 \[1\].", ["mill"]),
        ("The mill was built in 1788 [^1].", ["mill"]),
        ("The mill was built in 1788.[^1][^2]", ["mill", "notes"]),
        ("The mill was built in 1788【1†source】.", ["mill"]),
        ("The mill was built in 1788【2†L3-L9】.", ["notes"]),
        ("The mill was built in 1788.¹", ["mill"]),
        ("The mill was built in 1788.¹²", ["twelve"]),
        ("The mill was built in 1788.²³", ["notes", "dam.pdf"]),
        ("The mill was built in 1788.¹,³", ["mill", "dam.pdf"]),
        ("The mill was built in 1788.<sup>1,2</sup>", ["mill", "notes"]),
        ("The mill was built in 1788 [[1]](https://valley.example/other).", ["other"]),
        ("The mill was built in 1788 [1](<https://valley.example/other>).", ["other"]),
        ("The mill was built in 1788 ([valley.example](https://valley.example/x)).", ["x"]),
        ("The mill was built in 1788 (source: https://valley.example/x).", ["x"]),
        ("The mill was built in 1788 (source: notes/mill.md).", ["mill.md"]),
        ("The mill was built in 1788 (Source: 2).", ["notes"]),
        ("The mill was built in 1788. Source: https://valley.example/x", ["x"]),
        ("The mill was built in 1788 <https://valley.example/x>.", ["x"]),
        ("The mill was built in 1788 (see https://valley.example/x_(old)).", ["x_(old)"]),
        ("The mill was built in 1788 (doi:10.1234/mill.5).", ["mill.5"]),
        ("The mill was built in 1788 (arXiv:2401.01234).", ["2401.01234"]),
        ("**The mill was built in 1788 [1].**", ["mill"]),
        ("- The mill was built in 1788 [1]", ["mill"]),
        ("1. The mill was built in 1788 [1]", ["mill"]),
        ("> The mill was built in 1788 [1]", ["mill"]),
        ("[1] The mill was built in 1788.", ["mill"]),
    ],
)
def test_every_way_to_cite_is_read(written: str, cited: list[str]) -> None:
    assert names(written) == cited
    (said,) = cited_text(written + LIST).sentences
    assert said.text in {"The mill was built in 1788.", "The mill was built in 1788"}


@pytest.mark.parametrize(
    ("written", "said", "cited"),
    [
        ("The [mill at Orrin](https://a.test/x) was built.", "The mill at Orrin was built.", ["x"]),
        ("The [mill][2] was built then.", "The mill was built then.", ["notes"]),
        ("It takes up 40 m² of land.", "It takes up 40 m² of land.", []),
        ("In 10² years it was [2020] and [x] built.", None, []),
        ("The code `mills[1]` reads one mill.", "The code `mills[1]` reads one mill.", []),
        ("The picture ![mill](https://a.test/x.png) shows one.", "The picture shows one.", []),
        ("The [chapter above](#mill) says so already.", "The chapter above says so already.", []),
        ("Write to [the mill](mailto:m@a.test) at once.", "Write to the mill at once.", []),
    ],
)
def test_what_stays_in_a_sentence(written: str, said: str | None, cited: list[str]) -> None:
    assert names(written) == cited
    if said:
        shown = said.replace("`", "")
        assert [s.text for s in cited_text(written + LIST).sentences] == [shown]


@pytest.mark.parametrize(
    "listed",
    [
        "## Sources\n\n1. The mill. https://valley.example/mill",
        "**References:**\n1. [The mill](https://valley.example/mill)",
        "Sources:\n- [1] The mill, https://valley.example/mill",
        "# 7. References\n\n[1]: https://valley.example/mill",
        "[1]: https://valley.example/mill 'The mill'",
        "[^1]: The mill,\n    https://valley.example/mill",
        "Quellen\n-------\n¹ The mill, https://valley.example/mill",
        "## Bibliographie\n\n* [The mill](https://valley.example/mill)\n* https://a.test/b",
        "## Sources\n\n| [1] | The mill | https://valley.example/mill |",
        "## 参考文献\n\n【1】The mill https://valley.example/mill",
        "[1] The mill. https://valley.example/mill",
        "Sources: [1] https://valley.example/mill [2] https://a.test/b",
        "### References\n\n[1] The mill\n\nhttps://valley.example/mill\n\n[2] Other\n\nhttps://b.test",
    ],
)
def test_every_kind_of_list_is_read(listed: str) -> None:
    text = cited_text(f"The mill was built in 1788 [1].\n\n{listed}\n")
    assert addresses(text) == ["https://valley.example/mill"]
    assert [said.text for said in text.sentences] == ["The mill was built in 1788."]


def test_prose_behind_a_list_is_prose_again() -> None:
    text = cited_text(
        "The mill was built in 1788 [1].\n\nSources:\n1. https://a.test/mill\n\n"
        "The dam held until the flood of 1890.\n"
    )
    assert [said.text for said in text.sentences][1:] == ["The dam held until the flood of 1890."]


def test_each_part_has_its_own_list() -> None:
    part = "# Part\n\nThe mill stands there [1].\n\n## Sources\n\n1. https://a.test/{}\n\n"
    text = cited_text(part.format("first") + part.format("second"))
    assert addresses(text, 0) == ["https://a.test/first"]
    assert addresses(text, 1) == ["https://a.test/second"]


def test_one_address_is_one_source_however_it_is_cited() -> None:
    text = cited_text(
        "One thing is so [1]. Another is so (https://valley.example/mill/?utm_source=x)." + LIST
    )
    assert [source.address for source in text.sources] == ["https://valley.example/mill"]
    assert {said.cites for said in text.sentences} == {(1,)}


def test_a_marker_of_no_list_cites_something_that_is_not_there() -> None:
    text = cited_text("The mill was built in 1788 [7]." + LIST)
    (source,) = text.sources
    assert (source.labels, source.address, source.listed) == (("7",), "", False)


@pytest.mark.parametrize(
    ("written", "is_claim"),
    [
        ("The mill was built of oak by hand.", True),
        ("What did the mill grind in winter?", False),
        ("The mill ground three things:", False),
        ("This report looks at the mill and its dam.", False),
        ("The mill and its dam in the valley", False),
        ("Yes.", False),
        ("Thank you very much.", False),
        ("That is all.", False),
        ("Dogs are welcome.", True),
        ("It is closed in January.", True),
        ("Der Laden ist geschlossen.", True),
        ("Why the mill matters today [1]?", True),
    ],
)
def test_what_is_a_claim(written: str, is_claim: bool) -> None:
    (said,) = cited_text(f"# Title\n\n{written}\n").sentences
    assert said.is_claim is is_claim


@pytest.mark.parametrize("below", ["\n\n", "\n\n\n"])
def test_a_line_without_a_stop_is_a_title_over_what_follows_a_blank_line(below: str) -> None:
    over = "The years after the great fire"
    title, said = cited_text(f"{over}{below}It was rebuilt of oak by hand.\n").sentences
    assert (title.text, title.is_claim, said.is_claim) == (over, False, True)


@pytest.mark.parametrize("below", ["", "\n", "  \n  \n", " \n\t"])
def test_a_title_may_be_the_last_line(below: str) -> None:
    _, title = cited_text(f"The mill was rebuilt of oak.\n\nThe years after it{below}").sentences
    assert not title.is_claim


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("", "\n- It was rebuilt of oak by hand.\n"),
        ("It was rebuilt of oak by hand.\n\n", "\n# The dam\n"),
        ("# The mill\n", "\n\nIt was rebuilt of oak by hand.\n"),
        ("- a mill of oak\n", "\n\nIt was rebuilt of oak by hand.\n"),
    ],
)
def test_a_line_that_something_is_next_to_is_no_title(above: str, below: str) -> None:
    line = "The years after the great fire"
    sentences = cited_text(f"{above}{line}{below}").sentences
    assert [said.is_claim for said in sentences if said.text == line] == [True]


def test_code_headings_rules_and_heads_of_tables_are_no_sentences() -> None:
    text = cited_text(
        "---\ntitle: x\n---\n# Head [1]\n\n```\ncode says so [1].\n```\n\n<!-- [1] hidden. -->\n\n"
        "| Mill | Year |\n|---|---|\n| Orrin | 1788 [1] |\n\n***\n" + LIST
    )
    assert [said.text for said in text.sentences] == ["Orrin, 1788"]


@pytest.mark.parametrize(
    ("written", "read", "cited"),
    [
        (
            '<a href="https://valley.example/x?a=1&amp;b">The mill</a> was built.',
            "The mill was built.",
            ["https://valley.example/x?a=1&b"],
        ),
        (
            "The mill was built (<a class=c href='notes/mill.md'>source</a>).",
            "The mill was built.",
            ["notes/mill.md"],
        ),
        ('The mill was built, <a href="#top">it says</a>.', "The mill was built, it says.", []),
    ],
)
def test_a_link_of_html_cites_where_it_leads(written: str, read: str, cited: list[str]) -> None:
    text = cited_text(written)
    assert text.sentences[0].text == read
    assert addresses(text) == cited


def test_thoughts_at_the_head_of_an_answer_are_no_sentences() -> None:
    thoughts = "<think>\nThe mill was built in 1700, or was it [1]?\n</think>\n"
    text = f"{thoughts}The mill was built in 1788 [1]."
    (said,) = cited_text(text).sentences
    assert (said.line, text[said.start :]) == (4, "The mill was built in 1788 [1].")
    assert len(cited_text(text.removeprefix("<think>\n")).sentences) == 2
    assert len(cited_text(text.replace("</think>", "")).sentences) == 2


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            "<ul><li>The mill is old [1].</li><li>It is wide [2]</li></ul>",
            ["The mill is old.", "It is wide"],
        ),
        ("<h2>Of mills</h2><p>The mill is old.</p>", ["Of mills", "The mill is old."]),
        ("The mill is<br>old. It <em>st</em>ands.", ["The mill is old.", "It stands."]),
        ("| a | b |\n|---|---|\n| Mill | old<br>wide<p>red |", ["Mill, old wide red"]),
        ("<tr><td>Mill</td><td>1788</td></tr><tr><td>Dam</td></tr>", ["Mill 1788", "Dam"]),
        ("Mills &amp; dams are&nbsp;old&nbsp;[1].", ["Mills & dams are old."]),
        ("A page begins with `<p>` in code.", ["A page begins with <p> in code."]),
        ("Mill\n: It is old.", ["Mill", "It is old."]),
    ],
)
def test_tags_part_what_they_part_on_a_page(written: str, read: list[str]) -> None:
    assert [said.text for said in cited_text(written + LIST).sentences] == read


def test_lines_are_those_of_the_text() -> None:
    text = cited_text("# Head\n\nOne thing is so [1]. Another\nthing is not so.\n\nA third is.\n")
    assert [said.line for said in text.sentences] == [3, 3, 6]


PARTS = st.sampled_from(
    [*"[]()<>^†¹²*_`|#-.\n ", "[1]", "[^a]", "[1, 2]", "[2-4]", "【3†s】", "](", "https://a.test/b",
     "## Sources\n", "1. ", "[a]: ", "\n\n", "The mill stands. ", "Quellen:", "(source: ", "x.md",
     "```\n", "<!--", "\ue200cite\ue201", "水車。", "\u202e", "\ud800", "|---|---|\n", "\r\n"]
)  # fmt: skip
TEXTS = st.lists(PARTS | st.text(max_size=3), max_size=40).map("".join) | st.text(max_size=80)


@given(TEXTS)
def test_any_text_is_read_and_every_offset_is_exact(text: str) -> None:
    found = cited_text(text)
    numbers = [source.number for source in found.sources]
    assert numbers == list(range(1, len(numbers) + 1))
    end = 0
    for said in found.sentences:
        assert end <= said.start < said.end <= len(text)
        assert text[: said.start].count("\n") + 1 == said.line
        assert set(said.cites) <= set(numbers)
        assert len(set(said.cites)) == len(said.cites)
        assert said.text.strip() == said.text != ""
        kept = [char for char in text[said.start : said.end] if char.isalnum()]
        left = iter(kept)
        assert all(char in left for char in said.text if char.isalnum())
        end = said.end
    assert found == cited_text(text)


@given(
    st.lists(st.sampled_from(["[1]", "[2]", "[3]", "[9]", "[1, 3]", ""]), min_size=1, max_size=6),
    st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=6),
)
def test_every_marker_has_at_most_one_source(marks: list[str], listed: list[int]) -> None:
    body = " ".join(f"Thing number {n} stands in the valley.{mark}" for n, mark in enumerate(marks))
    entries = "\n".join(f"[{n}] https://a.test/{at}" for at, n in enumerate(listed))
    found = cited_text(f"{body}\n\n## Sources\n\n{entries}\n")
    assert len(found.sentences) == len(marks)
    for said, mark in zip(found.sentences, marks, strict=True):
        assert len(said.cites) == len(re.findall(r"\d", mark))


@pytest.mark.parametrize("name", ["numbered", "footnotes", "inline"])
def test_no_marker_of_a_report_is_left_in_its_sentences(name: str) -> None:
    text = cited_text((REPORTS / f"{name}.md").read_text("utf-8"))
    assert len(text.sentences) > 4
    assert not [said.text for said in text.sentences if re.search(r"[\[\]【†¹³⁴]|http", said.text)]


@pytest.mark.parametrize(
    "unit",
    ["[", "[a", "[a](<", "https://a.b/(", "( [1] )", "|", "```\n", "`", "<!--", "[1,", "Sources:\n",
     "## Sources\n[1] a https://x.y\n", ".     see also : ", "¹", "【1†", "**", "<a", "a\n---\n",
     "( ,", ".", "| ", " |\t", "?", "<p>", "<td ", "[1, p. ", "a (1)\n", "<think>", "<a href="],
)  # fmt: skip
@pytest.mark.parametrize("end", ["", " at the end"])
def test_no_text_takes_longer_than_its_length(unit: str, end: str) -> None:
    def seconds(size: int, *, enough_s: float) -> float:
        text = unit * (size // len(unit)) + end
        return cpu_s(lambda: cited_text(text), enough_s=enough_s)

    # Ten times the text takes ten times as long, a hundred times where the work is quadratic.
    limit_s = 25 * max(seconds(6_000, enough_s=0), 0.02)
    assert seconds(60_000, enough_s=limit_s) <= limit_s
