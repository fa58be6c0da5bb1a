"""Finds what a text says its markers stand for: lists of sources, footnotes, definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import takewhile

from quaere.text.inline import unescaped
from quaere.text.raised import lowered

# Neither may occur in a URL unescaped (RFC 3986); the full stops and brackets of CJK may as an IRI,
# and hardly ever do.
_NO_URL = r"\s<>()\[\]\"`|\\^{}。，、；：！？「」『』（）【】〔〕“”„«»"
_URL = rf"(?:https?|ftp|file)://(?:\[[0-9A-Fa-f:.]{{2,45}}\])?(?:[^{_NO_URL}]|\([^{_NO_URL}]*\))++"
_INSIDE = r"(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]{0,100}\]){0,400}+"
_LINK_TITLE = r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?"
_BARE = r"(?:[^\s()<>]|\([^\s()<>]*\)){1,2000}+"
_IMAGE = rf"!\[{_INSIDE}\]\([^()\n]{{0,2000}}(?:\([^()\n]{{0,500}}\)[^()\n]{{0,500}})?\)"
_ADDRESS = re.compile(
    rf"(?P<image>{_IMAGE})"
    rf"|\[(?P<words>{_INSIDE})\]\(\s{{0,3}}"
    rf"(?:<(?P<angled>[^<>\n]{{0,2000}}+)>|(?P<bare>{_BARE})){_LINK_TITLE}\s{{0,3}}\)"
    r"|<(?i:a)\s(?:[^<>]{0,300}?\s)?(?i:href)\s?=\s?[\"']?(?P<href>[^\"'\s<>]{1,2000})[\"']?"
    r"(?:\s[^<>]{0,300})?>(?P<linked>[^<>\n]{0,300})</(?i:a)>"
    rf"|<(?P<auto>(?i:https?|ftp|file)://[^<>\s]{{1,2000}})>"
    rf"|(?P<url>(?i:{_URL}))"
    r"|(?<![\w./@-])(?P<www>(?i:www)\.[\w-]{1,63}\.[^\s<>()\[\]\"`|\\^{}]{2,500})"
    r"|(?P<doi>(?:(?i:doi):\s?|(?<![\w./-]))10\.\d{4,9}/[^\s<>\"\[\]]{1,200})"
    r"|(?<!\w)(?i:arxiv):\s?(?P<arxiv>\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})"
)
_TRAILING = ".,;:!?*'…"
_SUFFIX = (
    r"\.(?:md|markdown|txt|text|log|rst|html?|xml|pdf|docx|xlsx|pptx|od[tsp]|rtf|epub|csv|tsv|jsonl?"
    r"|ipynb|srt|vtt|ics|eml|mhtml?|mbox)(?![\w/])"
)
_PATH = re.compile(
    r"(?i)(?<![\w.:/-])(?:folder:|(?:~|\.{1,2})?/)?(?:[\w.@+%-]{1,100}/){0,20}[\w.@+%-]{1,100}"
    + _SUFFIX
)
"""A file of a format that is read, by a suffix that names of sites do not have; "folder:" is how
the service begins one."""
_AT_FILE = re.compile(rf"(?i)\S.{{0,200}}{_SUFFIX}(?:,\s[a-z]{{1,12}}\.?\s[\d–-]{{1,20}}){{0,3}}")
"""What ends with a file and a place in it, "The letters, old letters.mbox, message 7, row 3"."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address at ``[start, end)``."""

    start: int
    end: int
    target: str
    """URL or path; empty for a picture, and for what leads to a place in the text itself."""
    words: tuple[int, int] | None = None
    """Where the words of a link stand."""


def addresses(text: str) -> Iterator[Address]:
    """Yield the addresses of ``text`` in order; none overlaps another."""
    for match in _ADDRESS.finditer(text):
        yield _address(match)


def first_address(text: str) -> str:
    """Return the first URL of ``text``, else the first path; empty when there is neither."""
    found = (address.target for address in addresses(text))
    return next(filter(None, found), "") or first_path(text)


