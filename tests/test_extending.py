"""How many files an addition touches: each is made in a copy of the package, which then runs.

That an event takes three is shown with the lines that describe events, in `tests.view`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.view.export.reports import valley

PACKAGE = Path(__file__).parent.parent / "src" / "quaere"

EXTRACTOR = """
from quaere.read.extract.page import make_page
from quaere.read.formats import Format

class LyricsExtractor:
    def extract(self, body):
        sung = [line.partition("]")[2] for line in body.data.decode().splitlines()]
        yield make_page(body, Format.LYRICS, "\\n".join(sung))
"""
READ_LYRICS = """
from quaere.ports.read import Body
from quaere.read.extractor import SafeExtractor

if __name__ == "__main__":
    data = b"[00:01.00]The ferry leaves at six.\\n"
    with SafeExtractor() as extractor:
        for url, declared in (("file:///a.lrc", ""), ("https://a.example/1", "text/x-lyrics")):
            (page,) = extractor.extract(Body(data=data, url=url, content_type=declared))
            print(page.content_type, page.text)
"""

PROVIDER = """
from quaere.domain.question import SourceKind
from quaere.search.api import fields_of, items_of
from quaere.search.results import Found, hits

class Almanac:
    name = "almanac"
    kinds = frozenset({SourceKind.WEB})

    def __init__(self, api):
        self._api = api

    async def search(self, query, *, limit):
        answer = fields_of(self.name, await self._api.get_json("find", {"q": query.text}))
        items = items_of(self.name, answer, "tides")[:limit]
        return await hits(self.name, [Found(i.text("url"), i.text("title")) for i in items], query)
"""
SEARCH_ALMANAC = """
import asyncio, json, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from quaere.domain.question import Query
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings

class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        assert self.path == "/find?key=sesame&q=high+water", self.path
        tides = {"tides": [{"url": "https://tides.example/oss", "title": "Tides at Oss"}]}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(tides).encode())

    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
registry = Resources(Settings()).web.registry
almanac = registry.make("almanac", {"ALMANAC_BASE_URL": base, "ALMANAC_KEY": "sesame"})
print(asyncio.run(almanac.search(Query(text="high water"), limit=3))[0].title)
"""

COMMAND = """\
\"\"\"``quaere tides``: Tell when the tide is high.\"\"\"

import typer

def register(app):
    app.command("tides")(tides)

def tides(place: str):
    typer.echo(f"{place}: 6:40")
"""
RUN_COMMAND = """
import sys
from quaere.faces.cli.main import main

sys.argv = ["quaere", ARGUMENTS]
main()
"""
WRITER = """
def _wiki(report: Report) -> bytes:
    return f"== {report.question} ==\\n{report.answer}\\n".encode()


class Form(StrEnum):
"""
EXPORT = """
import sys
from pathlib import Path

from quaere.domain.report import Report
from quaere.faces.cli.output import choose_format, deliver

