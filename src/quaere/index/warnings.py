"""What a refresh says of the files that it could not take in."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.report import RunWarning
from quaere.index.scan import Listing

MAX_WARNINGS = 500
_KINDS_NAMED = 8


def describe(listing: Listing, failures: Sequence[tuple[str, str]]) -> list[RunWarning]:
    """Return a warning for each path that was refused or failed, and one for all binaries."""
    one_each = sorted({*listing.refused, *failures})
    warnings = [_warning(reason, path) for path, reason in one_each[:MAX_WARNINGS]]
    if (more := len(one_each) - MAX_WARNINGS) > 0:
        warnings.append(_warning(f"{more} more files could not be read"))
    if listing.binaries:
        warnings.append(_binaries(listing))
    if listing.links_out == 1:
        warnings.append(_warning("1 link that leads out of the folders was not followed"))
    elif listing.links_out:
        many = f"{listing.links_out} links that lead out of the folders were not followed"
        warnings.append(_warning(many))
    return warnings


def _binaries(listing: Listing) -> RunWarning:
    kinds = listing.binaries.most_common()
    named = ", ".join(f"{count} {suffix}" for suffix, count in kinds[:_KINDS_NAMED])
    rest = ", ..." if len(kinds) > _KINDS_NAMED else ""
    total = listing.binaries.total()
    if total == 1:
        return _warning(f"1 file of a kind without readable text was left out: {named}")
    return _warning(f"{total} files of kinds without readable text were left out: {named}{rest}")


def _warning(message: str, subject: str = "") -> RunWarning:
    return RunWarning(kind="index", message=_printable(message), subject=_printable(subject))


def _printable(text: str) -> str:
    """Return ``text`` with what stands for the undecodable bytes of a file's name replaced."""
    return text.encode("utf-8", "replace").decode()
