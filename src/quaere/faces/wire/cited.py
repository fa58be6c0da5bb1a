"""The sources of a report: links to them, their list under an answer, and the verdict on each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from quaere.domain.report import Citation, Nearby, Report, Sentence, Support
from quaere.synthesize.inert import escaped, plain
from quaere.synthesize.nearest import told
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.view.export.citations import fragment_link

WEAKEST_FIRST = (
    Support.CONTRADICTED,
    Support.NOT_JUDGED,
    Support.PARTLY,
    Support.SUPPORTED,
    Support.QUOTED,
)

_HEADING = "\n\nSources:\n"
_LOOK_HEADING = f"\n\nWhere to look. {ENGLISH_FRAME.near}\n"
_LISTED = re.compile(
    rf"(?:{_HEADING}(?:\n\d+\. [^\n]*)+|{re.escape(_LOOK_HEADING)}(?:\n- [^\n]*)+"
    r"|\n\nNothing could be searched\. [^\n]*)\s*$"
)


def source_links(citations: Sequence[Citation]) -> list[str]:
    """Return a link for each citation that opens its source at the quote; no two are equal.

    Clients that merge equal addresses would else number the sources otherwise than the answer.
    """
    links: list[str] = []
    for each in citations:
        href = fragment_link(each.url, each.quote.text, locator=each.locator) or each.url
        if not href or href in links:
            base, _, fragment = href.partition("#")
            words = fragment.partition(":~:")[2]
            href = f"{base}#source-{each.id}" + (f":~:{words}" if words else "")
        links.append(href)
    return links


def source_list(citations: Sequence[Citation]) -> str:
    """Return the sources as Markdown, for the end of an answer; empty without any.

    For clients that show nothing but the text of an answer.
    """
    if not citations:
        return ""
    lines = [
        f"{each.id}. {_named(each, href)}"
        for each, href in zip(citations, source_links(citations), strict=True)
    ]
    return "\n".join([_HEADING, *lines])


def look_list(places: Sequence[Nearby]) -> str:
    """Return where to look as Markdown, for the end of an answer; empty without any."""
    if not places:
        return ""
    return "\n".join([_LOOK_HEADING, *(f"- {escaped(told(place))}" for place in places)])


def closing_list(report: Report) -> str:
    """Return the sources of ``report`` as Markdown; without any, where to look, or why none."""
    why = f"\n\n{escaped(report.unsearched)}" if report.unsearched else ""
    return source_list(report.citations) or look_list(report.nearest) or why


def without_closing_list(text: str) -> str:
    """Return ``text``, which may end with a `closing_list`, without it."""
    return _LISTED.sub("", text)


def _named(citation: Citation, href: str) -> str:
    title = escaped(plain(citation.title))
    if not href.startswith(("http://", "https://")):
        return f"{title} ({escaped(plain(citation.location))})"
    locator = escaped(plain(citation.locator))
    return f"[{title}](<{href}>)" + (f", {locator}" if locator else "")


def verdict_on(citation: Citation, sentences: Iterable[Sentence]) -> Support:
    """Return the verdict on the sentences that cite ``citation``; the weakest, if they differ."""
    found = {each.support for each in sentences if citation.evidence in each.evidence}
    return next((each for each in WEAKEST_FIRST if each in found), Support.NOT_JUDGED)
