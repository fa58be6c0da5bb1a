"""Whether what clashes is a contradiction, which of several lines decides, and what is left out."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.clash import (
    LONGEST,
    SHORT,
    Clash,
    Confirmation,
    Kind,
    clash,
    confirmed,
    denied_share,
)

_FLOOD = (
    "The old gate of the upper town was open in the winter of the year of the great flood, when"
    " all boats of the lower harbour lay on the quay by night and day and nobody came."
)
FLOOD = _FLOOD.split()


def found(said: str, *lines: str) -> tuple[Kind, bool] | None:
    clashing = clash(said, lines, [])
    return clashing and (clashing.kind, clashing.contradicts)


@pytest.mark.parametrize(
    ("said", "line", "expected"),
    [
        ("The valve is above the pump.", "The valve is below the pump.", (Kind.ORDER, True)),
        ("The pump is above the valve.", "The valve is below the pump.", None),
        (
            "The mill is upstream of the bridge.",
            "The mill is downstream of the bridge.",
            (Kind.ORDER, False),
        ),
        ("The bridge is upstream of the mill.", "The mill is downstream of the bridge.", None),
        ("The room is above 20 degrees.", "The room is below 20 degrees.", (Kind.ORDER, True)),
        ("The inn closed after the war.", "The inn closed before the war.", (Kind.ORDER, True)),
        ("After the war, the inn fell.", "The inn fell before the war.", (Kind.ORDER, True)),
        ("After the inn closed, the war began.", "The inn closed before the war began.", None),
        ("The war began before the inn fell.", "The inn fell before the war began.",
         (Kind.ORDER, True)),
        ("The inn is open until May.", "The inn is open since May.", (Kind.ORDER, False)),
        ("At least three boats sail.", "At most three boats sail.", (Kind.ORDER, True)),
        ("It was the first mill in Hask.", "It was the last mill in Hask.", (Kind.ORDER, False)),
        ("The store is in the hall.", "The store is outside the hall.", None),
    ],
)  # fmt: skip
def test_two_things_that_are_exchanged_turn_a_word_of_order_round(
    said: str, line: str, expected: tuple[Kind, bool] | None
) -> None:
    """What is above is true of the pump where it is below that is true of the valve."""
    assert found(said, line) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (SHORT, Clash(kind=Kind.DENIED, contradicts=True)),
        (SHORT + 1, Clash(kind=Kind.DENIED, contradicts=False)),
        (LONGEST, Clash(kind=Kind.DENIED, contradicts=False)),
        (LONGEST + 1, None),
    ],
)
def test_a_longer_sentence_is_spoken_against_less(count: int, expected: Clash | None) -> None:
    said = f"{' '.join(FLOOD[:count])}."
    assert clash(said, [said.replace("was open", "was not open")], []) == expected


@pytest.mark.parametrize(
    ("said", "lines", "expected"),
    [
        ("It pumps 36 litres an hour.",
         ["It is a pump.", "It pumps 36 litres a minute in the old mill."], (Kind.FIGURE, False)),
        ("The old pump is quieter than the fan.",
         ["The old pump is quiet. The fan is new."], (Kind.UNCOMPARED, False)),
        ("The pump is quieter than the fan.",
         ["The fan is louder than the pump.", "The pump is blue."], None),
    ],
)  # fmt: skip
def test_another_rate_and_a_comparison_that_is_not_made_contradict_nothing(
    said: str, lines: list[str], expected: tuple[Kind, bool] | None
) -> None:
    assert found(said, *lines) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The inn has 12 rooms of wood and the bar has a red piano.", (Kind.FIGURE, False)),
        ("The inn has 14 rooms of wood and the bar has a red piano.", None),
        ("The inn has 14 rooms of wood and the bar has no red piano.", (Kind.DENIED, False)),
    ],
)
def test_of_two_statements_either_may_clash_with_the_line_about_it(
    said: str, expected: tuple[Kind, bool] | None
) -> None:
    assert found(said, "The inn has 14 rooms of wood.", "The bar has a red piano.") == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["The gate was not open."], (Kind.DENIED, True)),
        (["The gate was not open.", "The gate was open."], None),
        (["The gate was not open.", "The old gate was open in May."], None),
        (["The gate was not open.", "The bridge is of iron."], (Kind.DENIED, True)),
    ],
)
def test_a_line_that_is_as_near_speaks_for_the_sentence_and_one_far_off_does_not(
    lines: list[str], expected: tuple[Kind, bool] | None
) -> None:
    assert found("The gate was open.", *lines) == expected
    assert found("The gate was open.", *reversed(lines)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("The bell tower has 40 m.", None),
        ("The bell tower has 30 m.", (Kind.FIGURE, True)),
    ],
)
def test_a_figure_may_be_told_by_another_line_about_the_same(
    line: str, expected: tuple[Kind, bool] | None
) -> None:
    assert found("The tower is 40 m high.", "The tower is 60 m high.", line) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("It hides errors.", (Kind.DENIED, False)),
        ("It hides warnings.", None),
        ("It does not hide errors.", None),
        ("It hides only warnings.", None),
    ],
)
def test_what_is_excepted_is_denied(said: str, expected: tuple[Kind, bool] | None) -> None:
    assert found(said, "It hides warnings but not errors.") == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The export to text keeps the tables.", (Kind.DENIED, False)),
        ("The export to paper keeps the tables.", None),
    ],
)
def test_a_denial_that_leaves_out_what_it_denies_is_filled_in(
    said: str, expected: tuple[Kind, bool] | None
) -> None:
    line = "The export to paper keeps the tables, but the export to text does not."
    assert found(said, line) == expected


@pytest.mark.parametrize(
    ("said", "line", "expected"),
    [
        ("Students pay 8 euros.", "Adults pay 8 euros, students 5 euros.",
         (Kind.MISPLACED, False)),
        ("Adults pay 5 euros.", "Adults pay 8 euros, students 5 euros.", (Kind.MISPLACED, False)),
        ("Students pay 5 euros.", "Adults pay 8 euros, students 5 euros.", None),
        ("The mill opened in 1940.", "The mill opened in 1931 and the bank closed in 1940.",
         (Kind.MISPLACED, False)),
        ("The mill opened in 1931.", "The mill opened in 1931 and the bank closed in 1940.", None),
    ],
)  # fmt: skip
def test_a_figure_stands_beside_its_own_label(
    said: str, line: str, expected: tuple[Kind, bool] | None
) -> None:
    assert found(said, line) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Borg sold the mill to Hask.", None),
        ("Hask sold the mill to Borg.", (Kind.DENIED, True)),
        ("Borg did not sell the mill to Hask.", (Kind.DENIED, True)),
        ("Borg never sold the mill to Hask.", (Kind.DENIED, True)),
        ("Hask never bought the mill from Borg.", (Kind.DENIED, True)),
    ],
)
def test_who_sells_is_not_who_buys(said: str, expected: tuple[Kind, bool] | None) -> None:
    assert found(said, "Hask bought the mill from Borg.") == expected


def test_a_question_denies_nothing() -> None:
    assert found("The gate is open.", "Is the gate not open?") is None
    assert denied_share("The gate is open.", ["Is the gate not open?"], []) == 0
    assert denied_share("The gate is open.", ["The gate is not open."], []) == 1


def test_a_line_about_something_else_turns_nothing() -> None:
    said = "The old gate of the town was open in May for the fair."
    assert denied_share(said, ["In June the bridge was not open."], []) == 0
    long = f"{' '.join(FLOOD[: LONGEST + 1])}."
    assert denied_share(long, [long.replace("was open", "was not open")], []) == 0


def test_a_long_sentence_and_one_that_clashes_are_not_confirmed() -> None:
    for count, is_confirmed in ((SHORT, True), (SHORT + 1, False)):
        said = f"{' '.join(FLOOD[:count])}."
        assert (confirmed(said, [said], []) is not None) is is_confirmed
    assert confirmed("The gate was open.", ["The gate was not open."], []) is None


@pytest.mark.parametrize(
    ("said", "line", "is_said"),
    [
        ("The horse is faster than the mule.", "The mule is slower than the horse.", True),
        ("The mule is faster than the horse.", "The mule is slower than the horse.", False),
        ("Borg sold the mill to Hask.", "Hask bought the mill from Borg.", True),
        ("Borg never sold the mill to Hask.", "Hask bought the mill from Borg.", False),
        ("Up to three boats may sail.", "No more than three boats may sail.", True),
        ("At most three boats may sail.", "No more than three boats may sail.", True),
        ("More than three boats may sail.", "No more than three boats may sail.", False),
        ("More than three boats may sail.", "At most three boats may sail.", False),
        ("At least three boats may sail.", "No fewer than three boats may sail.", True),
        ("Fewer than three boats may sail.", "No fewer than three boats may sail.", False),
    ],
)
def test_what_is_told_from_the_other_end_is_confirmed_unless_it_is_turned(
    said: str, line: str, is_said: bool
) -> None:
    assert (confirmed(said, [line], []) is not None) is is_said
    assert (clash(said, [line], []) is None) is is_said


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        ("over", "under", "The hut is {} 900 metres high."),
        ("until", "from", "The shop is open {} noon."),
        ("inside", "outside", "Dogs sleep {} the barn."),
        ("at most", "at least", "Each boat carries {} ten barrels."),
        ("oldest", "newest", "It is the {} mill in Hask."),
        ("clockwise", "counterclockwise", "The wheel turns {} in the mill."),
        ("clockwise", "anti-clockwise", "The wheel turns {} in the mill."),
        ("after", "before", "Logs are deleted {} the audit."),
    ],
)
def test_a_word_of_order_is_opposed_to_its_other_either_way(
    one: str, other: str, sentence: str
) -> None:
    for said, held in ((one, other), (other, one)):
        clashing = found(sentence.format(said), sentence.format(held))
        assert clashing is not None
        assert clashing[0] is Kind.ORDER
        assert found(sentence.format(said), sentence.format(said)) is None


def test_how_long_it_takes_puts_nothing_in_order() -> None:
    assert found("Logs are deleted after two weeks.", "Logs are deleted before weeks end.") is None


def test_an_ad_is_no_year_of_our_era() -> None:
    assert found("An ad ran in 40 papers.", "A bc ran in 40 papers.") is None


def test_without_a_line_nothing_clashes_is_confirmed_or_turned() -> None:
    said = "The gate was open."
    assert (clash(said, [], []), confirmed(said, [], []), denied_share(said, [], [])) == (
        None,
        None,
        0.0,
    )


@pytest.mark.parametrize(
    ("said", "line", "expected"),
    [
        ("Der Turm ist 40 m hoch.", "Der Turm ist 60 m hoch.", (Kind.FIGURE, True)),
        ("Der Turm war offen.", "Der Turm war nicht offen.", (Kind.DENIED, True)),
        ("Der Turm war offen.", "Der Turm war offen.", None),
        ("Der Turm war offen.", "War der Turm nicht offen?", None),
        ("Der Turm war offen.", "War der Turm nicht offen？", None),
        ("Rugen ist älter als Sund.", "Sund ist älter als Rugen.", (Kind.COMPARED, True)),
        ("Alle Häuser sind alt.", "Einige Häuser sind alt.", (Kind.WIDENED, False)),
        (
            "Das Werk öffnet in Graz.",
            "Das Werk öffnet möglicherweise in Graz.",
            (Kind.RESERVED, False),
        ),
        (
            "Roth kaufte das Haus von Gros.",
            "Roth verkaufte das Haus an Gros.",
            (Kind.EXCHANGED, False),
        ),
        ("Roth kaufte das Haus von Gros.", "Gros verkaufte das Haus an Roth.", None),
        (
            "Kinder zahlen 8 Euro.",
            "Erwachsene zahlen 8 Euro, Kinder 5 Euro.",
            (Kind.MISPLACED, False),
        ),
    ],
)
def test_what_clashes_in_german_is_of_the_same_kinds(
    said: str, line: str, expected: tuple[Kind, bool] | None
) -> None:
    with speaking(languages()["de"]):
        assert found(said, line) == expected


@pytest.mark.parametrize(
    ("said", "line", "expected"),
    [
        ("The gate was open in May.", "In May the gate was open.", Confirmation.PLAIN),
        ("The old gate was open.", "The gate was open.", Confirmation.LIKELY),
        ("The old red gate was open.", "The gate was open.", None),
        ("The gate was open in May.", "In May the gate was not open.", None),
        ("At most ten boats sail.", "No more than ten boats sail.", Confirmation.PLAIN),
    ],
)
def test_the_fewer_words_are_others_the_plainer_a_line_confirms(
    said: str, line: str, expected: Confirmation | None
) -> None:
    assert confirmed(said, [line], []) is expected
    assert confirmed(said, ["Fish is sold on the quay.", line], []) is expected


def test_all_that_a_line_denies_is_turned_unless_it_asks() -> None:
    said = "The gate was open in May."
    assert denied_share(said, ["The gate was not open in May."], []) == 1.0
    assert denied_share(said, ["Was the gate not open in May?"], []) == 0.0
    assert denied_share(said, ["The gate was open in May."], []) == 0.0
    long = " ".join(FLOOD[: LONGEST + 1])
    assert denied_share(long, [long.replace("was open", "was not open")], []) == 0.0
