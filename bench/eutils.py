"""A look-alike of NCBI's E-utilities over records of one's own: the answers, without a server.

It understands PubMed's syntax as far as it matters here (AND, OR, NOT from left to right, brackets,
phrases, field tags, ranges of years) and ranks what matches by BM25, as Best Match does at first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from quaere.text.similarity import Bm25
from quaere.text.tokens import words

MAX_RETMAX = 10_000

Found = frozenset[int]


@dataclass(frozen=True)
class Record:
    """What PubMed knows of an article, as far as it is shown."""

    pmid: str
    title: str
    abstract: tuple[tuple[str, str], ...] = ()
    """Sections as label and text; an empty label for an abstract without sections."""
    pub_date: str = "<Year>2021</Year><Month>May</Month><Day>3</Day>"
    """XML inside of ``PubDate``."""
    journal: str = "J Imag Biol"
    mesh: tuple[str, ...] = ()
    types: tuple[str, ...] = ("Journal Article",)
    ids: tuple[tuple[str, str], ...] = ()
    """Pairs of ``IdType`` and value."""
    corrections: str = ""
    """XML of ``CommentsCorrections`` elements."""
    article_date: str = ""
    """XML inside of ``ArticleDate``."""
    language: str = "eng"

    @property
    def year(self) -> int:
        """Return the first year in the date, 0 without one."""
        match = re.search(r"\d{4}", self.pub_date)
        return int(match[0]) if match else 0

    @property
    def text(self) -> str:
        """Return what is searched."""
        parts = [self.title, *(text for _, text in self.abstract), *self.mesh]
        return re.sub(r"<[^>]+>", "", " ".join(parts))


class Eutils:
    """Answers ``esearch`` and ``efetch``."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._records = tuple(records)
        self._places = {record.pmid: place for place, record in enumerate(self._records)}
        self._words = [words(record.text) for record in self._records]
        self._titles = [words(record.title) for record in self._records]
        self._holders: defaultdict[str, set[int]] = defaultdict(set)
        for place, own in enumerate(self._words):
            for word in own:
                self._holders[word].add(place)
        self._bm25 = Bm25(self._words)

    def esearch(self, params: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON answer to a search."""
        start, count = int(params.get("retstart", 0)), int(params.get("retmax", 20))
        term = params.get("term", "")
        if not term.strip():
            return {"header": _HEADER, "esearchresult": {"ERROR": "Empty term and query_key"}}
        query = _Parser(term, self._matching)
        found = self._dated(query.parsed(), params)
        scores = self._bm25.scores(query.asked)
        best = sorted(found, key=lambda place: (-scores[place], place))
        ids = [self._records[place].pmid for place in best]
        result = {
            "count": str(len(ids)),
            "retmax": str(min(count, MAX_RETMAX)),
            "retstart": str(start),
            "idlist": ids[start : start + min(count, MAX_RETMAX)],
            "translationset": [],
            "querytranslation": term,
        }
        return {"header": _HEADER, "esearchresult": result}

    def efetch(self, params: Mapping[str, str]) -> bytes:
        """Return the records of the ids as ``PubmedArticleSet``, unknown ones left out."""
        wanted = [self._places[i] for i in params["id"].split(",") if i in self._places]
        return article_set(article(self._records[place]) for place in wanted)

    def _dated(self, found: Found, params: Mapping[str, str]) -> Found:
        """Keep to the years of ``mindate`` and ``maxdate``, which must come together."""
        if ("mindate" in params) != ("maxdate" in params) or "mindate" not in params:
            return found
        first, last = (int(params[name][:4]) for name in ("mindate", "maxdate"))
        return frozenset(place for place in found if first <= self._records[place].year <= last)

    def _matching(self, phrase: str, field: str) -> Found:
        if field in {"la", "language"}:
            of = enumerate(self._records)
            return frozenset(place for place, each in of if each.language == phrase)
        if field in {"dp", "pdat", "date - publication"}:
            years = [int(year) for year in re.findall(r"\d{4}", phrase)]
            of = enumerate(record.year for record in self._records)
            return frozenset(place for place, year in of if years[0] <= year <= years[-1])
        texts = self._titles if field in {"ti", "title"} else self._words
        wanted = words(phrase)
        if not wanted:
            return frozenset()
        places = set[int].intersection(*(self._holders.get(word, set()) for word in wanted))
        return frozenset(place for place in places if _holds(texts[place], wanted))


class _Parser:
    """Reads a term; ``asked`` are the words that it looks for."""

    _TOKEN = re.compile(r'[()]|"([^"]*)"(?:\[([^\]]*)\])?|([^\s()"\[]+)(?:\[([^\]]*)\])?')

    def __init__(self, term: str, matching: Callable[[str, str], Found]) -> None:
        self._tokens = list(self._TOKEN.finditer(term))
        self._at = 0
        self._matching = matching
        self.asked: list[str] = []

    def parsed(self) -> Found:
        """Return what the term finds."""
        found, operator = frozenset[int](), ""
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token[0] == ")":
                break
            if token[0] in {"AND", "OR", "NOT"}:
                operator = token[0]
                continue
            right = self.parsed() if token[0] == "(" else self._leaf(token)
            found = _joined(found, operator, right)
            operator = "AND"
        return found

    def _leaf(self, token: re.Match[str]) -> Found:
        phrase, phrase_field, word, word_field = token.groups()
        field = (phrase_field or word_field or "").lower()
        if field not in {"dp", "pdat", "date - publication", "la", "language"}:
            self.asked += words(phrase or word or "")
        return self._matching(phrase or word or "", field)


def _joined(left: Found, operator: str, right: Found) -> Found:
    if operator == "AND":
        return left & right
    return left - right if operator == "NOT" else left | right


def _holds(text: Sequence[str], wanted: Sequence[str]) -> bool:
    starts = (at for at, word in enumerate(text) if word == wanted[0])
    return any(text[at : at + len(wanted)] == wanted for at in starts)


_HEADER = {"type": "esearch", "version": "0.3"}


def article_set(articles: Iterable[str]) -> bytes:
    """Return the document in which NCBI delivers ``articles``."""
    head = (
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, '
        '1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
    )
    return f"{head}<PubmedArticleSet>{''.join(articles)}</PubmedArticleSet>".encode()


def article(record: Record) -> str:
    """Return the XML of one article; its title and its sections may hold inline markup."""
    corrections = record.corrections
    dated = f'<ArticleDate DateType="Electronic">{record.article_date}</ArticleDate>'
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="1">{record.pmid}</PMID>
<DateRevised><Year>2024</Year><Month>01</Month><Day>02</Day></DateRevised>
<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">0000-0000</ISSN>
<JournalIssue CitedMedium="Internet"><Volume>3</Volume><PubDate>{record.pub_date}</PubDate>
</JournalIssue><Title>Journal of Imaginary Biology</Title>
<ISOAbbreviation>{record.journal}</ISOAbbreviation></Journal>
<ArticleTitle>{record.title}.</ArticleTitle>
{_abstract(record)}
<AuthorList><Author><LastName>Krell</LastName><ForeName>Ida</ForeName></Author></AuthorList>
<PublicationTypeList>{_all("PublicationType", record.types)}</PublicationTypeList>
{dated if record.article_date else ""}</Article>
{f"<CommentsCorrectionsList>{corrections}</CommentsCorrectionsList>" if corrections else ""}
<MeshHeadingList>{_mesh(record)}</MeshHeadingList></MedlineCitation>
<PubmedData><PublicationStatus>ppublish</PublicationStatus>
<ArticleIdList><ArticleId IdType="pubmed">{record.pmid}</ArticleId>{_ids(record)}</ArticleIdList>
<ReferenceList><Reference><Citation>Another work.</Citation><ArticleIdList>
<ArticleId IdType="doi">10.5555/cited</ArticleId></ArticleIdList></Reference></ReferenceList>
</PubmedData></PubmedArticle>"""


def _abstract(record: Record) -> str:
    if not record.abstract:
        return ""
    labels = [f" Label={quoteattr(label)}" if label else "" for label, _ in record.abstract]
    sections = [
        f"<AbstractText{label}>{text}</AbstractText>"
        for label, (_, text) in zip(labels, record.abstract, strict=True)
    ]
    rights = "<CopyrightInformation>Copyright of nobody.</CopyrightInformation>"
    return f"<Abstract>{''.join(sections)}{rights}</Abstract>"


def _all(name: str, values: Iterable[str]) -> str:
    return "".join(f"<{name}>{escape(value)}</{name}>" for value in values)


def _mesh(record: Record) -> str:
    return "".join(
        f'<MeshHeading><DescriptorName UI="D0" MajorTopicYN="N">{escape(heading)}</DescriptorName>'
        '<QualifierName UI="Q0">physiology</QualifierName></MeshHeading>'
        for heading in record.mesh
    )


def _ids(record: Record) -> str:
    return "".join(
        f"<ArticleId IdType={quoteattr(kind)}>{escape(value)}</ArticleId>"
        for kind, value in record.ids
    )
