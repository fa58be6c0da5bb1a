from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s
from tests.verify.samples import (
    ANYTHING,
    BRIDGE,
    FERRY,
    SPOOFS,
    TOWN,
    passage,
    quote,
    sentence,
)

from quaere.domain.report import WORDING_DIFFERS, Support
from quaere.domain.source import Passage
from quaere.text.sentences import sentences
from quaere.verify.calibration import EmbeddingSignal, Weights, calibration
from quaere.verify.clash import clash
from quaere.verify.support import Finding, check, in_doubt, is_foreign, may_hold, weigh

HERE = passage(BRIDGE, title="Orrin Bridge", start=40)
THERE = passage(TOWN, title="Velling")
POOL = {1: HERE, 2: THERE}


def test_r0_9_a_sentence_that_its_source_says_is_supported() -> None:
    said = "Maude Tellin opened the Orrin Bridge on 4 May 1891."
    found = check(sentence(said, 1, quotes=(quote(HERE, BRIDGE[:40]),)), POOL)
    assert (found.support, found.note) == (Support.SUPPORTED, "")
    assert found.share > 0.9


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (
            "The lock known as ``The Stair ''has six gates.",
            "The lock known as The Stair ''has six gates.",
        ),
        ("It leaks.<br > In 1893 it was shut.", "It leaks. In 1893 it was shut."),
        ("It has six gates *'' and * one weir.", "It has six gates '' and * one weir."),
        ("It has six* gates and one weir.", "It has six gates and one weir."),
    ],
)
def test_marks_that_no_answer_keeps_make_no_difference_to_words(shown: str, said: str) -> None:
    assert weigh(said, [passage(f"Of locks. {shown} So much.")]).verbatim
    other = said.replace("six", "nine").replace("1893", "1894")
    assert not weigh(other, [passage(f"Of locks. {shown} So much.")]).verbatim


def test_a_star_between_two_figures_is_no_mark() -> None:
    assert not weigh(
        "It holds 23 tons.", [passage("Of locks. It holds 2*3 tons. So much.")]
    ).verbatim


def test_r0_9_an_id_that_is_not_in_the_pool_is_objected_to() -> None:
    found = check(sentence("It spans 312 metres.", 1, 99), POOL)
    assert found.support is Support.NOT_JUDGED
    assert found.note == "cites evidence that does not exist: 99"


def test_a_sentence_needs_evidence_and_a_standing_quote_from_each_piece_of_it() -> None:
    span = quote(HERE, "It spans 312 metres")
    adrift = span.model_copy(update={"start": 0, "end": 19})
    for written, note in (
        (sentence("It spans 312 metres."), "cites no evidence"),
        (sentence("It spans 312 metres.", 1), "cites evidence without a quote"),
        (sentence("It spans 312 metres.", 1, 2, quotes=(span,)), "cites evidence without a quote"),
        (
            sentence("It spans 312 metres.", 1, quotes=(adrift,)),
            "a quote is not found in what it cites",
        ),
    ):
        found = check(written, POOL)
        assert (found.support, found.note) == (Support.NOT_JUDGED, note)


@pytest.mark.parametrize(
    ("said", "missing", "support"),
    [
        ("The Orrin Bridge spans 313 metres.", "313 metres", Support.NOT_JUDGED),
        ("The Orrin Bridge cost 2.4 billion crowns.", "2.4 billion", Support.NOT_JUDGED),
        ("The Orrin Bridge was opened on 5 May 1891.", "5 May 1891", Support.CONTRADICTED),
        ("The Orrin Bridge was opened in 1892.", "1892", Support.CONTRADICTED),
        ("The engineer Maude Pell opened the Orrin Bridge.", "Maude Pell", Support.NOT_JUDGED),
        ("The Orrin Bridge spans 312 kilometres.", "312 kilometres", Support.NOT_JUDGED),
    ],
)
def test_figures_dates_and_names_have_to_occur(said: str, missing: str, support: Support) -> None:
    found = weigh(said, [HERE])
    assert found.support is support
    assert found.missing == (missing,)
    assert missing in found.note


def test_another_year_in_the_same_statement_is_a_contradiction() -> None:
    found = weigh("The mill opened in 1905.", [passage("The mill opened in 1903.")])
    assert found.support is Support.CONTRADICTED
    assert found.note == "not in its sources: 1905; its source has another figure there"
    resumed = passage("Measurements were interrupted in 2003 and resumed a year later.")
    said = weigh("Measurements were interrupted in 2004.", [resumed])
    assert said.support is Support.NOT_JUDGED  # which of the two it means is open


