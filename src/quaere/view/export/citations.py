"""The sources of a report: their list, the markers that lead to it, and BibTeX and RIS of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from quaere.domain.question import SourceKind
from quaere.domain.report import Citation, Report, Sentence
from quaere.domain.url import doi_of
from quaere.synthesize.compose import FENCE, marked
from quaere.synthesize.inert import MARKER, file_link, link, plain, visible
from quaere.synthesize.wording import headline, mark_of, part_in, place_in, quote_line
from quaere.text.inline import Form, stretches
from quaere.text.languages.phrases import ENGLISH_ACCOUNT, Account
from quaere.text.tables import tables
from quaere.view.export.document import Code, Line, Marker, Section, Source, Table, Tone, Words

EXACT_CHARS = 100
"""Longer quotes are given by their first and last words. A page holds notes, links and soft hyphens
between the words that reading it left out, so that a long stretch is rarely found as it stands."""
EDGE_CHARS = 40
"""Most characters of a long quote's beginning, and of its end."""
BLOCK_CHARS = 6
"""Shorter lines at either end of a quote (a cell, a date) would be found all over the page."""

# Where a stored text has left one element of its page for the next: lines and cells of a table.
_BETWEEN = re.compile(r"[\r\n|]+")
# Marks of headings, lists and quotations in stored text; no element of the page holds them.
_LEAD = re.compile(r"^(?:(?:#{1,6}|[-*+•>]|\d{1,3}[.)])\s+)+")
# Where a stretch without spaces may be cut.
_PAUSE = "、。，．；：！？・"
# Documents that a browser downloads, or shows in a viewer that ignores text directives.
_NOT_PAGES = frozenset(
    {".csv", ".doc", ".docx", ".eml", ".epub", ".gz", ".ics", ".ipynb", ".json", ".jsonl", ".mbox"}
    | {".odp", ".ods", ".odt", ".pdf", ".ppt", ".pptx", ".ps", ".rtf", ".srt", ".tsv", ".vtt"}
    | {".xls", ".xlsx", ".zip"}
)
_PLACES = ("page", "slide", "cell", "record", "row")


def fragment_link(url: str, words: str, *, locator: str = "") -> str:
    """Return ``url`` as a link to ``words`` on its page; empty unless it is http or https.

    An element that ``url`` names stays named. Documents other than web pages (a PDF, a table) are
    linked as they are.

    Args:
        url: The address of the page.
        words: The quote, as in the stored text.
        locator: The place of the quote inside its source; pages, slides and rows are none of the
            web.
    """
    href = link(url)
    if not href or locator.startswith(_PLACES):
        return href
    if PurePosixPath(urlsplit(href).path).suffix.lower() in _NOT_PAGES:
        return href
    text = text_directive(words)
    if not text:
        return href
    base, _, element = href.partition("#")
    return f"{base}#{element.partition(':~:')[0]}:~:{text}"


def text_directive(words: str) -> str:
    """Return the directive ``text=…`` that finds ``words``; empty when they hold no word.

    A beginning that what is left out before it has as well gets its words as a prefix: a browser
    takes the first place that fits. So does, by its suffix, an end that the quote has twice.
    """
    blocks = _blocks(words)
    if not blocks:
        return ""
    first, last = _chosen(blocks)
    leading, trailing = blocks[:first], blocks[last + 1 :]
    start, end = blocks[first], ""
    if first < last or len(start) > EXACT_CHARS:
        start, end = _opening(start), _closing(blocks[last])
    parts = [_encoded(start)]
    if leading and _holds(leading, start):
        parts.insert(0, f"{_encoded(_closing(leading[-1]))}-")
    if end:
        parts += _ending(end, [*blocks[first:last], blocks[last][: -len(end)]], trailing)
    return f"text={','.join(parts)}"


def _ending(end: str, quoted: Sequence[str], trailing: Sequence[str]) -> Iterator[str]:
    """Yield the ``end`` of a quote, and a suffix where the ``quoted`` words before it have it."""
    yield _encoded(end)
    if trailing and _holds(quoted, end):
        yield f"-{_encoded(_opening(trailing[0]))}"


def _blocks(text: str) -> list[str]:
    """Return the parts of ``text`` that a page has in one element each, without their marks."""
    lines = (_LEAD.sub("", " ".join(visible(line).split())) for line in _BETWEEN.split(text))
    return [line for line in lines if any(char.isalnum() for char in line)]


def _chosen(blocks: Sequence[str]) -> tuple[int, int]:
    """Return the places of the first and the last block that are long enough to be found."""
    long = [place for place, block in enumerate(blocks) if len(block) >= BLOCK_CHARS]
    return (long[0], long[-1]) if long else (0, len(blocks) - 1)


def _opening(block: str) -> str:
    if len(block) <= EDGE_CHARS:
        return block
    cut = max(block.rfind(mark, 1, EDGE_CHARS + 1) for mark in f" {_PAUSE}")
    return block[:cut] if cut > 0 else block[:EDGE_CHARS]


