"""Cassettes: all that a run asked of the outside and what it was told, in one file.

A cassette is JSON lines: a header with the version of the format, one entry a line, and an end that
counts them, so that a piece missing anywhere is noticed. Texts have lines of their own, each
once, under their SHA-256; where an entry has a text, its line has that address. A file whose name
ends in ``.gz`` is compressed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import secrets
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TypeVar, cast

from pydantic import Field, TypeAdapter, ValidationError

from quaere.domain.model import Completion, ModelRequest, Traits
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.team import Inquiry, Reply
from quaere.domain.value import Value
from quaere.errors import ModelRejected, QuaereError, ReadError, SearchError, UsageError
from quaere.ports.clock import Clock
from quaere.ports.model import ChatModel, Embedder, thinking_tokens, traits_of
from quaere.ports.search import Preparable, Progress, SearchProvider, TermStatistics
from quaere.store.recording.entries import (
    Answer,
    AnyAnswer,
    HumanReply,
    Preparation,
    Reading,
    Recorded,
    Search,
)
from quaere.store.recording.recording import RecordedProvider, Recording
from quaere.version import __version__

T = TypeVar("T")
V = TypeVar("V")

VERSION = 2
_MAX_HEADER_BYTES = 1_000
_GZIP = b"\x1f\x8b"


class CassetteError(UsageError):
    """A file cannot be used as a cassette, or a cassette not for what is asked of it."""


class NotRecorded(SearchError):
    """A provider was asked what it was not asked when the cassette was recorded."""

    retryable = False


class ProviderEntry(Value):
    """A provider of the run. A cassette has them in the order of the run."""

    kind: Literal["provider"] = "provider"
    name: str
    kinds: tuple[SourceKind, ...]
    prepares: bool
    counts: bool
    """Whether it knows term statistics."""


class ModelEntry(Value):
    """A model of the run.

    First come those of planning, evaluating, writing and checking, then those to fall back on.
    """

    kind: Literal["chat_model"] = "chat_model"
    name: str
    context_tokens: Annotated[int, Field(ge=1)]
    thinking_tokens: Annotated[int, Field(ge=0)] = 0
    traits: Traits = Traits()


class EmbedderEntry(Value):
    """The embedder of the run, where it had one."""

    kind: Literal["embedder"] = "embedder"
    name: str
    same_cosine: float | None = None
    """Cosine from which topics were the same to it, where that was set."""


class Marks(Value):
    """The word of the run's data marks; with another one the prompts would be others."""

    kind: Literal["marks"] = "marks"
    word: str


class Ticks(Value):
    """What the clock said, each time that it was asked: seconds, the first of them 0."""

    kind: Literal["ticks"] = "ticks"
    seconds: tuple[Annotated[float, Field(ge=0, allow_inf_nan=False)], ...]


class Shares(Value):
    """The term statistics that were asked of a provider, by word."""

    kind: Literal["shares"] = "shares"
    provider: str
    shares: dict[str, float]


Entry = ProviderEntry | ModelEntry | EmbedderEntry | Marks | Ticks | Recorded | Shares


@dataclass(frozen=True, slots=True)
class Cassette:
    """What there is of one run: who took part, then the answers in the order in which they came."""

    recorded: datetime
    """When the run began."""
    entries: tuple[Entry, ...]

    def of(self, kind: type[V]) -> list[V]:
        """Return the entries of ``kind``."""
        return [entry for entry in self.entries if isinstance(entry, kind)]

    def answers(self, kind: type[V]) -> list[V]:
        """Return the answers of ``kind``."""
        answers = [recorded.answer for recorded in self.of(Recorded)]
        return [answer for answer in answers if isinstance(answer, kind)]


