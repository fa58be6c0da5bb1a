from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.clean import codec_of, decode, is_wide

RUSSIAN = "Прилив в порту Ильмень достиг шести метров, и гавань закрыли до утра. " * 4
GERMAN = "Die Fähre überquert den Fluß täglich außer an Feiertagen für 5 €."
JAPANESE = "港の記録は毎朝七時に発表されます。潮の高さは六メートルでした。" * 4


@pytest.mark.parametrize(
    ("text", "codec", "content_type"),
    [
        (GERMAN, "utf-8", ""),
        (GERMAN, "utf-8-sig", "text/html; charset=iso-8859-1"),
        (GERMAN, "utf-16", ""),
        (GERMAN, "utf-16-le", ""),
        (GERMAN, "utf-16-be", ""),
        (GERMAN, "utf-32", ""),
        (GERMAN, "cp1252", "text/plain; charset=windows-1252"),
        (GERMAN, "cp1252", "text/plain; charset=iso-8859-1"),
        (RUSSIAN, "koi8-r", 'text/html; charset="KOI8-R"'),
        (RUSSIAN, "cp1251", "text/html;charset=windows-1251"),
        (JAPANESE, "shift_jis", "text/html; charset=Shift_JIS"),
        (JAPANESE, "euc_jp", "text/html; charset=EUC-JP"),
        (JAPANESE, "iso2022_jp", "text/html; charset=ISO-2022-JP"),
    ],
)
def test_declared_and_marked_text_is_read(text: str, codec: str, content_type: str) -> None:
    assert decode(text.encode(codec), content_type) == text


def test_a_page_declares_its_charset_in_its_first_bytes() -> None:
    page = f"<meta http-equiv=content-type content='text/html; charset=windows-1251'>{RUSSIAN}"
    assert RUSSIAN in decode(page.encode("cp1251"), "text/html")
    record = f'<?xml version="1.0" encoding="koi8-r"?><p>{RUSSIAN}</p>'
    assert RUSSIAN in decode(record.encode("koi8-r"))


def test_valid_utf8_wins_over_a_wrong_declaration() -> None:
    assert decode(GERMAN.encode(), "text/html; charset=iso-8859-1") == GERMAN


def test_an_undeclared_charset_is_guessed() -> None:
    assert decode(RUSSIAN.encode("cp1251")) == RUSSIAN


def test_a_broken_byte_does_not_spoil_the_rest() -> None:
    assert decode(b"Pr\xc3\xa9vu \xff le 3\xc3\xa8me jour") == "Prévu \ufffd le 3ème jour"


@pytest.mark.parametrize(
    "name",
    [
        *("base64", "zlib", "hex", "rot13", "idna", "punycode", "utf-7", "mbcs", "unicode_escape"),
        *("undefined", "x-unknown", "../etc", "a\x00b", "", "utf 8", "é", "x" * 5000),
    ],
)
def test_codecs_that_are_no_charsets_are_never_asked(name: str) -> None:
    assert codec_of(name) is None
    assert decode(b"The tide tables", f"text/html; charset={name}") == "The tide tables"


@pytest.mark.parametrize(
    "label",
    [
        *(f"ISO-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        *(f"windows-{page}" for page in (1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258)),
        *(f"IBM{page}" for page in (437, 850, 852, 855, 866)),
        "cp874",
    ],
)
def test_the_letters_of_each_charset_of_eight_bits_are_read_where_it_is_declared(
    label: str,
) -> None:
    high = bytes(range(0x80, 0x100)).decode(label, "ignore")
    letters = "".join(letter for letter in high if letter.isalpha())
    assert decode(f"Tides: {letters}.".encode(label), f"text/plain; charset={label}") == (
        f"Tides: {letters}."
    )


def test_every_codec_of_the_list_exists() -> None:
    for label in ("latin1", "utf8", "gb2312", "big5", "euc-kr", "tis-620", "cp866", "macintosh"):
        assert codec_of(label)
        codecs.lookup(codec_of(label) or "")


@given(st.binary(max_size=400), st.text(max_size=40))
def test_nothing_makes_decoding_fail(data: bytes, charset: str) -> None:
    decode(data, f"text/html; charset={charset}").encode()


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_utf8_comes_back_whole(text: str) -> None:
    assert decode(text.encode()) == text


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (RUSSIAN, "koi8-r"),
        ("Le dîner à l’hôtel coûte 5 € près d’ici, déjà réservé. " * 3, "cp1252"),
        ("Łódź leży w środkowej Polsce i była miastem włókniarzy. " * 3, "cp1250"),
        ("Το λιμάνι ανοίγει στις επτά το πρωί. " * 3, "cp1253"),
        ("港口的记录每天早上七点公布。" * 5, "gb18030"),
        ("항구 기록은 매일 아침 일곱 시에 발표됩니다. " * 3, "cp949"),
        (JAPANESE, "cp932"),
    ],
)
def test_common_charsets_are_guessed(text: str, codec: str) -> None:
    assert decode(text.encode(codec)) == text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("ends_at", "is_read"),
    [pytest.param(4096, True, id="within"), pytest.param(4097, False, id="a byte too late")],
)
def test_a_charset_is_declared_within_the_first_four_kilobytes(
    ends_at: int, *, is_read: bool
) -> None:
    declared = b'<meta charset="mac-roman'
    page = b" " * (ends_at - len(declared)) + declared + b'">' + GERMAN.encode("mac-roman")
    assert decode(page).endswith(GERMAN) is is_read