@pytest.mark.parametrize(
    "said",
    [
        "The Orrin Bridge cost 2,400,000 crowns.",
        "The Orrin Bridge spans about 310 metres.",
        "The Orrin Bridge was opened in May 1891.",
        "The Orrin Bridge was opened by Tellin in the 1890s.",
        "One engineer, Maude Tellin, opened the Orrin Bridge.",
        "1. The Orrin Bridge was opened in 1891.",
    ],
)
def test_the_same_figure_in_another_form_is_no_objection(said: str) -> None:
    assert weigh(said, [HERE]).support is Support.SUPPORTED


def test_a_title_gives_the_name_that_the_text_leaves_out() -> None:
    text = "She was born in Velling and wrote 12 plays."
    said = "Ilse Marren was born in Velling and wrote 12 plays."
    assert weigh(said, [passage(text, title="Ilse Marren")]).support is Support.SUPPORTED
    assert weigh(said, [passage(text)]).missing == ("Ilse Marren",)


def test_initials_and_other_forms_of_a_name_are_found() -> None:
    text = "The Vellian Salt Union met the Brannish envoys in 1901."
    assert weigh("The VSU met Brannish envoys in 1901.", [passage(text)]).missing == ()
    held = passage("The VSU met envoys of Brann in 1901.")
    assert weigh("The Vellian Salt Union met envoys of Brann in 1901.", [held]).missing == ()


@pytest.mark.parametrize(
    ("said", "source", "note"),
    [
        (
            "The ferry did not sink in the storm of 1888.",
            "The ferry did sink in the storm of 1888.",
            "denies what its source affirms",
        ),
        (
            "Heavy carts were allowed on the bridge before 1903.",
            "Heavy carts were not allowed on the bridge before 1903.",
            "affirms what its source denies",
        ),
    ],
)
def test_a_denial_that_faces_its_opposite_is_a_contradiction(
    said: str, source: str, note: str
) -> None:
    found = weigh(said, [passage(source)])
    assert (found.support, found.note) == (Support.CONTRADICTED, note)
    assert weigh(source, [passage(source)]).support is Support.QUOTED


def test_an_opposite_in_other_words_is_a_doubt_only() -> None:
    near = passage("The ferry did sink in a storm.")
    found = weigh("The ferry did not sink in autumn gales.", [near])
    assert found.support is Support.NOT_JUDGED
    assert found.note.startswith("denies what its source affirms")


def test_a_lone_denial_is_a_doubt_and_no_contradiction() -> None:
    found = weigh("Duke Arno did not open the market of Velling.", [THERE])
    assert found.support is Support.NOT_JUDGED
    assert "denies something where its source denies nothing" in found.note
    refused = passage("Duke Arno refused to support the market of Velling.")
    assert weigh("Duke Arno did not open the market of Velling.", [refused]).note == ""


def test_words_of_another_subject_are_too_few() -> None:
    found = weigh("Some glass was blown by monks near the coast for export.", [THERE])
    assert found.support is Support.NOT_JUDGED
    assert found.note == WORDING_DIFFERS
    assert found.probability is not None
    assert found.probability < 0.3
    assert not in_doubt(found)


@pytest.mark.parametrize(
    "said",
    [
        "Die Fähre ist in einem Sturm gesunken und niemand war auf ihr zu der Zeit.",
        "Prom zatonął w czasie burzy w grudniu i nikogo na nim wtedy nie było.",
    ],
)
def test_another_language_is_named_as_the_reason(said: str) -> None:
    found = weigh(said, [passage(FERRY)])
    assert is_foreign(said, [passage(FERRY)])
    assert found.note == "is in another language than what it cites"


def test_a_short_sentence_with_small_english_words_is_english() -> None:
    rules = passage("Sheds need approval. Bonfires are allowed in the tenth month only.")
    assert not is_foreign("Lighting a bonfire is forbidden outside November.", [rules])


def test_two_passages_may_hold_a_sentence_together() -> None:
    said = "The Orrin Bridge spans 312 metres and Velling has 18,450 inhabitants."
    assert weigh(said, [HERE, THERE]).support is Support.SUPPORTED
    assert weigh(said, [THERE]).support is Support.PARTLY


