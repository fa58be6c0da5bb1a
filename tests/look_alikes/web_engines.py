"""Look-alikes of the APIs that search the web: the shapes and the limits of the real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape

from tests.look_alikes.server import Answer, Asked, Reply, as_json
from tests.look_alikes.shelf import Shelf, Work

Extra = Sequence[object]
"""What stands in the list before the results: items that nobody should have sent."""


_DAY, _US_DAY = r"\d{4}-\d\d-\d\d", r"\d{1,2}/\d{1,2}/\d{4}"


def _groups(pattern: str, text: str) -> Sequence[str]:
    match = re.fullmatch(pattern, text)
    assert match, f"{text} is not in the form that the service documents"
    return match.groups()


def _rejected(reason: str) -> Reply:
    return as_json({"error": reason}, status=422)


def _marked(text: str) -> str:
    """Return ``text`` the way engines mark up their snippets."""
    return escape(text).replace("lichen", "<strong>lichen</strong>")


def brave(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        text, count, offset = (
            asked.params["q"],
            asked.number("count", 20),
            asked.number("offset", 0),
        )
        too_long = len(text) > 400 or len(text.split()) > 50
        if too_long or not 1 <= count <= 20 or not 0 <= offset <= 9:
            return _rejected("unable to validate request parameters")
        plain, kept = shelf.operated(text)
        if fresh := asked.params.get("freshness"):
            kept = kept.within(*_groups(f"({_DAY})to({_DAY})", fresh))
        works = kept.find(plain, offset * count, count)
        results = [*extra, *(_brave(work) for work in works)]
        repeated = {"original": text, "more_results_available": True}
        if asked.path == "news/search":
            return as_json({"type": "news", "query": repeated, "results": results})
        assert asked.path == "web/search"
        web = {"web": {"type": "search", "results": results}} if results else {}
        return as_json({"type": "search", "query": repeated, **web})

    return answer


def _brave(work: Work) -> object:
    return {
        "type": "search_result",
        "title": _marked(work.title),
        "url": work.url,
        "description": _marked(work.text),
        "page_age": f"{work.day}T08:15:00",
        "age": "May 3, 2021",
        "extra_snippets": ["A second snippet &amp; a third."],
        "language": "en",
    }


def bing(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        text, count, offset = (
            asked.params["q"],
            asked.number("count", 10),
            asked.number("offset", 0),
        )
        if count > 50 or len(text) > 1_500:
            return as_json({"_type": "ErrorResponse"}, status=400)
        plain, kept = shelf.operated(text)
        if fresh := asked.params.get("freshness"):
            kept = kept.within(*_groups(rf"({_DAY})\.\.({_DAY})", fresh))
        works = kept.find(plain, offset, count)
        value = [*extra, *(_bing(work, asked.path) for work in works)]
        if asked.path == "news/search":
            return as_json({"_type": "News", "value": value})
        assert asked.path == "search"
        pages = {"webPages": {"totalEstimatedMatches": 300, "value": value}} if value else {}
        query = {"_type": "SearchResponse", "queryContext": {"originalQuery": text}}
        return as_json({**query, **pages, "rankingResponse": {}})

    return answer


def _bing(work: Work, path: str) -> object:
    text = "description" if path.startswith("news") else "snippet"
    return {
        "id": f"https://api.example/#WebPages.{work.number}",
        "name": work.title,
        "url": work.url,
        text: work.text,
        "datePublished": f"{work.day}T00:00:00.0000000",
        "dateLastCrawled": "2024-01-01T00:00:00.0000000Z",
    }


def tavily(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert (asked.method, asked.path) == ("POST", "search")
        text, most = asked.body["query"], asked.body["max_results"]
        if not isinstance(text, str) or not isinstance(most, int):
            return as_json({"detail": {"error": "wrong type"}}, status=422)
        if len(text) > 400 or not 1 <= most <= 20:
            return as_json({"detail": {"error": "Query is too long."}}, status=400)
        only, without = asked.body.get("include_domains"), asked.body.get("exclude_domains")
        first, last = (str(asked.body.get(name, "")) for name in ("start_date", "end_date"))
        kept = shelf.within(first, last)
        if (only and only != ["library.example"]) or without == ["library.example"]:
            kept = Shelf(())
        works = kept.find(text, 0, most)
        results = [*extra, *(_tavily(work, 0.9 - at / 100) for at, work in enumerate(works))]
        told: dict[str, object] = {
            "answer": None,
            "follow_up_questions": None,
            "images": [],
            "response_time": 0.8,
        }
        return as_json({"query": text, **told, "results": results})

    return answer


def _tavily(work: Work, score: float) -> object:
    return {
        "url": work.url,
        "title": work.title,
        "content": work.text[:60],
        "score": score,
        "raw_content": f"# {work.title}\n\nHome | About\n\n{work.text}\n",
        "published_date": "Mon, 03 May 2021 09:00:00 GMT",
    }


FORBIDDEN = Reply(b"<!doctype html><title>403 Forbidden</title>", "text/html", status=403)
"""SearXNG's reply where the format that is requested is not in its settings."""
LIMITED = Reply(b"Too Many Requests", "text/plain", status=429)
"""The reply of SearXNG's limiter."""


