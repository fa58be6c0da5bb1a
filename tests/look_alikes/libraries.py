"""Look-alikes of the APIs of scholarly libraries: the shapes and the limits of the real ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from bench.eutils import Eutils, Record, article, article_set
from tests.look_alikes.server import Answer, Asked, Reply, as_json
from tests.look_alikes.shelf import Shelf, Work
from tests.look_alikes.web_engines import Extra

_DAY = r"\d{4}-\d\d-\d\d"


def record_of(work: Work) -> Record:
    year, month, day = work.day.split("-")
    date = f"<Year>{year}</Year><Month>{month}</Month><Day>{day}</Day>"
    ids = (("doi", work.doi), ("pmc", f"PMC{work.number}"))
    return Record(str(work.number), work.title, (("", work.text),), date, ids=ids)


def pubmed(records: Sequence[Record], extra: Extra = ()) -> Answer:
    """Answer like the E-utilities; ``extra`` is the XML of more articles, each found by all."""
    eutils = Eutils(records)
    known = {record.pmid: record for record in records}
    odd = {str(9_000_000 + at): str(each) for at, each in enumerate(extra)}

    def answer(asked: Asked) -> Reply:
        assert asked.params["db"] == "pubmed"
        assert asked.params["tool"] == "quaere"
        if asked.path == "efetch.fcgi":
            assert asked.params["retmode"] == "xml"
            ids = asked.params["id"].split(",")
            xml = [odd[i] if i in odd else article(known[i]) for i in ids]
            return Reply(article_set(xml), "text/xml; charset=UTF-8")
        assert (asked.path, asked.params["sort"]) == ("esearch.fcgi", "relevance")
        found = eutils.esearch(asked.params)
        result = found["esearchresult"]
        if odd and isinstance(result, dict) and "idlist" in result:
            result["idlist"] = [*odd, *result["idlist"]]
        return as_json(found)

    return answer


BAD_ARTICLES: Extra = (
    "<PubmedArticle/>",
    "<PubmedArticle><MedlineCitation><PMID>not a number</PMID></MedlineCitation></PubmedArticle>",
    "<PubmedArticle><MedlineCitation><PMID>9000002</PMID></MedlineCitation></PubmedArticle>",
    "<DeleteCitation><PMID>9000003</PMID></DeleteCitation>",
    "<!-- nothing -->",
)


def europe_pmc(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert asked.path == "search"
        assert (asked.params["format"], asked.params["resultType"]) == ("json", "core")
        if not 1 <= asked.number("pageSize", 25) <= 1_000:
            return as_json({"errCode": 404, "errMsg": "page size"}, status=400)
        text, kept = _europe_pmc_bounds(asked.params["query"], shelf)
        works = _boolean(kept, text)[: asked.number("pageSize", 25)]
        results = [*extra, *map(_europe_pmc, works)]
        listing = {
            "hitCount": len(works),
            "nextCursorMark": "AoE",
            "resultList": {"result": results},
        }
        return as_json({"version": "6.9", **listing})

    return answer


def full_texts(works: Sequence[Work], closed: Sequence[Work] = ()) -> Answer:
    """Give the full texts of ``works`` as Europe PMC does, and none of any other article.

    It lists them and the ``closed`` ones by their PubMed id and by their DOI.
    """
    known = {f"PMC{work.number}/fullTextXML": work for work in works}
    listed = {
        wording: _lite(work, is_open="Y" if work in works else "N")
        for work in (*works, *closed)
        for wording in (f"EXT_ID:{work.number} AND SRC:MED", f'DOI:"{work.doi}"')
    }

    def answer(asked: Asked) -> Reply:
        if asked.path == "search":
            assert (asked.params["format"], asked.params["resultType"]) == ("json", "lite")
            found = listed.get(asked.params["query"])
            return as_json({"resultList": {"result": [found] if found else []}})
        work = known.get(asked.path)
        if work is None:
            return Reply(b"", status=404)
        return Reply(full_text(work).encode(), "application/xml")

    return answer


def _lite(work: Work, is_open: str) -> Mapping[str, str]:
    """Return the record of ``work`` as a short listing has it."""
    number = str(work.number)
    ids = {"id": number, "source": "MED", "pmid": number, "pmcid": f"PMC{number}", "doi": work.doi}
    return {**ids, "title": work.title, "isOpenAccess": is_open}


def full_text(work: Work) -> str:
    """Return ``work`` in JATS."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">