class Recorder(Recording):
    """Records a whole run: every answer, also those that never came, and every look at the clock.

    ``clock`` and ``marks`` are those that the run is to take.
    """

    def __init__(self, clock: Clock, redact: Callable[[str], str] = str) -> None:
        """Let the run take its time from ``self.clock``, which takes it from ``clock``.

        ``redact`` takes secrets out of what services say of their failures.
        """
        super().__init__()
        self._redact = redact
        self.clock = RecordedClock(clock)
        self.marks = secrets.token_hex(4)
        self._participants: list[ProviderEntry | ModelEntry | EmbedderEntry] = []
        self._answers: list[Recorded] = []
        self._shares: dict[str, dict[str, float]] = {}

    @property
    def cassette(self) -> Cassette:
        """What has been recorded so far."""
        shares = [Shares(provider=name, shares=kept) for name, kept in self._shares.items()]
        ticks = Ticks(seconds=tuple(self.clock.ticks))
        own = (*self._participants, Marks(word=self.marks), ticks)
        return Cassette(self.clock.begun, (*own, *self._answers, *shares))

    def provider(self, inner: SearchProvider) -> SearchProvider:
        """Return ``inner`` recorded: its preparation and its term statistics, too."""
        entry = ProviderEntry(
            name=inner.name,
            kinds=tuple(sorted(inner.kinds)),
            prepares=isinstance(inner, Preparable),
            counts=isinstance(inner, TermStatistics),
        )
        self._participants.append(entry)
        return _WholeProvider(inner, self, self._shares.setdefault(inner.name, {}))

    def model(self, inner: ChatModel) -> ChatModel:
        """Return ``inner``, a single model, with its completions recorded."""
        entry = ModelEntry(
            name=inner.name,
            context_tokens=inner.context_tokens,
            thinking_tokens=thinking_tokens(inner),
            traits=traits_of(inner),
        )
        self._participants.append(entry)
        return super().model(inner)

    def embedder(self, inner: Embedder, same_cosine: float | None = None) -> Embedder:
        """Return ``inner`` recorded; ``same_cosine`` is what is set of it."""
        self._participants.append(EmbedderEntry(name=inner.name, same_cosine=same_cosine))
        return super().embedder(inner)

    async def record(self, answer: Answer[T]) -> None:
        """Keep ``answer``."""
        self.abandon(answer)

    def abandon(self, call: Answer[T]) -> None:
        """Keep that ``call`` never ended."""
        ticks = self.clock.ticks
        if error := call.error:
            told = error.model_copy(update={"message": self._redact(error.message)})
            call = call.model_copy(update={"error": told})
        kept = cast("AnyAnswer", call)
        self._answers.append(Recorded(at=ticks[-1] if ticks else 0.0, answer=kept))


class RecordedClock:
    """``inner`` from its first reading on, every reading recorded."""

    def __init__(self, inner: Clock) -> None:
        self.begun = inner.now()
        self.ticks: list[float] = []
        self._inner = inner
        self._first = 0.0

    def monotonic(self) -> float:
        """Return the seconds since this was called first."""
        reading = self._inner.monotonic()
        if not self.ticks:
            self.begun, self._first = self._inner.now(), reading
        seconds = max(0.0, reading - self._first)
        self.ticks.append(seconds)
        return seconds

    def now(self) -> datetime:
        """Return the time of day."""
        return self._inner.now()


class _WholeProvider(RecordedProvider):
    """A provider of which everything is recorded."""

    def __init__(
        self, inner: SearchProvider, recording: Recording, shares: dict[str, float]
    ) -> None:
        super().__init__(inner, recording)
        self._shares = shares

    async def _prepare(self, inner: Preparable, progress: Progress) -> Sequence[RunWarning]:
        last: tuple[int, int, int] | None = None

        def tell(done: int, total: int, passages: int) -> None:
            nonlocal last
            last = (done, total, passages)
            progress(done, total, passages)

        call = Preparation(provider=self.name)
        try:
            warnings = tuple(await inner.prepare(tell))
            call = call.with_outcome(warnings)
            return warnings
        except QuaereError as error:
            call = call.with_outcome(None, error)
            raise
        finally:
            self._recording.abandon(call.model_copy(update={"progress": last}))

    def _document_share(self, inner: TermStatistics, word: str) -> float:
        if word not in self._shares:
            self._shares[word] = inner.document_share(word)
        return self._shares[word]


class Replay:
    """The ports of the run that a cassette was recorded of, with nothing else at hand.

    What was asked several times is answered in that order, and the last answer stays.
    """

    def __init__(self, cassette: Cassette) -> None:
        self.recording = recording = Recording(cassette.of(Recorded), last_stays=True)
        marks, embedders = cassette.of(Marks), cassette.of(EmbedderEntry)
        self.clock = ReplayedClock(cassette)
        self.marks = marks[0].word if marks else ""
        self.providers = tuple(
            recording.provider(_ABSENT[entry.prepares, entry.counts](entry, cassette, recording))
            for entry in cassette.of(ProviderEntry)
        )
        self.reader = recording.reader(_AbsentReader())
        self.models = tuple(
            recording.model(_AbsentModel(entry)) for entry in cassette.of(ModelEntry)
        )
        """Those of planning, evaluating, writing and checking, then those to fall back on; none
        where the run had none."""
        self.embedder = recording.embedder(_AbsentEmbedder(embedders[0])) if embedders else None
        self.same_cosine = embedders[0].same_cosine if embedders else None
        replied = cassette.answers(HumanReply)
        self.human = recording.human(_AbsentHuman()) if replied else None
        """``None`` where nobody was asked."""


