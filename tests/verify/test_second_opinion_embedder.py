"""R3.6: what an embedder tells of sentences that words leave in doubt, and of no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import BRIDGE, TOWN, passage, sentence

from quaere.domain.report import WORDING_DIFFERS, Support
from quaere.models.similarity import MINILM
from quaere.verify.repair import Fate, verify_sentence
from quaere.verify.second_opinion import (
    MOST_LINES,
    candidate_lines,
    embedder_pairs,
    needs_embedder,
    reweigh,
    weights_for,
)
from quaere.verify.support import EmbeddingSignal, calibration, compare, in_doubt, weigh

POOL = {1: passage(BRIDGE, title="Orrin Bridge"), 2: passage(TOWN, title="Velling")}
QUOTED = verify_sentence(sentence("It spans 312 metres and cost 2.4 million crowns.", 1), POOL)
DOUBTFUL = verify_sentence(sentence("The market of Velling goes back to Duke Arno.", 2), POOL)
FALSE_FIGURE = verify_sentence(
    sentence("The Orrin Bridge spans 315 metres and cost 2.4 million crowns.", 1), POOL
)
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
