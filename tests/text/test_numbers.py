"""One value for one number, whatever its spelling."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.odd_text import TEXTS
from tests.timing import cpu_s

from quaere.text.languages.language import languages, speaking
from quaere.text.numbers import Number, agrees, amount_in, decimal_sign, numbers, undated_numbers


def read(text: str) -> list[tuple[str, str]]:
    return [(f"{number.value.normalize():f}", number.unit) for number in numbers(text)]


@given(TEXTS)
def test_numbers_are_in_order_in_bounds_and_apart(text: str) -> None:
    end = 0
    for number in numbers(text):
        assert end <= number.start < number.end <= len(text)
        assert number.value.is_finite()
        end = number.end


@given(st.integers(0, 10**15))
def test_grouping_makes_no_difference(value: int) -> None:
    for written in (f"{value}", f"{value:,}", f"{value:,}".replace(",", "\u202f")):
        (number,) = numbers(f"some {written} lamps")
        assert number.value == value
        assert number.unit == ""


@given(st.integers(0, 999), st.sampled_from([("million", 6), ("bn", 9), ("thousand", 3)]))
def test_scale_words_make_no_difference(value: int, scale: tuple[str, int]) -> None:
    word, power = scale
    (short,), (long,) = numbers(f"some {value} {word}"), numbers(f"some {value * 10**power:,}")
    assert agrees(short, long)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234 and 1234", [("1234", ""), ("1234", "")]),
        ("3.5 million, 3,500,000", [("3500000", ""), ("3500000", "")]),
        ("20 percent, 20 per cent, 20 %, 20%", [("20", "%")] * 4),
        ("2 percentage points", [("2", "%")]),
        ("$5bn, US$5 billion, 5 billion dollars", [("5000000000", "USD")] * 3),
        ("$5M €3.2m £4k", [("5000000", "USD"), ("3200000", "EUR"), ("4000", "GBP")]),
        ("5m deep, 5 metres, 5-metre", [("5", "m")] * 3),
        ("12 km, 3 kilometres, 6-foot", [("12", "km"), ("3", "km"), ("6", "ft")]),
        ("5 ms, 5 more", [("5", ""), ("5", "")]),
        ("19th and 3rd", [("19", "th"), ("3", "th")]),
        ("-5 °C, −3", [("-5", "°C"), ("-3", "")]),
        ("Covid-19", [("19", "")]),
        ("3,5 Mio", [("3500000", "")]),
        ("1.234.567", [("1234567", "")]),
        ("51.230,50 and 9.000,0", [("51230.5", ""), ("9000", "")]),
        ("10 000 and 1'000'000", [("10000", ""), ("1000000", "")]),
        ("1,00,000", [("100000", "")]),
        ("2½ and ½", [("2.5", ""), ("0.5", "")]),
        ("٣٤٥", [("345", "")]),
        ("1,2,3", [("1", ""), ("2", ""), ("3", "")]),
        ("0.05", [("0.05", "")]),
        ("4k, 4 mn, 4 Mio, 4 bn, $4b, $4t, 4 tn", [
            *(("4000", ""), ("4000000", ""), ("4000000", ""), ("4000000000", "")),
            *(("4000000000", "USD"), ("4000000000000", "USD"), ("4000000000000", "")),
        ]),
        ("4 trillion yen", [("4000000000000", "JPY")]),
    ],
)  # fmt: skip
def test_figures_are_read_with_their_scales_and_units(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 345", [("12", ""), ("345", "")]),
        ("12 345 | 678 901", [("12", ""), ("345", ""), ("678", ""), ("901", "")]),
        ("12 345.", [("12345", "")]),
        ("12 345 people", [("12345", "")]),
        ("12 345 (of them)", [("12345", "")]),
        ("12 345 %", [("12345", "%")]),
        ("$12 345", [("12345", "USD")]),
        ("12 345 million", [("12345000000", "")]),
        ("12\u202f345", [("12345", "")]),
    ],
)
def test_groups_apart_by_plain_spaces_are_cells_unless_the_text_goes_on(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two lamps", [("2", "")]),
        ("Twenty-one years", [("21", "yr")]),
        ("two hundred and five", [("205", "")]),
        ("one hundred thousand", [("100000", "")]),
        ("two thousand three hundred", [("2300", "")]),
        ("one trillion", [("1000000000000", "")]),
        ("three million four hundred thousand and one", [("3400001", "")]),
        ("a hundred, a dozen, two dozen", [("100", ""), ("12", ""), ("24", "")]),
        ("half a dozen, half a million euros", [("6", ""), ("500000", "EUR")]),
        ("fifty percent", [("50", "%")]),
        ("one of them, at one", []),
        ("one mile", [("1", "mi")]),
        ("someone, tend, twofold", []),
        ("s\u0131x m\u0131ll\u0131on", [("6000000", "")]),  # in Turkish letters
        ("5 m\u0131ll\u0131on", [("5000000", "")]),
    ],
)
def test_number_words(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "unit"), [("5-10 %", "%"), ("10 to 20 km", "km"), ("between 5 and 7 kg", "kg")]
)
def test_both_ends_of_a_range_have_its_unit(text: str, unit: str) -> None:
    assert [number.unit for number in numbers(text)] == [unit, unit]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("5 men, 10 kg", ["", "kg"]),
        ("5 km to 10 m", ["km", "m"]),
        ("the 5 to 19th of them", ["", "th"]),
        ("5 to 10", ["", ""]),
    ],
)
def test_a_number_that_is_no_end_of_a_range_keeps_the_unit_it_has(
    text: str, units: list[str]
) -> None:
    assert [number.unit for number in numbers(text)] == units


@pytest.mark.parametrize(
    "text",
    [
        *["", "version 1.2.3", "10.0.0.1", "B52 and H2O", "9" * 100],
        *["on 1 May 2004", "May 3, 1999", "2004-05-01"],
    ],
)
def test_what_is_no_number(text: str) -> None:
    assert read(text) == []


def test_a_bare_year_is_a_number_and_a_day_leaves_the_rest() -> None:
    assert read("In 1998, on 2 May 1999, 20 men") == [("1998", ""), ("20", "")]


def test_numbers_apart_from_dates_have_no_years_either() -> None:
    found = undated_numbers("In 1998, on 2 May 1999, 20 men and 3 dogs")
    assert [number.value for number in found] == [20, 3]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (("5", "m"), ("5.0", "m"), True),
        (("5", ""), ("5", "m"), True),
        (("5", "km"), ("5", "m"), False),
        (("5", ""), ("6", ""), False),
    ],
)
def test_numbers_agree_where_their_units_may_be_one(
    a: tuple[str, str], b: tuple[str, str], expected: bool
) -> None:
    one, other = (Number(Decimal(value), unit, 0, 1) for value, unit in (a, b))
    assert agrees(one, other) is expected
    assert agrees(other, one) is expected


def test_offsets_lead_back_to_the_text() -> None:
    text = "It cost 3.5 million dollars or a hundred men."
    assert [text[n.start : n.end] for n in numbers(text)] == ["3.5 million dollars", "a hundred"]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("zh", "人口三百二十万", (3_200_000, "")),
        ("zh", "占地一千五百亩", (1_500, "")),
        ("zh", "花费3.5亿元", (350_000_000, "CNY")),
        ("zh", "历时十五年", (15, "yr")),
        ("zh", "历时十五年建成", (15, "yr")),
        ("zh", "建于二〇二〇年", (2020, "")),
        ("zh", "建于一〇〇〇年", (1000, "")),
        ("zh", "历时九九九年", (999, "yr")),
        ("zh", "历时三〇〇〇年", (3000, "yr")),
        ("zh", "历时一千五百年", (1500, "yr")),
        ("zh", "人口三萬五千", (35_000, "")),
        ("zh", "花费三億元", (300_000_000, "CNY")),
        ("zh", "花费二兆元", (2_000_000_000_000, "CNY")),
        ("zh", "2004年5月1日三人死亡", (3, "")),
        ("zh", "花费一万亿元", (10**12, "CNY")),
        ("zh", "花费一万二千亿元", (12 * 10**11, "CNY")),
        ("zh", "花费1.2万亿元", (12 * 10**11, "CNY")),
        ("zh", "花费五亿三千万元", (530_000_000, "CNY")),
        ("zh", "花费5亿3000万元", (530_000_000, "CNY")),
        ("zh", "人口3万5千", (35_000, "")),
        ("zh", "人口1,200万", (12_000_000, "")),
        ("ja", "売上は1兆2,000億円", (1_200_000_000_000, "JPY")),
        ("ja", "3万5000人が訪れた", (35_000, "")),
        ("ja", "百五人", (105, "")),
        ("zh", "有两人", (2, "")),
        ("ja", "百二十年の歴史", (120, "")),
        ("ja", "入場料は千五百円", (1_500, "JPY")),
        ("ja", "三万五千人が訪れた", (35_000, "")),
    ],
)
def test_numbers_in_characters_are_reckoned(
    code: str, text: str, expected: tuple[int, str]
) -> None:
    with speaking(languages()[code]):
        assert [(int(found.value), found.unit) for found in numbers(text)] == [expected]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "einundzwanzig siebzehn sechzig siebenundsiebzig neunundneunzig", "21 17 60 77 99"),
        ("de", "\u017fechs Häu\u017fer", "6"),
        ("nl", "eenentwintig zeventien drieëndertig tachtig achtennegentig", "21 17 33 80 98"),
        ("es", "veintiún, diecisiete, veintidós, treinta y dos, noventa y una", "21 17 22 32 91"),
        ("pt", "vinte e uma, dezessete, dezassete, setenta e sete, oitenta", "21 17 17 77 80"),
        ("it", "ventuno diciassette trentatré ottantotto novanta", "21 17 33 88 90"),
        ("fr", "vingt et un, dix-sept, soixante et onze, soixante-dix-sept", "21 17 71 77"),
        ("fr", "quatre-vingts, quatre-vingt-un, quatre-vingt-dix-neuf, nonante", "80 81 99 90"),
    ],
)
def test_every_number_under_a_hundred_is_read_in_words(code: str, text: str, expected: str) -> None:
    with speaking(languages()[code]):
        assert [int(found.value) for found in numbers(text)] == [int(n) for n in expected.split()]


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "nl", "pt"])
def test_a_language_has_a_word_for_each_number_under_a_hundred(code: str) -> None:
    assert set(range(2, 101)) <= set(languages()[code].numbers.values())


@pytest.mark.parametrize(("code", "text"), [("zh", "万一下雨"), ("zh", "第三届"), ("ja", "千代田")])
def test_characters_that_count_nothing_are_no_numbers(code: str, text: str) -> None:
    with speaking(languages()[code]):
        assert list(numbers(text)) == []


@pytest.mark.parametrize(
    ("figures", "sign"),
    [
        (["1.204.611", "61"], ","),
        (["1.204,5", "–"], ","),
        (["12,5", "7"], ","),
        (["61.904", "4.315", "(7.123)"], ","),
        (["61.904"], "."),
        (["0.123", "0.444"], "."),
        (["61.904", "4.3"], "."),
        (["1,204", "61.904", "4.315"], "."),
        (["1 204 611", "7"], "."),
        ([], "."),
    ],
)
def test_the_sign_before_decimals_is_that_of_the_whole_table(figures: list[str], sign: str) -> None:
    assert decimal_sign(figures) == sign


@pytest.mark.parametrize(
    ("printed", "sign", "amount"),
    [
        ("$1,204.50", ".", (1204.5, 2)),
        ("$ (1,204)", ".", (-1204, 0)),
        ("-7", ".", (-7, 0)),
        ("1’204’611", ".", (1204611, 0)),
        ("1 204 611,5 €", ",", (1204611.5, 1)),
        ("1.204,50", ",", (1204.5, 2)),
        ("(67) (2)", ".", (-67, 0)),
        (".5", ".", (0.5, 1)),
        ("—", ".", None),
    ],
)
def test_printed_amounts_are_read_with_their_decimals(
    printed: str, sign: str, amount: tuple[float, int] | None
) -> None:
    assert amount_in(printed, sign) == amount


def test_a_sentence_is_read_once_for_each_language() -> None:
    said = "The mill at Orrin ground 1.500 sacks."
    english = numbers(said)
    assert numbers(said)[0] is english[0]
    with speaking(languages()["de"]):
        assert numbers(said) != english
    english.clear()
    assert len(numbers(said)) == 1


@pytest.mark.parametrize(
    ("text", "value", "unit", "printed"),
    [
        ("makes 3 × 10⁶ bricks", "3000000", "", "3 × 10⁶"),
        ("costs £5.10³ a visit", "5.10", "GBP", "£5.10³"),
        ("3x10^6 kg of clay", "3000000", "kg", "3x10^6 kg"),
        ("lasts 10⁻³ seconds", "0.001", "s", "10⁻³ seconds"),
        ("2.5·10⁻² m wide", "0.025", "m", "2.5·10⁻² m"),
        ("costs 1,200¹ euros", "1200", "EUR", "1,200¹ euros"),
        ("holds 400 m³ of water", "400", "m³", "400 m³"),
    ],
)
def test_powers_multiply_and_marks_of_notes_do_not(
    text: str, value: str, unit: str, printed: str
) -> None:
    (number,) = numbers(text)
    assert (number.value, number.unit) == (Decimal(value), unit)
    assert text[number.start : number.end] == printed


def test_a_factor_without_a_power_is_a_number_by_itself() -> None:
    assert [str(number.value) for number in numbers("a beam of 3 x 10 cm")] == ["3", "10"]


def test_many_dates_are_told_from_numbers_in_time() -> None:
    text = "2020 " * 10_000 + "7 dogs"
    assert [number.start for number in undated_numbers(text)] == [50_000]
    assert cpu_s(lambda: undated_numbers(text), enough_s=2.0) < 2.0


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "fünf Sekunden, drei Wochen und zwei Monate"),
        ("es", "cinco segundos, tres semanas y dos meses"),
        ("fr", "cinq secondes, trois semaines et deux mois"),
        ("it", "cinque secondi, tre settimane e due mesi"),
        ("nl", "vijf seconden, drie weken en twee maanden"),
        ("pt", "cinco segundos, três semanas e dois meses"),
        ("zh", "5秒，3周，2个月"),
    ],
)
def test_seconds_weeks_and_months_are_units_in_each_language(code: str, text: str) -> None:
    with speaking(languages()[code]):
        assert read(text) == [("5", "s"), ("3", "wk"), ("2", "mo")]


@pytest.mark.parametrize(
    ("code", "text", "values"),
    [
        ("it", "Apre alle ore 8.30.", ["8.30"]),
        ("de", "Von 8.30 bis 17.45 Uhr.", ["8.30", "17.45"]),
        ("de", "Es sind 2.500 Tonnen.", ["2500"]),
        ("nl", "Versie 2.0.1", ["2"]),
    ],
)
def test_a_point_before_two_figures_parts_hours_and_minutes(
    code: str, text: str, values: list[str]
) -> None:
    with speaking(languages()[code]):
        assert [str(found.value) for found in numbers(text)][: len(values)] == values


def test_one_year_or_day_in_german_has_a_unit() -> None:
    with speaking(languages()["de"]):
        assert [found.unit for found in numbers("1 Jahr und 1 Tag")] == ["yr", "d"]