report = Report.model_validate_json(Path(FILE).read_text())
deliver(report, choose_format(None, Path("valley.wiki")), Path("valley.wiki"))
print(Path("valley.wiki").read_text(), end="")
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return the folder of a copy of the package."""
    return shutil.copytree(
        PACKAGE, tmp_path / "src" / "quaere", ignore=shutil.ignore_patterns("__pycache__")
    )


def edit(path: Path, changes: Mapping[str, str]) -> None:
    text = path.read_text("utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def run(script: str, copied: Path) -> str:
    """Return what ``script`` prints when it runs over the copy."""
    file = copied.parent.parent / "script.py"
    file.write_text(script)
    done = subprocess.run(
        [sys.executable, file],
        env={"PYTHONPATH": str(copied.parent), "PATH": "", "HOME": str(copied.parent)},
        capture_output=True,
        text=True,
        check=False,
        cwd=file.parent,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_document_format_takes_two_edits(copied: Path) -> None:
    (copied / "read/extract/lyrics.py").write_text(EXTRACTOR)
    row = (
        '    LYRICS = Reading("text/x-lyrics", "lyrics:LyricsExtractor", suffixes=("lrc",))\n'
        "    UNSUPPORTED = Reading("
    )
    edit(copied / "read/formats.py", {"    UNSUPPORTED = Reading(": row})
    # Without inline_bytes it is read by a worker process, which finds the same row.
    assert run(READ_LYRICS, copied) == "text/x-lyrics The ferry leaves at six.\n" * 2


def test_a_provider_takes_two_edits(copied: Path) -> None:
    (copied / "search/almanac.py").write_text(PROVIDER)
    edit(
        copied / "search/registry.py",
        {
            "from quaere.search.scholarly import": (
                "from quaere.search.almanac import Almanac\nfrom quaere.search.scholarly import"
            ),
            "SERVICES: tuple[Service, ...] = (\n": (
                "SERVICES: tuple[Service, ...] = (\n"
                "    Service(Almanac, 'Tides', lambda given: Almanac(given.api),\n"
                "            settings=(Setting('ALMANAC_KEY', param='key', needed=True),)),\n"
            ),
        },
    )
    assert run(SEARCH_ALMANAC, copied) == "Tides at Oss\n"


def test_an_export_form_takes_one_edit(copied: Path, tmp_path: Path) -> None:
    forms = {
        "\nclass Form(StrEnum):\n": WRITER,
        '    RIS = "ris", (".ris",), _ris, False, _RIS_TYPE\n': (
            '    RIS = "ris", (".ris",), _ris, False, _RIS_TYPE\n'
            '    WIKI = "wiki", (".wiki",), _wiki\n'
        ),
    }
    edit(copied / "view/export/export.py", forms)
    report, file = valley(), tmp_path / "report.json"
    file.write_text(report.model_dump_json())
    written = run(EXPORT.replace("FILE", repr(str(file))), copied)
    assert written == f"== {report.question} ==\n{report.answer}\n"


def test_a_command_takes_one_edit(copied: Path) -> None:
    (copied / "faces/cli/tides.py").write_text(COMMAND)
    assert "tides      Tell when the tide is high." in run(
        RUN_COMMAND.replace("ARGUMENTS", "'--help'"), copied
    )
    assert run(RUN_COMMAND.replace("ARGUMENTS", "'tides', 'Oss'"), copied) == "Oss: 6:40\n"


Quaere = Callable[..., subprocess.CompletedProcess[str]]
EXAMPLE = PACKAGE.parent.parent / "examples" / "quaere-bookmarks"
BOOKMARK = {
    "url": "https://orrin.example/mill",
    "title": "The mill at Orrin",
    "notes": "The mill at Orrin was built by Tamsin Wray in 1788.",
}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the example of a plug-in is installed, from its own folder and nothing else."""
    copied = tmp_path_factory.mktemp("plugin")
    shutil.copytree(EXAMPLE, copied / "source")
    installing = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run(
        [*installing, "--no-build-isolation", "--target", copied / "site", copied / "source"],
        check=True,
        timeout=120,
    )
    return copied / "site"


@pytest.fixture
def quaere(plugin: Path, tmp_path: Path) -> Quaere:
    """Return the command line of an environment that has the plug-in."""
    environment = {
        "PATH": "",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(plugin),
        "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
        "QUAERE_DATA_DIR": str(tmp_path / "data"),
    }

    def called(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "quaere", *arguments],
            env={**environment, **more},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return called


def test_an_installed_plugin_is_listed_and_answers_a_question(
    quaere: Quaere, tmp_path: Path
) -> None:
    bookmarks = tmp_path / "bookmarks.jsonl"
    bookmarks.write_text(json.dumps(BOOKMARK))
    assert "needs BOOKMARKS_FILE" in quaere("providers").stdout
    asked = ("ask", "Who built the mill at Orrin?", "--provider", "bookmarks", "--format", "brief")
    answer = json.loads(quaere(*asked, BOOKMARKS_FILE=str(bookmarks)).stdout)
    assert "Tamsin Wray" in answer["answer"]
    assert answer["citations"][0]["url"] == BOOKMARK["url"]


EXPORTED = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><DT><A HREF="https://orrin.example/mill">The mill</A>
<DD>The mill at Orrin was built by Tamsin Wray in 1788.
</DL>
"""


def test_a_format_and_a_form_of_a_plugin_are_read_and_written(
    quaere: Quaere, tmp_path: Path
) -> None:
    docs, written = tmp_path / "docs", tmp_path / "sources.bookmarks"
    docs.mkdir()
    (docs / "exported.bookmarks").write_text(EXPORTED)
    asked = ("ask", "Who built the mill at Orrin?", "--docs", str(docs))
    assert "Tamsin Wray" in quaere(*asked).stdout
    done = quaere(*asked, "--output", str(written))
    assert done.returncode == 0, done.stderr
    assert written.read_text().startswith("<!DOCTYPE NETSCAPE-Bookmark-file-1>")
    assert "Tamsin Wray" in written.read_text()
    unknown = quaere(*asked, "--output", str(tmp_path / "sources.xyz"))
    assert (unknown.returncode, ".bookmarks" in unknown.stderr) == (2, True)


SERVE = """
import json, sys
from pathlib import Path

