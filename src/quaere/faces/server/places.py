"""Names of folders in place of paths: no client learns where on the server a document lies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path


class Places:
    """Puts ``folder:ID/relative/path`` in place of every path and address under known folders."""

    def __init__(self, folders: Iterable[tuple[str, Path]], parents: Iterable[Path] = ()) -> None:
        """Hide ``folders`` by id; below ``parents`` each folder is called as its id."""
        known = {each: f"folder:{name}" for name, path in folders for each in _spellings(path)}
        above = {f"{spelled}/": "folder:" for path in parents for spelled in _spellings(path)}
        self._names: Mapping[str, str] = {**known, **above}
        longest = sorted(self._names, key=len, reverse=True)
        ends = "(?=[/\"#?:;,\\s'`)\\]]|$)"
        exact = "|".join(re.escape(each) + ("" if each in above else ends) for each in longest)
        # A path inside a web address, such as https://example.org/docs, is not one of this machine.
        self._pattern = re.compile(rf"(?<![\w./%-])(?:{exact})") if longest else None

    def masked(self, text: str) -> str:
        """Return ``text``, plain or JSON, with the names of folders in place of their paths."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._names[found[0]], text)


def _spellings(path: Path) -> set[str]:
    """Return how ``path`` may be spelled in text, in JSON and as an address."""
    absolute = {path.absolute(), path.resolve()}
    plain = {str(each).rstrip("/\\") for each in absolute}
    quoted = {json.dumps(each, ensure_ascii=False)[1:-1] for each in plain}
    return {each for each in plain | quoted | {one.as_uri() for one in absolute} if each}
