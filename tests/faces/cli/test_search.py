"""``quaere search``, ``quaere providers`` and ``quaere index``: what is found, and never a key."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.look_alikes import web_engines
from tests.look_alikes.server import Fault, LookAlikeServer, Reply
from tests.look_alikes.shelf import Shelf, Work
from tests.services.redis import redis_server

from quaere.domain.report import RunWarning
from quaere.faces.cli.follow import Nobody
from quaere.faces.cli.search import Broken, Summary, hits_told, index_told, refresh
from quaere.runtime.search import SNIPPET_CHARS, FoundHit, Listed, Listing, SearchResult, Seen
from quaere.search.registry import DEFAULT_PROVIDERS, SERVICES

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
    hits_told = "quaere: searxng: some engines did not respond: google (Suspended: CAPTCHA)\n"
    assert done.stderr == hits_told


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


def test_words_without_quotes_are_one_query_as_they_are_one_question(
    quaere: Run, docs: Path
) -> None:
    told = [
        quaere("search", *words, "--docs", docs, "-q").stdout
        for words in (["mill at Orrin"], ["mill", "at", "Orrin"])
    ]
    assert told[0] == told[1]
    assert "mill.md" in told[1]


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
    assert hits_told(result) == " 1  (no title)\n    https://a.test/\n    p 4 · web\n    ab c\n"


def test_long_snippets_are_shortened(quaere: Run, services: Mapping[str, str]) -> None:
    long = Shelf([Work(1, "Flume", "The flume\ncarried logs. " * 50)])
    with in_background(LookAlikeServer(web_engines.brave(long))) as server:
        env = {**services, "BRAVE_BASE_URL": server.base_url}
        done = quaere("search", "flume", "-p", "brave", "-f", "json", "-q", env=env)
    (hit,) = SearchResult.model_validate_json(done.stdout).hits
    assert len(hit.snippet) <= SNIPPET_CHARS
    assert hit.snippet.startswith("The flume carried logs. The flume")
    assert hit.snippet.endswith("…")


def listed(quaere: Run, env: Mapping[str, str] | None = None) -> dict[str, Listed]:
    done = quaere("providers", "--format", "json", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    listing = Listing.model_validate_json(done.stdout)
    names = [each.name for each in listing.providers]
    assert names == sorted(names)
    return {each.name: each for each in listing.providers}


def test_every_service_is_listed_with_what_it_needs(quaere: Run) -> None:
    rows = listed(quaere)
    assert set(rows) == {service.provider.name for service in SERVICES} | {"folder"}
    assert {name for name, row in rows.items() if row.default} == set(DEFAULT_PROVIDERS)
    assert all(rows[name].ready for name in DEFAULT_PROVIDERS)
    brave = rows["brave"]
    assert (brave.ready, brave.missing) == (False, ("BRAVE_API_KEY",))
    assert (brave.host, brave.options) == ("api.search.brave.com", ("BRAVE_BASE_URL",))
    assert "news" in brave.kinds
    assert (rows["folder"].missing, rows["folder"].ready) == (("QUAERE_DOCS",), False)
    assert rows["pubmed"].options == ("NCBI_API_KEY", "NCBI_EMAIL", "PUBMED_BASE_URL")


def test_the_environment_makes_them_ready(quaere: Run) -> None:
    env = {
        "BRAVE_API_KEY": KEY,
        "SEARXNG_BASE_URL": f"http://me:{KEY}@127.0.0.1:8080/{KEY}",
        "QUAERE_DOCS": "somewhere",
        "QUAERE_PROVIDERS": "brave, pubmed",
    }
    rows = listed(quaere, env)
    assert [rows[name].ready for name in ("brave", "searxng", "folder", "tavily")] == [
        *(True, True, True),
        False,
    ]
    assert rows["searxng"].host == "127.0.0.1"
    assert {name for name, row in rows.items() if row.default} == {"brave", "pubmed", "folder"}


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_key_is_shown(quaere: Run, form: str) -> None:
    names = {setting.name for service in SERVICES for setting in service.settings}
    assert "NCBI_API_KEY" in names
    bases = {service.base_url_setting for service in SERVICES}
    done = quaere("providers", "-f", form, env=dict.fromkeys([*names, *bases], KEY))
    assert done.returncode == 0
    assert KEY not in done.stdout + done.stderr


def test_the_text_is_a_table_for_a_person(quaere: Run) -> None:
    lines = {line.split()[0]: line for line in quaere("providers").stdout.splitlines()}
    assert "wikipedia *" in lines["wikipedia"]
    assert "ready" in lines["wikipedia"]
    assert "en.wikipedia.org" in lines["wikipedia"]
    assert "needs SERPER_API_KEY" in lines["serper"]
    starts = {line.index("needs") for line in lines.values() if "needs" in line}
    assert len(starts) == 1


def test_a_folder_is_indexed_and_its_broken_files_are_named(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(docs, tmp_path / "docs")
    done = quaere("index", folder)
    assert done.returncode == 0
    assert done.stdout.startswith("3 files, 3 passages, 1 broken, ")
    assert f"  broken: {folder}/torn.pdf: " in done.stdout
    assert done.stderr.startswith(f"[  0.0 s] indexing {folder}\n")
    assert "3 of 3 files, 3 passages" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_the_summary_as_json_is_the_only_thing_on_standard_output(quaere: Run, docs: Path) -> None:
    done = quaere("index", docs, "--format", "json", "--quiet")
    summary = Summary.model_validate_json(done.stdout)
    assert (summary.files, summary.passages, done.stderr) == (3, 3, "")
    assert [broken.path for broken in summary.broken] == [f"{docs}/torn.pdf"]
    assert set(json.loads(done.stdout)) == set(Summary.model_fields)


def test_nothing_to_index_is_exit_code_1(quaere: Run, tmp_path: Path) -> None:
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7")
    done = quaere("index", tmp_path, "-q")
    assert done.returncode == 1
    assert "1 file, 0 passages, 1 broken" in done.stdout


def test_a_folder_that_is_not_there_is_exit_code_2(quaere: Run) -> None:
    done = quaere("index", "/no/such/folder", "-q")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "quaere: There is no file or folder '/no/such/folder'.\n"


class Ready:
    """Gets ready in three steps, with two things to complain of."""

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        for done in range(4):
            progress(done, 3, done * 10)
        return [
            RunWarning(kind="index", message="no text", subject="/a.pdf"),
            RunWarning(kind="index", message="2 pictures were left out"),
        ]


@pytest.mark.anyio
async def test_a_refresh_is_summed_up_from_what_its_provider_tells() -> None:
    summary = await refresh(Ready(), Nobody())
    assert (summary.files, summary.passages) == (3, 30)
    assert summary.broken == (Broken(path="/a.pdf", reason="no text"),)
    assert summary.notes == ("2 pictures were left out",)


@pytest.mark.anyio
async def test_a_folder_of_which_nothing_is_told_has_nothing_in_it() -> None:
    class Silent:
        async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
            del progress
            return []

    summary = await refresh(Silent(), Nobody())
    assert summary.model_copy(update={"seconds": 0}) == Summary(
        files=0, passages=0, broken=(), notes=(), seconds=0
    )


def test_names_of_files_cannot_command_the_terminal() -> None:
    broken = Broken(path="/a\x1b[2J\n.pdf", reason="b\x07")
    summary = Summary(files=1, passages=0, broken=(broken,), notes=("\x9b31mc",), seconds=0)
    assert index_told(summary) == (
        "1 file, 0 passages, 1 broken, 0.0 s\n  broken: /a .pdf: b\n  note: c\n"
    )
