"""A small fictional world to ask about, and engines that ask about it.

The observatory's founder was born in a village that the observatory's own page does not name: that
question takes two hops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from types import MappingProxyType
from typing import TypeVar, Unpack

from quaere.domain.budget import Limits, ProfileName
from quaere.domain.events import RUN_EVENT, Event, RunFailed, RunFinished, RunStarted
from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import Report
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, Page, Passage, ReadStatus, passage_id
from quaere.errors import QuaereError, ReadError
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.read import Reader
from quaere.ports.reason import Reasoner
from quaere.ports.search import SearchProvider
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.timing import Clock, SystemClock
from quaere.runtime.engine import Engine
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

E = TypeVar("E", bound=Event)

TIMED = {"started_at", "finished_at", "synthesis", "figures"}
"""Fields of a report that tell the time of day, or what came of it."""

HOP = "Where was the founder of the Quill Observatory born?"
PLAIN = "How many arches has the bridge of Tressel Ford?"
NOTHING = "Which zyxomma quarkwood blorvens?"

DOCUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "Quill Observatory": "The Quill Observatory stands on Mount Sorrel above the town of Hask. "
        "It was founded in 1902 by Odile Varga. Its main mirror measures 90 centimetres.",
        "Odile Varga": "Odile Varga was an astronomer who mapped the dust of the southern sky. She "
        "was born in Tressel Ford in 1861. Varga never married.",
        "Tressel Ford": "Tressel Ford is a village in the Maren valley. Its bridge has five arches "
        "and was finished in 1744 by masons from Hask.",
        "Hask": "Hask is a town of 8,200 inhabitants. Its weekly market sells wool, cheese and "
        "lamp oil.",
        "Mount Sorrel": "Mount Sorrel is 1,904 metres high. A rack railway has climbed it since "
        "1896.",
        "Maren valley": "The Maren valley lies between two ridges of slate. Farmers there grow "
        "flax and rye.",
        "Anselm Pryce": "Anselm Pryce built the organ of Hask in 1790. He was born in Dunmere.",
        "Dunmere": "Dunmere is a harbour on the north coast. Herring was salted there until 1930.",
        "Larkspur Society": "The Larkspur Society was founded in 1911 to protect the wild "
        "larkspur of the Maren valley.",
        "Flax": "Flax is spun into linen. The mills of the Maren valley closed in 1958.",
    }
)


def url_of(title: str) -> str:
    """Return where the document called ``title`` is."""
    return f"https://shelf.test/{title.lower().replace(' ', '-')}"


def passage_of(title: str, text: str, url: str = "") -> Passage:
    """Return a document as the one passage that it is."""
    url = url or url_of(title)
    return Passage(
        id=passage_id(url, 0, text), url=url, title=title, text=text, start=0, end=len(text)
    )


class Shelf:
    """A search provider over documents in memory, by BM25 with titles counting three times."""

    kinds = frozenset({SourceKind.WEB})

    def __init__(
        self,
        documents: Mapping[str, str] = DOCUMENTS,
        *,
        name: str = "shelf",
        with_text: bool = True,
    ) -> None:
        """Search ``documents``; leave their text to be read when not ``with_text``."""
        self.name = name
        self.asked: list[Query] = []
        self._documents, self._with_text = documents, with_text
        self._titles = list(documents)
        self._index = Bm25([terms(f"{title} " * 3 + text) for title, text in documents.items()])

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the documents that share a word with ``query``, best first."""
        self.asked.append(query)
        scores = self._index.scores(terms(query.text))
        wanted = {title.casefold() for title in query.titles}
        ranked = sorted(
            (-score - (10.0 if title.casefold() in wanted else 0.0), title)
            for score, title in zip(scores, self._titles, strict=True)
        )
        found = [(title, -score) for score, title in ranked if score < 0][:limit]
        return [self._hit(title, rank, score) for rank, (title, score) in enumerate(found)]

    def _hit(self, title: str, rank: int, score: float) -> Hit:
        passage = passage_of(title, self._documents[title])
        return Hit(
            url=passage.url,
            title=title,
            provider=self.name,
            rank=rank,
            score=score,
            passages=(passage,) if self._with_text else (),
        )


