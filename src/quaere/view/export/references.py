"""The sources of a report for programs that manage references: BibTeX and RIS."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from quaere.domain.question import SourceKind
from quaere.domain.report import Citation, Report
from quaere.synthesize.inert import link, plain

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
    fields = {
        "title": f"{{{_tex(title)}}}",
        "url": url,
        "urldate": citation.retrieved_at[:10],
        "note": _tex(plain(citation.locator or ("" if url else citation.location))),
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
    if url:
        yield "UR", url
    if citation.retrieved_at:
        yield "Y2", citation.retrieved_at[:10].replace("-", "/")
    if place := plain(citation.locator or ("" if url else citation.location)):
        yield "N1", place
    yield "N2", plain(citation.quote.text)


def _key(citation: Citation) -> str:
    host = urlsplit(citation.url).hostname or citation.type
    words = unicodedata.normalize("NFKD", f"{host} {citation.title}").encode("ascii", "ignore")
    slug = _KEY.sub("-", words.decode().lower()).strip("-")[:48].rstrip("-")
    return f"src{citation.id}-{slug}" if slug else f"src{citation.id}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in text)
