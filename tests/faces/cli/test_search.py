"""``quaere search``, as a process, against look-alikes of services and a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.look_alikes import web_engines
from tests.look_alikes.server import Fault, LookAlikeServer, Reply
from tests.look_alikes.shelf import Shelf, Work
from tests.services.redis import redis_server

from quaere.faces.cli.search import told
from quaere.runtime.lookup import SNIPPET_CHARS, FoundHit, SearchResult, Seen

KEY = "sk-nobody-may-see-this"
MOTH = "lantern moth"


@pytest.fixture(scope="module")
def servers() -> Iterator[Mapping[str, LookAlikeServer]]:
    brave = LookAlikeServer(web_engines.brave(Shelf()))
    searxng = LookAlikeServer(web_engines.searxng(Shelf()))
    with in_background(brave), in_background(searxng):
        yield {"brave": brave, "searxng": searxng}


@pytest.fixture
def services(servers: Mapping[str, LookAlikeServer]) -> Iterator[Mapping[str, str]]:
    """The settings of an operator whose services are the look-alikes; both are well again after."""
    yield {
        "BRAVE_API_KEY": KEY,
        "BRAVE_BASE_URL": servers["brave"].base_url,
        "SEARXNG_BASE_URL": servers["searxng"].base_url,
    }
    for server in servers.values():
        server.instead = None


BOTH = ("--provider", "brave", "-p", "searxng")


def test_what_two_services_find_is_one_list(quaere: Run, services: Mapping[str, str]) -> None:
    query = f"{MOTH} of salt lichen"
    done = quaere("search", query, *BOTH, "--limit", "2", "-q", env=services)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == " 1  Lantern moth"
    assert lines[1] == "    https://library.example/works/4100"
    assert lines[2] == "    brave 1, searxng 1 · web · 2021-05-03"
    assert lines[3].startswith("    The lantern moth of Vessel Bay glows at dusk")
    assert [line for line in lines if line.startswith(" 2  ")]
    assert not [line for line in lines if line.startswith(" 3  ")]


def test_json_has_all_of_every_hit(quaere: Run, services: Mapping[str, str]) -> None:
    done = quaere("search", MOTH, *BOTH, "--format", "json", "-n", "3", env=services)
    result = SearchResult.model_validate_json(done.stdout)
    assert (result.query, result.asked, result.failures) == (MOTH, 2, ())
    assert [hit.rank for hit in result.hits] == [1, 2, 3][: len(result.hits)]
    first = result.hits[0]
    assert first.title == "Lantern moth"
    assert first.seen == (Seen(provider="brave", rank=1), Seen(provider="searxng", rank=1))
    assert first.provider in {"brave", "searxng"}
    assert (first.kind, first.published) == ("web", "2021-05-03")
    assert done.stderr == f"[  0.0 s] searching {MOTH}\n"


def test_a_service_that_fails_is_named_and_the_others_hits_are_shown(
    quaere: Run, services: Mapping[str, str], servers: Mapping[str, LookAlikeServer]
) -> None:
    servers["brave"].instead = Reply(b"{}", status=401)
    done = quaere("search", MOTH, *BOTH, "-f", "json", "-q", env=services)
    assert done.returncode == 0
    result = SearchResult.model_validate_json(done.stdout)
    assert result.hits[0].seen == (Seen(provider="searxng", rank=1),)
    (failure,) = result.failures
    assert (failure.provider, failure.error, failure.retryable) == (
        *("brave", "search_rejected"),
        False,
    )
    assert done.stderr == f"quaere: {failure.message}\n"
    assert KEY not in done.stdout + done.stderr


def test_a_shared_cache_answers_the_second_search(
    quaere: Run,
    services: Mapping[str, str],
    servers: Mapping[str, LookAlikeServer],
    tmp_path: Path,
) -> None:
    before = len(servers["brave"].asked)
    with redis_server(tmp_path) as url:
        env = {**services, "QUAERE_CACHE_URL": url}
        done = [quaere("search", MOTH, "-p", "brave", "-q", env=env) for _ in range(2)]
    assert done[0].stdout == done[1].stdout != ""
    assert len(servers["brave"].asked) == before + 1


def test_engines_that_did_not_respond_are_named(quaere: Run, services: Mapping[str, str]) -> None:
    answer = web_engines.searxng(Shelf(), unresponsive=[("google", "Suspended: CAPTCHA")])
    with in_background(LookAlikeServer(answer)) as server:
        env = {**services, "SEARXNG_BASE_URL": server.base_url}
        done = quaere("search", MOTH, "-p", "searxng", "-q", env=env)
    assert (done.returncode, done.stdout[:16]) == (0, " 1  Lantern moth")
    told = "quaere: searxng: some engines did not respond: google (Suspended: CAPTCHA)\n"
    assert done.stderr == told


@pytest.mark.parametrize("fault", [Reply(b"{}", status=403), Reply(b"", status=400)])
def test_an_outage_is_exit_code_1_and_never_an_empty_result(
    quaere: Run,
    services: Mapping[str, str],
    servers: Mapping[str, LookAlikeServer],
    fault: Reply | Fault,
) -> None:
    servers["brave"].instead = fault
    done = quaere("search", MOTH, "-p", "brave", "-q", env=services)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("quaere: brave ")


def test_nothing_found_is_said_and_is_no_error(quaere: Run, services: Mapping[str, str]) -> None:
    done = quaere("search", "zyxomma quarkwood", *BOTH, "-q", env=services)
    assert (done.returncode, done.stdout) == (0, "No results.\n")


def test_a_folder_is_indexed_and_searched(quaere: Run, docs: Path) -> None:
    done = quaere("search", "who built the mill", "--docs", docs, "-f", "json")
    assert done.returncode == 0
    assert "indexing" in done.stderr
    result = SearchResult.model_validate_json(done.stdout)
    first = result.hits[0]
    assert first.url.endswith("/mill.md")
    assert (first.seen, first.kind) == ((Seen(provider="folder", rank=1),), "folder")
    assert "Tamsin Wray" in first.snippet
    assert [warning.subject for warning in result.warnings] == [f"{docs}/torn.pdf"]


def test_a_folder_and_a_service_are_one_list(
    quaere: Run, docs: Path, services: Mapping[str, str]
) -> None:
    done = quaere("search", "mill moth", "-d", docs, "-p", "brave", "-f", "json", env=services)
    result = SearchResult.model_validate_json(done.stdout)
    assert {hit.kind for hit in result.hits} == {"folder", "web"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["moth", "-p", "altavista"], "Unknown search service 'altavista'"),
        (["moth", "-p", "tavily"], "The search service tavily needs TAVILY_API_KEY"),
        (["moth", "-p", "brave,tavily"], "Name one at a time: --provider may be repeated."),
        (["moth", "-d", "no/such"], "There is no file or folder"),
        (["moth", "-d", "https://mill.example/"], "name them with --url"),
        (["", "-d", "."], "The query is empty"),
        (["m" * 20_001, "-d", "."], "The query has 20,001 characters"),
    ],
)
def test_what_cannot_be_used_is_exit_code_2(
    quaere: Run, arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = quaere("search", *arguments, "-q", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_hits_cannot_command_the_terminal() -> None:
    hit = FoundHit(
        rank=1,
        provider="p",
        seen=(Seen(provider="p", rank=4),),
        kind="web",
        url="https://a.test/\x1b[2J",
        title="\x07",
        snippet="a\u202eb\nc",
        published="",
    )
    result = SearchResult(query="q", hits=(hit,), failures=(), warnings=(), asked=1)
    assert told(result) == " 1  (no title)\n    https://a.test/\n    p 4 · web\n    ab c\n"


def test_long_snippets_are_shortened(quaere: Run, services: Mapping[str, str]) -> None:
    long = Shelf([Work(1, "Flume", "The flume\ncarried logs. " * 50)])
    with in_background(LookAlikeServer(web_engines.brave(long))) as server:
        env = {**services, "BRAVE_BASE_URL": server.base_url}
        done = quaere("search", "flume", "-p", "brave", "-f", "json", "-q", env=env)
    (hit,) = SearchResult.model_validate_json(done.stdout).hits
    assert len(hit.snippet) <= SNIPPET_CHARS
    assert hit.snippet.startswith("The flume carried logs. The flume")
    assert hit.snippet.endswith("…")