def searxng(
    shelf: Shelf,
    extra: Extra = (),
    *,
    sizes: Sequence[int] = (10,) * 20,
    unresponsive: Sequence[tuple[str, str]] = (),
) -> Answer:
    """Answer with pages of so many results as ``sizes`` has, without the ``unresponsive`` engines.

    Real pages differ in size: each is what the engines return, less what several of them return.
    """

    def answer(asked: Asked) -> Reply:
        assert asked.path == "search"
        if asked.params.get("format") != "json":
            return FORBIDDEN
        page = asked.number("pageno", 1) - 1
        here = sizes[page] if page < len(sizes) else 0
        works = shelf.find(asked.params["q"], sum(sizes[:page]), here) if here else ()
        results = [*extra, *(_searxng(work, 2.0 - at / 10) for at, work in enumerate(works))]
        rest: dict[str, object] = {"answers": [], "infoboxes": [], "number_of_results": 0}
        failed = {"unresponsive_engines": [list(pair) for pair in unresponsive]}
        return as_json({"query": asked.params["q"], **rest, **failed, "results": results})

    return answer


def _searxng(work: Work, score: float) -> object:
    return {
        "url": work.url,
        "title": work.title,
        "content": _marked(work.text),
        "publishedDate": f"{work.day}T00:00:00",
        "engine": "loopback",
        "engines": ["loopback"],
        "category": "general",
        "score": score,
    }