<front><article-meta><article-id pub-id-type="pmcid">PMC{work.number}</article-id>
<title-group><article-title>{escape(work.title)}</article-title></title-group>
<abstract><p>{escape(work.text)}</p></abstract></article-meta></front>
<body><sec id="s1"><title>Results</title><p>Of forty moths all glow.</p></sec></body>
<back><ref-list><ref id="r1"><mixed-citation>On nets.</mixed-citation></ref></ref-list></back>
</article>"""


def _europe_pmc_bounds(text: str, shelf: Shelf) -> tuple[str, Shelf]:
    """Take the dates and the languages out of a query, and keep to them."""
    days = re.search(rf" AND FIRST_PDATE:\[({_DAY}) TO ({_DAY})\]", text)
    languages = re.findall(r"LANG:(\w+)", text)
    plain = re.sub(r" AND (?:FIRST_PDATE:\[[^]]*\]|\(LANG:[^)]*\))", "", text)
    plain = re.sub(r"^\((.*)\)$", r"\1", plain)
    first, last = days.groups() if days else ("", "")
    return plain, shelf.within(first, last, ["en" if c == "eng" else c for c in languages])


def _boolean(shelf: Shelf, text: str) -> Sequence[Work]:
    """Find by AND or OR, of which a query here has one kind only."""
    found = shelf.find(re.sub(r' (?:AND|OR) |"', " ", text), 0, 1_000)
    if " OR " in text:
        return found
    wanted = [each.strip('"').casefold() for each in text.split(" AND ")]
    return [w for w in found if all(each in f"{w.title} {w.text}".casefold() for each in wanted)]


def _europe_pmc(work: Work) -> object:
    return {
        "id": str(work.number),
        "source": "MED",
        "pmid": str(work.number),
        "pmcid": f"PMC{work.number}",
        "isOpenAccess": "Y" if work.number % 2 == 0 else "N",
        "doi": work.doi,
        "title": f"{work.title}.",
        "journalInfo": {"journal": {"title": "Journal of Imaginary Biology", "issn": "0000-0000"}},
        "pubYear": work.day[:4],
        "abstractText": f"<h4>Background</h4>{escape(work.text)}<h4>Results</h4>It <i>glows</i>.",
        "pubTypeList": {"pubType": ["Journal Article"]},
        "firstPublicationDate": work.day,
    }


def arxiv(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert (asked.path, asked.params["sortBy"]) == ("query", "relevance")
        text, kept = asked.params["search_query"], shelf
        bounds = re.fullmatch(r"\((.*)\) AND submittedDate:\[(\d{8})0000 TO (\d{8})2359\]", text)
        if bounds:
            text = bounds[1]
            kept = shelf.within(*(f"{d[:4]}-{d[4:6]}-{d[6:]}" for d in bounds.groups()[1:]))
        assert re.fullmatch(r'all:"[^"]+"(?: OR all:"[^"]+")*', text), text
        plain = " ".join(re.findall(r'all:"([^"]+)"', text))
        works = kept.find(plain, asked.number("start", 0), asked.number("max_results", 10))
        return Reply(feed([*map(str, extra), *map(_entry, works)]), "application/atom+xml")

    return answer


def feed(entries: Sequence[str]) -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title type="html">ArXiv Query</title><id>http://arxiv.org/api/x</id>
<opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">9</opensearch:totalResults>
{"".join(entries)}</feed>""".encode()


def _entry(work: Work) -> str:
    return f"""<entry><id>http://arxiv.org/abs/2105.{work.number:05}v2</id>
<updated>2022-01-01T00:00:00Z</updated><published>{work.day}T17:59:59Z</published>
<title>{escape(work.title).replace(" ", chr(10) + "  ")}</title>
<summary>  {escape(work.text)}
</summary><author><name>Ida Krell</name></author>
<arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">7 pages</arxiv:comment>
<link href="http://arxiv.org/abs/2105.{work.number:05}v2" rel="alternate" type="text/html"/>
</entry>"""


BAD_ENTRIES: Extra = (
    "<entry/>",
    "<entry><id>http://arxiv.org/abs/</id><title>No number</title></entry>",
    "<entry><id>http://elsewhere.example/abs/2105.00001</id><title>Elsewhere</title></entry>",
    "<entry><id>http://arxiv.org/abs/2105.00001v1</id><summary>No title</summary></entry>",
)


