"""What is recorded of each language, and that words, dates and numbers are read by it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.reason.extractive.questions.kinds import Kind
from quaere.resilience.thread import computed
from quaere.text.dates import dates
from quaere.text.languages.language import (
    Language,
    cached_by_language,
    in_english,
    language_in_use,
    language_of,
    languages,
    speaking,
)
from quaere.text.numbers import numbers
from quaere.text.sentences import sentences
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, terms, tokenize, words

CODES = ("de", "es", "fr", "it", "ja", "nl", "pt", "zh")
RECORDS = languages()


def _patterns(language: Language) -> Iterator[str]:
    yield from language.asks.values()
    yield from (*language.either, *language.claims, *language.months, *language.units.values())
    yield from (language.yes_no, language.lists, language.earlier, language.later, language.less)
    yield from (language.more, language.born, language.died, language.denies, language.because)
    yield from (language.defines, language.placed, language.elision, language.pieces)
    yield from (language.many, *language.measured.values())
    yield from (language.located, language.points_back, language.verbs, language.so)
    yield from (pattern for pair in language.rules.pairs for pattern in pair)


def test_no_pattern_is_tried_where_english_is_plainly_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opens(language: Language, question: str) -> bool:
        raise AssertionError(language.code, question)

    monkeypatch.setattr("quaere.text.languages.language.opens", opens)
    assert language_of("The keeper of the lamp was there with his sister in the winter.") is None


def test_a_language_is_one_file() -> None:
    assert tuple(RECORDS) == CODES


@pytest.mark.parametrize("code", CODES)
def test_a_record_is_whole(code: str) -> None:
    language = RECORDS[code]
    assert all(re.compile(pattern) for pattern in _patterns(language))
    kinds = {kind.value for kind in Kind} | {"which"}
    assert {*language.asks, *language.nouns} <= kinds
    assert len(language.months) in {0, 12}
    assert all({"a", "b", "about"} <= re.compile(p).groupindex.keys() for p in language.either)
    frame = language.frame
    assert all((*(getattr(frame, each.name) for each in fields(frame)), *language.common))
    assert bool(language.stemmer) != bool(language.pieces)
    with speaking(language):
        assert all(word == word.casefold() for word in language.stop_words)
        assert stem("x") == "x"


QUESTIONS = [
    ("de", "Wann wurde das Zollhaus gebaut?"),
    ("de", "Darf man im Park grillen?"),
    ("de", "Wie heißt der Hausmeister?"),
    ("de", "Wie verhindert Feuchtigkeit Rost?"),
    ("es", "¿Cuánto mide la torre?"),
    ("es", "¿Debo reservar mesa?"),
    ("de", "Kostet die Rutsche extra?"),
    ("it", "Posso portare il cane?"),
    ("it", "Bisogna prenotare?"),
    ("nl", "Zijn honden welkom?"),
    ("nl", "Is roken toegestaan?"),
    ("nl", "Is toegang gratis?"),
    ("pt", "Tenho de pagar?"),
    ("pt", "São permitidos animais?"),
    ("pt", "O barco transporta automóveis?"),
    ("fr", "Le port est-il fermé en hiver ?"),
    ("it", "Chi ha dipinto la cappella?"),
    ("ja", "この橋はいつできましたか？"),
    ("nl", "Waar ligt de haven?"),
    ("nl", "Wie maakt kaas?"),
    ("pt", "Quem pintou a capela?"),
    ("zh", "这座桥是谁建的？"),
    ("de", "Ist Parken kostenlos?"),
    ("it", "È gratis?"),
    ("pt", "É grátis?"),
    ("de", "Was kostet Hask?"),
]


@pytest.mark.parametrize(("code", "question"), QUESTIONS)
def test_the_language_of_a_question_is_told(code: str, question: str) -> None:
    assert language_of(question) is RECORDS[code]


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote Così fan tutte?",
        "Which film is older, Die Welle or Das Boot?",
        "Die Hard director?",
        "au pair pay rates",
        "Des Moines paid leave",
        "Ludwig van Beethoven symphonies",
        "Is the Rio de la Plata a river or an estuary?",
        "los angeles population",
        "Is Hotel Adler open?",
        "Is parking gratis?",
        "Was Ada Moss born in Bonn?",
        "",
        "42",
    ],
)
def test_names_from_elsewhere_leave_a_question_english(question: str) -> None:
    assert language_of(question) is None


def test_the_language_is_of_the_context() -> None:
    """It reaches what is computed in another thread, and ends where it was set."""

    async def told() -> tuple[Language | None, Language | None]:
        with speaking(RECORDS["fr"]):
            inside = await computed(language_in_use)
        return inside, await computed(language_in_use)

    assert asyncio.run(told()) == (RECORDS["fr"], None)
    assert language_in_use() is None


def test_what_is_kept_is_kept_by_language() -> None:
    @cached_by_language(maxsize=8)
    def told(word: str) -> str:
        return stem(word)

    assert told("nationalen") == "nationalen"
    with speaking(RECORDS["de"]):
        assert told("nationalen") == "national"
    assert told("nationalen") == "nationalen"


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "die Häuser am Hafen", ["haus", "haf"]),
        ("fr", "l'architecte qu'on nomme", ["architect", "nomm"]),
        ("it", "dell'acqua e l’isola", ["acqua", "isol"]),
        ("zh", "青石桥的桥孔是什么", ["青石", "石桥", "桥孔"]),
        ("zh", "于1788年6月建成", ["1788", "6", "建成"]),
        ("ja", "橋は何年に建てられましたか", ["橋", "建"]),
        ("ja", "くちばしは長い", ["くち", "ちば", "ばし", "長"]),
    ],
)
def test_words_are_compared_as_their_language_bends_them(
    code: str, text: str, expected: list[str]
) -> None:
    with speaking(RECORDS[code]):
        assert terms(text) == expected


@pytest.mark.parametrize("code", CODES)
@given(text=st.text())
def test_tokens_are_stretches_of_their_text(code: str, text: str) -> None:
    with speaking(RECORDS[code]):
        found = tokenize(text)
        assert all(text[token.start : token.end] == token.text for token in found)
        assert len(words(text)) == len(found)
        assert all(number.start < number.end <= len(text) for number in numbers(text))
        assert all(date.start < date.end <= len(text) for date in dates(text))


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "Am 3. März 1874 und im Mai 1901.", [(1874, 3, 3), (1901, 5, None)]),
        ("fr", "Le 1er août 1911.", [(1911, 8, 1)]),
        ("es", "El 14 de octubre de 1762, en mayo de 1890.", [(1762, 10, 14), (1890, 5, None)]),
        ("it", "Il 2 giugno 1926.", [(1926, 6, 2)]),
        ("pt", "Em 9 de março de 1883.", [(1883, 3, 9)]),
        ("nl", "Op 17 mei 1889.", [(1889, 5, 17)]),
        ("zh", "1788年6月", [(1788, 6, None)]),
        ("ja", "1895年11月20日に", [(1895, 11, 20)]),
        (
            "ja",
            "令和6年4月1日、明治二十六年、昭和元年",
            [(2024, 4, 1), (1893, None, None), (1926, None, None)],
        ),
        ("zh", "二〇二一年九月十二日，十二月三十一日", [(2021, 9, 12), (None, 12, 31)]),
        ("zh", "第12月，十五日，二十年", []),
    ],
)
def test_dates_are_read(
    code: str, text: str, expected: list[tuple[int, int | None, int | None]]
) -> None:
    with speaking(RECORDS[code]):
        assert [(date.year, date.month, date.day) for date in dates(text)] == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "12.500 Hektoliter, 1,35 Euro, elf Kilometer", "12500 1.35EUR 11km"),
        ("fr", "8\u00a0500 visiteurs, vingt-six fermes, 0,5 mètre", "8500 26 0.5m"),
        ("es", "1.800 piezas y seis años", "1800 6yr"),
        ("it", "a quota 1.940 metri", "1940m"),
        ("pt", "3,80 euros e 28 quilómetros", "3.80EUR 28km"),
        ("nl", "3.400 kilo", "3400kg"),
        ("zh", "九个桥孔，全长132米，约3,600件", "9 132m 3600"),
        ("ja", "高さは33メートル、約4,100点", "33m 4100"),
        ("de", "zweihundert Euro, dreihundertzwölftausend, hunderte", "200EUR 312000"),
        ("fr", "cent quatre-vingt-douze, deux ou trois, deux millions", "192 2 3 2000000"),
        ("es", "cuarenta y ocho mil, mil doscientas, ciento veinte", "48000 1200 120"),
        ("it", "ventiduemila, duecentoquaranta, milleottocento", "22000 240 1800"),
        ("pt", "quatrocentos e doze, dois mil e quinhentos, dois e três", "412 2500 2 3"),
        ("nl", "honderdveertig, driehonderdvijftig, twee en drie", "140 350 2 3"),
        ("it", "Mila abita qui, duemila", "2000"),
        ("fr", "50 cents, onze cents, cent un, mille neuf cent un", "50 1100"),
        ("es", "el tanto por ciento, ciento una, ciento dos", "102"),
    ],
)
def test_numbers_are_read(code: str, text: str, expected: str) -> None:
    with speaking(RECORDS[code]):
        found = [(number.value, number.unit) for number in numbers(text)]
    wanted = [re.fullmatch(r"([\d.]+)(.*)", each) for each in expected.split()]
    assert found == [(Decimal(each[1]), each[2]) for each in wanted if each]


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        ("de", "zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf"),
        ("es", "dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce"),
        ("fr", "deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze"),
        ("it", "due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici"),
        ("nl", "twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf"),
        ("pt", "dois, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze"),
    ],
)
def test_counting_in_words_goes_up_by_one(code: str, counted: str) -> None:
    with speaking(RECORDS[code]):
        assert [number.value for number in numbers(counted)] == list(range(2, 13))


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        ("de", "fünfzehn, zwanzig, dreißig, vierzig, fünfzig, hundert, tausend"),
        ("es", "quince, veinte, treinta, cuarenta, cincuenta, cien, mil"),
        ("fr", "quinze, vingt, trente, quarante, cinquante, cent, mille"),
        ("it", "quindici, venti, trenta, quaranta, cinquanta, cento, mille"),
        ("nl", "vijftien, twintig, dertig, veertig, vijftig, honderd, duizend"),
        ("pt", "quinze, vinte, trinta, quarenta, cinquenta, cem, mil"),
    ],
)
def test_round_numbers_in_words_are_read(code: str, counted: str) -> None:
    with speaking(RECORDS[code]):
        found = [number.value for number in numbers(counted)]
    assert found == [15, 20, 30, 40, 50, 100, 1000]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Sie wurde am 3. Mai 1874 freigegeben.", 1),
        ("Im 19. Jahrhundert stand hier ein Tor. Es brannte ab.", 2),
        ("It is on page 12. August was warm.", 2),
        ("He scored in minute 90. Mai cheered.", 2),
    ],
)
def test_an_ordinal_number_ends_no_sentence(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_words_for_the_same_are_of_the_language() -> None:
    assert "founder" in related_words("founded")
    with speaking(RECORDS["de"]):
        assert "gründer" in related_words("gegründet")
        assert not related_words("founded")


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("pt", "Quando abre o armazém?"),
        ("pt", "Quanto custa a entrada?"),
        ("pt", "Quanto mede o cais da Alba?"),
        ("it", "Quando apre il magazzino?"),
        ("es", "¿Cuánto cuesta la entrada?"),
    ],
)
def test_languages_with_the_same_small_words_are_told_apart_by_others(
    code: str, question: str
) -> None:
    language = language_of(question)
    assert language is not None
    assert language.code == code


@pytest.mark.parametrize(
    ("code", "text", "value", "unit"),
    [
        ("de", "2,5 Millionen Euro", "2500000", "EUR"),
        ("de", "1,2 Milliarden", "1200000000", ""),
        ("fr", "12 millions", "12000000", ""),
        ("es", "3,5 millones", "3500000", ""),
        ("it", "4 milioni", "4000000", ""),
        ("pt", "7 milhões", "7000000", ""),
        ("nl", "1,5 miljard", "1500000000", ""),
    ],
)
def test_millions_are_read(code: str, text: str, value: str, unit: str) -> None:
    with speaking(RECORDS[code]):
        (number,) = numbers(text)
    assert (number.value, number.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(
    ("code", "text", "first", "years"),
    [
        ("de", "in den 1920er Jahren", 1920, 10),
        ("es", "la década de 1960", 1960, 10),
        ("fr", "jusqu'aux années 1990", 1990, 10),
        ("it", "negli anni 1950", 1950, 10),
        ("ja", "1990年代に", 1990, 10),
        ("nl", "in de jaren 1980", 1980, 10),
        ("pt", "nos anos 1970", 1970, 10),
        ("zh", "二十世纪九十年代", 1990, 10),
        ("ja", "十九世紀に", 1800, 100),
    ],
)
def test_a_decade_is_ten_years_and_a_century_a_hundred(
    code: str, text: str, first: int, years: int
) -> None:
    with speaking(RECORDS[code]):
        assert [(date.year, date.years) for date in dates(text)] == [(first, years)]


@pytest.mark.parametrize(
    ("code", "bare", "written"),
    [("fr", "cafe eleve foret", "café élève forêt"), ("es", "carne raton", "carné ratón")],
)
def test_an_accent_that_is_left_out_makes_no_other_word(code: str, bare: str, written: str) -> None:
    assert list(map(stem, bare.split())) == list(map(stem, written.split()))
    with speaking(RECORDS[code]):
        assert list(map(stem, bare.split())) == list(map(stem, written.split()))
        assert stem("ano") != stem("año")


@pytest.mark.parametrize("code", ["ja", "zh"])
def test_a_day_without_its_year_is_read(code: str) -> None:
    with speaking(RECORDS[code]):
        assert [(d.year, d.month, d.day) for d in dates("5月3日，2031年6月4日")] == [
            (None, 5, 3),
            (2031, 6, 4),
        ]


def test_what_is_english_alone_is_looked_for_in_no_other_language() -> None:
    who = re.compile("Who")
    assert in_english(who.match, "Who is she?")
    assert in_english(who.match, "Is she?") is None
    with speaking(languages()["de"]):
        assert in_english(who.match, "Who is she?") is None