def serper(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        text, count, page = asked.params["q"], asked.number("num", 10), asked.number("page", 1)
        if count > 100 or len(text) > 2_048:
            return as_json({"message": "Bad request"}, status=400)
        plain, kept = shelf.operated(text)
        if bounds := asked.params.get("tbs"):
            days = _groups(f"cdr:1,cd_min:({_US_DAY}),cd_max:({_US_DAY})", bounds)
            kept = kept.within(*map(_iso, days))
        works = kept.find(plain, (page - 1) * count, count)
        results = [*extra, *(_serper(work, at + 1) for at, work in enumerate(works))]
        listing = {"search": "organic", "news": "news"}[asked.path]
        return as_json({"searchParameters": {"q": text}, listing: results, "credits": 1})

    return answer


def _iso(american: str) -> str:
    month, day, year = american.split("/")
    return f"{year}-{month:0>2}-{day:0>2}"


def _serper(work: Work, position: int) -> object:
    return {
        "title": work.title,
        "link": work.url,
        "snippet": work.text,
        "date": "May 3, 2021",
        "position": position,
    }


def wikipedia(shelf: Shelf, extra: Extra = ()) -> Answer:
    """Answer like MediaWiki: all words must be there, unless OR stands between them."""

    def answer(asked: Asked) -> Reply:
        assert asked.path == "api.php"
        assert asked.params["srsearch"] == asked.params["gsrsearch"]
        text, most = asked.params["srsearch"], asked.number("srlimit", 10)
        if len(text) > 300:
            return as_json({"error": {"code": "search-text-too-long", "info": "too long"}})
        if not 1 <= most <= 50:
            return as_json({"error": {"code": "badinteger", "info": "out of range"}})
        works = _all_or_any(shelf, text)[:most]
        search = [*extra, *(_article(work) for work in works)]
        pages = [_page(work, asked) for work in reversed(works)]
        body = {"searchinfo": {"totalhits": len(works)}, "search": search}
        return as_json({"batchcomplete": True, "query": body | ({"pages": pages} if pages else {})})

    return answer


def _all_or_any(shelf: Shelf, text: str) -> Sequence[Work]:
    found = shelf.find(text.replace(" OR ", " "), 0, 1_000)
    if " OR " in text:
        return found
    words = text.replace('"', "").casefold().split()
    return [w for w in found if all(word in f"{w.title} {w.text}".casefold() for word in words)]


def _article(work: Work) -> object:
    snippet = escape(work.text).replace("moth", '<span class="searchmatch">moth</span>')
    return {"ns": 0, "title": work.title, "pageid": work.number, "snippet": snippet}


def _page(work: Work, asked: Asked) -> object:
    page: dict[str, object] = {
        "pageid": work.number,
        "ns": 0,
        "title": work.title,
        "index": 1,
        "fullurl": work.url,
        "touched": "2024-01-01T00:00:00Z",
    }
    if "extracts" in asked.params["prop"] and "exintro" in asked.params:
        page["extract"] = work.text
    return page


AD = """<div class="result results_links result--ad">
<a class="result__a" href="//duckduckgo.com/y.js?ad_provider=x">Buy moths</a></div>"""


def duckduckgo(shelf: Shelf, extra: Extra = ()) -> Answer:
    def answer(asked: Asked) -> Reply:
        assert asked.path == "html/"
        if len(asked.params["q"]) > 499:
            return Reply(b"<html>error</html>", "text/html", status=400)
        works = shelf.find(asked.params["q"], asked.number("s", 0), 10)
        results = "".join([AD, *map(str, extra), *map(_result, works)])
        nothing = '<div class="no-results">No results.</div>' if not works else ""
        page = f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x.dtd">
<html><head><title>at DuckDuckGo</title></head><body><div><div id="links" class="results">
{results if works or extra else ""}{nothing}</div></div></body></html>"""
        return Reply(page.encode(), "text/html; charset=UTF-8")

    return answer


def _result(work: Work) -> str:
    target = work.url.replace(":", "%3A").replace("/", "%2F")
    return f"""<div class="result results_links results_links_deep web-result ">
<div class="links_main links_deep result__body"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg={target}&amp;rut=0f">
{_marked(work.title)}</a></h2><a class="result__snippet" href="//duckduckgo.com/l/?uddg={target}">
{_marked(work.text)}</a></div></div>"""


BAD_JSON: Extra = (
    None,
    7,
    "text",
    {},
    {"url": 5, "link": 5, "title": "No address", "name": [], "pageid": 1},
    {"url": "javascript:alert(1)", "link": "javascript:1", "title": "x", "name": "x"},
    {"url": "http://[broken", "link": "//", "title": "x", "name": "x", "raw_content": 3},
    {"url": f"https://a.example/{'a' * 5_000}", "link": "https://", "title": "x", "name": "x"},
    {"url": "https://nameless.example", "link": "https://n.example", "title": None, "name": []},
    json.loads('{"url": "https://ok.example", "link": "https://ok.example", "title": ["x"]}'),
)
BAD_HTML: Extra = (
    '<div class="result"><a class="result__a">No address</a></div>',
    '<div class="result"><p>No link</p></div>',
    '<div class="result"><a class="result__a" href="javascript:alert(1)">x</a></div>',
    '<div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg=">x</a></div>',
    '<div class="result"><a class="result__a" href="http://[broken">x</a></div>',
)