def openalex(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert asked.path == "works"
        size, page = asked.number("per-page", 25), asked.number("page", 1)
        if not 1 <= size <= 100 or size * page > 10_000:
            return as_json({"error": "Invalid query parameters error."}, status=403)
        text = asked.params["search"]
        wanted = _filters(asked)
        kept = shelf.within(
            wanted.pop("from_publication_date", ""),
            wanted.pop("to_publication_date", ""),
            [each for each in wanted.pop("language", "").split("|") if each],
        )
        assert not wanted, f"filters that nobody knows: {wanted}"
        works = kept.find(text.replace(" OR ", " "), 0, 1_000)
        if " OR " not in text:
            needed = text.replace('"', "").casefold().split()
            works = [w for w in works if all(x in f"{w.title} {w.text}".casefold() for x in needed)]
        shown = works[(page - 1) * size : page * size]
        results = [*extra, *(_openalex(work, 90.0 - at) for at, work in enumerate(shown))]
        return as_json({"meta": {"count": len(works), "page": page}, "results": results})

    return answer


def _filters(asked: Asked) -> dict[str, str]:
    given = filter(None, asked.params.get("filter", "").split(","))
    return {name: value for name, _, value in (each.partition(":") for each in given)}


def _openalex(work: Work, score: float) -> object:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(work.text.split()):
        index.setdefault(word, []).append(place)
    return {
        "id": f"https://openalex.org/W{work.number}",
        "doi": f"https://doi.org/{work.doi}",
        "display_name": work.title,
        "publication_date": work.day,
        "publication_year": int(work.day[:4]),
        "abstract_inverted_index": index,
        "is_retracted": False,
        "primary_location": {
            "landing_page_url": work.url,
            "source": {"display_name": "J Imag Biol"},
        },
        "best_oa_location": {
            "is_oa": True,
            "landing_page_url": work.url,
            "pdf_url": f"{work.url}.pdf" if work.number % 2 == 0 else None,
        },
        "relevance_score": score,
    }


def crossref(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert asked.path == "works"
        rows, offset = asked.number("rows", 20), asked.number("offset", 0)
        if not 0 <= rows <= 1_000 or offset > 10_000:
            return as_json({"status": "failed", "message-type": "validation-failure"}, status=400)
        wanted = _filters(asked)
        kept = shelf.within(wanted.pop("from-pub-date", ""), wanted.pop("until-pub-date", ""))
        assert not wanted, f"filters that nobody knows: {wanted}"
        works = kept.find(asked.params["query.bibliographic"], offset, rows)
        items = [*extra, *(_crossref(work, 40.0 - at / 10) for at, work in enumerate(works))]
        message = {"total-results": 999, "items": items, "items-per-page": rows}
        return as_json({"status": "ok", "message-type": "work-list", "message": message})

    return answer


def _crossref(work: Work, score: float) -> object:
    paragraph = f"<jats:p>{escape(work.text)}</jats:p>"
    return {
        "DOI": work.doi,
        "title": [escape(work.title)],
        "container-title": ["Journal of Imaginary Biology"],
        "abstract": f"<jats:title>Abstract</jats:title>{paragraph}",
        "issued": {"date-parts": [[int(part) for part in work.day.split("-")]]},
        "score": score,
    }


def semantic_scholar(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert asked.path == "paper/search"
        limit, offset = asked.number("limit", 100), asked.number("offset", 0)
        if not 1 <= limit <= 100 or limit + offset > 1_000:
            return as_json({"error": "Unacceptable query params"}, status=400)
        first, _, last = asked.params.get("publicationDateOrYear", ":").partition(":")
        works = shelf.within(first, last).find(asked.params["query"], offset, limit)
        data = [*extra, *map(_paper, works)]
        total = {"total": len(data), "offset": offset}
        return as_json({**total, "next": offset + limit, "data": data} if data else total)

    return answer


def _paper(work: Work) -> object:
    return {
        "paperId": f"{work.number:040x}",
        "externalIds": {"DOI": work.doi, "CorpusId": work.number},
        "url": f"https://www.semanticscholar.org/paper/{work.number:040x}",
        "title": work.title,
        "abstract": work.text,
        "venue": "J Imag Biol",
        "year": int(work.day[:4]),
        "publicationDate": work.day,
    }


BAD_WORKS: Extra = (
    None,
    7,
    {},
    {"DOI": 5, "doi": [], "title": "text", "display_name": None, "externalIds": 3, "source": "MED"},
    {"DOI": "no doi", "doi": "nor this", "id": "x", "source": "?!", "title": ["No address"]},
    {"url": "ftp://old.example", "title": "Old", "display_name": "Old", "id": "ftp://old.example"},
    {"abstract_inverted_index": {"a": "b", "c": [None]}, "issued": {"date-parts": [None]}},
)
