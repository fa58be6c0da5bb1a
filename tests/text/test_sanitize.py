from __future__ import annotations

from base64 import b64encode
from functools import partial
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.text.sanitize import (
    LEFT_OUT,
    MAX_QUOTED_CHARS,
    find_keys,
    find_secrets,
    hosts_in,
    quoted,
    sanitize_label,
    without_links,
    without_secrets,
)

KEY = "sk-mill-9b2c4d6e8f0a1b3c5d7e9f1a"

SAFE = [
    "Year in which the mill at Tolvane was built",
    "response rate in KORA-2 (NCT01234567), per cent",
    "half-life of hallinium-289: 2.6 s, e.g. by alpha decay",
    "doi 10.1056/NEJMoa2034577 and ENSG00000139618",
    "full data: all years",
    "1,3,7-trimethylpurine-2,6-dione",
    "numpy.linalg.solve and Node.js in the U.S.A., and/or 1/2",
    "at 12:30:45, of std::vector and a::b::c, version 1.2.3",
    "می‌خواهم بدانم",
    "灯蛾とは何ですか",
]


@pytest.mark.parametrize("text", SAFE)
def test_plain_names_stay_as_they_are(text: str) -> None:
    assert sanitize_label(text) == text


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
        ("go to www.evil.example/start today", "go to today"),
        ("mail a@evil.com, or evil.com:80/start", "mail a@evil, or evil"),
        ("//evil.example/x and", "and"),
        ("one\nline\x00\x1b[31m of \u202eit\u200b \ud83e", "one line (31m of it"),
        ("cites [7] and {8} and `9`", "cites (7) and (8) and '9'"),
        (f"mill OPENAI_API_KEY={KEY} built", "mill built"),
    ],
)
def test_what_leads_somewhere_or_gives_something_away_goes(text: str, safe: str) -> None:
    assert sanitize_label(text) == safe


def test_what_the_question_speaks_of_stays() -> None:
    question = f"Who runs mill.example, at http://mill.example/a, with {KEY}?"
    for text in ("owner of mill.example", "http://mill.example/a as a source", f"meaning of {KEY}"):
        assert sanitize_label(text, question) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("It is at https://evil.example/a?b=c.", f"It is at {LEFT_OUT}."),
        ("See (www.evil.example), then", f"See ({LEFT_OUT}), then"),
        ("Load (logo)(//evil.example/x) now", f"Load (logo)({LEFT_OUT}) now"),
        ("Run javascript:alert(1), then", f"Run {LEFT_OUT}), then"),
        ("Said https://mill.example@evil.example/ so", f"Said {LEFT_OUT} so"),
        ("It moved to evil.example in 1911.", "It moved to evil in 1911."),
    ],
)
def test_a_sentence_leads_to_known_hosts_alone(text: str, safe: str) -> None:
    assert without_links(text, {"mill.example"}) == safe
    assert without_links(safe, {"mill.example"}) == safe


def test_a_sentence_may_lead_to_a_known_host() -> None:
    hosts = {"mill.example"}
    for text in ("At http://Mill.example:80/a#b it is.", "At a@mill.example, or //mill.example"):
        assert without_links(text, hosts) == text


def test_hosts_are_told_whatever_form_they_have() -> None:
    text = "Is Mill.example older than https://user@WEIR.test:80/a, www.lock.org or //sluice/x?"
    assert hosts_in(text) == {"mill.example", "weir.test", "www.lock.org", "sluice"}
    assert hosts_in("Neither and/or nor numpy.linalg, nor this.") == frozenset()


@given(st.text())
def test_what_leads_nowhere_stays_as_it_is(text: str) -> None:
    assert without_links(without_links(text)) == without_links(text)


def test_keys_are_long_and_mixed() -> None:
    assert find_secrets(f"it is {KEY}, and")[-1] == "9b2c4d6e8f0a1b3c5d7e9f1a"
    assert (
        find_secrets("hallinium289, 20310504T030201Z, Trimethylpurinedione, 1234567890123456") == []
    )


def test_keys_are_known_by_the_prefixes_of_their_vendors() -> None:
    assert find_secrets("no: sk-leakedleakedleaked123456789.") == ["sk-leakedleakedleaked123456789"]
    assert find_secrets("tvly-abcdefghijklmnop1 ghp_abcdefghijklmnopqrst1")
    assert find_secrets("sk-learn-is-a-library-of-python, risk-adjusted-returns-of-1990") == []


PLANTED = (
    "sk-proj-Ab3dEf6hIj9kLmNoPqRs",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "xoxb-2048-4096-Zx9Yw8Vu7Ts6",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9m",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
)


def _written(key: str) -> tuple[str, ...]:
    packed = b64encode(f"user:{key}".encode()).decode()
    return (key, packed, quote(packed), quote(f"k&{key}", safe=""), key.encode().hex())


@pytest.mark.parametrize("key", PLANTED)
def test_r4_3_a_key_is_found_however_it_is_written(key: str) -> None:
    for written in _written(key):
        text = f"Why is {written} refused at the gate?"
        kept = without_secrets(text, "(left out)")
        assert kept.startswith("Why is ")
        assert kept.endswith(" refused at the gate?")
        assert not any(part in kept for part in written.split())
        assert find_keys(text)