def first_path(text: str) -> str:
    """Return the first path of a file in ``text``; empty when there is none."""
    match = _PATH.search(unescaped(text))
    return match[0] if match else ""


def up_to_file(title: str) -> str:
    """Return ``title`` up to the end of the last file that it names, or all of it."""
    ends = [match.end() for match in re.finditer(f"(?i){_SUFFIX}", title)]
    return title[: ends[-1]] if ends else title


def _address(match: re.Match[str]) -> Address:
    start, end = match.span()
    if match["image"]:
        return Address(start, end, "")
    if match["words"] is not None:
        target = _led_to(unescaped(match["angled"] or match["bare"] or "").strip())
        return Address(start, end, target, match.span("words"))
    if match["href"]:
        return Address(start, end, _led_to(unescape(match["href"])), match.span("linked"))
    if match["auto"]:
        return Address(start, end, match["auto"])
    said = _without_trailing(match[0])
    return Address(start, start + len(said), _target(match, said))


def _without_trailing(said: str) -> str:
    """Return an address in running text without what is of the sentence around it."""
    said = said.rstrip(_TRAILING)
    while said.endswith(")") and said.count(")") > said.count("("):
        said = said[:-1].rstrip(_TRAILING)
    return said


def _target(match: re.Match[str], said: str) -> str:
    """Return the URL of a DOI, an arXiv id, a host or a URL that is ``said`` in running text."""
    if match["doi"]:
        return f"https://doi.org/{said[said.index('10.') :]}"
    if match["arxiv"]:
        return f"https://arxiv.org/abs/{match['arxiv']}"
    return f"https://{said}" if match["www"] else said


def _led_to(target: str) -> str:
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target)
    if target.startswith("#") or (scheme and not re.match(r"(?i)(?:https?|ftp|file):", target)):
        return ""
    return f"https:{target}" if target.startswith("//") else target


_NAMES = (
    r"sources?(?: cited)?|references?|citations?|bibliography|works cited|footnotes?|end ?notes?"
    r"|notes|literature(?: cited)?|quellen(?:verzeichnis|angaben)?|literatur(?:verzeichnis)?"
    r"|einzelnachweise|belege|zitate|fußnoten|citas|citazioni|citaten|citações|引用"
    r"|fuentes|referencias|bibliografía|références|bibliographie"
    r"|fonti|riferimenti|bibliografia|bronnen|referenties|fontes|referências|källor|referenser"
    r"|kilder|źródła|bibliografie|источники|литература|ссылки|参考文献|参考资料|来源|出典|참고문헌|출처"
)
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})\s")
_TITLE = re.compile(
    rf"(?i)[\s#>*_]*(?:\d{{1,2}}(?:\.\d{{1,2}})*\.?\s+)?(?:{_NAMES})[\s:*_#]*(?:\(\d+\)\s*)?"
)
_TOGETHER = re.compile(rf"(?i)[\s*_]*(?:{_NAMES})[*_]*\s?:[*_]*\s*(?=\[\^?\d)")
_BULLET = r"\s{0,8}(?:[-*+•]\s{1,3})?\|?\s{0,3}(?:\*\*|__)?"
_DEFINED = re.compile(rf"{_BULLET}\[\^?(?P<label>[^\[\]\n]{{1,60}})\]:\s?(?P<rest>.*)")
_MARKED = re.compile(
    rf"{_BULLET}(?:\\?\[\\?\[?\^?(?P<label>\d{{1,4}}|[\w.:+-]{{1,60}})\\?\]\]?(?!\()"
    r"|【(?P<lens>\d{1,4})[^】\n]{0,40}】|(?P<raised>[⁰¹²³⁴-⁹]{1,3})|\^(?P<caret>\d{1,3})\^?)"
    r"(?:\*\*|__)?(?:(?!\.{1,2}/)[\s:.|-]){0,5}(?P<rest>.*)"
)
_NUMBERED = re.compile(
    rf"{_BULLET}\(?(?P<label>\d{{1,4}})(?:[.):]|\s{{0,3}}\|)\s{{0,5}}(?P<rest>\S.*)"
)
_LISTED = re.compile(r"\s{0,8}(?:[-*+•]|\[?<?(?=https?://))\s{0,3}(?P<rest>\S.*)")
_MANY = re.compile(
    r"\[\^?(?P<label>\d{1,3})\]:?\s+(?P<rest>[^\[\n]*(?:\[[^\]\n]*\]\([^)\n]*\)[^\[\n]*)?)"
)
_INDENTED = re.compile(r"\s{2,}\S")
_MAX_TITLE = 200
_LEAD_LINES = 5
"""Lines below a title within which its list begins, where no heading holds the two together; a
rule that underlines the title is one of them."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One source as the text names it, at ``[start, end)``."""

    label: str
    """What its markers say: "1", "mill2020"."""
    address: str
    """URL or path; empty where it gives none."""
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """All references of a text, and the spans of it that they take up and that are not prose."""

    references: tuple[Reference, ...]
    spans: tuple[tuple[int, int], ...]