@pytest.mark.parametrize(
    ("data", "wide"),
    [
        (GERMAN.encode("utf-16"), True),
        (GERMAN.encode("utf-16-le"), True),
        (GERMAN.encode("utf-16-be"), True),
        (GERMAN.encode("utf-32"), True),
        (("Pier 港" * 20).encode("utf-16-le"), True),
        (("Pi港灯" * 20).encode("utf-16-le"), True),
        (("P港灯橋" * 20).encode("utf-16-le"), False),
        (("Pi港灯" * 20).encode("utf-16-be"), True),
        (("P港灯橋" * 20).encode("utf-16-be"), False),
        (("Pier" * 20).encode("utf-32-le"), False),
        (bytes(80), False),
        (GERMAN.encode("utf-8-sig"), False),
        (GERMAN.encode(), False),
        (b"\x00a", True),
        (codecs.BOM_UTF16_BE, True),
        (codecs.BOM_UTF32_LE, True),
        (codecs.BOM_UTF32_BE, True),
        (b"a", False),
        (b"", False),
    ],
)
def test_every_second_byte_of_text_that_is_wide_is_mostly_zero(data: bytes, *, wide: bool) -> None:
    assert is_wide(data) is wide


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é".encode() + b" \xff", "é \ufffd"),
        ("é".encode() + b" \xff\xff", "é ÿÿ"),
    ],
)
def test_text_is_utf8_unless_more_of_it_is_broken_than_is_not(data: bytes, text: str) -> None:
    assert (decode(data) == "é \ufffd") is (text == "é \ufffd")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_tells_the_codec_and_is_left_out(codec: str) -> None:
    assert decode(f"\ufeff{RUSSIAN}".encode(codec), "text/html; charset=koi8-r") == RUSSIAN


@pytest.mark.parametrize(
    "label",
    [
        *[
            "iso-8859-2",
            "iso-8859-3",
            "iso-8859-4",
            "iso-8859-5",
            "iso-8859-6",
            "iso-8859-7",
            "iso-8859-8",
        ],
        *[
            "iso-8859-10",
            "iso-8859-13",
            "iso-8859-14",
            "iso-8859-15",
            "iso-8859-16",
            "cp437",
            "cp850",
            "cp852",
        ],
        *[
            "cp855",
            "cp866",
            "cp874",
            "koi8-u",
            "mac-cyrillic",
            "windows-1250",
            "windows-1253",
            "windows-1258",
        ],
    ],
)
def test_charsets_of_one_byte_a_letter_are_read_as_they_are_declared(label: str) -> None:
    letters = bytes(range(0xE0, 0xF0)).decode(label, "ignore")
    assert decode(letters.encode(label) + b" tide", f"text/html; charset={label}") == (
        f"{letters} tide"
    )


def test_a_charset_of_one_byte_that_browsers_do_not_read_is_none() -> None:
    assert codec_of("cp1259") is None
    assert codec_of("cp500") is None


def test_a_text_that_its_declared_charset_cannot_decode_is_read_as_far_as_it_can() -> None:
    data = RUSSIAN.encode("cp1253", "ignore") + b"\xd2 \xaa tide"
    assert decode(data, "text/html; charset=windows-1253").endswith("\ufffd tide")


def test_japanese_in_escapes_is_read_so_only_where_it_is_declared() -> None:
    data = JAPANESE.encode("iso2022_jp")
    assert decode(data, "text/html; charset=iso-2022-jp") == JAPANESE
    assert decode(b"\x1b and text", "text/html; charset=shift_jis").endswith(" and text")
    assert decode(GERMAN.encode(), "text/html; charset=iso-2022-jp") == GERMAN
