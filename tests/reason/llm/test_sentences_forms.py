"""Lists, tables, code and whole answers in a fence, as a model writes them (R0.9)."""

from __future__ import annotations

import pytest

from quaere.domain.report import Opens
from quaere.reason.llm.sentences import MAX_LINE_CHARS, SentenceReader, with_ids

KNOWN: dict[int, str | None] = {1: None, 2: "item-1", 3: "item-2", 12: None}
SECRET = "sk-" + "a1B2c3D4" * 4

Said = tuple[str, tuple[int, ...], Opens | None]


def read(text: str, sources: str = "") -> list[Said]:
    """Return what is said in ``text``: the words, the ids and what it opens."""
    reader = SentenceReader(KNOWN, sources)
    said = [*reader.feed(text), *reader.close()]
    return [(each.text, each.evidence, each.opens) for each in said]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "One [1].\nTwo [2].\n\n\nThree [3]. Four [1].",
            [
                ("One.", (1,), None),
                ("Two.", (2,), None),
                ("Three.", (3,), Opens.PARAGRAPH),
                ("Four.", (1,), None),
            ],
            id="an empty line opens a paragraph, but for the first",
        ),
        pytest.param(
            "\n\nOne [1].", [("One.", (1,), None)], id="empty lines before an answer open nothing"
        ),
        pytest.param(
            "Intro [1].\n\n1. First [1].\n2. Second [2]. More [3].\n\n- Bullet [3].\n\nEnd [1].",
            [
                ("Intro.", (1,), None),
                ("First.", (1,), Opens.NUMBERED),
                ("Second.", (2,), Opens.NUMBERED),
                ("More.", (3,), None),
                ("Bullet.", (3,), Opens.ITEM),
                ("End.", (1,), Opens.PARAGRAPH),
            ],
            id="each item opens itself, not its further sentences",
        ),
        pytest.param("- One [1].", [("One.", (1,), Opens.ITEM)], id="a list may begin the answer"),
        pytest.param(
            "| Mill | Year |\n|---|---|\n| **Hask** | 1861 [1] |\n| Brell | [2][3] |\nShut [1].",
            [
                ("Mill: **Hask**; Year: 1861", (1,), Opens.ROW),
                ("Mill: Brell", (2, 3), Opens.ROW),
                ("Shut.", (1,), Opens.PARAGRAPH),
            ],
            id="a row is read with its heads",
        ),
        pytest.param(
            "It burned [2].\n\n| Mill | Year |\n|---|---|\n| Hask | 1861 |\n| - | - |",
            [("It burned.", (2,), None), ("Mill: Hask; Year: 1861", (2,), Opens.ROW)],
            id="a row without ids is of what was cited before it",
        ),
        pytest.param(
            "| Mill | Year |\n|---|---|\n\nSo it is [1].\n| Hask | 1861 [2] |",
            [("So it is.", (1,), None), ("Hask | 1861", (2,), None)],
            id="a head is of its own table alone",
        ),
        pytest.param(
            "| The mill burned [1] |\nIt shut [2].",
            [("The mill burned", (1,), None), ("It shut.", (2,), None)],
            id="a row without a rule under it is prose",
        ),
        pytest.param(
            "| The mill burned [1] |\n| It shut [2] |",
            [("The mill burned", (1,), None), ("It shut", (2,), None)],
            id="so are several",
        ),
    ],
)
def test_the_form_of_an_answer_is_kept(text: str, expected: list[Said]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Use [1]:\n\n```python\nx = y[1]\n\nprint(x)\n```\n[2]\n\nFine [3].",
            [
                ("Use:", (1,), None),
                ("x = y[1]\n\nprint(x)", (2,), Opens.CODE),
                ("Fine.", (3,), Opens.PARAGRAPH),
            ],
            id="with the ids under it",
        ),
        pytest.param(
            "Use [1]:\n```\nx = y[1]\n```\nIt prints one [3].",
            [
                ("Use:", (1,), None),
                ("x = y[1]", (1,), Opens.CODE),
                ("It prints one.", (3,), Opens.PARAGRAPH),
            ],
            id="with those before it",
        ),
        pytest.param(
            "It prints one [1]. In short:\n```\nx = y[1]\n```\nBut then:\n```\nx = 2\n```",
            [
                ("It prints one.", (1,), None),
                ("In short:", (), None),
                ("x = y[1]", (1,), Opens.CODE),
                ("But then:", (), Opens.PARAGRAPH),
                ("x = 2", (1,), Opens.CODE),
            ],
            id="with those before what leads it in",
        ),
        pytest.param(
            "```py\nx = 1\n```py\n```\n| a |",
            [("x = 1\n```py", (), Opens.CODE), ("a", (), Opens.PARAGRAPH)],
            id="to a fence that names no language, and before a row",
        ),
        pytest.param("~~~\nx = 1", [("x = 1", (), Opens.CODE)], id="without an end"),
        pytest.param(
            "```\nx = 1\n```\n```\ny = 2\n```",
            [("x = 1", (), Opens.CODE), ("y = 2", (), Opens.CODE)],
            id="next to another",
        ),
        pytest.param("```\n---\n```\nSo [1].", [("So.", (1,), None)], id="without a letter"),
        pytest.param(
            "```\nThe mill burned in 1861 [1].\nIt was rebuilt [2].\n```",
            [("The mill burned in 1861.", (1,), None), ("It was rebuilt.", (2,), None)],
            id="but not an answer that cites",
        ),
        pytest.param(
            "```\nthe mill = in 1861 [1]\n```",
            [("the mill = in 1861 [1]", (), Opens.CODE)],
            id="though code may look like one",
        ),
        pytest.param(
            "```\nmill in May [1]\n```", [("mill in May", (1,), None)], id="of four words"
        ),
        pytest.param(
            "```\nin May [1]\n```", [("in May [1]", (), Opens.CODE)], id="and not of three"
        ),
    ],
)
def test_a_block_of_code_is_a_sentence(text: str, expected: list[Said]) -> None:
    assert read(text) == expected


