"""``quaere ask --record`` and ``--replay``: a run from a file, with nothing else at hand."""

from __future__ import annotations

import gzip
import json
import shutil
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.graphs.world import TIMED
from tests.look_alikes import web_engines
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf

QUESTION = "Who built the mill at Orrin?"
KEY = "sk-nobody-may-see-this"


def same(text: str) -> object:
    """Return a report without what a replay has of its own: its name, and the time of day."""
    own = {"run_id", *TIMED}
    return {key: value for key, value in json.loads(text).items() if key not in own}


@pytest.mark.parametrize("name", ["run.cassette", "run.cassette.gz"])
def test_a_replay_needs_no_folder_and_comes_to_the_same_report(
    quaere: Run, docs: Path, tmp_path: Path, name: str
) -> None:
    folder, cassette = shutil.copytree(docs, tmp_path / "docs"), tmp_path / name
    first = quaere("ask", QUESTION, "-d", folder, "-q", "-f", "json", "--record", cassette)
    assert first.returncode == 0, first.stderr
    shutil.rmtree(folder)
    second = quaere("ask", QUESTION, "-q", "-f", "json", "--replay", cassette)
    assert (second.returncode, second.stderr) == (0, "")
    assert "Tamsin Wray" in first.stdout
    assert same(second.stdout) == same(first.stdout)


def test_a_run_over_services_is_replayed_without_them_and_no_key_is_on_the_cassette(
    quaere: Run, tmp_path: Path
) -> None:
    question, cassette = "What does the lantern moth feed on?", tmp_path / "run.cassette"
    asked = ("ask", question, "-q", "-f", "json")
    with in_background(LookAlikeServer(web_engines.tavily(Shelf()))) as server:
        env: Mapping[str, str] = {"TAVILY_API_KEY": KEY, "TAVILY_BASE_URL": server.base_url}
        first = quaere(*asked, "-p", "tavily", "--record", cassette, env=env)
        assert KEY in server.asked[0].headers["authorization"]
    second = quaere(*asked, "--replay", cassette)
    assert "salt lichen" in json.loads(first.stdout)["answer"]
    assert same(second.stdout) == same(first.stdout)
    assert KEY not in cassette.read_text()


def packed(text: str) -> str:
    return b64encode(text.encode()).decode()


def percent_encoded(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


@pytest.mark.parametrize("wording", [str, packed, percent_encoded])
def test_r4_3_a_key_typed_into_a_question_is_in_nothing_that_a_run_leaves(
    quaere: Run, docs: Path, tmp_path: Path, wording: Callable[[str], str]
) -> None:
    typed = wording("sk-planted_Zq7Wm2Xk9Rt4Vb6Nc8")
    question = f"{typed} Who built the mill at Orrin?"
    env = {"QUAERE_DATA_DIR": str(tmp_path / "data"), "QUAERE_CACHE_DIR": str(tmp_path / "cache")}
    env |= {"QUAERE_LOG_LEVEL": "DEBUG"}
    first = quaere(
        *("ask", question, "-d", docs, "-f", "json", "--record", tmp_path / "run.cassette"),
        *("--events", tmp_path / "events.jsonl"),
        env=env,
    )
    assert first.returncode == 0, first.stderr
    assert "a key was left out" in first.stderr
    second = quaere("ask", question, "-q", "-f", "json", "--replay", tmp_path / "run.cassette")
    assert same(second.stdout) == same(first.stdout)
    run_id = json.loads(first.stdout)["run_id"]
    shown = quaere("trace", "show", run_id, "-f", "json", env=env).stdout
    exported = quaere("export", run_id, "-o", tmp_path / "answer.md", env=env)
    assert exported.returncode == 0, exported.stderr
    log = first.stderr.partition("searching")[2]
    left = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    for text in (*left, first.stdout.encode(), shown.encode(), log.encode()):
        assert typed.encode() not in text
        assert b"Zq7Wm2Xk9Rt4Vb6Nc8" not in text
    assert any(b"*** Who built" in text for text in left)


def test_another_question_is_told_what_the_cassette_lacks(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    cassette = tmp_path / "run.cassette.gz"
    assert quaere("ask", QUESTION, "-d", docs, "-q", "--record", cassette).returncode == 0
    done = quaere("ask", "When was the Plover launched?", "-q", "--replay", cassette)
    assert done.returncode in {2, 4}
    assert "he recording " in done.stdout + done.stderr


def test_a_recording_that_cannot_be_written_costs_no_report(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    full.symlink_to("/dev/full")  # the device itself stays whatever the code does
    done = quaere("ask", QUESTION, "-d", docs, "-q", "-f", "json", "--record", full)
    assert (done.returncode, json.loads(done.stdout)["status"]) == (1, "answered")
    assert f"Cannot write to '{full}': No space left on device." in done.stderr
    assert full.is_char_device(), "a device is not replaced by a file"


def test_a_run_that_fails_leaves_its_cassette(quaere: Run, docs: Path, tmp_path: Path) -> None:
    done = quaere("ask", "?", "-d", docs, "-q", "--record", tmp_path / "run.cassette.gz")
    assert done.returncode == 2
    assert b"quaere_cassette" in gzip.decompress((tmp_path / "run.cassette.gz").read_bytes())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# Notes\n", "run.cassette' is not a cassette. Make one with --record.\n"),
        (b'{"quaere_cassette": 99}\n', "run.cassette' was recorded by a newer Quaere"),
        (b'{"quaere_cassette": 2, "recorded": "2031-05-04T00:00:00Z"}\n', "is damaged"),
        (b"\x1f\x8b\x08\x00 torn", "is damaged"),
    ],
)
def test_what_is_no_whole_cassette_is_exit_code_2(
    quaere: Run, tmp_path: Path, content: bytes, message: str
) -> None:
    cassette = tmp_path / "run.cassette"
    cassette.write_bytes(content)
    done = quaere("ask", QUESTION, "-q", "--replay", cassette)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_replay_is_not_recorded(quaere: Run, tmp_path: Path) -> None:
    cassette = tmp_path / "run.cassette"
    done = quaere("ask", QUESTION, "-q", "--replay", cassette, "--record", cassette)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--record cannot be combined with --replay" in done.stderr


def test_there_must_be_a_place_for_the_cassette(quaere: Run, docs: Path, tmp_path: Path) -> None:
    done = quaere("ask", QUESTION, "-d", docs, "-q", "--record", tmp_path / "no" / "run.cassette")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Cannot write to" in done.stderr
