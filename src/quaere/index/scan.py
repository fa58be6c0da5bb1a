"""Lists the files in the folders without opening any, and reports those that were left out."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from quaere.domain.report import RunWarning
from quaere.errors import UsageError, cause_of

IGNORED_NAMES = frozenset({"node_modules", "__pycache__"})
"""Folders that hold what tools put there; hidden ones (.git, .venv) are left out by their dot."""
IGNORED_BEGINNINGS = (".", "~$")
"""Of hidden files, and of those by which Word and Excel mark a document that is open."""

BINARY = re.compile(
    r"""(?ix) [.] (
    # images, sound and film
    avif|bmp|gif|heic|ico|jpe?g|png|psd|tiff?|webp|
    aac|flac|m4a|mid|mp3|ogg|opus|wav|avi|m4v|mkv|mov|mp4|mpe?g|webm|
    # archives and disk images; what is compressed alone, such as README.gz, is read
    7z|bz2|cab|deb|dmg|(?:tar|cpio|img|iso|warc)[.]gz|iso|jar|lz4|rar|rpm|tar|tgz|whl|xz|zip|zst|
    # programs and fonts
    a|apk|bin|class|dll|dylib|exe|lib|msi|o|obj|pyc|pyd|so|wasm|eot|otf|ttf|woff2?|
    # data that only programs read
    db|npy|npz|parquet|pickle|pkl|pt|safetensors|sqlite3?
    ) $"""
)
"""Kinds of file that hold no readable text; they are counted, not opened."""


class FileStat(NamedTuple):
    """A file's path, size in bytes and modification time in nanoseconds."""

    path: str
    size: int
    mtime_ns: int


@dataclass(slots=True)
class Listing:
    """The outcome of a scan."""

    files: list[FileStat] = field(default_factory=list[FileStat])
    """Every file worth opening, once, in the order of the folders."""
    refused: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Paths that cannot be read, with the reason."""
    binaries: Counter[str] = field(default_factory=Counter[str])
    """Files left out for their kind, by suffix."""
    links_out: int = 0
    """Symbolic links that lead out of the folders, or nowhere."""


def resolve_roots(roots: Iterable[str | Path]) -> tuple[Path, ...]:
    """Return ``roots`` as absolute paths without links, sorted, each once.

    Raises:
        UsageError: when there is none, or one does not exist or cannot be looked at.
    """
    resolved: set[Path] = set()
    for root in roots:
        try:
            resolved.add(Path(root).expanduser().resolve(strict=True))
        except FileNotFoundError:
            is_url = re.search(r"\bhttps?:/", str(root))
            hint = " Web pages are not documents: name them with --url." if is_url else ""
            raise UsageError(f"There is no file or folder {str(root)!r}.{hint}") from None
        except (OSError, RuntimeError, ValueError) as error:
            raise UsageError(f"Cannot look at {str(root)!r}: {cause_of(error)}.") from error
    if not resolved:
        raise UsageError("Name at least one file or folder to search in.")
    return tuple(sorted(resolved))


def scan(
    roots: Sequence[Path],
    *,
    without: Path | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Listing:
    """List the files under ``roots``; ends early, with what it has, once ``stopped()`` is true.

    Hidden files and folders, and the folder ``without``, are left out unless they are roots
    themselves. Links are not followed: what one leads to inside the folders is found at its own
    place.
    """
    listing = Listing()
    seen = {str(without)} - set(map(str, roots))
    pending = list(map(str, reversed(roots)))
    while pending and not stopped():
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        try:
            pending.extend(_visit(path, roots, listing))
        except OSError as error:
            listing.refused.append((path, cause_of(error)))
    return listing


def _visit(path: str, roots: Sequence[Path], listing: Listing) -> list[str]:
    """Take ``path`` into ``listing``; return what to visit in it, last first."""
    facts = os.lstat(path)
    if stat.S_ISDIR(facts.st_mode):
        return _children(path, roots, listing)
    if stat.S_ISREG(facts.st_mode):
        listing.files.append(FileStat(path, facts.st_size, facts.st_mtime_ns))
    else:
        listing.refused.append((path, "not a regular file"))
    return []


def _children(folder: str, roots: Sequence[Path], listing: Listing) -> list[str]:
    """Return what to visit in ``folder``, last first, and count what is left out."""
    found: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(IGNORED_BEGINNINGS) or entry.name in IGNORED_NAMES:
                continue
            if entry.is_symlink():
                listing.links_out += _leads_out(entry.path, roots)
            elif (suffix := BINARY.search(entry.name)) and entry.is_file():
                listing.binaries[suffix.group().lower()] += 1
            else:
                found.append(entry.path)
    return sorted(found, reverse=True)


def _leads_out(link: str, roots: Sequence[Path]) -> bool:
    """Return whether ``link`` leads to nothing that is found at its own place."""
    target = Path(os.path.realpath(link))
    return not (any(map(target.is_relative_to, roots)) and target.exists())


MAX_WARNINGS = 500
_KINDS_NAMED = 8
_VERBS = ("is", "has", "holds", "may", "cannot")
"""What follows the name of a file in the reasons why it cannot be read."""


def describe(listing: Listing, failures: Sequence[tuple[str, str]]) -> list[RunWarning]:
    """Return a warning for each path that was refused or failed, and one for all binaries."""
    one_each = sorted({*listing.refused, *failures})
    warnings = [_warning(_unnamed(reason, path), path) for path, reason in one_each[:MAX_WARNINGS]]
    if (more := len(one_each) - MAX_WARNINGS) > 0:
        warnings.append(_warning(f"{more} more files could not be read"))
    if listing.binaries:
        warnings.append(_binaries(listing))
    if listing.links_out:
        lead, were = ("link leads", "was") if listing.links_out == 1 else ("links lead", "were")
        nowhere = f"{lead} out of the folders or to nothing, and {were} not followed"
        warnings.append(_warning(f"{listing.links_out} {nowhere}"))
    return warnings


def _unnamed(reason: str, path: str) -> str:
    """Return ``reason`` without ``path``, or its name, at its beginning: "NAME is", "NAME may"."""
    for name in (path, Path(path).name):
        if reason.startswith(tuple(f"{name} {verb} " for verb in _VERBS)):
            return reason.removeprefix(f"{name} ").removeprefix("is ")
    return reason


def _binaries(listing: Listing) -> RunWarning:
    kinds = listing.binaries.most_common()
    named = ", ".join(f"{count} {suffix}" for suffix, count in kinds[:_KINDS_NAMED])
    rest = ", ..." if len(kinds) > _KINDS_NAMED else ""
    total = listing.binaries.total()
    if total == 1:
        return _warning(f"1 file of a format without readable text was skipped: {named}")
    return _warning(f"{total} files of formats without readable text were skipped: {named}{rest}")


def _warning(message: str, subject: str = "") -> RunWarning:
    return RunWarning(kind="index", message=_printable(message), subject=_printable(subject))


def _printable(text: str) -> str:
    """Return ``text`` with what stands for the undecodable bytes of a file's name replaced."""
    return text.encode("utf-8", "replace").decode()