def test_an_answer_wrapped_whole_is_no_code() -> None:
    wrapped = "```markdown\nIt burned [1].\n```py\nx = 1\n```\nIt stood [2].\n```\nIt shut [3]."
    assert [(text, opens) for text, _, opens in read(wrapped)] == [
        ("It burned.", None),
        ("x = 1", Opens.CODE),
        ("It stood.", Opens.PARAGRAPH),
        ("It shut.", None),
    ]
    after = "```md\nIt burned [1].\n```\n```\nx = 1\n```"
    assert [opens for _, _, opens in read(after)] == [None, Opens.CODE]


@pytest.mark.parametrize(
    "text",
    [
        f"The key is {SECRET} [1].",
        f"| Key | For |\n|---|---|\n| {SECRET} | all [1] |",
        f"```\nkey = '{SECRET}'\n```",
    ],
)
def test_a_key_is_repeated_from_the_sources_alone(text: str) -> None:
    assert read(text) == []
    (said,) = read(text, f"Their key, {SECRET}, is for tests.")
    assert SECRET in said[0]


def test_a_name_and_its_index_are_code_where_the_sources_have_them() -> None:
    assert read("rows[0] is first [1].", "for rows[0] of")[0][0] == "`rows[0]` is first."
    assert read("rows[0] is first [1].")[0][0] == "rows is first."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It burned [1-11].", (1, 2, 3)),
        ("It burned [1-12].", (1, 12)),
        ("It burned [2-2].", (2,)),
        ("It burned [2–3].", (2, 3)),
        ("A [2](http://mill.example) b.", (2,)),
        ("A [^2](http://mill.example) b.", (2,)),
        ("A [mill](http://mill.example) [1].", (1,)),
    ],
)
def test_ids_are_read_out_of_ranges_and_links(text: str, expected: tuple[int, ...]) -> None:
    ((said, evidence, _),) = read(text)
    assert evidence == expected
    assert "http" not in said
    assert "[" not in said


def test_an_address_alone_says_nothing() -> None:
    assert read("See https://mill.example.") == []
    assert read("See https://mill.example [1].") == [("See.", (1,), None)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("**How it is done**", "**How it is done:**"),
        ("**How it is done:**", "**How it is done:**"),
        ("**Oak and other timber**", "**Oak and other timber:**"),
        ("**The mill is haunted**", "**The mill is haunted**"),
        ("**The miller robbed the guild**", "**The miller robbed the guild**"),
        ("**Der Müller hat gestohlen**", "**Der Müller hat gestohlen**"),
        ("**It burned.**", "**It burned.**"),
        ("**Built in 1861**", "**Built in 1861**"),
        ("**It burned** in May.", "**It burned** in May."),
    ],
)
def test_a_line_of_bold_words_alone_leads_in_what_follows(line: str, text: str) -> None:
    _, heading, item = read(f"It burned [1].\n\n{line}\n\n- It is of oak [2].")
    assert heading[0] == text
    assert item[0] == "It is of oak."


