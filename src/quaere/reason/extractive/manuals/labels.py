"""Shows what a manual says under an option with the option: alone, it says of what it is not."""

from __future__ import annotations

from dataclasses import replace

from quaere.reason.extractive.pool import Line, Pool
from quaere.text.lazy_regex import lazy_regex

_TYPED = lazy_regex(
    r"-{1,2}\w.*|[\w.-]+=(?:,? .*)?|\w+[._][\w.]*"
    r"|[a-z][\w-]*(?: [\[<].*)?"
)
"""A label that one types: "-n, --dry-run", "Storage=", "gc.auto", "apply [<stash>]"."""


def labelled(line: Line, pool: Pool) -> Line:
    """Return ``line`` with the option that it is the first to tell of; as it is under none.

    "--dry-run: Do nothing" is understood, "Do nothing" is not.
    """
    label = line.label
    if label is None or line.columns:
        return line
    text = pool.passages[line.owner].text
    name = " ".join(text[label.start : label.end].split())
    follows = not text[label.end : line.start].strip()
    if not follows or not _TYPED.fullmatch(name) or line.text.startswith(name):
        return line
    mark = "" if name.endswith("=") else ":"
    return replace(line, start=label.start, text=f"{name}{mark} {line.text}")
