"""Where sentences begin and end."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.text.odd_text import TEXTS

from quaere.text.sentences import excerpt, sentences


def cut(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@given(TEXTS)
def test_spans_are_in_order_and_stripped(text: str) -> None:
    end = 0
    for span in sentences(text):
        assert end <= span.start < span.end <= len(text)
        piece = text[span.start : span.end]
        assert piece == piece.strip()
        end = span.end


@given(TEXTS)
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


@given(TEXTS)
@example("\ta\na")
def test_a_blank_line_is_a_boundary(text: str) -> None:
    assert cut(f"{text}\n\n{text}") == cut(text) * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n ",
        "The tide turned.",
        "Dr. Orla Finn met Mr. J. K. Marsh at St. Bride's.",
        "Kiln: Alma; Max. Temp. (°C): 1280; Door: left",
        "The U.S. Navy kept it, i.e. the lamp, for approx. 3.5 million dollars.",
        "It stood on p. 12, Fig. 3 and No. 7 of the list.",
        "He came on Jan. 5 and left on Sept. 9.",
        "See Marsh et al. (2004) for more.",
        "“Is it lit?” asked the keeper.",
        "“Stop!” he said.",
        "Yahoo! is older.",
        "They waited ... and waited.",
        "She paused . . . Then spoke",
        "Version 2.0.1 is out at tides.example.org today.",
        "Finn & Co. Ltd. built it.",
        "the ship of Henry VIII. 30 men rowed",
        "東京の灯台",
        "1. The first rule",
        "It took U.S.S. Morn there.",
        "See e.g. Morn and a.m. hours.",
        "MORN VS. THE CROWN",
        "He won the Ph.D. Prize of Morn.",
        "An addl. kWh was used.",
        "Es war der 3. Oktober 1990.",
        "Das 19. Jahrhundert begann.",
        "Il ritardo si giustifica secondo l’art. 18 e l'allegato n. 2 del piano.",
        "Voir l'art. 4 et la pag. 7.",
        "Das regelt § 3 Abs. 2 der Ordnung.",
        'Ask `lamp ask "Who was it?" --brief` once more.',
        "Type ``is it. So`` there.",
    ],
)
def test_one_sentence_stays_whole(text: str) -> None:
    assert cut(text) == ([text] if text.strip() else [])


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The tide rose. It fell.", ["The tide rose.", "It fell."]),
        ("Did it? Yes! It did…", ["Did it?", "Yes!", "It did…"]),
        ("He left the U.S. The lamp went out.", ["He left the U.S.", "The lamp went out."]),
        ("Finn sold it to Marsh Inc. He left.", ["Finn sold it to Marsh Inc.", "He left."]),
        ("She said no. Then she left.", ["She said no.", "Then she left."]),
        ("It holds vitamin C. The rest is salt.", ["It holds vitamin C.", "The rest is salt."]),
        ("It was 1914. 200 men came.", ["It was 1914.", "200 men came."]),
        ("“It is lit.” She nodded.", ["“It is lit.”", "She nodded."]),
        ('He said "no." "Why?" she asked.', ['He said "no."', '"Why?" she asked.']),
        ("(It was dark.) The boat came.", ["(It was dark.)", "The boat came."]),
        ("It rose.[1] It fell.[2][3] Then", ["It rose.[1]", "It fell.[2][3]", "Then"]),
        ("灯台です。古い！本当？", ["灯台です。", "古い！", "本当？"]),
        ("Маяк горит. Море тихо.", ["Маяк горит.", "Море тихо."]),
        ("البحر هادئ؟ نعم.", ["البحر هادئ؟", "نعم."]),
        ("It rose. 3. Ingrid came", ["It rose.", "3. Ingrid came"]),
        ("They were 12. Finn was one.", ["They were 12.", "Finn was one."]),
        ("She said no. Finn left.", ["She said no.", "Finn left."]),
        ("Finn did so. Marsh did not.", ["Finn did so.", "Marsh did not."]),
        ("Solve it for x. Finn did.", ["Solve it for x.", "Finn did."]),
        ("See log.txt. Finn wrote it.", ["See log.txt.", "Finn wrote it."]),
        ("The tide rose. The law: stay.", ["The tide rose.", "The law: stay."]),
        ("Kiln: Alma; it is hot. It has a door.", ["Kiln: Alma; it is hot.", "It has a door."]),
        ("Use `a. B` here. Then `c`.", ["Use `a. B` here.", "Then `c`."]),
        ("A ` is a tick. So ` is this.", ["A ` is a tick.", "So ` is this."]),
    ],
)
def test_where_a_sentence_ends(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("# The lamp\nIt was lit.", ["# The lamp", "It was lit."]),
        ("Tools:\n- a lamp\n- a rope\n* oil", ["Tools:", "- a lamp", "- a rope", "* oil"]),
        ("1. Light it\n2) Wait", ["1. Light it", "2) Wait"]),
        ("| port | metres |\n|---|---|\n| Morn | 4 |", None),
        ("One\n\nTwo", ["One", "Two"]),
        ("One\fTwo", ["One", "Two"]),
        ("Above\n---\nbelow", ["Above", "---", "below"]),
        ("> quoted\n> again", ["> quoted", "> again"]),
        ("Light it:\n.. code-block:: sh\nlamp on", ["Light it:", ".. code-block:: sh", "lamp on"]),
    ],
)
def test_lines_that_stand_alone(text: str, pieces: list[str] | None) -> None:
    assert cut(text) == (text.split("\n") if pieces is None else pieces)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "bring the keys. the gate shuts at six! ask ada for the code.",
            ["bring the keys.", "the gate shuts at six!", "ask ada for the code."],
        ),
        (
            "a balsa sai às seis. o bilhete é pago a bordo. não há volta.",
            ["a balsa sai às seis.", "o bilhete é pago a bordo.", "não há volta."],
        ),
        ("What the keeper asks of all who come by boat\n\nbring oil. shut the gate. go.", 4),
        ("mRNA keeps. it thaws slowly. it is used at once.", 3),
        ("see approx. six of it. the end", None),
        ("they sail at six. ask ada. The gate is shut. see below.", 2),
        ("Bring the keys. the gate shuts at six. ask ada for it.", None),
    ],
)
def test_sentences_begin_small_where_none_begins_otherwise(
    text: str, pieces: list[str] | int | None
) -> None:
    found = cut(text)
    assert len(found) == pieces if isinstance(pieces, int) else found == (pieces or [text])


def test_a_wrapped_line_goes_on() -> None:
    text = (
        "The keeper of the lighthouse at Morn wrote down the height of\n"
        "Spring tides for forty years, and nobody read his book until\n"
        "it was found."
    )
    assert cut(text) == [text]


@pytest.mark.parametrize(("columns", "pieces"), [(36, 2), (37, 1)])
def test_a_line_ends_early_if_a_fifth_of_the_width_stays_free(columns: int, pieces: int) -> None:
    heading = "Tides ".ljust(columns, "x")
    body = "No keeper of a lamp has ever written this much down"[:50]
    assert len(cut(f"{heading}\n{body}")) == pieces


def test_a_short_line_before_a_long_one_is_a_heading() -> None:
    body = "The keeper of the lighthouse wrote down the height of spring tides for forty years."
    assert cut(f"Early records\n{body}\nLater records\n{body}") == [
        "Early records",
        body,
        "Later records",
        body,
    ]


LISTING = """\
boat list             all boats
boat show [NAME]      one boat; the last one
                      when none is named