def test_bold_words_with_which_an_answer_begins_may_be_all_of_it() -> None:
    assert read("**Not before May**\n\nIt was shut until then [1].")[0][0] == "**Not before May**"


def test_bold_words_that_a_sentence_cuts_lose_their_marks() -> None:
    assert [text for text, *_ in read("**It burned. And so** it **stood** [1].")] == [
        "It burned.",
        "And so it stood.",
    ]


def test_what_cannot_be_told_yet_waits() -> None:
    """A short line, one with code that is not closed, one of a table, and code itself."""
    one = "The mill of Odile Varga burned one night in May of 1861 [1]. "
    other = "It was rebuilt by her brother and by the ferryman of Tarnholm [2]."
    long = f"{one}{other}"
    reader = SentenceReader(KNOWN)
    assert [*reader.feed(one[:79])] == []
    for text in (f"| {long} {long}", f"{long} `x {long}", f"```\n{long} {long}", f"# {long}"):
        assert [*SentenceReader(KNOWN).feed(text)] == [], text
    (first,) = SentenceReader(KNOWN).feed(long)
    assert first.evidence == (1,)


def test_a_line_is_taken_when_it_is_as_long_as_may_be() -> None:
    reader = SentenceReader(KNOWN)
    assert [*reader.feed("a" * MAX_LINE_CHARS)] == []
    (said,) = reader.feed("a")
    assert len(said.text) == MAX_LINE_CHARS + 1


def test_nothing_is_read_behind_a_list_of_sources() -> None:
    reader = SentenceReader(KNOWN)
    assert [each.text for each in reader.feed("It burned [1].\nSources:\nIt shut [2].\n")] == [
        "It burned."
    ]
    assert [*reader.feed("It stood [3].\n"), *reader.close()] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So [1, 3]. And x[0] [2] [9].", "So[40][9]. And x[0][50]."),
        ("So [1-3].", "So[40][50][9]."),
        ("`x[1]` [1]", "`x[1]`[40]"),
        ("[1]\n```py\nx[1]\n```\n[2] `y[2]`", "[40]\n```py\nx[1]\n```\n[50] `y[2]`"),
        ("```\nIt burned in May [1].\n```", "```\nIt burned in May[40].\n```"),
        ("```md\nx [1]\n```", "```md\nx[40]\n```"),
        ("```\nx [1]\n```", "```\nx [1]\n```"),
    ],
)
def test_numbers_become_ids_outside_of_code(text: str, expected: str) -> None:
    assert with_ids(text, {1: 40, 2: 50, 3: 9}) == expected


def test_notes_at_the_end_and_marks_of_quotation_are_no_part_of_the_answer() -> None:
    text = "It has a dam.[^3]\n\n> It is low. [3]\n\n[^3]: The dam\n"
    expected = [("It has a dam.", (3,), None), ("It is low.", (3,), Opens.PARAGRAPH)]
    for written in (text, with_ids(text, {3: 3})):
        reader = SentenceReader(KNOWN)
        read = [*reader.feed(written), *reader.close()]
        assert [(each.text, each.evidence, each.opens) for each in read] == expected


def test_an_item_that_heads_a_list_of_its_own_leads_in() -> None:
    parts = ("1. Power", "   - It uses 11 kW [1].", "2. Care", "   - Oil it [1].", "3. Bronze")
    text = "\n".join((*parts, "", "It is old [1].", ""))
    reader = SentenceReader(KNOWN)
    read = [each for piece in text for each in reader.feed(piece)] + [*reader.close()]
    assert [(each.text, each.opens) for each in read] == [
        ("Power:", Opens.NUMBERED),
        ("It uses 11 kW.", Opens.ITEM),
        ("Care:", Opens.NUMBERED),
        ("Oil it.", Opens.ITEM),
        ("Bronze", Opens.NUMBERED),
        ("It is old.", Opens.PARAGRAPH),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "Made-up ids, such as [99], fail the check [1].",
            "Made-up ids, such as `[99]`, fail the check.",
        ),
        ("An id like [99] is passed over [1].", "An id like `[99]` is passed over."),
        ("Eine Nummer wie [99] wird übergangen [1].", "Eine Nummer wie `[99]` wird übergangen."),
        ("The mill burned [99][1].", "The mill burned."),
        ("It turns like [1] says.", "It turns like says."),
    ],
)
def test_an_id_that_is_an_example_is_shown_as_code(written: str, shown: str) -> None:
    assert [text for text, *_ in read(written)] == [shown]
    translated = with_ids(written, {1: 1})
    assert [text for text, *_ in read(translated)] == [shown]