def reference_list(text: str) -> ReferenceList:
    """Return the references of ``text`` in order.

    Under a heading such as "References" every numbered line is one, and where none is numbered,
    every item; anywhere else a line that begins with ``[1]:`` or ``[^1]:``, and one that begins
    with ``[1]`` and names an address, or ends with a file.
    """
    lines = list(_lines(text))
    references: list[Reference] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(lines):
        last = _section_end(lines, at)
        if last > at:
            references += _section(lines[at + 1 : last])
            spans.append((lines[at].start, lines[last - 1].end))
        else:
            last = at + 1
            if found := _alone(lines, at):
                last = max(last, at + found[0])
                references += found[1]
                spans.append((lines[at].start, lines[last - 1].end))
        at = last
    return ReferenceList(tuple(references), tuple(spans))


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, line)
        start += len(line) + 1


def _section_end(lines: Sequence[_Line], at: int) -> int:
    """Return the line after the list that begins with the heading ``at``; ``at`` when none does.

    Below a heading in Markdown it goes on to the next one, else as far as its entries do.
    """
    if len(lines[at].text) > _MAX_TITLE or not _TITLE.fullmatch(lines[at].text):
        return at
    heading = _HEADING.match(lines[at].text)
    if not heading:
        return _entries_end(lines, at)
    end = _next_heading(lines, at + 1, len(heading[1]))
    return end if any(_is_entry(line.text) for line in lines[at + 1 : end]) else at


def _next_heading(lines: Sequence[_Line], first: int, level: int) -> int:
    """Return the line, from ``first``, of the next heading of ``level`` or above, else the end."""
    headings = ((n, _HEADING.match(lines[n].text)) for n in range(first, len(lines)))
    return next((n for n, found in headings if found and len(found[1]) <= level), len(lines))


def _entries_end(lines: Sequence[_Line], at: int) -> int:
    """Return the line after the entries below the plain title ``at``; ``at`` when there are none.

    A heading ends them, and a blank line, unless an entry or the rest of one follows. A title
    without an entry soon after it is given up, so that many titles are read in linear time.
    """
    begun = _first_entry(lines, at + 1)
    if begun is None:
        return at
    for place in range(begun + 1, len(lines)):
        after_blank = not lines[place - 1].text.strip()
        if _ends_entries(lines[place].text, after_blank=after_blank):
            return place
    return len(lines)


def _first_entry(lines: Sequence[_Line], first: int) -> int | None:
    """Return the first entry in the few lines from ``first`` on, before any heading."""
    for place, line in enumerate(lines[first : first + _LEAD_LINES], first):
        if _HEADING.match(line.text):
            return None
        if _is_entry(line.text):
            return place
    return None


