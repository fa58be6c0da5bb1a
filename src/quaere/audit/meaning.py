"""Has an embedder look at the sentences of an audit that words leave in doubt."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from quaere.audit.attribution import asserted
from quaere.audit.rule import Case
from quaere.domain.report import Support
from quaere.domain.source import Passage
from quaere.errors import ReasonError
from quaere.models.similarity import cosines_of
from quaere.ports.model import Embedder
from quaere.verify.calibration import Meaning
from quaere.verify.meaning import candidates, is_open, weights_of
from quaere.verify.support import compared, weigh

MAX_TIME_S = 60.0
"""What an embedder may take for all sentences; what is left then is judged by words."""


async def by_meaning(cases: Sequence[Case], embedder: Embedder) -> tuple[list[Case], str]:
    """Return ``cases``, those in doubt weighed with what ``embedder`` tells.

    With them comes why it was left out of the last of them; empty when it was not. One for which
    verification has no weights is not asked.
    """
    weights, looked_at = weights_of(embedder.name), list(cases)
    if weights is None:
        return looked_at, f"{embedder.name} was not measured: no sentence was checked with it."
    began = time.monotonic()
    for index, case in enumerate(cases):
        if case.finding is None or not is_open(case.finding):
            continue
        passages = _passages(case)
        text = asserted(case.said.text)
        texts = candidates(compared(text, passages))
        if time.monotonic() - began > MAX_TIME_S:
            return looked_at, f"{embedder.name} took more than {MAX_TIME_S:g} s."
        try:
            cosines = await cosines_of(embedder, texts)
        except ReasonError as error:
            return looked_at, error.message
        if cosines:
            meaning = Meaning(weights=weights, nearest_line=max(cosines))
            looked_at[index] = replace(case, finding=weigh(text, passages, meaning))
    return looked_at, ""


def _passages(case: Case) -> list[Passage]:
    """Return what the finding of ``case`` rests on: one source that holds it, else all of them."""
    if case.finding and case.finding.support is Support.SUPPORTED and case.place:
        return list(case.passages[case.place.source])
    return [passage for passages in case.passages.values() for passage in passages]
