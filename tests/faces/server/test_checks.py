"""Checks over HTTP: answered at once, or made like runs."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from pydantic import JsonValue
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, frames_of, served
from tests.read.documents import word

from quaere.domain.access import KeyLimits
from quaere.faces.server.forms import MAX_CHECKED_CHARS
from quaere.runtime.settings import Access
from quaere.runtime.wiring_store import DATABASE_FILE

TEXT = (
    "The tide mill at Carrow was built in 1781 [1]. It was built by Bo Lind [1]. Storks nest.\n\n"
    "[1] tides.md\n"
)
CHECK: dict[str, JsonValue] = {"text": TEXT, "folders": ["docs"]}


def begun(client: httpx.Client, **changes: JsonValue) -> httpx.Response:
    """Return the answer to a check that is to be made like a run."""
    answer = client.post("/v1/checks", json={**CHECK, "async": True, **changes})
    assert answer.status_code == 202, answer.text
    return answer


def test_a_check_as_a_run_has_the_verdicts_of_one_that_is_waited_for(
    client: httpx.Client, home: Path
) -> None:
    accepted = begun(client)
    job = accepted.json()
    frames = frames_of(client.get(job["events_url"]).text)
    assert [frame.event for frame in frames if frame.id is not None] == [
        *("run_started", "phase_started", "source_read"),
        *("text_checked", "sentence_written", "run_finished"),
    ]
    assert str(home) not in client.get(job["events_url"]).text
    told = client.get(accepted.headers["location"])
    at_once = client.post("/v1/checks", json=CHECK)
    assert told.status_code == at_once.status_code == 200
    whole, same = told.json(), at_once.json()
    assert [each["verdict"] for each in whole["sentences"]][:1] == ["supported"]
    for audit in (whole, same):  # it was read twice
        for source in audit["sources"]:
            source.pop("retrieved_at")
    assert whole == same


def test_a_check_is_among_the_runs_with_a_report_and_is_no_research(client: httpx.Client) -> None:
    job = begun(client).json()
    client.get(job["events_url"])
    state = client.get(job["status_url"]).json()
    assert (state["tool"], state["status"]) == ("check_text", "completed")
    assert job["run_id"] in [run["run_id"] for run in client.get("/v1/runs").json()["runs"]]
    report = client.get(f"{job['status_url']}/report", params={"format": "md"})
    assert report.text.startswith("# Check of The tide mill")
    assert "| Claims with a citation | 2 |" in report.text
    told = client.get(f"{job['status_url']}/report").json()
    assert told["answer"].startswith("2 claims, 2 cited: 1 supported")
    assert client.get(f"{job['status_url']}/report?format=pdf").status_code == 422
    asked = {"question": state["question"]}
    assert client.get("/v1/similar", params=asked).json() is None
    research = client.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
    client.get(f"/v1/runs/{research}/events")
    assert client.get(f"/v1/checks/{research}").status_code == 404
    assert client.get("/v1/checks/none").status_code == 404


def test_a_check_that_is_sent_again_is_the_same_one(client: httpx.Client) -> None:
    headers = {"Idempotency-Key": "check-1"}
    asked = {**CHECK, "async": True}
    first, second = (client.post("/v1/checks", json=asked, headers=headers) for _ in range(2))
    assert first.json()["run_id"] == second.json()["run_id"]
    other = client.post("/v1/checks", json={**asked, "max_reads": 1}, headers=headers)
    assert other.status_code == 409


def test_a_check_is_limited_as_it_asks(client: httpx.Client) -> None:
    job = begun(client, max_reads=0).json()
    client.get(job["events_url"])
    (source,) = client.get(f"/v1/checks/{job['run_id']}").json()["sources"]
    assert source["status"] == "refused"


def test_a_check_reads_no_folder_that_it_does_not_name(client: httpx.Client) -> None:
    job = begun(client, folders=[]).json()
    client.get(job["events_url"])
    (source,) = client.get(f"/v1/checks/{job['run_id']}").json()["sources"]
    assert source["status"] == "not_found"


def test_what_cites_nothing_is_looked_up_in_the_folders_alike_at_once_and_as_a_run(
    client: httpx.Client,
) -> None:
    asked: dict[str, JsonValue] = {
        "text": "The tide mill at Carrow was built in 1781.",
        "folders": ["docs"],
        "look_up": True,
    }
    at_once = client.post("/v1/checks", json=asked).json()
    job = begun(client, **asked).json()
    client.get(job["events_url"])
    as_run = client.get(f"/v1/checks/{job['run_id']}").json()
    assert as_run["sentences"] == at_once["sentences"]
    (said,) = at_once["sentences"]
    assert (said["verdict"], said["cites"], said["found"]) == ("supported", [], [1])
    assert [source["found"] for source in at_once["sources"]] == [True]
    anywhere = client.post("/v1/checks", json={**asked, "folders": []}).json()
    assert anywhere["sentences"] == at_once["sentences"]


def test_nothing_is_looked_up_where_there_is_no_folder(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, docs=())
    asked = {"text": "The tide mill at Carrow was built in 1781.", "look_up": True}
    with served(settings) as url:
        refused = httpx.post(f"{url}/v1/checks", json=asked)
    assert (refused.status_code, "this server has none for you" in refused.text) == (422, True)


def test_a_check_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    with (
        served(settings_in(tmp_path), workers=0) as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        run_id = begun(client).json()["run_id"]
        early = client.get(f"/v1/checks/{run_id}")
        assert (early.status_code, early.json()["error"]["retryable"]) == (409, True)
        assert client.post(f"/v1/runs/{run_id}/cancel").json()["status"] == "cancelled"
        assert client.get(f"/v1/checks/{run_id}").status_code == 409


def test_another_users_check_does_not_exist_and_counts_as_a_run(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    ann_key = issued(settings, "ann", limits=KeyLimits(runs_per_day=1))
    bob_key = issued(settings, "bob")
    with (
        served(settings, access=Access.KEYS) as url,
        client_of(url, ann_key) as ann,
        client_of(url, bob_key) as bob,
    ):
        run_id = begun(ann).json()["run_id"]
        ann.get(f"/v1/runs/{run_id}/events")
        assert ann.get(f"/v1/checks/{run_id}").status_code == 200
        for path in (f"/v1/checks/{run_id}", f"/v1/runs/{run_id}", f"/v1/runs/{run_id}/events"):
            assert bob.get(path).status_code == 404
        assert ann.post("/v1/checks", json={**CHECK, "async": True}).status_code == 429


def test_a_configured_key_in_a_text_is_not_kept_while_the_check_waits(tmp_path: Path) -> None:
    key = "lamp-0123456789-secret"
    settings = settings_in(tmp_path, model_api_key=key)
    with (
        served(settings, workers=0) as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        begun(client, text=f"{key} opens {key.encode().hex()}. {TEXT}")
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").glob(f"{DATABASE_FILE}*"))
    assert b"Bo Lind" in kept
    assert key.encode() not in kept
    assert key.encode().hex().encode() not in kept


@pytest.mark.parametrize("withheld", ["store_questions", "store_pages"])
def test_what_is_not_to_be_kept_of_a_check_is_not_kept(tmp_path: Path, withheld: str) -> None:
    settings = settings_in(tmp_path, **{withheld: False})
    with served(settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        run_id = begun(client).json()["run_id"]
        client.get(f"/v1/runs/{run_id}/events")
        told = client.get(f"/v1/checks/{run_id}").json()
        verdicts = [each["verdict"] for each in told["sentences"]]
        assert verdicts[0] == "supported"
    # When it has stopped: what it deletes leaves the file a moment later.
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").glob(f"{DATABASE_FILE}*"))
    if withheld == "store_questions":
        assert b"Bo Lind" not in kept
    else:
        assert b"by Ada Finch" not in kept


def test_the_text_of_a_document_can_be_had_and_checked(client: httpx.Client) -> None:
    first, _, last = TEXT.partition("\n\n")
    files = {"file": ("tides/report.docx", word([first, last.strip()]))}
    answer = client.post("/v1/checks/text", files=files)
    assert answer.status_code == 200, answer.text
    audit = client.post("/v1/checks", json={**CHECK, **answer.json()}).json()
    assert audit["sentences"][0]["verdict"] == "supported"
    assert audit["sources"][0]["status"] == "ok"


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "holds no text"), (b"%PDF-1.7", "PDF"), (b"\0\1\2" * 99, "is a binary file")],
)
def test_a_document_without_text_is_refused(client: httpx.Client, data: bytes, reason: str) -> None:
    answer = client.post("/v1/checks/text", files={"file": ("a report.x", data)})
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (422, "file_refused")
    assert error["message"].startswith("a report.x ")
    assert reason in error["message"]


def test_a_document_with_more_text_than_is_checked_is_refused(client: httpx.Client) -> None:
    said = b"So it is. " * (MAX_CHECKED_CHARS // 10)
    for data, status in ((said, 200), (said + b".", 422)):
        answer = client.post("/v1/checks/text", files={"file": ("long.txt", data)})
        assert answer.status_code == status
