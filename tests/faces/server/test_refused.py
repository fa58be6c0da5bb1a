"""Requests that are not served."""

from __future__ import annotations

from http import HTTPStatus

from quaere.faces.server.refused import Refused, invalid, unknown


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