class ReplayedClock:
    """The clock of the run that was recorded: it says again what it said then.

    A run of another version of this code may look at the clock more often; then it ends up standing
    still, which makes no run longer.
    """

    def __init__(self, cassette: Cassette) -> None:
        self._recorded = cassette.recorded
        self._ticks = deque(second for ticks in cassette.of(Ticks) for second in ticks.seconds)
        self._seconds = 0.0

    def monotonic(self) -> float:
        """Return the next reading."""
        if self._ticks:
            self._seconds = self._ticks.popleft()
        return self._seconds

    def now(self) -> datetime:
        """Return the time of day then."""
        return self._recorded + timedelta(seconds=self._seconds)


class _AbsentProvider:
    """What a replay asks when the cassette holds no answer; so do those that follow."""

    def __init__(self, entry: ProviderEntry, cassette: Cassette, recording: Recording) -> None:
        self.name = entry.name
        self.kinds = frozenset(entry.kinds)
        self._recording = recording
        shares = [each.shares for each in cassette.of(Shares) if each.provider == entry.name]
        self._shares = {word: share for each in shares for word, share in each.items()}

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        raise NotRecorded(
            f"the cassette holds no answer of {self.name} to {query.text!r} ({limit} hits)"
        )


class _PreparedProvider(_AbsentProvider):
    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        recorded = self._recording.recorded(Preparation(provider=self.name))
        if recorded is None:
            raise CassetteError(f"The cassette does not record how {self.name} was prepared.")
        if last := cast("Preparation", recorded).progress:
            progress(*last)
        return recorded.outcome()


class _CountingProvider(_AbsentProvider):
    def document_share(self, word: str) -> float:
        if word not in self._shares:
            raise CassetteError(
                f"The cassette does not tell how common {word!r} is in {self.name}."
            )
        return self._shares[word]


class _FolderProvider(_PreparedProvider, _CountingProvider):
    pass


_ABSENT = {
    (False, False): _AbsentProvider,
    (True, False): _PreparedProvider,
    (False, True): _CountingProvider,
    (True, True): _FolderProvider,
}
"""By whether it prepares, and whether it counts."""


class _AbsentReader:
    async def read(self, hit: Hit) -> Page:
        message = f"the cassette does not hold {hit.url}"
        raise ReadError(message, status=ReadStatus.NOT_FOUND)


class _AbsentModel:
    def __init__(self, entry: ModelEntry) -> None:
        self.name = entry.name
        self.context_tokens = entry.context_tokens
        self.thinking_tokens = entry.thinking_tokens
        self.traits = entry.traits

    async def complete(self, request: ModelRequest) -> Completion:
        raise ModelRejected(f"the cassette holds no answer of {self.name} to this {request.step!r}")

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        yield await self.complete(request)


class _AbsentEmbedder:
    def __init__(self, entry: EmbedderEntry) -> None:
        self.name = entry.name

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        raise ModelRejected(
            f"the cassette does not hold what {self.name} says of these {len(pairs)} pairs of texts"
        )


class _AbsentHuman:
    async def ask(self, inquiry: Inquiry) -> Reply:
        raise CassetteError(f"The cassette contains no reply to this inquiry ({inquiry.kind}).")


class _Header(Value):
    quaere_cassette: Annotated[int, Field(ge=VERSION)]
    recorded: datetime
    by: str = ""


class _Text(Value):
    kind: Literal["text"] = "text"
    id: str
    text: str


class _End(Value):
    kind: Literal["end"] = "end"
    lines: int
    """Those before this one, without the header."""


_LINE: TypeAdapter[Entry | _Text | _End] = TypeAdapter(
    Annotated[Entry | _Text | _End, Field(discriminator="kind")]
)


