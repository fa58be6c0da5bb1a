"""What a refresh says of the files that it could not take in."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.report import RunWarning
from quaere.search.folder.scan import Listing

MAX_WARNINGS = 500
_KINDS_NAMED = 8


def describe(listing: Listing, failures: Sequence[tuple[str, str]]) -> list[RunWarning]:
    """Return a warning for each path that was refused or failed, and one for all binaries."""
    one_each = sorted({*listing.refused, *failures})
    warnings = [_warning(reason, path) for path, reason in one_each[:MAX_WARNINGS]]
    if (more := len(one_each) - MAX_WARNINGS) > 0:
        warnings.append(_warning(f"{more} more files could not be read"))
    if listing.binaries:
        kinds = listing.binaries.most_common()
        named = ", ".join(f"{count} {suffix}" for suffix, count in kinds[:_KINDS_NAMED])
        rest = ", ..." if len(kinds) > _KINDS_NAMED else ""
        total = listing.binaries.total()
        warnings.append(
            _warning(f"{total} files of kinds without readable text were left out: {named}{rest}")
        )
    if listing.links_out:
        warnings.append(
            _warning(f"{listing.links_out} links that lead out of the folders were not followed")
        )
    return warnings


def _warning(message: str, subject: str = "") -> RunWarning:
    return RunWarning(kind="index", message=message, subject=subject)
