"""Errors and refusals, each in one body."""

from __future__ import annotations

from http import HTTPStatus

import httpx
import pytest

from quaere.errors import (
    BudgetExceeded,
    CircuitOpen,
    FolderNotFound,
    IdempotencyConflict,
    KeyNotFound,
    ModelError,
    ModelRejected,
    NotAllowed,
    QuaereError,
    QuestionError,
    QuotaExceeded,
    ReadError,
    ReasonError,
    RunCancelled,
    SchemaError,
    SearchError,
    SettingsError,
    StoreError,
    StoreUnavailable,
    TraceConflict,
    TraceNotFound,
    UsageError,
)
from quaere.faces.server.errors import RETRY_S, Refused, invalid, place_of, refusal_of, unknown


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (TraceNotFound("x"), 404, "trace_not_found"),
        (FolderNotFound("x"), 404, "folder_not_found"),
        (KeyNotFound("x"), 404, "key_not_found"),
        (NotAllowed("x"), 403, "not_allowed"),
        (IdempotencyConflict("x"), 409, "idempotency_conflict"),
        (TraceConflict("x"), 409, "trace_conflict"),
        (RunCancelled("x"), 409, "run_cancelled"),
        (QuotaExceeded("x", retry_after=4.0), 429, "quota_exceeded"),
        (QuestionError("x"), 422, "question_error"),
        (UsageError("x"), 422, "usage_error"),
        (SettingsError("x"), 422, "settings_error"),
        (SearchError("x"), 502, "search_error"),
        (CircuitOpen("x"), 502, "circuit_open"),
        (ReadError("x"), 502, "read_error"),
        (ModelError("x"), 502, "model_error"),
        (ModelRejected("x"), 502, "model_rejected"),
        (ReasonError("x"), 502, "reason_error"),
        (BudgetExceeded("x"), 502, "budget_exceeded"),
        (QuaereError("x"), 502, "quaere_error"),
        (StoreUnavailable("x"), 503, "store_unavailable"),
        (SchemaError("x"), 503, "schema_error"),
        (StoreError("x"), 500, "store_error"),
    ],
)
def test_each_error_has_the_status_of_its_nearest_kin(
    error: QuaereError, status: int, kind: str
) -> None:
    refused = refusal_of(error)
    assert (refused.status, refused.kind, refused.message) == (HTTPStatus(status), kind, "x")
    assert refused.retryable is error.retryable


URL = "postgresql://ann:***@db.example:5432/runs"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            StoreUnavailable(f"Cannot use {URL}: connection to db.example failed."),
            "The database cannot be used at the moment.",
        ),
        (
            SchemaError(f"The tables of {URL} do not exist. Run `quaere db upgrade`."),
            "The tables of the database do not exist. Run `quaere db upgrade`.",
        ),
        (StoreError(f"Cannot use {URL}: no."), "The database cannot be used at the moment."),
        (StoreUnavailable("The queue is full."), "The queue is full."),
        (ReadError("https://a.example is gone."), "https://a.example is gone."),
    ],
)
def test_no_client_is_told_where_the_database_is(error: QuaereError, told: str) -> None:
    assert refusal_of(error).message == told


@pytest.mark.parametrize(
    ("error", "after"),
    [
        (QuotaExceeded("x", retry_after=61.2), "62"),
        (QuotaExceeded("x", retry_after=0.0), "1"),
        (SearchError("x", retry_after=7.0), "7"),
        (SearchError("x"), str(RETRY_S)),
        (StoreUnavailable("x"), str(RETRY_S)),
        (TraceNotFound("x"), None),
        (ModelRejected("x"), None),
    ],
)
def test_a_client_is_told_when_to_try_again_where_that_may_help(
    error: QuaereError, after: str | None
) -> None:
    headers = refusal_of(error).headers or {}
    assert headers.get("Retry-After") == after
    assert headers == ({} if after is None else {"Retry-After": after})


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (["body", "limits", "max_iters"], "limits.max_iters"),
        (["body", "conversation", 3, "answer"], "conversation.3.answer"),
        (["query", "after"], "after"),
        (["body"], "body"),
    ],
)
def test_a_fault_is_placed_by_the_name_of_its_field(path: list[str | int], place: str) -> None:
    assert place_of(path) == place


def test_a_refusal_may_be_tried_again_only_where_it_says_so() -> None:
    gone = Refused(HTTPStatus.NOT_FOUND, "gone", "It is gone.")
    assert (gone.status_code, gone.kind, gone.message, gone.detail) == (
        404, "gone", "It is gone.", "It is gone."
    )  # fmt: skip
    assert not gone.retryable
    busy = Refused(
        HTTPStatus.SERVICE_UNAVAILABLE, "busy", "", retryable=True, headers={"Retry-After": "2"}
    )
    assert busy.retryable
    assert busy.headers == {"Retry-After": "2"}


def test_callers_who_are_not_known_are_told_how_to_be() -> None:
    for refused, challenge in (
        (unknown(), 'Bearer realm="quaere"'),
        (invalid("expired"), 'Bearer realm="quaere", error="invalid_token"'),
    ):
        assert (refused.status_code, refused.kind, refused.retryable) == (
            401, "unauthorized", False
        )  # fmt: skip
        assert refused.headers == {"WWW-Authenticate": challenge}
    assert "Authorization: Bearer qk_" in unknown().message
    assert invalid("expired").message == "expired"


def test_a_method_that_a_path_lacks_is_refused_with_all_that_it_has(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    plain = {path: {each.upper() for each in has} for path, has in paths.items() if "{" not in path}
    several = [path for path, has in plain.items() if len(has) > 1]
    assert "/v1/runs" in several
    for path in several:
        refused = client.patch(path)
        assert refused.status_code == 405
        assert set(refused.headers["allow"].split(", ")) == plain[path], path


def test_a_monitor_may_ask_for_the_head_alone(client: httpx.Client) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")
        assert client.put(path).headers["allow"] == "GET, HEAD"
