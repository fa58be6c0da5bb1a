"""What a run asked of the outside and what it was told, in one file.

A tape is JSON lines: a header with the version of the format, one entry a line, and an end that
counts them, so that a piece missing anywhere is noticed. Texts stand in lines of their own, each
once, under their SHA-256; where an entry has a text, its line has that address. A file whose name
ends in ``.gz`` is compressed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, cast

from pydantic import Field, TypeAdapter, ValidationError

from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page
from quaere.domain.value import Value
from quaere.errors import QuaereError, UsageError
from quaere.version import __version__

VERSION = 1
_MAX_HEADER_BYTES = 1_000
_GZIP = b"\x1f\x8b"


class TapeError(UsageError):
    """A file cannot be used as a tape, or a tape not for what is asked of it."""


class TapedError(Value):
    """A typed error, as far as anybody who catches it can tell."""

    name: Annotated[str, Field(pattern=r"^[^\W\d]\w*$")]
    """Of its class."""
    message: str
    retryable: bool
    retry_after: float | None = None
    status: str = ""


class TapedProvider(Value):
    """A provider of the run. Those of a tape stand in the order in which the run had them."""

    kind: Literal["provider"] = "provider"
    name: str
    kinds: tuple[SourceKind, ...]
    prepares: bool
    counts: bool
    """Whether it knows term statistics."""


class TapedModel(Value):
    """A model of the run: those of planning, evaluating, writing and checking, in this order."""

    kind: Literal["taped_model"] = "taped_model"
    name: str
    context_tokens: Annotated[int, Field(ge=1)]
    thinking_tokens: Annotated[int, Field(ge=0)] = 0
    marks: str
    """The word of the run's data marks; with another one the prompts would be others."""


class ModelAnswer(Value):
    """One call of a model that ended; with an error stands what a stream gave before it."""

    kind: Literal["model"] = "model"
    key: str
    """Digest of the request."""
    completion: Completion | None = None
    error: TapedError | None = None


def model_key(request: ModelRequest) -> str:
    """Return the key of the answer to ``request``."""
    return f"model {hashlib.sha256(request.model_dump_json().encode()).hexdigest()}"


class TapedEmbedder(Value):
    """The embedder of the run, where it had one."""

    kind: Literal["taped_embedder"] = "taped_embedder"
    name: str
    same_cosine: float | None = None
    """Cosine from which topics were the same to it, where that was set."""


class Likenesses(Value):
    """What an embedder said of some pairs of texts; without cosines and error, it never did."""

    kind: Literal["likenesses"] = "likenesses"
    key: str
    """Digest of the pairs."""
    cosines: tuple[Annotated[float, Field(ge=-1, le=1)], ...] | None = None
    error: TapedError | None = None


