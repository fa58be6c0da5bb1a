"""The sources of a report for programs that manage references: BibTeX and RIS."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote, urlsplit

from quaere.domain.question import SourceKind
from quaere.domain.report import Citation, Report
from quaere.domain.url import doi_of
from quaere.synthesize.inert import link, one_line, plain

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
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?(?!\d)")
_KEY = re.compile(r"[^a-z0-9]+")


def bibtex(report: Report) -> str:
    """Return the sources of ``report`` as BibTeX, one ``@online`` or ``@misc`` entry each."""
    return "\n".join(_bibtex(citation) for citation in report.citations)


def ris(report: Report) -> str:
    """Return the sources of ``report`` as RIS; its lines end as the format wants it."""
    return "".join(
        f"{tag}  - {value}\r\n"
        for citation in report.citations
        for tag, value in (*_ris(citation), ("ER", ""))
    )


def keys(citations: Iterable[Citation]) -> list[str]:
    """Return a key for each of ``citations``: its number, site and title; the same every time."""
    return [_key(citation) for citation in citations]


def _bibtex(citation: Citation) -> str:
    url, title = link(citation.url), plain(citation.title)
    authors = " and ".join(f"{{{_tex(name)}}}" for name in _authors(citation))
    fields = {
        "author": authors,
        "title": f"{{{_tex(title)}}}",
        "date": _date(citation),
        "year": _date(citation)[:4],
        "doi": doi_of(citation.url).translate(_BRACES),  # read as it is, not as TeX
        "url": url,
        "urldate": citation.retrieved_at[:10],
        "note": _tex(_place(citation, url)),
    }
    kind = "online" if url else "misc"
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{_key(citation)},", *lines, "}", ""])


def _ris(citation: Citation) -> Iterator[tuple[str, str]]:
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
        ("DO", doi_of(citation.url)),
        ("UR", url),
        ("Y2", citation.retrieved_at[:10].replace("-", "/")),
        ("N1", _place(citation, url)),
    )
    yield from ((tag, value) for tag, value in known if value)
    yield "N2", one_line(citation.quote.text)


def _place(citation: Citation, url: str) -> str:
    """Return where in the source the passage is; of one without a ``url``, in which file, too."""
    name = "" if url else unquote(citation.url).rpartition("/")[2]
    return plain(", ".join(filter(None, (name, citation.locator))))


def _authors(citation: Citation) -> list[str]:
    """Return who wrote the source, a name each: a page separates them by semicolons or "and"."""
    return [name for name in map(str.strip, _AND.split(plain(citation.author))) if name]


def _date(citation: Citation) -> str:
    """Return the date of the source as far as it is one: "2024", "2024-05", "2024-05-17"."""
    found = _DATE.match(citation.published)
    return found[0] if found else ""


def _key(citation: Citation) -> str:
    host = urlsplit(citation.url).hostname or citation.type
    words = unicodedata.normalize("NFKD", f"{host} {citation.title}").encode("ascii", "ignore")
    slug = _KEY.sub("-", words.decode().lower()).strip("-")[:48].rstrip("-")
    return f"src{citation.id}-{slug}" if slug else f"src{citation.id}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in text)
