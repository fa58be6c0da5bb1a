"""What counts as a name, and where it begins and ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.text.odd_text import TEXTS

from quaere.text.names import names


def found(text: str) -> list[str]:
    return [name.text for name in names(text)]


@given(TEXTS)
def test_names_stand_where_they_say_in_order_and_apart(text: str) -> None:
    end = 0
    for name in names(text):
        assert end <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.text
        end = name.end


@given(TEXTS)
def test_names_have_no_white_space_around(text: str) -> None:
    assert all(name == name.strip() and name for name in found(text))


@given(TEXTS)
def test_text_in_lower_case_without_quotes_names_nothing(text: str) -> None:
    plain = "".join(char for char in text.lower() if char.isalpha() and char.islower())
    assert found(f"and {plain} too") == []


def test_a_title_in_quotes_is_one_name_up_to_ten_words() -> None:
    title = "Lamps of Orrin and Brell and Hask and Skarrow Bay"
    assert found(f'She read "{title}" there.') == [title]
    assert title not in found(f'She read "{title} Isle" there.')
    assert found(f'She read "{title} Isle" there.')[0] == "Lamps of Orrin"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met Orla Finn there.", ["Orla Finn"]),
        ("He studied at the University of Morn.", ["University of Morn"]),
        ("She wrote The Keeper of the Lamp.", ["The Keeper of the Lamp"]),
        ("They recall 9/11 still.", ["9/11"]),
        ("It is a Boeing 747 now.", ["Boeing 747"]),
        ("by Ludwig van der Marsh and J. K. Finn", ["Ludwig van der Marsh", "J. K. Finn"]),
        ("near Saint-Malo with Sean O'Neill", ["Saint-Malo", "Sean O'Neill"]),
        ("from AT&T to Marsh & Sons", ["AT&T", "Marsh & Sons"]),
        (
            "met E\u0301mile Orban and Jose\u0301-Maria Finn",
            ["E\u0301mile Orban", "Jose\u0301-Maria Finn"],
        ),
        ("the iPhone and the Covid-19 wave", ["iPhone", "Covid-19"]),
        ("won the 2004 Summer Games in Morn", ["2004 Summer Games", "Morn"]),
        ("under Henry I of Morn, who", ["Henry I of Morn"]),
        ("met Dr. Finn and St. Bride", ["Dr. Finn", "St. Bride"]),
        ("the Centre for Tidal Studies at Morn", ["Centre for Tidal Studies at Morn"]),
        ("the Institute of Ships and Harbours", ["Institute of Ships and Harbours"]),
        ("to King's College today", ["King's College"]),
        ("in the U.S. Navy", ["U.S. Navy"]),
        ("written by Анна Маяк in Морск", ["Анна Маяк", "Морск"]),
        ("an eBook by Orla", ["eBook", "Orla"]),
        ("the mRNA in it", ["mRNA"]),
        ("an mV or a kW", []),
        ("won the 2004 Games, and", ["Games"]),
        ("won in 2004 Summer Games", ["Summer Games"]),
        ("won the 3004 Summer Games", ["Summer Games"]),
        ("won the 2004, Summer Games", ["Summer Games"]),
        ("the Finns’ Old Harbour", ["Finns", "Old Harbour"]),
        ("the mayor Finn's", ["Finn"]),
        ("by Orla Finn &", ["Orla Finn"]),
        ("met the Dr. there", []),
        ("it runs iOS 5 now", ["iOS 5"]),
    ],
)
def test_names_within_a_sentence(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The keeper slept.", []),
        ("However, he slept.", []),
        ("Running is fun, and running is cheap.", []),
        ("Released in spring, it sold well.", []),
        ("Born in Morn, she left.", ["Morn"]),
        ("Released!", ["Released"]),
        ("Morning in Morn is dark.", ["Morn"]),
        ("Sing in the rain.", ["Sing"]),
        ("Marked", ["Marked"]),
        ("Emily left.", ["Emily"]),
        ("Painted by", []),
        ("However.", []),
        ("They'll see Orla.", ["Orla"]),
        ("The Keepers' Boat was a film.", ["Keepers' Boat"]),
        ("Sadly, it broke.", ["Sadly"]),
        ("The 2004 Summer Games began.", ["2004 Summer Games"]),
        ("It was said: The Finn Trust paid.", ["Finn Trust"]),
        ("She said (The Finn Trust paid).", ["Finn Trust"]),
        ("That's Orla.", ["Orla"]),
        ("Orla left. Monday", ["Orla"]),
        ("Monday", []),
        ("Marsh.", ["Marsh"]),
        ("Finn Inc.", ["Finn Inc"]),
        ("It is the U.S.", ["U.S."]),
        ("Suddenly it broke.", []),
        ("Paris was dark.", ["Paris"]),
        ("The Finn Trust paid.", ["Finn Trust"]),
        ("In Morn the lamp was lit.", ["Morn"]),
        ("When Orla Finn came, they left.", ["Orla Finn"]),
        ("Which Boeing 747 was lost?", ["Boeing 747"]),
        ("I met him and I'm glad.", []),
        ("In May 2004 Orla came on Monday.", ["Orla"]),
        ("The Keeper of the Lamp", ["The Keeper of the Lamp"]),
        ("Boat to Morn is a 1951 film by Orla Finn.", ["Boat to Morn", "Orla Finn"]),
        ("You Are My Lamp (1951) is a song.", ["You Are My Lamp"]),
        ("Boat to Morn was a film.", ["Boat to Morn"]),
        ("In Morn was a lamp.", ["Morn"]),
    ],
)
def test_names_at_the_head_of_a_sentence(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ports such as Morn, Finn and Marsh", ["Morn", "Finn", "Marsh"]),
        ("Orla Finn's Harbour Prize", ["Orla Finn", "Harbour Prize"]),
        ("the Finns' Old Harbour", ["Finns", "Old Harbour"]),
        ("Orla Finn. Marsh came", ["Orla Finn", "Marsh"]),
        ("- Orla Finn\n- Jon Marsh", ["Orla Finn", "Jon Marsh"]),
        ("Orla Finn (Morn)", ["Orla Finn", "Morn"]),
        ("the Orla   Finn and the Jon    Marsh", ["Orla   Finn", "Jon", "Marsh"]),
    ],
)
def test_what_parts_two_names(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('he sang "The Lamp and the Sea," loudly', ["The Lamp and the Sea"]),
        ("he sang “Alone at Sea” there", ["Alone at Sea"]),
        ("он читал «Море и Маяк» вслух", ["Море и Маяк"]),
        ("彼は『灯台』を読んだ", ["灯台"]),
        ("作者はオーラ・フィンです", ["オーラ・フィン"]),
        ('he said "wait for the tide" twice', []),
        ('he said "The tide was rising again" twice', []),
        ("彼は「タワー物語」を書いた。", ["タワー物語"]),
        ("映画「タワー」とカルロ。", ["タワー", "カルロ"]),
        ('"at": "2031-05-04T12:00:07+00:00", "id": "0c3e"', []),
        ('she saw "1917" and "2001: A Space Walk"', ["1917", "2001: A Space Walk"]),
    ],
)
def test_titles_in_quotes(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text", ["", "THE LAMP IS LIT AT LAST", "A. B.", "12 1998 3.5", "&", "..."]
)
def test_what_names_nothing(text: str) -> None:
    assert found(text) == []


def test_offsets_lead_back_to_the_text() -> None:
    text = "It rained. The keeper, Orla Finn's son, slept."
    (name,) = names(text)
    assert (name.start, name.end) == (23, 32)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("To Dublin is a film.", "To Dublin"),
        ("(The Boat to Dublin is a film.", "Boat to Dublin"),
    ],
)
def test_a_title_that_is_defined_stands_at_the_beginning(text: str, name: str) -> None:
    assert found(text) == [name]


def test_a_title_that_is_defined_further_on_is_none() -> None:
    assert found("– The Boat to Dublin is a film.") == ["Boat", "Dublin"]


def test_the_mark_of_a_note_is_no_part_of_a_name() -> None:
    assert [name.text for name in names("It was planned by Ada Novak.¹² The pool is deep.")] == [
        "Ada Novak"
    ]
