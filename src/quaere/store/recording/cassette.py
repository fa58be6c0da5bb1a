"""Cassettes: all that a run asked of the outside and what it was told, in one file.

A cassette is JSON lines: a header with the version of the format, one entry a line, and an end that
counts them, so that a piece missing anywhere is noticed. Texts have lines of their own, each
once, under their SHA-256; where an entry has a text, its line has that address. A file whose name
ends in ``.gz`` is compressed.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TypeVar, cast

from pydantic import Field, TypeAdapter, ValidationError

from quaere.domain.model import Traits
from quaere.domain.question import SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page
from quaere.domain.value import Value, text_hash
from quaere.errors import QuaereError, UsageError, cause_of
from quaere.ports.model import (
    ChatModel,
    Embedder,
    EntailmentModel,
    thinking_tokens,
    traits_of,
)
from quaere.ports.search import Preparable, Progress, SearchProvider, TermStatistics
from quaere.resilience.timing import Clock
from quaere.store.recording.entries import (
    Answer,
    AnyAnswer,
    Preparation,
    Reading,
    Recorded,
    Search,
)
from quaere.store.recording.recording import RecordedProvider, Recording
from quaere.text.tokens import drawn_word
from quaere.version import __version__

T = TypeVar("T")
V = TypeVar("V")

VERSION = 2
_MAX_HEADER_BYTES = 1_000
_GZIP = b"\x1f\x8b"


class CassetteError(UsageError):
    """A file cannot be used as a cassette, or a cassette not for what is asked of it."""


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


class EntailmentEntry(Value):
    """The entailment model of the run, where it had one."""

    kind: Literal["entailment"] = "entailment"
    name: str


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


Participant = ProviderEntry | ModelEntry | EmbedderEntry | EntailmentEntry
Entry = Participant | Marks | Ticks | Recorded | Shares


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
        self.marks = drawn_word()
        self._participants: list[Participant] = []
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

    def entailment(self, inner: EntailmentModel) -> EntailmentModel:
        """Return ``inner`` with what it says of claims recorded."""
        self._participants.append(EntailmentEntry(name=inner.name))
        return super().entailment(inner)

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
    """Write ``cassette`` to ``path``, whole or not at all; into a device or a pipe as it comes.

    Raises:
        QuaereError: when the file cannot be written.
    """
    is_device = path.exists() and not path.is_file()  # or a pipe: neither may be replaced
    part = path if is_device else path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file, _packed(file, compress=path.suffix == ".gz") as out:
            for line in _lines(cassette):
                out.write(line)
        if not is_device:
            part.replace(path)
    except OSError as error:
        if not is_device:
            part.unlink(missing_ok=True)
        raise QuaereError(f"Cannot write to {str(path)!r}: {cause_of(error)}.") from error


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
    except CassetteError:  # it says itself what is wrong, and what to do
        raise
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
        return texts.setdefault(text, text_hash(text))

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
        match _LINE.validate_json(line):
            case _Text(id=key, text=text):
                if key != text_hash(text):
                    raise ValueError("a text does not match its checksum")
                texts[key] = text
            case _End(lines=count):
                if count != number or any(lines):
                    raise ValueError("its length is wrong")
                return
            case entry:
                yield _with_texts(entry, text_at)
    raise EOFError("its end is missing")


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
    return CassetteError(f"Cannot read the cassette {str(path)!r}: {cause_of(error)}.")


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
