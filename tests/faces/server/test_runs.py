"""Runs over HTTP: begun, followed, steered, exported."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, frames_of, served
from tests.synthesize.drafts import unanswered

from quaere.domain.report import Report
from quaere.faces.server.routes.runs import ExportForm, answers, exported
from quaere.view.export.export import Form


def ended(client: httpx.Client, question: str = QUESTION) -> str:
    """Return the id of a run that is over."""
    run_id = client.post("/v1/runs", json={"question": question}).json()["run_id"]
    client.get(f"/v1/runs/{run_id}/events")
    return run_id


@pytest.fixture(scope="module")
def run_id(client: httpx.Client) -> str:
    return ended(client)


def test_a_run_is_accepted_with_where_it_can_be_followed(client: httpx.Client) -> None:
    accepted = client.post("/v1/runs", json={"question": QUESTION})
    assert accepted.status_code == 202
    job = accepted.json()
    assert accepted.headers["location"] == job["status_url"] == f"/v1/runs/{job['run_id']}"
    assert client.get(job["events_url"]).headers["x-quaere-run-id"] == job["run_id"]


@pytest.mark.parametrize(
    ("path", "sent", "told"),
    [
        ("/run", "{}", "question: is missing."),
        ("/v1/runs", "{}", "question: is missing."),
        (
            "/v1/runs",
            '{"question": "Why?", "limits": {"max_iters": 0}}',
            "limits.max_iters: must be at least 1",
        ),
        (
            "/v1/runs",
            "",
            "the body must be a JSON object, sent with Content-Type: application/json.",
        ),
    ],
)
def test_a_fault_in_a_request_is_told_by_the_name_of_its_field(
    client: httpx.Client, path: str, sent: str, told: str
) -> None:
    refused = client.post(path, content=sent, headers={"Content-Type": "application/json"})
    assert refused.status_code == 422
    assert refused.json()["error"]["message"].startswith(f"Invalid request: {told}")


def test_a_reader_resumes_at_every_number(client: httpx.Client, run_id: str) -> None:
    events = f"/v1/runs/{run_id}/events"
    whole = frames_of(client.get(events).text)
    logged = [frame for frame in whole if frame.id is not None]
    for place in range(len(logged) + 1):
        by_query = frames_of(client.get(events, params={"after": place}).text)
        by_header = frames_of(client.get(events, headers={"Last-Event-ID": str(place)}).text)
        assert by_query == by_header == [*logged[place:], whole[-1]]


def test_a_browser_that_was_cut_off_goes_on_where_it_was_and_not_where_it_began(
    client: httpx.Client, run_id: str
) -> None:
    events = f"/v1/runs/{run_id}/events"
    whole = frames_of(client.get(events).text)
    again = client.get(events, params={"after": 1}, headers={"Last-Event-ID": "4"})
    assert [frame.id for frame in frames_of(again.text)] == [frame.id for frame in whole[4:]]


def test_a_reader_that_is_ahead_of_the_log_is_told_where_it_ends(
    client: httpx.Client, run_id: str
) -> None:
    events = f"/v1/runs/{run_id}/events"
    last = client.get(f"/v1/runs/{run_id}").json()["last_seq"]
    for sent in ({"Last-Event-ID": str(last + 1)}, {"Accept": "application/json"}):
        asked = {"after": last + 1} if "Accept" in sent else {}
        refused = client.get(events, params=asked, headers=sent)
        assert refused.status_code == 400
        assert refused.json()["error"]["message"].endswith(f"of the run is {last}.")


def test_a_run_that_is_over_cannot_be_resumed_and_is_there(
    client: httpx.Client, run_id: str
) -> None:
    refused = client.post(f"/v1/runs/{run_id}/resume")
    assert refused.status_code == 409
    assert "cannot be resumed: it is completed" in refused.json()["error"]["message"]


def test_what_the_service_says_itself_has_no_id(client: httpx.Client, run_id: str) -> None:
    frames = frames_of(client.get(f"/v1/runs/{run_id}/events").text)
    assert [frame.event for frame in frames if frame.id is None] == ["end"]


def test_events_as_one_list(client: httpx.Client, run_id: str) -> None:
    listed = client.get(
        f"/v1/runs/{run_id}/events", params={"after": 2}, headers={"Accept": "application/json"}
    ).json()
    assert [event["seq"] for event in listed] == list(range(3, 3 + len(listed)))


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("json", b"{"),
        ("md", b"# "),
        ("html", b"<!doctype html>"),
        ("docx", b"PK"),
        ("bib", b"@"),
        ("ris", b"TY  -"),
        ("pdf", b"%PDF"),
    ],
)
def test_reports_come_in_every_form(
    client: httpx.Client, run_id: str, form: str, begins: bytes, home: Path
) -> None:
    told = client.get(f"/v1/runs/{run_id}/report", params={"format": form})
    assert told.status_code == 200, told.text
    assert told.content.lower().startswith(begins.lower())
    assert str(home).encode() not in told.content


def test_no_answer_says_where_on_the_server_a_document_lies(
    client: httpx.Client, run_id: str, home: Path
) -> None:
    for path in ("", "/events", "/report", "/sources", "/trace", f"/diff/{run_id}"):
        told = client.get(f"/v1/runs/{run_id}{path}")
        assert told.status_code == 200, told.text
        assert str(home) not in told.text
        assert "file:" not in told.text
    assert "folder:" in client.get(f"/v1/runs/{run_id}/sources").text


def test_r4_5_the_trace_leads_from_queries_to_claims(client: httpx.Client, run_id: str) -> None:
    graph = client.get(f"/v1/runs/{run_id}/trace").json()
    kinds = {node["kind"] for node in graph["nodes"]}
    assert kinds == {"query", "page", "passage", "quote", "claim"}
    ids = {node["id"] for node in graph["nodes"]}
    assert all({edge["source"], edge["target"]} <= ids for edge in graph["edges"])


def test_runs_are_listed_a_page_at_a_time(client: httpx.Client, run_id: str) -> None:
    ended(client, "What do storks nest on?")
    seen: list[str] = []
    after = None
    while True:
        page = client.get("/v1/runs", params={"limit": 1, **({"after": after} if after else {})})
        (run,) = page.json()["runs"]
        seen.append(run["run_id"])
        after = page.json()["after"]
        if after is None:
            break
    assert run_id in seen
    assert len(set(seen)) == len(seen) >= 2


def test_runs_are_found_by_words_tags_and_pins(client: httpx.Client) -> None:
    wanted = ended(client, "Where do white storks winter?")
    labelled = client.patch(f"/v1/runs/{wanted}", json={"tags": ["birds"], "pinned": True}).json()
    assert (labelled["tags"], labelled["pinned"]) == (["birds"], True)
    for asked in ({"q": "white storks winter"}, {"tag": "birds"}, {"pinned": True}):
        found = client.get("/v1/runs", params=asked).json()["runs"]
        assert [run["run_id"] for run in found] == [wanted]
    assert client.patch(f"/v1/runs/{wanted}", json={"tags": ["x" * 51]}).status_code == 422


def test_r1_a_plan_is_approved_as_openapi_says(client: httpx.Client) -> None:
    asked = {"question": f"{QUESTION} When do storks return to Carrow?", "approve_plan": True}
    looped = client.post("/v1/runs", json={**asked, "strategy": "loop"})
    assert (looped.status_code, "no topics" in looped.text) == (422, True)
    path = f"/v1/runs/{client.post('/v1/runs', json=asked).json()['run_id']}"
    raised: dict[str, Any] = {}
    while raised.get("type") != "inquiry_raised":
        time.sleep(0.05)
        told = client.get(f"{path}/events", headers={"Accept": "application/json"}).json()
        raised = told[-1] if told else {}
    (listed,) = client.get("/v1/runs", params={"limit": 1}).json()["runs"]
    assert (listed["status"], listed["waits_for"]) == ("in_progress", "topics")
    answer = {"inquiry_id": str(raised["seq"])}
    none = client.post(f"{path}/reply", json={**answer, "reply": {"topics": []}})
    assert (none.status_code, "cancel the run" in none.text) == (422, True)
    assert client.post(f"{path}/reply", json={**answer, "reply": {"text": "2"}}).is_success
    while client.get(path).json()["status"] != "completed":
        time.sleep(0.05)
    assert client.get(path).json()["waits_for"] is None
    report = client.get(f"{path}/report").json()
    assert report["dispatched_topics"] == raised["inquiry"]["topics"][1:2]


def test_a_deleted_run_is_gone(client: httpx.Client) -> None:
    gone = ended(client, "When did the sluice break?")
    assert client.delete(f"/v1/runs/{gone}").status_code == 204
    for path in ("", "/events", "/report", "/trace"):
        assert client.get(f"/v1/runs/{gone}{path}").status_code == 404


def test_two_runs_side_by_side(client: httpx.Client, run_id: str) -> None:
    other = ended(client, "When did the tide mill stop working?")
    told = client.get(f"/v1/runs/{run_id}/diff/{other}").json()
    assert told["traces"] == [run_id, other]
    assert told["answers"][0] != told["answers"][1]


def test_r4_5_a_similar_question_is_offered(client: httpx.Client, run_id: str) -> None:
    found = client.get("/v1/similar", params={"question": QUESTION}).json()
    assert found["question"] == QUESTION
    assert client.get("/v1/similar", params={"question": "Who mows the moon?"}).json() is None


def test_sharing_is_off_until_the_operator_switches_it_on(
    client: httpx.Client, run_id: str
) -> None:
    assert client.post(f"/v1/runs/{run_id}/share").status_code == 403


def test_a_report_is_shared_under_a_link_until_it_is_taken_back(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, sharing=True)
    with served(settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        run_id = ended(client)
        shared = client.post(f"/v1/runs/{run_id}/share").json()
        link = shared["url"]
        assert shared["page_url"] == f"{url}/shared/{link.rpartition('/')[2]}"
        report = client.get(f"/v1/runs/{run_id}/report").json()
        assert httpx.get(link).json() == report
        assert httpx.get(link, params={"format": "md"}).text.startswith(f"# {QUESTION}")
        assert httpx.get(f"{link}x").status_code == 404
        assert client.delete(f"/v1/runs/{run_id}/share").status_code == 204
        assert httpx.get(link).status_code == 404


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Generator[httpx.Client]:
    """A service that makes no runs itself, and shares them."""
    settings = settings_in(tmp_path_factory.mktemp("waiting"), sharing=True)
    with served(settings, workers=0) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client


def test_a_run_that_waits_tells_its_place_and_can_be_cancelled(waiting: httpx.Client) -> None:
    first = waiting.post("/v1/runs", json={"question": "First?"}).json()["run_id"]
    second = waiting.post("/v1/runs", json={"question": "Second?"}).json()["run_id"]
    assert waiting.get(f"/v1/runs/{second}").json()["queue_position"] == 1
    with waiting.stream("GET", f"/v1/runs/{second}/events") as stream:
        for text in stream.iter_text():
            if told := [frame for frame in frames_of(text) if frame.event == "queued"]:
                assert json.loads(told[0].data) == {"position": 1}
                assert told[0].id is None
                break
    early = waiting.get(f"/v1/runs/{first}/report")
    assert (early.status_code, early.headers["Retry-After"]) == (409, "2")
    assert early.json()["error"]["retryable"]
    for run_id in (first, second):
        assert waiting.post(f"/v1/runs/{run_id}/cancel").json()["status"] == "cancelled"
        assert waiting.post(f"/v1/runs/{run_id}/cancel").status_code == 409
        late = waiting.get(f"/v1/runs/{run_id}/report")
        assert (late.status_code, late.json()["error"]["retryable"]) == (409, False)


@pytest.mark.parametrize(
    ("sent", "kind", "said"),
    [
        ('{"question": "Why?"', "application/json", "not valid JSON, at character 19"),
        ("question=Why?", "application/x-www-form-urlencoded", "must be a JSON object"),
        ('{"question": "Why?"}', "text/plain", "sent with Content-Type: application/json"),
        ('["Why?"]', "application/json", "must be a JSON object"),
        ("", "application/json", "must be a JSON object"),
    ],
)
def test_a_body_that_is_no_json_object_is_told_so(
    waiting: httpx.Client, sent: str, kind: str, said: str
) -> None:
    refused = waiting.post("/v1/runs", content=sent, headers={"Content-Type": kind})
    assert refused.status_code == 422
    assert said in refused.json()["error"]["message"]


def test_estimate_tells_what_a_run_may_take(client: httpx.Client) -> None:
    told = client.post("/v1/estimate", json={"question": QUESTION, "profile": "deep"}).json()
    assert told["profile"] == "deep"
    assert told["providers"] == ["folder"]


def test_checks_give_a_verdict_on_every_sentence(client: httpx.Client) -> None:
    told = client.post("/v1/checks", json={"text": "The mill was built in 1781. It is blue."})
    assert told.status_code == 200
    assert told.json()["summary"]["sentences"] == 2


def test_profiles_providers_and_doctor(client: httpx.Client, home: Path) -> None:
    assert {each["name"] for each in client.get("/v1/profiles").json()} == {
        "chat",
        "simple",
        "standard",
        "deep",
    }
    listed = client.get("/v1/providers").json()["providers"]
    assert next(each for each in listed if each["name"] == "folder")["ready"]
    doctor = client.get("/v1/doctor", params={"offline": True})
    assert doctor.json()["findings"]
    assert str(home / "docs") not in doctor.text


def test_r4_1_the_tool_is_called_by_its_schema(client: httpx.Client) -> None:
    (tool,) = client.get("/v1/tools").json()
    assert tool["name"] == "deep_research"
    told = client.post("/v1/tools/deep_research", json={"question": QUESTION}).json()
    assert told["status"] in {"completed", "max_iterations_reached"}
    assert "[src_1]" in told["answer"]
    assert told["sources"][0]["url"].startswith("folder:")


def test_r0_13_metrics_have_their_names(client: httpx.Client, run_id: str) -> None:
    del run_id
    told = client.get("/metrics").text
    for name in (
        "research_loop_duration_seconds_count",
        "iterations_per_request_count",
        "search_failures_total",
        "queue_depth",
        "first_event_seconds_count",
        "stream_readers",
        "event_loop_lag_seconds_count",
        "sentence_verdicts_total",
    ):
        assert name in told
    counts = re.findall(r"^(?:\w+_)?first_event_seconds_count\S* (\S+)$", told, re.MULTILINE)
    assert sum(map(float, counts)) >= 1, "the reader of the run had its first event"
    assert QUESTION not in told


def test_the_process_tells_that_it_lives_and_can_serve(client: httpx.Client) -> None:
    assert client.get("/health/live").json() == {"status": "ok"}
    assert client.get("/health/ready").json() == {"status": "ok"}


pytestmark = pytest.mark.anyio

REPORT = unanswered().model_copy(update={"run_id": "0123456789abcdef"})


async def test_json_is_the_report_itself_and_no_download() -> None:
    told = await exported(REPORT, ExportForm.JSON)
    assert told.media_type == "application/json"
    assert Report.model_validate_json(bytes(told.body)) == REPORT
    assert "content-disposition" not in told.headers


@pytest.mark.parametrize(
    ("form", "media_type", "begins"),
    [
        (ExportForm.MARKDOWN, "text/markdown; charset=utf-8", b"#"),
        (ExportForm.HTML, "text/html; charset=utf-8", b"<!"),
        (ExportForm.BIBTEX, None, b""),
        (ExportForm.RIS, None, b""),
        (ExportForm.DOCX, None, b"PK"),
    ],
)
async def test_a_file_is_named_by_its_run_and_form(
    form: ExportForm, media_type: str | None, begins: bytes
) -> None:
    told = await exported(REPORT, form)
    assert told.headers["content-disposition"] == (f'attachment; filename="quaere-01234567.{form}"')
    assert media_type in (None, told.media_type)
    assert told.media_type
    assert bytes(told.body).startswith(begins)
    documented = cast("Mapping[str, object]", answers()[200]["content"])
    assert told.media_type.partition(";")[0] in documented


async def test_the_name_of_a_file_has_no_letters_that_a_header_cannot_carry() -> None:
    report = REPORT.model_copy(update={"run_id": "mühle-塔-1"})
    told = await exported(report, ExportForm.MARKDOWN)
    assert told.headers["content-disposition"] == 'attachment; filename="quaere-m?hle-?-.md"'


def test_a_form_that_nobody_brings_is_none() -> None:
    with pytest.raises(ValueError, match="scroll"):
        ExportForm("scroll")
    assert ExportForm("md") is ExportForm.MARKDOWN


@pytest.mark.parametrize(
    "form", [Form.JSON, Form.MARKDOWN, Form.HTML, Form.PDF, Form.DOCX, Form.BIBTEX, Form.RIS]
)
def test_a_form_may_be_called_as_commands_call_it(form: Form) -> None:
    assert f".{ExportForm(str(form))}" in form.suffixes