import httpx
from tests.faces.server.served import served

from quaere.runtime.settings import Settings

home = Path(HOME)
settings = Settings(docs=(home / "docs",), data_dir=home / "data", cache_dir=home / "cache")
with served(settings) as url, httpx.Client(base_url=url, timeout=60) as client:
    run_id = client.post("/run", json={"task": "Who built the mill at Orrin?"}).json()["run_id"]
    answer = client.get(f"/v1/runs/{run_id}/report", params={"format": "bookmarks"})
    unknown = client.get(f"/v1/runs/{run_id}/report", params={"format": "xyz"})
    document = client.get("/openapi.json").json()
report = document["paths"]["/v1/runs/{run_id}/report"]["get"]
print(json.dumps({
    "status": answer.status_code,
    "type": answer.headers["content-type"],
    "file": answer.headers["content-disposition"],
    "body": answer.text,
    "unknown": unknown.status_code,
    "forms": document["components"]["schemas"]["ExportForm"]["enum"],
    "types": list(report["responses"]["200"]["content"]),
}))
"""


def test_the_service_sends_a_form_of_a_plugin_and_describes_it(
    plugin: Path, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mill.md").write_text(BOOKMARK["notes"])
    script = tmp_path / "serve.py"
    script.write_text(SERVE.replace("HOME", repr(str(tmp_path))))
    done = subprocess.run(
        [sys.executable, script],
        env={"PYTHONPATH": f"{plugin}:{PACKAGE.parent.parent}", "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["status"], told["unknown"]) == (200, 422)
    assert told["body"].startswith("<!DOCTYPE NETSCAPE-Bookmark-file-1>")
    assert "Tamsin Wray" in told["body"]
    assert told["type"] in {*told["types"], "text/html; charset=utf-8"}
    assert told["file"].endswith('.bookmarks"')
    assert told["forms"] == ["json", "md", "html", "pdf", "docx", "bib", "ris", "bookmarks"]


def test_a_command_of_a_plugin_is_listed_and_called(quaere: Quaere, tmp_path: Path) -> None:
    assert "Count the bookmarks in a file" in quaere("--help").stdout
    exported = tmp_path / "exported.html"
    exported.write_text(EXPORTED)
    assert quaere("bookmarks", str(exported)).stdout == "1\n"


def test_a_command_that_cannot_be_loaded_says_so_and_no_other_does(
    quaere: Quaere, tmp_path: Path
) -> None:
    metadata = tmp_path / "site" / "broken-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[quaere.commands]\nwreck = no_such_module\nask = no_such_module\n"
    )
    site = str(tmp_path / "site")
    done = quaere("wreck", "--fast", "7", PYTHONPATH=site)
    assert done.returncode == 2, done.stderr
    assert "wreck of quaere.commands cannot be loaded" in done.stderr
    assert "Traceback" not in done.stderr
    assert quaere("--help", PYTHONPATH=site).returncode == 0
    assert quaere("ask", "--help", PYTHONPATH=site).returncode == 0


def test_a_model_of_a_plugin_is_asked_and_its_failure_told(quaere: Quaere, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mill.md").write_text(BOOKMARK["notes"])
    done = quaere("ask", "Who built the mill?", "--docs", str(docs), "--model", "parrot:grey")
    assert "Tamsin Wray" in done.stdout  # answered without it
    assert "parrot:grey only repeats what it is asked to" in done.stdout + done.stderr
    told = quaere("doctor", QUAERE_MODEL="parrot:grey", QUAERE_DOCS=str(docs))
    assert "parrot:grey only repeats" in told.stdout


def test_a_broken_plugin_is_told_by_name_and_harms_nothing(
    plugin: Path, quaere: Quaere, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    metadata = site / "broken-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    groups = ("search_providers", "document_formats", "export_forms", "models")
    (metadata / "entry_points.txt").write_text(
        "".join(f"[quaere.{group}]\nbroken-{group} = no_such_module:IT\n" for group in groups)
    )
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mill.md").write_text(BOOKMARK["notes"])
    done = quaere(
        *("ask", "Who built the mill?", "--docs", str(docs), "--model", "parrot:grey"),
        *("--output", str(tmp_path / "sources.bookmarks")),
        PYTHONPATH=f"{site}:{plugin}",
        QUAERE_LOG_LEVEL="WARNING",
    )
    assert done.returncode == 0, done.stderr
    for group in groups:
        if group != "search_providers":  # nobody is searched but the folder
            assert f"broken-{group} of quaere.{group} cannot be loaded" in done.stderr