def test_a_user_and_a_password_in_an_address_are_found() -> None:
    text = "Is postgresql://mira:hunter2@db.example/x open?"
    assert without_secrets(text, "***") == "Is postgresql://***@db.example/x open?"


@pytest.mark.parametrize(
    "text",
    [
        "What does commit 0f3c9a7be1d2c4b8a6f5e0d9c7b3a1f2 change?",
        "Which sketches-of-the-harbour-from-1911-to-1923 exist, and who has sk-learn?",
        "Is caf%C3%A9 au lait written so, and what is /wiki/Caf%C3%A9_au_lait_spot_123456?",
        "What does internationalization/localization2023 at 10.1016/j.cell.2019.05.031 say?",
    ],
)
def test_hashes_and_long_names_do_not_have_the_form_of_a_key(text: str) -> None:
    assert find_keys(text) == []


@given(st.text() | st.binary(max_size=80).map(lambda data: b64encode(data).decode()))
def test_whatever_is_looked_through_for_keys_is_read_to_its_end(text: str) -> None:
    assert all(key in text for key in find_secrets(text))


PIECES = st.sampled_from(
    ["http://", "www.", "a.example", "[", "]", "(", ")", "!", "<", ">", "x", " ", "/", ":", KEY]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text())
@example("javascript:data:x")
def test_a_label_is_one_line_without_links_and_stays_as_it_is(text: str) -> None:
    made = sanitize_label(text)
    assert made == sanitize_label(made)
    assert without_links(made) == made
    assert not set(made) & set("<[]`\n\r\x00\x1b\u2028\u202e\ud83e")
    assert not find_secrets(made)
    made.encode()


@pytest.mark.parametrize(
    "host",
    [
        "evil.ru",
        "evil.cn/path",
        "evil.link",
        "evil.co.uk:8080/x?y=1",
        "evil.co.za",  # .za is in the list only with labels before it
        "EVIL.COM",
        "Evil.Com",
        "evil.md",
        "evil.zip/a",
        "1.2.3.4/path",
        "203.0.113.7",
        "203.0.113.7:80",
        "2001:db8::1",
        "xn--e1afmkfd.xn--p1ai",
        "пример.рф",
        "बैंक.भारत",
        "evil。com",
        "ｅｖｉｌ．ｃｏｍ",
    ],
)
def test_no_host_with_any_public_suffix_stays_in_a_sentence(host: str) -> None:
    text = f"The mill moved to {host} in 1911."
    shown = without_links(text, {"mill.example"})
    assert host not in shown
    assert hosts_in(shown) == frozenset()
    assert "moved to" in shown
    assert "in 1911." in shown
    assert without_links(text, hosts_in(text)) == text, "known by what names it"
    assert hosts_in(sanitize_label(text)) == frozenset()


def test_hosts_are_found_where_no_spaces_part_words() -> None:
    assert without_links("访问evil.ru查看") == "访问evil查看"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It was built in 1911.It burnt.", "It was built in 1911. It burnt."),
        ("See README.md and setup.py of it", "See README. md and setup. py of it"),
        ("ASP.NET and Booking.com", "ASP. NET and Booking. com"),
        ("a tag of mill.xn--99999999 that spells nothing",) * 2,
    ],
)
def test_what_may_be_no_host_is_parted_by_a_space(text: str, shown: str) -> None:
    assert without_links(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *("a." * 50_000, "a" * 200_000, "1:" * 50_000, "ф." * 50_000, "1.é" * 20_000),
        *("a\uff0eé" * 20_000, "\uff0e" * 50_000, f"{'a' * 60}." * 1_000 + "_é1"),
    ],
)
def test_looking_for_hosts_takes_time_by_length_alone(text: str) -> None:
    assert cpu_s(lambda: without_links(text), enough_s=2.0) < 2.0


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("3f2a", "'3f2a'"),
        ("", "''"),
        ("a\0\ud800\n", r"'a\x00\ud800\n'"),
        ("x" * MAX_QUOTED_CHARS, f"'{'x' * MAX_QUOTED_CHARS}'"),
        ("x" * 10_000, f"'{'x' * MAX_QUOTED_CHARS}'... (10,000 characters)"),
    ],
)
def test_what_was_typed_is_repeated_in_quotes(typed: str, shown: str) -> None:
    assert quoted(typed) == shown


@given(st.text(st.characters()))
def test_a_message_stays_one_line_that_can_be_written(typed: str) -> None:
    assert quoted(typed).isprintable()
    assert len(quoted(typed)) <= MAX_QUOTED_CHARS * len(r"\U0010ffff") + 30


@pytest.mark.parametrize("start", ["eyJé", "eyJ_", "eyJ"])
def test_looking_for_keys_takes_time_by_length_alone(start: str) -> None:
    text = start * 20_000
    assert cpu_s(lambda: list(find_secrets(text)), enough_s=1.0) < 1.0


def test_a_label_that_is_too_long_hides_no_host_that_is_one() -> None:
    assert without_links("see mill.example.") == "see mill."
    assert "mill.example" not in without_links(f"see {'a' * 64} mill.example")
    assert "mill.example" not in without_links(f"see {'a' * 64}.mill.example")


def test_a_label_of_brackets_is_read_in_time() -> None:
    for part in ("[", "![", "[]("):
        label = part * (20_000 // len(part))
        assert cpu_s(partial(sanitize_label, label), enough_s=1.0) <= 1.0
