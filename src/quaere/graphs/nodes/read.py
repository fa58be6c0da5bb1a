"""Opens what was found without its text."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.budget import Spend
from quaere.domain.events import Phase, SourceRead
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.domain.url import canonical_url
from quaere.evidence.pool import LEAST, best_passages
from quaere.evidence.quality import is_of
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Emitter, Runtime, Update
from quaere.graphs.state import LoopState
from quaere.plan.decide import reads_now
from quaere.read.batch import Reading, read_all
from quaere.resilience.thread import computed, in_slices
from quaere.search.results import snippet_passages
from quaere.text.tokens import terms


async def read(state: LoopState, runtime: Runtime) -> Update:
    """Open the hits that came without text, the most promising first, as far as the budget goes.

    Before these come those that are being opened already, and those of the kinds of source that
    the last evaluation wants. Once the search is to end, only pages that are there are taken.
    """
    context = runtime.context
    emitter = Emitter(Phase.READING, state, runtime)
    emitter.begin()
    hits = _chosen(state, context)
    provided = {context.store.passage(key).url for key in state["arrivals"]} - _failed(state)
    known = {*state["opened"], *map(canonical_url, provided)}
    emitter.count(sources_read=len(known))
    readings = await _readings(hits, known, state, emitter, context)
    passages, warnings = _taken_in(readings, context)
    emitter.warn(warnings)
    again = _to_try_again(readings, state)
    return {
        "arrivals": (*state["arrivals"], *(passage.id for passage in passages)),
        "opened": tuple(sorted(known - set(state["opened"]))),
        "tried": tuple(canonical_url(hit.url) for hit in hits if hit not in again),
        "unread": again,
        "warnings": warnings,
        "spend": Spend(reads=len(hits)),
    }


def _taken_in(
    readings: Sequence[Reading], context: RunContext
) -> tuple[list[Passage], tuple[RunWarning, ...]]:
    """Store what was read; return what to look at of it, and what could not be read."""
    quoted = {reading.hit: _quoted(reading, context) for reading in readings if reading.reason}
    passages: list[Passage] = []
    for reading in readings:
        instead = quoted.get(reading.hit, ())
        context.store.add(reading.passages or instead)
        passages += (*reading.chosen, *instead)
    warnings = (_unread(reading, quoted[reading.hit]) for reading in readings if reading.reason)
    return passages, tuple(warnings)


def _chosen(state: LoopState, context: RunContext) -> Sequence[Hit]:
    """Return the hits to open now, in order."""
    left, reflection = context.remaining(state), state["reflection"]
    kinds = reflection.target_source_types if reflection else ()

    def promise(hit: Hit) -> tuple[bool, bool]:
        begun = canonical_url(hit.url) in context.ahead.begun
        return not begun, not is_of(kinds, hit.kind, hit.url)

    hits = sorted(state["unread"], key=promise)
    if context.finishing:
        hits = [hit for hit in hits if canonical_url(hit.url) in context.ahead.ready]
    return hits[: reads_now(left=left.reads, loops_left=left.iterations)]


_PASSING = frozenset({ReadStatus.TIMEOUT, ReadStatus.UNREACHABLE, ReadStatus.BROKEN})
"""Ends of a reading that may be another one some seconds later."""


def _failed(state: LoopState) -> set[str]:
    """Return the URLs of the pages that could not be opened in a loop before this one."""
    return {warning.subject for warning in state["warnings"] if warning.kind == "read"}


def _to_try_again(readings: Sequence[Reading], state: LoopState) -> tuple[Hit, ...]:
    """Return the hits that could not be opened, and may be in the next loop; each once a run."""
    failed = _failed(state)
    return tuple(
        reading.hit
        for reading in readings
        if reading.status in _PASSING and reading.hit.url not in failed
    )


async def _readings(
    hits: Sequence[Hit], known: set[str], state: LoopState, emitter: Emitter, context: RunContext
) -> Sequence[Reading]:
    """Open ``hits``, report each and add it to the ``known`` ones; return them in that order."""
    readings: list[Reading] = []
    wanted = [query.text for query in state["pending"]]

    def on_reading(reading: Reading) -> None:
        readings.append(reading)
        if reading.status is ReadStatus.OK:
            known.add(canonical_url(reading.hit.url))
        emitter.count(sources_read=len(known))
        emitter.emit(_source_read(reading, context))

    async def choose(passages: Sequence[Passage]) -> Sequence[Passage]:
        return await best_of(passages, wanted)

    reading = read_all(
        hits,
        context.ahead,
        context.chunker,
        timeout_s=context.remaining(state).seconds,
        choose=choose,
        on_reading=on_reading,
    )
    await (reading if context.finishing else context.unless_finishing(reading))
    return sorted(readings, key=lambda each: hits.index(each.hit))


async def best_of(passages: Sequence[Passage], wanted: Sequence[str]) -> Sequence[Passage]:
    """Return what `best_passages` does, without holding up the event loop."""
    if len(passages) <= LEAST:
        return passages
    held = await in_slices(terms(passage.text) for passage in passages)
    return await computed(lambda: best_passages(passages, *wanted, held=held))


def _source_read(reading: Reading, context: RunContext) -> SourceRead:
    hit, page = reading.hit, reading.page
    url, ended = canonical_url(hit.url), canonical_url(page.url) if page else ""
    return SourceRead(
        url=url,
        final_url=ended if ended != url else "",
        title=hit.title,
        provider=hit.provider,
        status=reading.status,
        passages=len(reading.passages),
        bytes=page.size if page else 0,
        seconds=context.ahead.seconds(hit.url),
        retrieved_at=page.retrieved_at if page else "",
        reason=reading.reason,
    )


_NOT_TO_BE_CITED = frozenset({ReadStatus.REFUSED, ReadStatus.NOT_FOUND, ReadStatus.UNKNOWN_HOST})
"""Ends of a reading after which nobody could look up at its address what was quoted of it."""


def _quoted(reading: Reading, context: RunContext) -> Sequence[Passage]:
    """Return what the search service quoted of a page that is there but could not be read (R3.5).

    The best text of a source that there is, as long as it has none of its own.
    """
    hit = reading.hit
    if reading.status in _NOT_TO_BE_CITED or context.store.of(hit.url):
        return ()
    return snippet_passages(hit, context.clock)


def _unread(reading: Reading, quoted: Sequence[Passage]) -> RunWarning:
    message = reading.reason
    if quoted:
        message = f"{message.rstrip('.')}; only what the search service quoted of it is used"
    return RunWarning(kind="read", message=message, subject=reading.hit.url)