def test_a_sentence_of_which_one_clause_is_held_is_partly_supported() -> None:
    said = "The Orrin Bridge spans 312 metres and was mended by Pieter Vance in 1955."
    found = weigh(said, [HERE])
    assert found.support is Support.PARTLY
    assert found.figures == ("1955",)
    assert found.names == ("Pieter Vance",)
    assert found.note.startswith("not in its sources: 1955, Pieter Vance")
    other = "The Orrin Bridge spans 315 metres and was mended by Pieter Vance in 1955."
    assert weigh(other, [HERE]).support is Support.NOT_JUDGED


def test_the_more_is_held_the_likelier_it_is_and_doubt_lies_between() -> None:
    quote_like = "The bridge spans 312 metres and cost 2.4 million crowns."
    own_words = "Its market, founded by a duke, is busy and lies by the mines."
    elsewhere = "Glass from the coast was carried over the mountains."
    sure = weigh(quote_like, [HERE])
    doubtful = weigh(own_words, [THERE])
    idle = weigh(elsewhere, [THERE])
    chances = [sure.probability, doubtful.probability, idle.probability]
    assert chances == sorted(filter(None, chances), reverse=True)
    assert [in_doubt(found) for found in (sure, doubtful, idle)] == [False, True, False]


def test_a_likely_sentence_is_in_doubt_when_something_speaks_against_it() -> None:
    assert in_doubt(weigh("The Orrin Bridge spans 312 metres and cost 2.5 million crowns.", [HERE]))


def test_where_words_cannot_be_compared_there_is_no_probability_but_doubt() -> None:
    said = "Die Fähre ist in einem Sturm gesunken und niemand war auf ihr zu der Zeit."
    found = weigh(said, [passage(FERRY)])
    assert found.probability is None
    assert in_doubt(found)


def test_a_sentence_of_the_source_is_certain() -> None:
    found = weigh("It spans 312 metres and cost 2.4 million crowns.", [HERE])
    assert (found.probability, found.missing) == (1.0, ())
    assert not in_doubt(found)


@given(ANYTHING | SPOOFS)
def test_every_sentence_of_a_source_is_supported_by_it(text: str) -> None:
    held = passage(f"{BRIDGE} {text} {TOWN}")
    for span in sentences(held.text):
        found = weigh(held.text[span.start : span.end], [held])
        assert found.support is Support.QUOTED, found.note


@given(ANYTHING | SPOOFS, ANYTHING, st.lists(st.integers(-2, 4), max_size=3))
def test_r0_9_a_sentence_is_supported_only_with_known_evidence(
    said: str, text: str, ids: list[int]
) -> None:
    pool = {1: passage(text), 2: THERE}
    found = check(sentence(said, *ids, quotes=(quote(THERE, "Velling"),)), pool)
    assert 0.0 <= found.share <= 1.0
    assert bool(found.note) == (not found.support.holds)
    if found.support.holds:
        assert set(ids) == {2}


@pytest.mark.parametrize("gap", ["\n    ", "\n", "  ", "\n\t"])
def test_words_are_quoted_wherever_their_lines_are_broken(gap: str) -> None:
    """Else a manual's "No. Use ..." would be held against the rest of its page."""
    source = passage(f"Q:  Does it fly?{gap}\nA:  No. Use a{gap}boat to reach the island.")
    found = weigh("No. Use a boat to reach the island.", [source])
    assert found.support is Support.QUOTED


def test_weights_that_are_nought_leave_it_open_and_a_signal_that_has_none_is_not_weighed() -> None:
    weights = Weights(intercept=0.0, weights={"near": 2.0})
    assert weights.probability({"near": 0.0, "other": 9.0}) == 0.5
    assert weights.probability({"near": 1.0}) == pytest.approx(
        1 - weights.probability({"near": -1})
    )
    assert weights.probability({"near": 1.0}) > 0.8
    assert Weights(intercept=-1.0, weights={}).probability({}) < 0.3


SAID = "Maude Tellin opened the Orrin Bridge on 4 May 1891."


def meant(nearest: float) -> EmbeddingSignal:
    weights = Weights(intercept=-3.0, weights={"nearest_line": 6.0})
    return EmbeddingSignal(weights=weights, nearest_line=nearest)