def write_cassette(path: Path, cassette: Cassette) -> None:
    """Write ``cassette`` to ``path``, whole or not at all.

    Raises:
        QuaereError: when the file cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file, _packed(file, compress=path.suffix == ".gz") as out:
            for line in _lines(cassette):
                out.write(line)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise QuaereError(f"Cannot write to {str(path)!r}: {error.strerror}.") from error


def read_cassette(path: Path) -> Cassette:
    """Return the cassette in the file ``path``.

    Raises:
        CassetteError: when it is unreadable, damaged, of a newer version, or not a cassette.
    """
    try:
        with path.open("rb") as file, _unpacked(file) as lines:
            header = _header(path, lines.readline(_MAX_HEADER_BYTES))
            return Cassette(header.recorded, tuple(_entries(_limited(lines))))
    except OSError as error:
        # gzip has no number for what it finds wrong with a file.
        raise _damaged(path, error) if error.errno is None else _unread(path, error) from error
    except (EOFError, zlib.error, ValueError, RecursionError) as error:
        raise _damaged(path, error) from error


MAX_LINE_BYTES, MAX_UNPACKED_BYTES = 32_000_000, 128_000_000
"""What a line, and all of them, may come to: ten times the longest run that is known."""


def _limited(lines: BinaryIO) -> Iterator[bytes]:
    """Yield ``lines``, which may be packed.

    Raises:
        ValueError: when they are too long.
    """
    left = MAX_UNPACKED_BYTES
    while line := lines.readline(MAX_LINE_BYTES + 1):
        left -= len(line)
        if left < 0 or len(line) > MAX_LINE_BYTES:
            raise ValueError("it is larger than any recording of a run")
        yield line


def _lines(cassette: Cassette) -> Iterator[bytes]:
    header = _Header(
        quaere_cassette=VERSION, recorded=cassette.recorded, by=f"quaere {__version__}"
    )
    yield _line(header)
    count = 0
    texts: dict[str, str] = {}

    def address(text: str) -> str:
        return texts.setdefault(text, _address(text))

    for entry in cassette.entries:
        known = len(texts)
        packed = _with_texts(entry, address)
        for text, key in list(texts.items())[known:]:
            yield _line(_Text(id=key, text=text))
        yield _line(packed)
        count += 1 + len(texts) - known
    yield _line(_End(lines=count))


def _line(value: Value) -> bytes:
    return json.dumps(value.model_dump(mode="json"), separators=(",", ":")).encode() + b"\n"


def _entries(lines: Iterator[bytes]) -> Iterator[Entry]:
    texts: dict[str, str] = {}

    def text_at(key: str) -> str:
        if key not in texts:
            raise ValueError("a text is missing")
        return texts[key]

    for number, line in enumerate(lines):
        match _LINE.validate_python(json.loads(line)):
            case _Text(id=key, text=text):
                if key != _address(text):
                    raise ValueError("a text does not match its checksum")
                texts[key] = text
            case _End(lines=count):
                if count != number or any(lines):
                    raise ValueError("its length is wrong")
                return
            case entry:
                yield _with_texts(entry, text_at)
    raise EOFError("its end is missing")


def _address(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _with_texts(entry: Entry, text: Callable[[str], str]) -> Entry:
    """Return ``entry`` with every text of a page replaced by what ``text`` makes of it."""
    if not isinstance(entry, Recorded):
        return entry
    match entry.answer:
        case Reading(result=Page() as page) as answer:
            result = page.model_copy(update={"text": text(page.text)})
        case Search(result=tuple() as hits) as answer:
            result = tuple(_hit(hit, text) for hit in hits)
        case _:
            return entry
    return entry.model_copy(update={"answer": answer.model_copy(update={"result": result})})


def _hit(hit: Hit, text: Callable[[str], str]) -> Hit:
    passages = (each.model_copy(update={"text": text(each.text)}) for each in hit.passages)
    return hit.model_copy(update={"passages": tuple(passages)})


def _header(path: Path, line: bytes) -> _Header:
    try:
        data: object = json.loads(line)
    except ValueError:
        data = None
    header = cast("dict[str, object]", data) if isinstance(data, dict) else {}
    if "quaere_tape" in header:
        raise CassetteError(
            f"{str(path)!r} was recorded by an older Quaere (format 1; this one reads {VERSION}). "
            "Record it again."
        )
    if "quaere_cassette" not in header:
        raise CassetteError(f"{str(path)!r} is not a cassette. Make one with --record.")
    version = header["quaere_cassette"]
    if isinstance(version, int) and version > VERSION:
        raise CassetteError(
            f"{str(path)!r} was recorded by a newer Quaere (format {version}; this one reads "
            f"{VERSION}). Upgrade, or record it again."
        )
    return _Header.model_validate(header)


def _damaged(path: Path, error: Exception) -> CassetteError:
    reason = "one line is not an entry" if isinstance(error, ValidationError) else str(error)
    return CassetteError(f"The cassette {str(path)!r} is damaged ({reason}). Record it again.")


def _unread(path: Path, error: OSError) -> CassetteError:
    return CassetteError(f"Cannot read the cassette {str(path)!r}: {error.strerror}.")


@contextmanager
def _packed(file: BinaryIO, *, compress: bool) -> Generator[BinaryIO]:
    if not compress:
        yield file
        return
    # Without name and time, so that the same entries make the same file.
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as out:
        yield cast("BinaryIO", out)


@contextmanager
def _unpacked(file: BinaryIO) -> Generator[BinaryIO]:
    is_packed = file.read(len(_GZIP)) == _GZIP
    file.seek(0)
    if not is_packed:
        yield file
        return
    with closing(gzip.GzipFile(fileobj=file)) as unpacked:
        yield cast("BinaryIO", io.BufferedReader(unpacked))
