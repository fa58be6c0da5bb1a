"""Reads the records of ``PubmedArticleSet``, the XML in which NCBI delivers PubMed.

Its elements are described at https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaere.domain.question import SourceKind
from quaere.domain.works import pubmed_url
from quaere.search.fields import from_parts
from quaere.search.markup import Element, one_line, words_at, words_of
from quaere.search.results import Found
from quaere.search.scholarly import described

_MEDLINE_DATE = re.compile(r"([1-9]\d{3})(?:\s+([A-Z][a-z]{2}))?")
_MAX_HEADINGS = 12


def read_records(root: Element) -> dict[str, Found]:
    """Return the articles and book chapters below ``root`` by their PMID, in their order."""
    records: dict[str, Found] = {}
    for path, read in (("PubmedArticle", _article), ("PubmedBookArticle", _chapter)):
        for element in root.findall(path):
            pmid, found = read(element)
            if pmid.isascii() and pmid.isdigit():
                records[pmid] = found
    return records


def _article(element: Element) -> tuple[str, Found]:
    pmid = words_at(element, "MedlineCitation/PMID")
    article = "MedlineCitation/Article/"
    published = _published(element)
    journal = words_at(element, article + "Journal/ISOAbbreviation")
    text = _abstract(element, article + "Abstract") or _abstract(
        element, "MedlineCitation/OtherAbstract"
    )
    notices = list(_notices(element))
    types = {words_of(each) for each in element.findall(article + "PublicationTypeList/*")}
    retracted = "Retracted Publication" in types or any(
        notice.startswith("Retraction in") for notice in notices
    )
    return pmid, Found(
        url=pubmed_url(pmid),
        title=_title(element, article),
        snippet=described(text, *notices, journal, published, *_ids(element), _headings(element)),
        published=published,
        kind=SourceKind.PUBMED,
        text=text,
        standing="Retracted" if retracted else "",
    )


def _chapter(element: Element) -> tuple[str, Found]:
    pmid = words_at(element, "BookDocument/PMID")
    book = words_at(element, "BookDocument/Book/BookTitle")
    date = "BookDocument/Book/PubDate/"
    published = _date(element, date)
    text = _abstract(element, "BookDocument/Abstract")
    return pmid, Found(
        url=pubmed_url(pmid),
        title=one_line(words_at(element, "BookDocument/ArticleTitle") or book).rstrip("."),
        snippet=described(text, book, published),
        published=published,
        kind=SourceKind.PUBMED,
        text=text,
    )


def _title(element: Element, article: str) -> str:
    title = words_at(element, article + "ArticleTitle")
    return one_line(title or words_at(element, article + "VernacularTitle")).rstrip(".")


def _abstract(element: Element, path: str) -> str:
    """Return the abstract at ``path`` as paragraphs, a section's label at its head.

    A label comes as "RESULTS" and is shown as "Results", as PubMed itself does: in capitals it
    would read like a name.
    """
    sections: list[str] = []
    for section in element.findall(path + "/AbstractText"):
        text = one_line(words_of(section))
        label = one_line(section.get("Label", "")).rstrip(":").capitalize()
        if text:
            sections.append(f"{label}: {text}" if label and label != "Unlabelled" else text)
    return "\n\n".join(sections)


def _published(element: Element) -> str:
    """Return the date of the issue, or of the electronic publication where that has none."""
    issue = _date(element, "MedlineCitation/Article/Journal/JournalIssue/PubDate/")
    electronic = _date(element, "MedlineCitation/Article/ArticleDate/")
    return electronic if not issue or electronic.startswith(issue) else issue


def _date(element: Element, path: str) -> str:
    year, month, day = (words_at(element, path + part) for part in ("Year", "Month", "Day"))
    if year:
        return from_parts(year, month, day)
    match = _MEDLINE_DATE.search(words_at(element, path + "MedlineDate"))
    return from_parts(match[1], match[2] or "") if match else ""


def _notices(element: Element) -> Iterator[str]:
    """Yield what has been published against the article."""
    names = {
        "RetractionIn": "Retraction in",
        "ExpressionOfConcernIn": "Expression of concern in",
        "ErratumIn": "Erratum in",
    }
    path = "MedlineCitation/CommentsCorrectionsList/CommentsCorrections"
    for correction in element.findall(path):
        if name := names.get(correction.get("RefType", "")):
            source, pmid = words_at(correction, "RefSource"), words_at(correction, "PMID")
            yield f"{name}: {source}" + (f" (PMID {pmid})" if pmid else "")


def _ids(element: Element) -> Iterator[str]:
    # Not any ArticleId: those of the references stand further down.
    for each in element.findall("PubmedData/ArticleIdList/ArticleId"):
        if each.get("IdType", "") == "doi":
            yield f"doi:{words_of(each)}"
        if each.get("IdType", "") == "pmc":
            yield words_of(each)


def _headings(element: Element) -> str:
    path = "MedlineCitation/MeshHeadingList/MeshHeading/DescriptorName"
    headings = [words_of(each) for each in element.findall(path)][:_MAX_HEADINGS]
    return f"MeSH: {'; '.join(headings)}" if headings else ""
