"""A request that is not served, and the refusals of unknown callers."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException


class Refused(HTTPException):
    """A request that is not served, with the answer that says so."""

    def __init__(
        self,
        status: HTTPStatus,
        kind: str,
        message: str,
        *,
        retryable: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, message, dict(headers or {}))
        self.status, self.kind, self.message = status, kind, message
        self.retryable = retryable


def unknown() -> Refused:
    """Return the refusal of an unknown caller."""
    return Refused(
        HTTPStatus.UNAUTHORIZED,
        "unauthorized",
        "A valid API key is needed: Authorization: Bearer qk_...",
        headers={"WWW-Authenticate": 'Bearer realm="quaere"'},
    )


def invalid(message: str) -> Refused:
    """Return the refusal of a user whom the issuer does not vouch for."""
    return Refused(
        HTTPStatus.UNAUTHORIZED,
        "unauthorized",
        message,
        headers={"WWW-Authenticate": 'Bearer realm="quaere", error="invalid_token"'},
    )
