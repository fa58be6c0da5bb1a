"""``quaere fetch``, as a process, against a server that tells the truth and one that does not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.misbehaving.server import Site, answer, page, raw, redirect, serving

from quaere.faces.cli.search import Fetched, page_told

ARTICLE = b"""<!doctype html><html lang="en"><head><title>The tide mill</title>
<meta name="author" content="Ines Quarrie">
<meta property="article:published_time" content="2024-03-05T08:00:00Z"></head><body><article>
<h1>The tide mill</h1><p>The tide mill of Sallow Creek was rebuilt in 1907 by the Quarrie family,
after a storm had taken its wheel and most of the dam that held the water back.</p>
<p>It has ground barley ever since, twice a day, whenever the tide allows it to.</p>
</article></body></html>"""

ROUTES = {
    "/mill": page(ARTICLE),
    "/old": redirect("/mill"),
    "/loop": redirect("/loop"),
    "/inward": redirect("http://10.0.0.1/"),
    "/gone": answer(b"", status=404),
    "/closed": answer(b"", status=403),
    "/film": answer(b"\x00\x00\x00\x18ftypmp42" + bytes(500), "Content-Type: video/mp4"),
    "/empty": answer(b""),
    "/noise": raw(b"\x00\x01\x02 no HTTP at all\r\n\r\n"),
    "/evil": answer(
        ("Title \x1b]0;owned\x07\n\n    in\u202ddented\x9b31m\n" + "More.\n" * 50).encode(),
        "Content-Type: text/plain; charset=utf-8",
    ),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with in_background(serving(ROUTES)) as running:
        yield running


def test_a_page_is_fetched_and_reduced_to_its_text(
    quaere: Run, site: Site, allowed: Mapping[str, str]
) -> None:
    done = quaere("fetch", f"{site.url}/old", env=allowed)
    assert (done.returncode, done.stderr) == (0, "")
    head, _, text = done.stdout.partition("\n\n")
    facts = dict(line.split(maxsplit=1) for line in head.splitlines())
    assert facts.pop("Text").endswith(" characters, 1 passage")
    assert facts.pop("Requested") == f"{site.url}/old"
    assert facts == {
        "Title": "The tide mill",
        "URL": f"{site.url}/mill",
        "Status": "ok",
        "Type": "text/html",
        "Published": "2024-03-05",
        "Author": "Ines Quarrie",
        "Language": "en",
    }
    assert "was rebuilt in 1907 by the Quarrie family" in text


def test_json_has_the_text_and_where_its_passages_are(
    quaere: Run, site: Site, allowed: Mapping[str, str]
) -> None:
    done = quaere("fetch", f"{site.url}/old", "--format", "json", env=allowed)
    fetched = Fetched.model_validate_json(done.stdout)
    assert (fetched.url, fetched.final_url) == (f"{site.url}/old", f"{site.url}/mill")
    assert (fetched.status, fetched.content_type, fetched.language) == ("ok", "text/html", "en")
    assert (fetched.author, fetched.published) == ("Ines Quarrie", "2024-03-05")
    assert fetched.characters == len(fetched.text)
    (passage,) = fetched.passages
    assert "tide mill of Sallow Creek" in fetched.text[passage.start : passage.end]
    assert fetched.retrieved_at


def test_nothing_on_loopback_is_read_unless_it_is_listed(quaere: Run, site: Site) -> None:
    """R3.3."""
    before = site.connections
    done = quaere("fetch", f"{site.url}/mill")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("quaere: refused: ")
    assert f"port {site.port} is not allowed" in done.stderr
    done = quaere("fetch", f"{site.url}/mill", env={"QUAERE_READ_PORTS": str(site.port)})
    assert "(loopback)" in done.stderr
    assert site.connections == before


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/inward", "refused"),
        ("/loop", "broken"),
        ("/gone", "not_found"),
        ("/closed", "blocked_by_site"),
        ("/film", "unsupported"),
        ("/empty", "empty"),
        ("/noise", "broken"),
    ],
)
def test_a_page_that_is_not_read_is_explained(
    quaere: Run, site: Site, allowed: Mapping[str, str], path: str, status: str
) -> None:
    done = quaere("fetch", site.url + path, "-f", "json", env=allowed)
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["type"] == "read_error"
    assert error["message"].startswith(f"{status}: ")
    assert done.stderr == f"quaere: {error['message']}\n"


@pytest.mark.parametrize(
    "url", ["ftp://quaere.test/x", "https://user:pw@quaere.test/", "gopher://x", "http://[::1"]
)
def test_other_urls_are_refused(quaere: Run, url: str) -> None:
    done = quaere("fetch", url)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("quaere: refused: ")


def test_text_cannot_command_the_terminal(
    quaere: Run, site: Site, allowed: Mapping[str, str]
) -> None:
    done = quaere("fetch", f"{site.url}/evil", env=allowed)
    assert done.returncode == 0
    assert not set("\x1b\x07\x9b\u202d") & set(done.stdout + done.stderr)
    assert "indented" in done.stdout


def test_files_are_read_by_path_and_by_url(quaere: Run, docs: Path) -> None:
    by_path = quaere("fetch", "mill.md", "-f", "json", cwd=docs)
    by_url = quaere("fetch", (docs / "mill.md").as_uri(), "-f", "json")
    assert by_path.stdout == by_url.stdout
    fetched = Fetched.model_validate_json(by_path.stdout)
    assert (fetched.title, fetched.content_type) == ("The mill at Orrin", "text/markdown")
    assert fetched.final_url == (docs / "mill.md").as_uri()


def test_a_table_is_read_whole(quaere: Run, docs: Path) -> None:
    done = quaere("fetch", docs / "barges.csv")
    assert "Kittiwake" in done.stdout
    assert "Plover" in done.stdout


def test_a_file_that_holds_no_text_is_explained(quaere: Run, docs: Path) -> None:
    done = quaere("fetch", docs / "torn.pdf")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("quaere: broken: ")


@pytest.mark.parametrize("name", ["no-such.md", "quaere.test", "", ".", "x" * 5_000])
def test_what_is_neither_a_url_nor_a_file_is_a_usage_error(quaere: Run, name: str) -> None:
    done = quaere("fetch", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert "quaere: " in done.stderr
    assert name != "." or "is a folder; name a file in it" in done.stderr


def test_a_pipe_is_no_file_and_is_told_apart_from_none(quaere: Run) -> None:
    done = quaere("fetch", "/dev/null")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'/dev/null' is a pipe or a device" in done.stderr


def test_what_is_not_known_is_left_out() -> None:
    fetched = Fetched(
        url="https://a.test/",
        final_url="https://a.test/",
        status="ok",
        title="",
        content_type="text/plain",
        published="",
        author="",
        language="",
        retrieved_at="",
        characters=14,
        passages=(),
        text="a\x1b[2J\r\n  \x07b\u202e\n\tc",
    )
    assert page_told(fetched) == (
        "URL        https://a.test/\nStatus     ok\nType       text/plain\n"
        "Text       14 characters, 0 passages\n\na\n  b\nc\n"
    )
    assert json.loads(fetched.model_dump_json())["text"] == fetched.text


MEASURED = """
import resource, subprocess, sys

done = subprocess.run([sys.executable, "-m", "quaere", "fetch", *sys.argv[1:]], timeout=200)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000)
"""


KEYS = json.dumps({"k" * 1_000: {f"a{n}": "1" for n in range(1_600)}})


def table(*lines: str, times: int = 1) -> str:
    return "\n".join([lines[0], *lines[1:] * times]) + "\n"


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes there")
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("rows.csv", table("n", "1", times=6_000_000), 0),
        ("cells.csv", table("a,b", "1," * 6_000_000), 1),
        ("header.csv", table("n" * 2_000, "1", times=6_000_000), 0),
        ("keys.jsonl", table("", KEYS, times=500), 0),
    ],
)
def test_12_mb_of_records_are_fetched_within_memory(
    tmp_path: Path, name: str, text: str, expected: int
) -> None:
    """R3.4: worker processes read them, and neither they nor their owner hold a table whole."""
    (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path / name), "-f", "json"],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    code, megabytes = map(int, done.stdout.splitlines()[-1].split())
    assert code == expected, done.stderr
    assert megabytes < 600