def likeness_key(name: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the key of what the embedder called ``name`` says of ``pairs``."""
    asked = json.dumps([name, *pairs])
    return f"likeness {hashlib.sha256(asked.encode()).hexdigest()}"


class Ticks(Value):
    """What the clock said, each time that it was asked: seconds, the first of them 0."""

    kind: Literal["ticks"] = "ticks"
    seconds: tuple[Annotated[float, Field(ge=0, allow_inf_nan=False)], ...]


class Preparation(Value):
    """How a provider got ready; without warnings and error when it was stopped before it had."""

    kind: Literal["preparation"] = "preparation"
    provider: str
    progress: tuple[int, int, int] | None = None
    """The last: done, total and passages."""
    warnings: tuple[RunWarning, ...] | None = None
    error: TapedError | None = None


class Search(Value):
    """One query at one provider; without hits and error when it never answered."""

    kind: Literal["search"] = "search"
    provider: str
    query: Query
    limit: int
    hits: tuple[Hit, ...] | None = None
    error: TapedError | None = None


class Reading(Value):
    """One page; without page and error when the reading never ended."""

    kind: Literal["reading"] = "reading"
    url: str
    page: Page | None = None
    error: TapedError | None = None


class Shares(Value):
    """The term statistics that were asked of a provider, by word."""

    kind: Literal["shares"] = "shares"
    provider: str
    shares: dict[str, float]


Who = TapedProvider | TapedModel | TapedEmbedder
Entry = Who | Ticks | Preparation | Search | Reading | ModelAnswer | Likenesses | Shares


@dataclass(frozen=True, slots=True)
class Tape:
    """What there is of one run: who took part, then the answers in the order in which they came."""

    recorded: datetime
    """When the run began."""
    entries: tuple[Entry, ...]


class _Header(Value):
    quaere_tape: Annotated[int, Field(ge=1)]
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


def write_tape(path: Path, tape: Tape) -> None:
    """Write ``tape`` to ``path``, whole or not at all.

    Raises:
        QuaereError: when the file cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file, _packed(file, compress=path.suffix == ".gz") as out:
            for line in _lines(tape):
                out.write(line)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise QuaereError(f"Cannot write to {str(path)!r}: {error.strerror}.") from error


def read_tape(path: Path) -> Tape:
    """Return the tape in the file ``path``.

    Raises:
        TapeError: when it cannot be read, is no tape, is of a newer version, or is damaged.
    """
    try:
        with path.open("rb") as file, _unpacked(file) as lines:
            header = _header(path, lines.readline(_MAX_HEADER_BYTES))
            return Tape(header.recorded, tuple(_entries(lines)))
    except OSError as error:
        # gzip has no number for what it finds wrong with a file.
        raise _damaged(path, error) if error.errno is None else _unread(path, error) from error
    except (EOFError, zlib.error, ValueError, RecursionError) as error:
        raise _damaged(path, error) from error


def _lines(tape: Tape) -> Iterator[bytes]:
    header = _Header(quaere_tape=VERSION, recorded=tape.recorded, by=f"quaere {__version__}")
    yield _line(header)
    count = 0
    texts: dict[str, str] = {}

    def address(text: str) -> str:
        return texts.setdefault(text, _address(text))

    for entry in tape.entries:
        known = len(texts)
        packed = _with_texts(entry, address)
        for text, key in list(texts.items())[known:]:
            yield _line(_Text(id=key, text=text))
        yield _line(packed)
        count += 1 + len(texts) - known
    yield _line(_End(lines=count))


def _line(value: Value) -> bytes:
    return json.dumps(value.model_dump(mode="json"), separators=(",", ":")).encode() + b"\n"


def _entries(lines: Iterable[bytes]) -> Iterator[Entry]:
    texts: dict[str, str] = {}

    def text_at(key: str) -> str:
        if key not in texts:
            raise ValueError("a text is missing")
        return texts[key]

    for number, line in enumerate(lines):
        match _LINE.validate_python(json.loads(line)):
            case _Text(id=key, text=text):
                if key != _address(text):
                    raise ValueError("a text is not what its address says")
                texts[key] = text
            case _End(lines=count):
                if count != number or any(lines):
                    raise ValueError("its end is not where it should be")
                return
            case entry:
                yield _with_texts(entry, text_at)
    raise EOFError("its end is missing")


def _address(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _with_texts(entry: Entry, text: Callable[[str], str]) -> Entry:
    """Return ``entry`` with every text replaced by what ``text`` makes of it."""
    if isinstance(entry, Reading) and entry.page:
        page = entry.page.model_copy(update={"text": text(entry.page.text)})
        return entry.model_copy(update={"page": page})
    if isinstance(entry, Search) and entry.hits:
        return entry.model_copy(update={"hits": tuple(_hit(hit, text) for hit in entry.hits)})
    return entry


def _hit(hit: Hit, text: Callable[[str], str]) -> Hit:
    passages = (each.model_copy(update={"text": text(each.text)}) for each in hit.passages)
    return hit.model_copy(update={"passages": tuple(passages)})


def _header(path: Path, line: bytes) -> _Header:
    try:
        data: object = json.loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict) or "quaere_tape" not in data:
        raise TapeError(f"{str(path)!r} is no tape. Make one with --record.")
    version = cast("dict[str, object]", data)["quaere_tape"]
    if isinstance(version, int) and version > VERSION:
        raise TapeError(
            f"{str(path)!r} was recorded by a newer Quaere (format {version}; this one reads "
            f"{VERSION}). Upgrade, or record it again."
        )
    return _Header.model_validate(data)


def _damaged(path: Path, error: Exception) -> TapeError:
    reason = "one line is no entry" if isinstance(error, ValidationError) else str(error)
    return TapeError(f"The tape {str(path)!r} is damaged ({reason}). Record it again.")


def _unread(path: Path, error: OSError) -> TapeError:
    return TapeError(f"Cannot read the tape {str(path)!r}: {error.strerror}.")


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