def _closing(block: str) -> str:
    if len(block) <= EDGE_CHARS:
        return block
    tail = block[-EDGE_CHARS - 1 :]
    cuts = [place for mark in f" {_PAUSE}" if 0 <= (place := tail.find(mark)) < len(tail) - 1]
    return tail[min(cuts) + 1 :] if cuts else tail[1:]


def _holds(blocks: Sequence[str], words: str) -> bool:
    return words.casefold() in "\n".join(blocks).casefold()


def _encoded(text: str) -> str:
    # The hyphen, which quote() leaves alone, would part a prefix or suffix from the rest.
    return quote(text, safe="").replace("-", "%2D")


MARKER_CHARS = 400
"""Of a quote, next to its marker; the list of sources has all of it."""


class Citations:
    """The citations of a report, by number and by evidence."""

    def __init__(self, citations: Sequence[Citation], said: Account = ENGLISH_ACCOUNT) -> None:
        """Take ``citations``, whose places are told in the words that ``said`` has."""
        self.said = said
        self._citations = {citation.id: citation for citation in citations}
        self._by_evidence = {citation.evidence: citation.id for citation in citations}
        self._by_passage = {citation.quote.passage: citation.id for citation in citations}

    def sentence(self, sentence: Sentence) -> Line:
        """Return ``sentence`` with its mark and its markers, which show the words it rests on."""
        return self.line(sentence, marked(sentence, self.numbers(sentence.evidence)))

    def line(self, sentence: Sentence, text: str) -> Line:
        """Return ``text``, which is of ``sentence`` and may hold its markers."""
        tone = Tone.DOUBT if mark_of(sentence) else Tone.PLAIN
        quotes = {quote.passage: quote.text for quote in reversed(sentence.quotes)}
        return tuple(self._parts(text, tone, quotes))

    def code(self, sentence: Sentence) -> Code:
        """Return ``sentence``, which is a block of code, with its mark and its markers."""
        text, _, signs = marked(sentence, self.numbers(sentence.evidence)).rpartition(FENCE)
        return Code(text.strip(FENCE).strip("\n"), self.line(sentence, signs.strip()))

    def rows(self, sentences: Sequence[Sentence]) -> Iterator[Table]:
        """Yield the tables of which ``sentences`` are the rows."""
        records = [marked(each, self.numbers(each.evidence)) for each in sentences]
        told = iter(sentences)
        for head, rows in tables(records):
            lines = tuple(
                tuple(self.line(sentence, cell) for cell in row)
                for row, sentence in zip(rows, told, strict=False)
            )
            yield Table("", tuple(head), lines)

    def numbers(self, evidence: Iterable[int]) -> list[int]:
        """Return the numbers under which ``evidence`` is cited, rising."""
        known = self._by_evidence
        return sorted({known[entry] for entry in evidence if entry in known})

    def of_passages(self, passages: Iterable[str]) -> Line:
        """Return the markers of the citations of ``passages``, rising."""
        known = self._by_passage
        return self.markers({known[passage] for passage in passages if passage in known})

    def markers(self, numbers: Iterable[int]) -> Line:
        """Return the markers of the citations ``numbers``, rising."""
        return tuple(self._marker(number, "") for number in sorted(numbers))

    def section(self, title: str) -> Section:
        """Return the list of sources under ``title``, in the order of the claims."""
        return Section("sources", title, tuple(map(self._source, self._citations.values())))

    def _parts(self, text: str, tone: Tone, quotes: dict[str, str]) -> Iterator[Words | Marker]:
        for form, stretch in stretches(text):
            if form is Form.CODE:
                yield Words(stretch, Tone.CODE)
            else:
                own = Tone.STRONG if form is Form.STRONG and tone is Tone.PLAIN else tone
                yield from self._beside_code(stretch, own, quotes)

    def _beside_code(
        self, text: str, tone: Tone, quotes: dict[str, str]
    ) -> Iterator[Words | Marker]:
        for place, part in enumerate(MARKER.split(text)):
            if place % 2:
                citation = self._citations[int(part)]
                yield self._marker(citation.id, quotes.get(citation.quote.passage, ""))
            elif part:
                yield Words(part, tone)

    def _marker(self, number: int, quote: str) -> Marker:
        citation = self._citations[number]
        shown = headline(quote_line(quote or citation.quote.text), MARKER_CHARS)
        place = plain(self._place(citation.locator))
        source = ", ".join(filter(None, (plain(citation.title), place)))
        return Marker(number, shown, source)

    def _place(self, place: str) -> str:
        return place_in(place, self.said)

    def _source(self, citation: Citation) -> Source:
        href = fragment_link(citation.url, citation.quote.text, locator=citation.locator)
        time = plain(citation.retrieved_at)
        seen = self.said.read.format(time=time) if time else ""
        read = ", ".join(filter(None, (part_in(citation.part, self.said), seen)))
        digest = f"SHA-256 {plain(citation.content_hash)}" if citation.content_hash else ""
        return Source(
            number=citation.id,
            title=plain(citation.title),
            href=href,
            file=file_link(citation.url),
            place=plain(self._place(citation.locator if href else citation.location)),
            quote=quote_line(citation.quote.text),
            facts=tuple(filter(None, (citation.type, read, digest))),
        )


