"""What is shown of the marks within a line of reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LITERAL = re.compile(r"``([^`\n]+)``")
_LINK = re.compile(r"`([^`<>\n]+?)\s*<([^<>`\n]+)>`__?")
_NAMED = re.compile(r"`([^`\n]+)`__?(?!\w)")
_ROLE = re.compile(r":([\w:+-]+):`!?~?([^`<\n]+?)(?:\s*<[^`\n]*>)?`")
_SUBSTITUTED = re.compile(r"\|([^|\s](?:[^|\n]*[^|\s])?)\|(?:__?)?")
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]*[^\s*\\])\*(?![\w*])")
_REFERENCE = re.compile(r"(?<![\w`])(\w[\w.-]*?)__?(?![\w`])")
_ESCAPE = re.compile(r"\\([^\w\s])")
_FIELD = re.compile(r":([A-Z][\w -]{0,40}): ")
_REPLACED = re.compile(r"\s*\.\.\s+\|([^|\n]+)\|\s+replace::\s+(.+)$")
_SUBSTITUTION = re.compile(r"\s*\.\.\s+\|([^|\n]+)\|\s")
_TARGET = re.compile(r"\s*\.\.\s+_`?([^:`\n]+)`?:")
_TO_WEB = re.compile(r"(?:https?://|mailto:)[^()\s]+")
_PLAIN_ROLES = frozenset(("doc", "ref", "term", "pep", "rfc", "emphasis", "strong", "title", "sup"))


class Inline:
    """Shows lines of one file, whose targets and substitutions are known."""

    def __init__(self, lines: Iterable[str], *, links: bool) -> None:
        """Look for what the ``lines`` define.

        Args:
            lines: All lines of the file.
            links: Whether links to the web stay, as Markdown writes them.
        """
        self._links = links
        self._targets: set[str] = set()
        self._words: dict[str, str] = {}
        for line in lines:
            self._define(line)

    def _define(self, line: str) -> None:
        if not line.lstrip().startswith(".."):
            return
        if target := _TARGET.match(line):
            self._targets.add(target[1].casefold())
        if named := _SUBSTITUTION.match(line):
            replaced = _REPLACED.match(line)
            self._words[named[1]] = replaced[2] if replaced else ""

    def plain(self, line: str) -> str:
        """Return the words of ``line`` without any marks but those of code."""
        return self._shown(line, links=False)

    def shown(self, line: str) -> str:
        """Return what a reader sees of ``line``: code in back-ticks, and links as Markdown's."""
        return self._shown(line, links=self._links)

    def _shown(self, line: str, *, links: bool) -> str:
        parts: list[str] = []
        at = 0
        for code in _LITERAL.finditer(line):
            parts += (self._prose(line[at : code.start()], links=links), f"`{code[1]}`")
            at = code.end()
        parts.append(self._prose(line[at:], links=links))
        return "".join(parts).rstrip()

    def _prose(self, text: str, *, links: bool) -> str:
        """Return ``text``, which has no code, as it is shown."""
        text = _SUBSTITUTED.sub(self._substituted, text)
        text = _LINK.sub(lambda found: _linked(found, links=links), text)
        text = _NAMED.sub(r"\1", _ROLE.sub(_of_role, text))
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
        text = _REFERENCE.sub(self._referred, text) if "_" in text else text
        return _ESCAPE.sub(r"\1", _FIELD.sub(r"\1: ", text, count=1))

    def _substituted(self, found: re.Match[str]) -> str:
        return self._words.get(found[1], found[0])

    def _referred(self, found: re.Match[str]) -> str:
        return found[1] if found[1].casefold() in self._targets else found[0]


def _linked(found: re.Match[str], *, links: bool) -> str:
    words, address = found[1].strip(), found[2]
    return f"[{words}]({address})" if links and _TO_WEB.fullmatch(address) else words


def _of_role(found: re.Match[str]) -> str:
    """Return the words of a role: of code in back-ticks."""
    is_plain = found[1].rpartition(":")[2] in _PLAIN_ROLES
    return found[2] if is_plain else f"`{found[2]}`"