class Narrow(Shelf):
    """A shelf of which every query brings the best document alone."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the best document alone."""
        return (await super().search(query, limit=limit))[:1]


class Unled(Narrow):
    """One that has nothing for a name which the first look has brought up."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the best document alone, unless a name is followed."""
        found = await super().search(query, limit=limit)
        return () if query.intent is Intent.BRIDGE else found


class Slowed(ForwardingProvider):
    """Takes a minute of a clock that stands still otherwise for each search of ``inner``."""

    def __init__(self, inner: SearchProvider, clock: Still) -> None:
        super().__init__(inner)
        self._clock = clock

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Search."""
        self._clock.seconds += 60.0
        return await self.inner.search(query, limit=limit)


class Desk:
    """Reads documents of the shelf."""

    def __init__(self, documents: Mapping[str, str] = DOCUMENTS) -> None:
        self.opened: list[str] = []
        self._pages = {url_of(title): (title, text) for title, text in documents.items()}

    async def read(self, hit: Hit) -> Page:
        """Return the document at the URL of ``hit``."""
        self.opened.append(hit.url)
        if hit.url not in self._pages:
            raise ReadError(f"{hit.url} is gone", status=ReadStatus.NOT_FOUND)
        title, text = self._pages[hit.url]
        return Page(url=hit.url, title=title, text=text)


@dataclass
class Still:
    """A clock that stands still until it is told otherwise."""

    seconds: float = 0.0

    def monotonic(self) -> float:
        """Return the seconds that it was told."""
        return self.seconds

    def now(self) -> datetime:
        """Return always the same moment."""
        return datetime(2031, 5, 4, 3, 2, 1, tzinfo=UTC)


def engine(
    *providers: SearchProvider,
    reasoner: Reasoner | None = None,
    fallback: Reasoner | None = None,
    reader: Reader | None = None,
    clock: Clock | None = None,
) -> Engine:
    """Return an engine over ``providers``, or over the shelf."""
    return Engine(
        providers=providers or (Shelf(),),
        reasoner=reasoner or ExtractiveReasoner(),
        fallback=fallback,
        reader=reader or Desk(),
        chunker=PassageChunker(),
        clock=clock or SystemClock(),
    )


@dataclass(frozen=True)
class Told:
    """What a run told: its events, and how it ended."""

    events: Sequence[Event]
    seconds: float
    error: QuaereError | None = None

    @property
    def report(self) -> Report:
        """The report of a run that came to one."""
        last = self.events[-1]
        assert isinstance(last, RunFinished), last
        return last.report

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of ``kind``."""
        return [event for event in self.events if isinstance(event, kind)]


async def told(
    asked: Engine,
    question: str = HOP,
    *,
    context: str = "",
    profile: ProfileName | None = None,
    run_id: str | None = None,
    **limits: Unpack[Limits],
) -> Told:
    """Ask ``question`` and return what the run told, a typed error included.

    Whatever happened, the log must be whole: numbered without a gap, with a first and a last event.
    """
    events: list[Event] = []
    error = None
    started = monotonic()
    spec = RunSpec.of(question, run_id=run_id, context=context, profile=profile, limits=limits)
    run = asked.stream(spec)
    try:
        async for event in run:
            assert RUN_EVENT.validate_json(event.model_dump_json()) == event
            events.append(event)
    except QuaereError as caught:
        error = caught
    told = Told(events, monotonic() - started, error)
    check_log(told)
    return told


def check_log(told: Told) -> None:
    """Fail unless the events are a whole log of a run."""
    events = told.events
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.run_id for event in events}) == 1
    assert isinstance(events[0], RunStarted)
    ends = [event for event in events if isinstance(event, RunFinished | RunFailed)]
    assert ends == [events[-1]]
    assert isinstance(ends[0], RunFailed) == (told.error is not None)
    loops = [event.loop for event in events if event.loop]
    assert loops == sorted(loops)
    for name in ("sources_considered", "sources_read"):
        counts = [getattr(event, name) for event in events if event.loop]
        assert counts == sorted(counts), name