def test_an_embedder_is_heard_before_words() -> None:
    """What words alone would pass is objected to where the embedder finds nothing near."""
    assert weigh(SAID, [HERE], meant(0.9)).support is Support.SUPPORTED
    far = weigh(SAID, [HERE], meant(0.1))
    assert (far.support, far.note) == (Support.NOT_JUDGED, WORDING_DIFFERS)
    assert in_doubt(far)
    assert weigh(BRIDGE, [HERE], meant(0.1)).support is Support.QUOTED


LOW, HIGH = calibration().doubt


@pytest.mark.parametrize(
    ("support", "probability", "doubtful"),
    [
        (Support.SUPPORTED, LOW - 0.01, False),
        (Support.SUPPORTED, LOW, True),
        (Support.SUPPORTED, HIGH - 0.01, True),
        (Support.SUPPORTED, HIGH, False),
        (Support.QUOTED, 1.0, False),
        (Support.NOT_JUDGED, LOW - 0.01, False),
        (Support.NOT_JUDGED, HIGH, True),
        (Support.CONTRADICTED, HIGH, True),
        (Support.NOT_JUDGED, None, True),
    ],
)
def test_doubt_begins_and_ends_where_it_was_measured(
    support: Support, probability: float | None, doubtful: bool
) -> None:
    assert in_doubt(Finding(support=support, probability=probability)) is doubtful


@pytest.mark.parametrize(("said", "passages"), [("  ", [HERE]), ("It spans 312 metres.", [])])
def test_nothing_is_not_checked(said: str, passages: list[Passage]) -> None:
    found = weigh(said, passages)
    assert (found.support, found.probability) == (Support.NOT_JUDGED, 0.0)
    assert found.note == "says nothing that could be checked"


def test_all_ids_that_are_not_in_the_pool_are_named_in_order() -> None:
    assert check(sentence("x", 7, 1, 8), POOL).note == "cites evidence that does not exist: 7, 8"


def test_two_numbers_of_one_passage_need_one_quote() -> None:
    cited = sentence(SAID, 1, 2, quotes=(quote(HERE, BRIDGE[:40]),))
    assert check(cited, {1: HERE, 2: HERE}).support is Support.SUPPORTED


@pytest.mark.parametrize(
    ("said", "source", "note"),
    [
        ("All rooms are heated.", "Some rooms are heated.", "says it of more than its source does"),
        (
            "The museum must cut the fee.",
            "The museum may cut the fee.",
            "says it more strongly than its source",
        ),
    ],
)
def test_what_is_said_more_strongly_clashes_and_is_no_contradiction(
    said: str, source: str, note: str
) -> None:
    found = weigh(said, [passage(source)])
    assert (found.support, found.note) == (Support.NOT_JUDGED, note)
    assert (found.clashes, found.opposed) == (True, False)
    fine = weigh(source.replace("may", "might"), [passage(source)])
    assert (fine.clashes, fine.opposed) == (False, False)


def test_in_a_long_sentence_a_clash_is_rather_a_false_alarm() -> None:
    told = (
        "The Brann river museum may cut the fee for all the students from the town of Velling and "
        "from the villages around in the coming year of the reform, says the board."
    )
    assert weigh(told.replace("may", "must"), [passage(told)]).note == ""


HALLS = (
    "The river museum of Velling opens its upper halls to the students of the town when the wardens"
    " are there, and lends lamps."
)


@pytest.mark.parametrize(
    ("said", "note"),
    [
        (HALLS.replace("opens", "only opens"), ""),
        (
            (
                "The valley museum only opens its large halls to pupils from the town when wardens"
                " are about, and lends out torches."
            ),
            "says it more strongly than its source",
        ),
        ("The river museum only opens its upper halls.", "says it more strongly than its source"),
    ],
    ids=["long and likely", "long and not likely", "short"],
)
def test_a_clash_is_told_but_where_a_long_sentence_is_likely(said: str, note: str) -> None:
    found = weigh(said, [passage(HALLS)])
    assert (found.clashes, found.note.partition(";")[0]) == (True, note)


FLOCK = (
    "Of the 961 ewes and 888 rams that the wardens of Hegg counted, with care of up to 28 months,"
    " 70 ewes and 170 rams fell ill or died of fever."
)
ILL = (
    "During up to 28 months of care, 70 of the 961 ewes that the wardens of Hegg counted fell ill"
    " or died of fever."
)