"""


OPTIONS = """\
-n, --dry-run   only say what would be done
                to the boat
-q, --quiet     say nothing"""


def test_an_option_is_apart_from_what_is_said_of_it() -> None:
    assert cut(OPTIONS) == [
        "-n, --dry-run",
        "only say what would be done\n                to the boat",
        "-q, --quiet",
        "say nothing",
    ]
    below = "-q, --quiet     say nothing\nto the crew"
    assert cut(below) == ["-q, --quiet", "say nothing", "to the crew"]


def test_entries_of_a_listing_are_apart() -> None:
    assert [LISTING[s.start : s.end].split()[1] for s in sentences(LISTING)] == ["list", "show"]


@pytest.mark.parametrize(
    "text",
    [
        "the crew rows at  dawn and comes\nback with the  tide, as it has for years",
        "the crew rows at dawn.  it comes\nback with the tide",
    ],
    ids=["justified", "spaced"],
)
def test_wide_gaps_that_are_not_below_each_other_part_nothing(text: str) -> None:
    assert len(sentences(text)) == 1


def test_entries_of_a_form_are_apart() -> None:
    form = "Present: Ada Novak, Jon Hask\nAbsent: Odile Varga\nNext meeting: 9 April 2031"
    assert cut(form) == form.split("\n")
    assert cut("Present: Ada Novak\nand Jon Hask") == ["Present: Ada Novak\nand Jon Hask"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("It could be better. bzip2 tries hard.", ["It could be better.", "bzip2 tries hard."]),
        ("See below. read_file(3) reads it.", ["See below.", "read_file(3) reads it."]),
        ("It waits. tide.EBB means it.", ["It waits.", "tide.EBB means it."]),
        ("It is wide, i.e. w2 metres wide.", ["It is wide, i.e. w2 metres wide."]),
        ("It is kept. so they say", ["It is kept. so they say"]),
    ],
)
def test_a_name_of_code_begins_a_sentence_in_small_letters(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


def test_code_on_the_next_line_goes_on_with_a_sentence() -> None:
    rest = (
        "`10.0.0.1`, `10.0.0.2`, `10.0.0.3`, `10.0.0.4` and `10.0.0.5` as the last resort of all."
    )
    assert len(cut(f"A client asks the servers\n{rest}")) == 1
    assert len(cut(f"A client asks the servers:\n{rest}")) == 2


LINKED = (
    "kelp hands every `tide.Mark` over to\n"
    "[Form 12](https://tides.example/forms/twelve-of-them) papers"
)


@pytest.mark.parametrize(
    "text",
    [
        LINKED,
        LINKED.replace(" over to", ""),
        "All tides go into the\nBook of Morn, which nobody but he may read or take.",
    ],
)
def test_no_line_ends_before_a_link_nor_with_a_word_that_joins(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    "body",
    [
        "The keeper wrote down the height of tides for forty years.",
        "[Form 12](x) is handed in by all keepers before the dusk.",
    ],
)
def test_a_heading_may_end_with_any_word(body: str) -> None:
    assert cut(f"What to look at\n{body}") == ["What to look at", body]


def test_two_spaces_after_a_full_stop_are_no_columns() -> None:
    text = (
        "Barges.  You may ask any toll you like for the mooring of\n"
        "Barges.  You may not ask one for the barges themselves, and"
    )
    assert " ".join(text[slice(*sentences(text)[1])].split()) == (
        "You may ask any toll you like for the mooring of Barges."
    )


TEXT = "Hask is a town. It has a mill. The harbour silted up in 1861. Nobody minded. The end came."


def taken(wanted: list[str], room: int) -> str:
    span = excerpt(TEXT, wanted, room)
    return TEXT[span.start : span.end]


def test_the_sentences_that_hold_most_of_what_is_wanted() -> None:
    assert taken(["harbour", "silt"], 30) == "The harbour silted up in 1861."
    assert taken(["harbour", "mind"], 45) == "The harbour silted up in 1861. Nobody minded."
    assert taken(["mind", "end"], 28) == "Nobody minded. The end came."


def test_a_text_that_fits_is_taken_whole_and_of_equals_the_first() -> None:
    assert taken(["x"], 1_000) == TEXT
    assert excerpt("The end. ", ["x"], 9) == (0, 9)
    assert taken(["absent"], 20) == "Hask is a town."


def test_a_sentence_longer_than_the_room_is_cut_at_a_space() -> None:
    assert taken(["harbour"], 12) == "The harbour"
    assert excerpt("Mr Hask of Morn", ["Hask"], 3) == (0, 2)
    assert excerpt("Lighthouse", ["lamp"], 5) == (0, 5)
    assert excerpt("     ", ["lamp"], 3) == (0, 0)


@given(st.text(max_size=300), st.integers(1, 200))
def test_it_never_takes_more_than_its_room(text: str, room: int) -> None:
    span = excerpt(text, ["a", "the"], room)
    assert 0 <= span.start <= span.end <= len(text)
    assert span.end - span.start <= room


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "Values:\n    - one: a single tank\n    - two: both tanks\n  Note that two is slow.",
            ["Values:", "- one: a single tank", "- two: both tanks", "Note that two is slow."],
        ),
        (
            "Modes.\n\n  tide means that it waits\n    for the flood\n  ebb means that it does not",
            ["Modes.", "tide means that it waits\n    for the flood", "ebb means that it does not"],
        ),
        (
            "tide waits\n      for all\n    ebb does not",
            ["tide waits\n      for all", "ebb does not"],
        ),
        ("It has these parts:\n  hull (wood)", ["It has these parts:", "hull (wood)"]),
        ("He had one wish:\nto sail", ["He had one wish:\nto sail"]),
        ("Modes.\n\n- the keeper went\nby boat", ["Modes.", "- the keeper went\nby boat"]),
        (
            "Modes.\n\nthe tank\n  slowly, and not before all the flood is over",
            ["Modes.", "the tank", "slowly, and not before all the flood is over"],
        ),
        # Where a text begins may be the middle of a sentence.
        (
            "the tank\n  slowly, and not before all the flood is over",
            ["the tank\n  slowly, and not before all the flood is over"],
        ),
        # What begins as prose does goes on until it has an end.
        (
            "Modes.\n\n  - The keeper went there\n    by boat\nand slept.",
            ["Modes.", "- The keeper went there\n    by boat\nand slept."],
        ),
        (
            "Modes.\n\n  - The keeper looked there\n    for all\nmRNA.",
            ["Modes.", "- The keeper looked there\n    for all\nmRNA."],
        ),
        (
            "Modes.\n\n  - The keeper went\n    by boat\nand slept.",
            ["Modes.", "- The keeper went\n    by boat", "and slept."],
        ),
        (
            "Modes.\n\n  - the keeper went there\n    by boat\nand slept.",
            ["Modes.", "- the keeper went there\n    by boat", "and slept."],
        ),
        (
            "Modes.\n\n  The keeper went there\n    by boat.\n  and slept",
            ["Modes.", "The keeper went there\n    by boat.", "and slept"],
        ),
        (
            "Modes.\n\n  The keeper went there\n    by boat\n  He slept.",
            ["Modes.", "The keeper went there\n    by boat", "He slept."],
        ),
    ],
)
def test_what_stands_further_out_is_another_thing(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


def test_the_mark_of_a_note_belongs_to_the_sentence_that_it_ends() -> None:
    text = "It was planned by Ada Novak.¹² The pool is deep.¹,² It is old.³–⁵"
    found = [text[span.start : span.end] for span in sentences(text)]
    assert found == ["It was planned by Ada Novak.¹²", "The pool is deep.¹,²", "It is old.³–⁵"]


def test_a_command_that_goes_on_in_the_next_line_is_one() -> None:
    text = "boxer run --rm \\\n  -v /data:/data \\\n  tern serve\nboxer stop --all"
    assert cut(text) == [text[: text.rindex("\n")], "boxer stop --all"]


def test_a_time_of_day_with_a_point_is_no_abbreviation() -> None:
    pieces = ["Le chiuse aprono alle 8.30.", "L'ingresso è libero."]
    assert cut(" ".join(pieces)) == pieces