def _ends_entries(text: str, *, after_blank: bool) -> bool:
    if _HEADING.match(text):
        return True
    goes_on = not text.strip() or _is_entry(text) or _INDENTED.match(text) is not None
    return after_blank and not goes_on


def _is_entry(text: str) -> bool:
    if any(form.match(text) for form in (_DEFINED, _MARKED, _NUMBERED)):
        return True
    item = _LISTED.match(text)
    return item is not None and bool(first_address(item["rest"]))


def _section(lines: Sequence[_Line]) -> Iterator[Reference]:
    """Yield the entries of a list; each goes on until the next begins."""
    labelled = _beginnings((_DEFINED, _MARKED, _NUMBERED), lines)
    bare = not labelled
    begun = labelled or _beginnings((_LISTED,), lines)
    ends = [at for at, _ in begun[1:]] + [len(lines)]
    for place, ((at, match), end) in enumerate(zip(begun, ends, strict=True), 1):
        label = str(place) if bare else _label(match)
        yield _reference(label, match["rest"], lines[at:end])


def _beginnings(
    forms: Sequence[re.Pattern[str]], lines: Sequence[_Line]
) -> list[tuple[int, re.Match[str]]]:
    """Return the lines that begin an entry of one of the ``forms``."""
    return [(at, match) for at, line in enumerate(lines) if (match := _match(forms, line.text))]


def _alone(lines: Sequence[_Line], at: int) -> tuple[int, list[Reference]] | None:
    """Return the references of the line ``at`` outside any list, and the lines that they take."""
    line = lines[at]
    if match := _DEFINED.match(line.text):
        below = map(lines.__getitem__, range(at + 1, len(lines)))
        taken = [line, *takewhile(lambda other: _INDENTED.match(other.text), below)]
        return len(taken), [_reference(_label(match), match["rest"], taken)]
    if together := _TOGETHER.match(line.text):
        found = [
            _reference(each["label"], each["rest"], [line])
            for each in _MANY.finditer(line.text, together.end())
        ]
        return (1, found) if found and all(each.address for each in found) else None
    return _numbered_address(line)


def _numbered_address(line: _Line) -> tuple[int, list[Reference]] | None:
    """Return the reference of a line such as ``[1] https://mill.example`` or ``[1] mill.md``."""
    match = _MARKED.match(line.text)
    if match is None or not _label(match).isdecimal():
        return None
    rest = match["rest"]
    if not (any(addresses(rest)) or _AT_FILE.fullmatch(unescaped(rest.strip()))):
        return None
    return 1, [_reference(_label(match), match["rest"], [line])]


def _match(forms: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next(filter(None, (form.match(text) for form in forms)), None)


def _label(match: re.Match[str]) -> str:
    groups = match.groupdict()
    label = next(filter(None, (groups.get(n) for n in ("label", "lens", "raised", "caret"))), "")
    return normalized_label(label)


def normalized_label(label: str) -> str:
    """Return ``label`` as it is compared: "¹" is "1", letters are small, "@" is left out."""
    label = " ".join(lowered(label).casefold().split()).lstrip("@^")
    return label.lstrip("0") or "0" if label.isdecimal() else label


def _reference(label: str, rest: str, lines: Sequence[_Line]) -> Reference:
    following = "\n".join(line.text for line in lines[1:])
    address = first_address(rest) or first_address(following)
    return Reference(label, address, _title(rest), lines[0].start, lines[-1].end)


def _title(rest: str) -> str:
    """Return what ``rest`` says besides its addresses, with the words of links."""
    parts: list[str] = []
    at = 0
    for address in addresses(rest):
        parts.append(rest[at : address.start])
        if address.words:
            parts.append(rest[slice(*address.words)])
        at = address.end
    title = " ".join("".join([*parts, rest[at:]]).split())
    return unescaped(title).strip(" .,;:|*_<>()[]–—-↩")[:_MAX_TITLE]
