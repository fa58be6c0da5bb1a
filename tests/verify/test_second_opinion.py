"""Rulings of a reader who understands, on what the signs leave open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import BRIDGE, FERRY, TOWN, passage, sentence

from quaere.domain.report import WORDING_DIFFERS, CheckedBy, Ruling, Support
from quaere.models.similarity import MINILM
from quaere.ports.model import Entailed, ToldPairs
from quaere.verify.calibration import EmbeddingSignal, calibration
from quaere.verify.repair import Fate, Outcome, counted, verify_sentence
from quaere.verify.second_opinion import (
    MOST_LINES,
    apply_rulings,
    candidate_lines,
    embedder_pairs,
    entailment_ruling,
    entailment_rulings,
    needs_embedder,
    open_claims,
    premises,
    reweigh,
    weights_for,
)
from quaere.verify.support import compare, in_doubt, weigh

POOL = {1: passage(BRIDGE, title="Orrin Bridge"), 2: passage(TOWN, title="Velling")}
QUOTED = verify_sentence(sentence("It spans 312 metres and cost 2.4 million crowns.", 1), POOL)
DOUBTFUL = verify_sentence(sentence("The market of Velling goes back to Duke Arno.", 2), POOL)
FALSE_FIGURE = verify_sentence(
    sentence("The Orrin Bridge spans 315 metres and cost 2.4 million crowns.", 1), POOL
)


def one(outcome: Outcome, ruling: Support) -> Outcome:
    return apply_rulings([outcome], {0: Ruling(support=ruling, by=CheckedBy.MODEL)})[0]


ODD = sentence("About a seventh of its people dig for salt, by which the town lives.", 2)


def test_all_but_what_is_quoted_whole_is_open_whatever_words_make_of_it() -> None:
    odd = verify_sentence(ODD, POOL)
    passed = verify_sentence(sentence("The salt mines employ people from Velling.", 2), POOL)
    assert [o.fate for o in (QUOTED, odd, passed)] == [
        Fate.SUPPORTED,
        Fate.MARKED,
        Fate.SUPPORTED,
    ]
    said = open_claims([QUOTED, DOUBTFUL, odd, passed, FALSE_FIGURE])
    assert [*said] == [1, 2, 3, 4]
    assert said[2].sentence.text == ODD.text


def test_what_words_would_drop_is_kept_when_it_is_ruled_supported() -> None:
    kept = one(verify_sentence(ODD, POOL), Support.SUPPORTED)
    assert kept.sentence is not None
    assert (kept.sentence.text, kept.sentence.evidence) == (ODD.text, (2,))
    assert kept.fate is Fate.SUPPORTED


def test_words_that_would_be_cut_off_stay_when_they_are_ruled_supported() -> None:
    said = "The Orrin Bridge was opened on 4 May 1891, which pleased the carters of Nymark."
    shortened = verify_sentence(sentence(said, 1), POOL)
    assert shortened.fate is Fate.REPAIRED
    assert shortened.sentence is not None
    assert "Nymark" not in shortened.sentence.text
    whole = one(shortened, Support.SUPPORTED)
    assert whole.sentence is not None
    assert (whole.sentence.text, whole.fate) == (said, Fate.SUPPORTED)
    assert one(shortened, Support.PARTLY) == shortened


@pytest.mark.parametrize("ruling", [*Support])
def test_a_quote_is_beyond_any_ruling(ruling: Support) -> None:
    assert one(QUOTED, ruling) == QUOTED


def test_a_ruling_clears_a_doubt() -> None:
    assert DOUBTFUL.fate is Fate.MARKED
    cleared = one(DOUBTFUL, Support.SUPPORTED)
    assert cleared.fate is Fate.SUPPORTED
    assert cleared.sentence is not None
    assert (cleared.sentence.support, cleared.sentence.by) == (Support.SUPPORTED, CheckedBy.MODEL)
    assert counted([cleared]).supported == 1


@pytest.mark.parametrize("probability", [None, 0.93])
@pytest.mark.parametrize("support", [Support.SUPPORTED, Support.PARTLY, Support.CONTRADICTED])
def test_the_likelihood_is_that_of_who_gave_the_verdict(
    support: Support, probability: float | None
) -> None:
    ruling = Ruling(support=support, by=CheckedBy.ENTAILMENT, probability=probability)
    (ruled,) = apply_rulings([DOUBTFUL], {0: ruling})
    shown = ruled.sentence or ruled.dropped
    assert shown is not None
    assert (shown.by, shown.probability) == (CheckedBy.ENTAILMENT, probability)


def test_a_ruling_does_not_put_a_figure_into_a_source() -> None:
    assert one(FALSE_FIGURE, Support.SUPPORTED) == FALSE_FIGURE


def test_part_of_a_sentence_is_marked() -> None:
    partly = one(DOUBTFUL, Support.PARTLY)
    assert partly.sentence is not None
    assert partly.sentence.support is Support.PARTLY
    assert partly.sentence.reason
    assert counted([partly]).marked == 1


@pytest.mark.parametrize("ruling", [Support.CONTRADICTED, Support.NOT_JUDGED])
def test_what_is_ruled_out_and_has_a_figure_of_its_own_is_dropped(ruling: Support) -> None:
    dropped = one(FALSE_FIGURE, ruling)
    assert dropped.sentence is None
    assert dropped.objection
    assert counted([dropped]).dropped == 1


def test_what_is_ruled_unsupported_is_only_marked_where_nothing_plain_speaks_against_it() -> None:
    marked = one(DOUBTFUL, Support.NOT_JUDGED)
    assert marked.sentence is not None
    assert marked.sentence.support is Support.NOT_JUDGED
    assert one(DOUBTFUL, Support.CONTRADICTED).sentence is None


def test_what_the_rules_let_pass_is_marked_when_a_ruling_finds_nothing() -> None:
    passed = verify_sentence(sentence("The salt mines employ people from Velling.", 2), POOL)
    assert passed.fate is Fate.SUPPORTED
    marked = one(passed, Support.NOT_JUDGED)
    assert marked.fate is Fate.MARKED
    assert marked.sentence is not None
    assert marked.sentence.reason == "it is not found in what it cites"


def test_rulings_on_what_is_not_there_are_left_aside() -> None:
    outcomes = (QUOTED, DOUBTFUL)
    against = Ruling(support=Support.CONTRADICTED)
    assert apply_rulings(outcomes, {7: against, -1: against}) == outcomes
    assert apply_rulings(outcomes, {1: Ruling(support=Support.NOT_A_CLAIM)}) == outcomes


DENIAL = sentence("The Orrin Bridge was not opened on 4 May 1891 by the engineer Maude Tellin.", 1)


def test_what_words_make_out_to_contradict_is_shown_so_where_nobody_rules() -> None:
    outcome = verify_sentence(DENIAL, POOL)
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None
    assert outcome.sentence.support is Support.CONTRADICTED
    assert outcome.finding is not None
    assert outcome.finding.support is Support.CONTRADICTED
    assert apply_rulings([outcome], {}) == (outcome,)


@pytest.mark.parametrize(
    ("ruling", "support"),
    [
        (Support.SUPPORTED, Support.SUPPORTED),
        (Support.PARTLY, Support.PARTLY),
        (Support.CONTRADICTED, None),
        (Support.NOT_JUDGED, None),
    ],
)
def test_what_words_make_out_to_contradict_is_for_a_reader_to_clear(
    ruling: Support, support: Support | None
) -> None:
    final = one(verify_sentence(DENIAL, POOL), ruling)
    assert (final.sentence.support if final.sentence else None) is support
    assert counted([final]).dropped == (support is None)


def test_a_claim_that_cites_nothing_is_asked_about_with_what_is_nearest() -> None:
    uncited = verify_sentence(sentence("Carts of great weight had to stay away until 1903."), POOL)
    assert uncited.fate is Fate.DROPPED
    assert uncited.claim is not None
    assert not uncited.claim.cited
    assert uncited.claim.sentence.evidence[0] == 1
    ruled = Ruling(support=Support.SUPPORTED, evidence=1)
    kept = apply_rulings([uncited], {0: ruled})[0]
    assert kept.sentence is not None
    assert (kept.sentence.evidence, kept.fate) == ((1,), Fate.REPAIRED)
    assert [quote.passage for quote in kept.sentence.quotes] == [POOL[1].id]
    assert kept.dropped is None
    assert one(uncited, Support.NOT_JUDGED).sentence is None


def test_what_a_ruling_names_is_cited_first() -> None:
    both = verify_sentence(
        sentence("Maude Tellin bridged the Orrin; Velling has its market from Duke Arno.", 1, 2),
        POOL,
    )
    assert both.claim is not None
    assert both.claim.sentence.evidence == (1, 2)
    ruled = apply_rulings([both], {0: Ruling(support=Support.SUPPORTED, evidence=2)})[0]
    assert ruled.sentence is not None
    assert ruled.sentence.evidence == (2, 1)


@pytest.mark.parametrize(
    ("said", "support"),
    [("The firm kept 20 crowns of profit.", Support.SUPPORTED),
     ("The firm kept 31 crowns of profit.", None)],
    ids=["a difference", "from nowhere"],
)  # fmt: skip
def test_a_model_may_clear_a_figure_that_is_reckoned_from_those_of_its_source(
    said: str, support: Support | None
) -> None:
    """Few of its words are there, so that words alone leave it open."""
    books = passage("The firm took in 120 crowns of money and spent 100 crowns of it.")
    outcome = verify_sentence(sentence(said, 1), {1: books})
    assert outcome.sentence is None or not outcome.sentence.support.holds
    final = one(outcome, Support.SUPPORTED)
    assert final.sentence is not None
    assert (final.sentence.support if final.sentence.support.holds else None) is support


WEIGHTS = calibration().with_embedder[MINILM]


def test_only_embedders_that_were_measured_have_weights() -> None:
    assert weights_for("openai:text-embedding-3-small") is None
    assert weights_for("local:sentence-transformers/all-MiniLM-L6-v2") == WEIGHTS
    assert set(WEIGHTS.weights) == {*calibration().weights, "nearest_line"}


def test_only_what_words_leave_in_doubt_is_asked() -> None:
    dropped = verify_sentence(sentence("Glass was blown by monks near the coast.", 2), POOL)
    asked = embedder_pairs([QUOTED, DOUBTFUL, dropped, FALSE_FIGURE], POOL)
    assert set(asked) == {1, 3}
    assert DOUBTFUL.sentence
    assert {claim for claim, _ in asked[1]} == {DOUBTFUL.sentence.text}
    assert all(line in TOWN for _, line in asked[1])


def test_another_language_is_left_aside() -> None:
    german = weigh("Die Brücke kostete sehr viel Geld und wurde von einer Frau gebaut.", [POOL[1]])
    assert in_doubt(german)
    assert not needs_embedder(german)


def test_the_line_that_shares_most_comes_first_and_few_are_asked() -> None:
    filler = " ".join(f"Nothing else happened in year {n} at all." for n in range(60))
    pair = compare("Maude Tellin built the bridge.", [passage(f"{filler} Tellin built a bridge.")])
    asked = candidate_lines(pair)
    assert len(asked) == MOST_LINES
    assert asked[0] == ("Maude Tellin built the bridge.", "Tellin built a bridge.")


def test_a_heading_of_one_word_does_not_come_first() -> None:
    line = "Tellin built a bridge of stone across the water."
    asked = candidate_lines(
        compare("Maude Tellin built the bridge.", [passage(f"Tellin.\n\n{line}")])
    )
    assert [text for _, text in asked] == [line, "Tellin."]


def test_a_near_line_clears_a_doubt() -> None:
    assert DOUBTFUL.fate is Fate.MARKED
    (cleared,) = reweigh([DOUBTFUL], POOL, {0: 1.0}, WEIGHTS)
    assert (cleared.fate, cleared.objection) == (Fate.SUPPORTED, DOUBTFUL.objection)
    assert cleared.sentence
    assert cleared.sentence.support is Support.SUPPORTED


def test_what_was_repaired_stays_so_when_it_is_cleared() -> None:
    repaired = DOUBTFUL.model_copy(update={"fate": Fate.REPAIRED})
    (cleared,) = reweigh([repaired], POOL, {0: 1.0}, WEIGHTS)
    assert cleared.fate is Fate.REPAIRED


def test_what_contradicts_its_source_is_not_asked() -> None:
    against = weigh("The Orrin Bridge does not span 312 metres.", [POOL[1]])
    assert against.support is Support.CONTRADICTED
    assert in_doubt(against)
    assert not needs_embedder(against)


def test_lines_that_are_far_make_a_doubt_plain() -> None:
    passed = verify_sentence(sentence("The salt mines employ people from Velling.", 2), POOL)
    assert passed.fate is Fate.SUPPORTED
    (marked,) = reweigh([passed], POOL, {0: -1.0}, WEIGHTS)
    assert marked.fate is Fate.MARKED
    assert marked.sentence
    assert WORDING_DIFFERS in marked.sentence.reason
    assert marked.objection == marked.sentence.reason


def test_no_cosine_puts_a_figure_into_a_source() -> None:
    (still,) = reweigh([FALSE_FIGURE], POOL, {0: 1.0}, WEIGHTS)
    assert still.sentence
    assert still.sentence.support is not Support.SUPPORTED
    assert "315" in still.sentence.reason


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_nearer_the_likelier(a: float, b: float) -> None:
    text = "The market of Velling goes back to Duke Arno."

    def likely(cosine: float) -> float:
        meaning = EmbeddingSignal(weights=WEIGHTS, nearest_line=cosine)
        return weigh(text, [POOL[2]], meaning).probability or 0.0

    assert (a < b) <= (likely(a) <= likely(b))


@pytest.mark.parametrize("cosines", [{}, {7: 1.0}])
def test_what_was_not_asked_stays(cosines: dict[int, float]) -> None:
    assert reweigh([QUOTED, DOUBTFUL], POOL, cosines, WEIGHTS) == (QUOTED, DOUBTFUL)


UNTITLED = {1: passage(BRIDGE), 2: passage(TOWN)}


def told(entailed: float, contradicted: float | None = None) -> Entailed:
    return Entailed(entailed=entailed, contradicted=contradicted)


@pytest.mark.parametrize(
    ("each", "support"),
    [
        ([told(0.7)], Support.SUPPORTED),
        ([told(0.69)], None),
        ([told(0.31)], None),
        ([told(0.3)], Support.NOT_JUDGED),
        ([told(0.5, 0.8)], Support.CONTRADICTED),
        ([told(0.5, 0.79)], None),
        ([told(0.1, 0.79)], Support.NOT_JUDGED),
        ([told(0.7, 0.9)], Support.SUPPORTED),
        ([told(0.1), told(0.9)], Support.SUPPORTED),
        ([told(0.1, 0.1), told(0.1, 0.9)], Support.CONTRADICTED),
        ([told(0.1), None], None),
        ([told(0.9), None], Support.SUPPORTED),
        ([None], None),
        ([], Support.NOT_JUDGED),
    ],
)
def test_the_likeliest_of_all_premises_decides_where_it_is_sure(
    each: list[Entailed | None], support: Support | None
) -> None:
    ruling = entailment_ruling(each)
    if support is None:
        assert ruling is None
    else:
        assert ruling is not None
        assert (ruling.support, ruling.by) == (support, CheckedBy.ENTAILMENT)


def test_of_sentences_that_it_did_not_tell_the_cause_is_said() -> None:
    asked = {3: [("a", "b"), ("c", "b")], 5: [("a", "d")], 7: [("a", "e")]}
    each = (told(1.0), None, told(0.5), None)
    rulings, fault = entailment_rulings(asked, ToldPairs(each=each, fault="It is off."))
    assert {index: ruling.support for index, ruling in rulings.items()} == {3: Support.SUPPORTED}
    assert fault == "did not judge 1 of 3 sentences: It is off"
    whole = ToldPairs(each=(told(1.0), told(1.0), told(0.5), told(0.0)))
    rulings, fault = entailment_rulings(asked, whole)
    assert (sorted(rulings), fault) == ([3, 7], "")


@pytest.mark.parametrize("evidence", [(1,), (1, 2)])
def test_a_sentence_is_asked_of_each_source_and_of_several_together(
    evidence: tuple[int, ...],
) -> None:
    said = "The Orrin Bridge spans 315 metres, and its carters liked the market of Velling."
    open_claim = open_claims([verify_sentence(sentence(said, 1), UNTITLED)])[0]
    cited = open_claim.sentence.model_copy(update={"evidence": evidence})
    claim = open_claim.model_copy(update={"sentence": cited})
    pairs = premises(claim, UNTITLED)
    texts = [text for text, _ in pairs]
    assert all(asked == said for _, asked in pairs)
    assert len(pairs) == (1 if len(evidence) == 1 else 3)
    for number, text in zip(evidence, texts, strict=False):
        assert text
        assert text in UNTITLED[number].text
    if len(evidence) > 1:
        assert texts[2] == f"{texts[0]}\n{texts[1]}"


def test_a_sentence_in_another_language_is_marked_and_not_dropped_for_having_other_words() -> None:
    german = verify_sentence(sentence("Die Salzminen geben Leuten aus der Gegend Arbeit.", 2), POOL)
    marked = one(german, Support.NOT_JUDGED)
    assert marked.sentence is not None
    assert marked.sentence.by is CheckedBy.MODEL
    assert one(german, Support.CONTRADICTED).sentence is None


def test_a_reader_who_finds_the_opposite_does_not_say_that_wording_differs() -> None:
    reason = one(FALSE_FIGURE, Support.CONTRADICTED).objection
    assert "315" in reason
    assert WORDING_DIFFERS not in reason


@pytest.mark.parametrize(
    ("said", "is_silent"),
    [
        ("What the market of Velling sold in detail is not in these passages.", True),
        ("Passages on how the ferry of the Orrin sank were not found.", True),
        ("The market of Velling was not founded by a duke.", False),
    ],
)
def test_what_rightly_says_that_the_passages_are_silent_cites_nothing(
    said: str, *, is_silent: bool
) -> None:
    pool = {1: passage(BRIDGE), 2: passage(TOWN), 3: passage(FERRY)}
    outcome = verify_sentence(sentence(said), pool)
    (ruled,) = apply_rulings([outcome], {0: Ruling(support=Support.SUPPORTED)})
    assert ruled.sentence is not None
    assert (ruled.sentence.support is Support.NOT_A_CLAIM) is is_silent
    assert bool(ruled.sentence.evidence) is not is_silent
