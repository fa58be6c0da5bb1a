from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaere.text.label import keys, label

KEY = "sk-mill-9b2c4d6e8f0a1b3c5d7e9f1a"

SAFE = [
    "Year in which the mill at Tolvane was built",
    "response rate in KORA-2 (NCT01234567), per cent",
    "half-life of hallinium-289: 2.6 s, e.g. by alpha decay",
    "doi 10.1056/NEJMoa2034577 and ENSG00000139618",
    "full data: all years",
    "1,3,7-trimethylpurine-2,6-dione",
    "README.md, setup.py and ASP.NET in the U.S.A.",
    "می‌خواهم بدانم",
    "灯蛾とは何ですか",
]


@pytest.mark.parametrize("text", SAFE)
def test_plain_names_stay_as_they_are(text: str) -> None:
    assert label(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("the logo ![l](http://evil.example/p.png?q=a) of the mill", "the logo of the mill"),
        ("![x][r] and [r]: http://evil.example/r.png", "and (r):"),
        ("see [the figures](http://evil.example/c) first", "see the figures first"),
        ("[get it](javascript:fetch('//evil.example')", "get it"),
        ('<img src="http://evil.example/i.png">the mill<iframe src=x', "the mill"),
        ("fetch HTTPS://evil.example/a?b=c now", "fetch now"),
        ("data on evil-9f.example, all of it", "data on evil-9f, all of it"),
        ("go to www.evil.example/start today", "go to evil today"),
        ("one\nline\x00\x1b[31m of \u202eit\u200b \ud83e", "one line (31m of it"),
        ("cites [7] and {8} and `9`", "cites (7) and (8) and '9'"),
        (f"mill OPENAI_API_KEY={KEY} built", "mill built"),
    ],
)
def test_what_leads_somewhere_or_gives_something_away_goes(text: str, safe: str) -> None:
    assert label(text) == safe


def test_what_the_question_speaks_of_stays() -> None:
    question = f"Who runs mill.example, at http://mill.example/a, with {KEY}?"
    for text in ("owner of mill.example", "http://mill.example/a as a source", f"meaning of {KEY}"):
        assert label(text, question) == text


def test_keys_are_long_and_mixed() -> None:
    assert keys(f"it is {KEY}, and") == ["9b2c4d6e8f0a1b3c5d7e9f1a"]
    assert keys("hallinium289, 20310504T030201Z, Trimethylpurinedione, 1234567890123456") == []


PIECES = st.sampled_from(
    ["http://", "www.", "a.example", "[", "]", "(", ")", "!", "<", ">", "x", " ", "/", ":", KEY]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text())
@example("javascript:data:x")
def test_a_label_is_one_line_without_links_and_stays_as_it_is(text: str) -> None:
    made = label(text)
    assert made == label(made)
    assert "://" not in made
    assert not set(made) & set("[]`\n\r\x00\x1b\u2028\u202e\ud83e")
    assert not keys(made)
    made.encode()