# BibTeX is read by TeX: these have a meaning of their own there.
_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_BRACES = str.maketrans("", "", "{}\\")
_AND = re.compile(r"\s*;\s*|\s+and\s+")
_ADDRESS = re.compile(r"<[^<>\s@]*@[^<>\s]*>")
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?(?![0-9])")
_KEY = re.compile(r"[^a-z0-9]+")


def bibtex(report: Report) -> str:
    """Return the sources of ``report`` as BibTeX, one ``@online`` or ``@misc`` entry each."""
    return "\n".join(map(_bibtex, _by_source(report)))


def ris(report: Report) -> str:
    """Return the sources of ``report`` as RIS; its lines end as the format wants it."""
    return "".join(
        f"{tag}  - {value}\r\n"
        for cited in _by_source(report)
        for tag, value in (*_ris(cited), ("ER", ""))
    )


def _by_source(report: Report) -> Iterable[Sequence[Citation]]:
    """Return the citations of each source together: it is one entry, however often it is cited."""
    found: dict[str, list[Citation]] = {}
    for citation in report.citations:
        found.setdefault(citation.url or str(citation.id), []).append(citation)
    return found.values()


def _bibtex(cited: Sequence[Citation]) -> str:
    citation = cited[0]
    url, title = link(citation.url), plain(citation.title)
    authors = " and ".join(f"{{{_tex(name)}}}" for name in _authors(citation))
    fields = {
        "author": authors,
        "title": f"{{{_tex(title)}}}",
        "date": _date(citation),
        "year": _date(citation)[:4],
        "doi": _doi(citation).translate(_BRACES),  # read as it is, not as TeX
        "url": url,
        "urldate": _day_of(citation.retrieved_at),
        "note": _tex(_place(cited, url)),
    }
    kind = "online" if url else "misc"
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{_key(citation)},", *lines, "}", ""])


def _ris(cited: Sequence[Citation]) -> Iterator[tuple[str, str]]:
    citation = cited[0]
    url = link(citation.url)
    journal = citation.type == SourceKind.PUBMED
    yield "TY", "JOUR" if journal else "ELEC" if url else "GEN"
    yield "ID", _key(citation)
    yield "TI", plain(citation.title)
    date = _date(citation)
    known = (
        *(("AU", name) for name in _authors(citation)),
        ("PY", date[:4]),
        ("DA", date.replace("-", "/")),
        ("DO", _doi(citation)),
        ("UR", url),
        ("Y2", _day_of(citation.retrieved_at).replace("-", "/")),
        ("N1", _place(cited, url)),
    )
    yield from ((tag, value) for tag, value in known if value)
    yield "N2", " … ".join(dict.fromkeys(quote_line(each.quote.text) for each in cited))


def _place(cited: Sequence[Citation], url: str) -> str:
    """Return where in the source the passages are; of one without a ``url``, in which file, too."""
    name = "" if url else unquote(cited[0].url).rpartition("/")[2]
    places = "; ".join(dict.fromkeys(each.locator for each in cited if each.locator))
    return plain(", ".join(filter(None, (name, places))))


def _doi(citation: Citation) -> str:
    """Return the DOI in the address; it may hold anything there as percent signs and figures."""
    return visible(doi_of(citation.url))


def _authors(citation: Citation) -> list[str]:
    """Return who wrote the source, a name each: a page separates them by semicolons or "and".

    A letter has the address of its writer after the name, which is not part of it.
    """
    named = _ADDRESS.sub("", citation.author).strip(' "') or citation.author.strip("<>")
    return [name for name in map(str.strip, _AND.split(plain(named))) if name]


def _date(citation: Citation) -> str:
    """Return the date of the source as far as it is one: "2024", "2024-05", "2024-05-17"."""
    return _day_of(citation.published)


def _day_of(told: str) -> str:
    found = _DATE.match(told)
    return found[0] if found else ""


def _key(citation: Citation) -> str:
    """Return the number, site and title of a source; the same every time."""
    host = urlsplit(link(citation.url)).hostname or citation.type
    words = unicodedata.normalize("NFKD", f"{host} {citation.title}").encode("ascii", "ignore")
    slug = _KEY.sub("-", words.decode().lower()).strip("-")[:48].rstrip("-")
    return f"src{citation.id}-{slug}" if slug else f"src{citation.id}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in text)