def test_another_figure_counts_in_a_long_sentence_of_which_one_line_has_nearly_all() -> None:
    fine, wrong = (weigh(said, [passage(FLOCK)]) for said in (ILL, ILL.replace("70", "170")))
    assert (fine.support, wrong.support) == (Support.SUPPORTED, Support.NOT_JUDGED)
    assert (fine.probability or 0) > (wrong.probability or 0)


def test_a_clash_is_plain_where_one_line_has_nearly_all_of_a_sentence() -> None:
    wrong = ILL.replace("70", "170")
    # Where a line has a part, others may have the rest.
    mixed = wrong.replace("died of fever", "met rain, mud, frost and hail")
    nearly, part = (clash(said, [FLOCK], []) for said in (wrong, mixed))
    assert nearly is not None
    assert part is not None
    assert (nearly.plain, part.plain) == (True, False)


def test_a_clash_makes_a_sentence_less_likely_and_a_contradiction_even_less() -> None:
    def chance(said: str, source: str) -> float:
        return weigh(said, [passage(source)]).probability or 0.0

    fine = chance("The ferry in the storm of 1888 sank.", "The ferry sank in the storm of 1888.")
    stronger = chance("The museum must cut the fee.", "The museum may cut the fee.")
    turned = chance(
        "Version 3 starts faster than version 4.", "Version 4 starts twice as fast as version 3."
    )
    assert fine > stronger > turned > 0


def test_an_opposite_is_marked_as_one_whether_it_is_plain_or_in_doubt() -> None:
    found = weigh("Somebody drowned when the ferry sank in 1888.", [passage(FERRY)])
    assert found.support is Support.NOT_JUDGED
    assert found.note == "affirms what its source denies, or puts it differently"
    assert (found.opposed, found.clashes) == (True, False)
    lone = weigh("Duke Arno did not open the market of Velling.", [THERE])
    assert not lone.opposed


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("No runner was faster than Reed.", "Reed was the fastest runner."),
        ("Reed was the fastest runner.", "No runner was faster than Reed."),
        ("Nobody drowned when the ferry sank in 1888.", FERRY),
    ],
)
def test_a_denial_that_comes_to_the_same_is_no_opposite(said: str, source: str) -> None:
    assert weigh(said, [passage(source)]).support is Support.SUPPORTED


MILLS = passage(
    "| mill | wheels | built |\n|---|---|---|\n| Hask | 2 | 1744 |\n| Quill | none | 1850 |"
)


@pytest.mark.parametrize(
    ("said", "support"),
    [
        ("Hask has 2 wheels.", Support.SUPPORTED),
        ("Hask was built in 1744.", Support.SUPPORTED),
        ("Hask was built in 1850.", Support.CONTRADICTED),
        # "None" in a cell denies nothing.
        ("mill: Quill; wheels: none; built: 1850", Support.QUOTED),
    ],
)
def test_a_figure_of_a_table_is_that_of_its_row(said: str, support: Support) -> None:
    found = weigh(said, [MILLS])
    assert found.support is support
    assert found.opposed is (support is Support.CONTRADICTED)
    assert found.verbatim is (support is Support.QUOTED)


@pytest.mark.parametrize(
    ("said", "support"),
    [
        (
            "The bridge was opened by Maude Tellin, and monks blew glass near the coast.",
            Support.PARTLY,
        ),
        # The clause that would be held has what is missing, or says too little.
        (
            "The bridge was opened by Maude Tellin in 1892, and monks blew glass.",
            Support.NOT_JUDGED,
        ),
        ("It was opened, and monks blew glass near the coast in 1955.", Support.NOT_JUDGED),
        ("Glass was blown by monks near the coast.", Support.NOT_JUDGED),
    ],
)
def test_a_part_is_a_clause_that_says_something_and_lacks_nothing(
    said: str, support: Support
) -> None:
    assert weigh(said, [HERE]).support is support


def test_words_count_in_one_place_and_anywhere() -> None:
    """Nearer together is more, and what no line says is no share at all."""
    apart = passage(f"Reed built the mill. {'Rain fell on the hills. ' * 12}Its wheel is of oak.")
    near = passage("Reed built the mill. Its wheel is of oak.")
    said = "The mill built by Reed has a wheel of oak."
    assert 0.5 < weigh(said, [apart]).share < weigh(said, [near]).share == 1.0
    assert weigh(said, [passage("", title="Reed built the mill, its wheel is of oak")]).share == 0.0


GERMAN = "Die Fähre ist in einem Sturm gesunken und niemand war auf ihr zu der Zeit."


def test_another_language_is_one_that_none_of_its_sources_is_in() -> None:
    english, german = passage(FERRY), passage(GERMAN)
    assert is_foreign(GERMAN, [english])
    assert not is_foreign(GERMAN, [english, german])
    assert is_foreign("The ferry sank in a storm of that year, and nobody was on it.", [german])
    assert not is_foreign("Hask Quill.", [english])
    figure = weigh("Die Fähre ist 1890 in einem Sturm gesunken und niemand sah es.", [english])
    assert figure.note == "not in its sources: 1890; is in another language than what it cites"


def test_a_table_does_not_hide_the_language_of_the_lines_around_it() -> None:
    rows = "".join(f"| {n} | Violon | Pajot |\n" for n in range(60))
    prose = "La vente commence à midi, dans l'ordre des lots, et le lot 4 est vendu en dernier."
    french = passage(f"{prose}\n\n| Lot | Instrument | Auteur |\n{rows}")
    said = "Das Cembalo kommt erst ganz am Schluss an die Reihe."
    assert is_foreign(said, [french])
    assert "another language" in weigh(said, [french]).note


def test_a_short_english_sentence_is_english_next_to_a_source_in_another_language() -> None:
    said = "A chat may take up to 60 seconds."
    assert not is_foreign(said, [passage(BRIDGE), passage(GERMAN)])
    assert "language" not in weigh(said, [passage(BRIDGE), passage(GERMAN)]).note


def test_a_short_sentence_is_read_in_the_language_of_all_its_sources() -> None:
    """ "Keine" denies in German alone; it is one word more where sources are in two."""
    said, told = (
        "Kinder zahlen Maut.",
        "Erwachsene zahlen 1 Euro Maut und Kinder zahlen keine Maut.",
    )
    assert weigh(said, [passage(told)]).opposed
    assert not weigh(said, [passage(told), passage(FERRY)]).opposed


def test_what_a_title_says_may_be_held_too() -> None:
    said, text = "She opened the Orrin Bridge in 1891.", "She opened it in 1891."
    assert may_hold(said, passage(text, title="Orrin Bridge"))
    assert not may_hold(said, passage(text))


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Las Palmas Mine; 1890: 410 tons; 1891: 530 tons", False),
        ("Die Zeit; 1890: 410; 1891: 530", False),
        ("Die Mine von Las Palmas hat 410 Tonnen gefördert.", True),
    ],
)
def test_the_article_of_a_name_does_not_make_a_sentence_foreign(
    text: str, *, foreign: bool
) -> None:
    english = passage("The mine of the north and its tons by year: 410 in 1890 and 530 in 1891.")
    assert is_foreign(text, [english]) is foreign


@pytest.mark.parametrize(
    ("where", "support"),
    [
        ("Orrin Bridge", Support.QUOTED),
        ("its builder was hanged", Support.NOT_JUDGED),
        ("a", Support.NOT_JUDGED),
        ("Orrin Bri", Support.NOT_JUDGED),
    ],
)
def test_where_something_was_said_earlier_is_known_or_checked(where: str, support: Support) -> None:
    first = BRIDGE[: sentences(BRIDGE)[0].end]
    said = sentence(f"Earlier ({where}): {first}", 1, quotes=(quote(HERE, first),))
    found = check(said, POOL).support
    assert (found is Support.QUOTED) is (support is Support.QUOTED)


@pytest.mark.parametrize("part", ["Orrin-", "12 345,678.9 ", "the bridge of Orrin is not larger "])
def test_what_is_longer_than_a_sentence_is_compared_as_a_whole_alone(part: str) -> None:
    said = part * (20_000 // len(part))
    assert cpu_s(lambda: weigh(said, [HERE]), enough_s=0.5) <= 0.5
    found = weigh(said, [HERE])
    assert (found.support, found.note) == (Support.NOT_JUDGED, "is too long to be compared")
    assert weigh(said, [passage(f"So it is: {said}.")]).support is Support.QUOTED


def test_a_long_row_of_figures_is_compared_in_time() -> None:
    said = "The tolls were " + "12 345,678.9 " * 220
    assert cpu_s(lambda: weigh(said, [HERE]), enough_s=2.0) <= 2.0
