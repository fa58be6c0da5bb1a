"""Refusals and errors in one body: ``error`` for R0.10's clients, the rest by RFC 9457."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import cast

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match

from quaere.domain.value import fault_in_words
from quaere.errors import (
    IdempotencyConflict,
    ModelError,
    NotAllowed,
    NotFound,
    QuaereError,
    QuestionError,
    QuotaExceeded,
    ReadError,
    RunCancelled,
    SchemaError,
    SearchError,
    StoreError,
    StoreUnavailable,
    TraceConflict,
    UsageError,
)
from quaere.runtime.redact import Places


def places_of(connection: HTTPConnection) -> Places:
    """Return what hides the paths of this machine, as soon as the process serves."""
    context = getattr(connection.app.state, "context", None)
    return cast("Places", context.places) if context else Places(())


def request_id_of(connection: HTTPConnection) -> str:
    """Return the id that the request came with or was given."""
    return cast("str", connection.scope.get("quaere.request_id", ""))


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


STOPPING = "The server is stopping."


def stopping(message: str = STOPPING, headers: Mapping[str, str] = MappingProxyType({})) -> Refused:
    """Return the refusal of what a server that stops does not come to, or not to the end of."""
    return Refused(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "stopping",
        message,
        retryable=True,
        headers={"Retry-After": "5", **headers},
    )


logger = logging.getLogger(__name__)

_DATABASE = re.compile(r"\w+://\S+(?<![:;,.])")
RETRY_S = 2
"""After how many seconds a client is told to try again when the database is away."""

STATUS: Mapping[type[QuaereError], HTTPStatus] = MappingProxyType(
    {
        NotFound: HTTPStatus.NOT_FOUND,
        NotAllowed: HTTPStatus.FORBIDDEN,
        IdempotencyConflict: HTTPStatus.CONFLICT,
        QuotaExceeded: HTTPStatus.TOO_MANY_REQUESTS,
        QuestionError: HTTPStatus.UNPROCESSABLE_ENTITY,
        UsageError: HTTPStatus.UNPROCESSABLE_ENTITY,
        SearchError: HTTPStatus.BAD_GATEWAY,
        ReadError: HTTPStatus.BAD_GATEWAY,
        ModelError: HTTPStatus.BAD_GATEWAY,
        StoreUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
        SchemaError: HTTPStatus.SERVICE_UNAVAILABLE,
        TraceConflict: HTTPStatus.CONFLICT,
        RunCancelled: HTTPStatus.CONFLICT,
        StoreError: HTTPStatus.INTERNAL_SERVER_ERROR,
        QuaereError: HTTPStatus.BAD_GATEWAY,
    }
)
"""Status by error; of several that fit, that of the nearest ancestor."""


class ErrorDetail(BaseModel):
    """What went wrong."""

    type: str
    """Name of the error in snake case, such as ``trace_not_found``."""
    message: str
    retryable: bool


class Problem(BaseModel):
    """The body of every error."""

    error: ErrorDetail
    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str


def problem(request: HTTPConnection, refused: Refused) -> Response:
    """Return the answer that tells of ``refused``."""
    message = places_of(request).masked(refused.message)
    body = Problem(
        error=ErrorDetail(type=refused.kind, message=message, retryable=refused.retryable),
        type=f"urn:quaere:error:{refused.kind}",
        title=refused.status.phrase,
        status=refused.status,
        detail=message,
        instance=request.url.path,
        request_id=request_id_of(request),
    )
    return JSONResponse(
        body.model_dump(mode="json"),
        refused.status,
        headers=refused.headers,
        media_type="application/problem+json",
    )


def refusal_of(error: QuaereError) -> Refused:
    """Return how the service reports an error of the engine."""
    kinds = (kind for kind in type(error).__mro__ if kind in STATUS)
    status = STATUS[kind] if (kind := next(kinds, None)) else HTTPStatus.INTERNAL_SERVER_ERROR
    after = getattr(error, "retry_after", None)
    if after is None and error.retryable:
        after = RETRY_S
    headers = {"Retry-After": str(max(1, math.ceil(after)))} if after is not None else {}
    return Refused(status, error.type, _told(error), retryable=error.retryable, headers=headers)


def _told(error: QuaereError) -> str:
    """Return the message of ``error`` without where the database is, which is not for clients."""
    if not isinstance(error, StoreError) or not (named := _DATABASE.search(error.message)):
        return error.message
    if isinstance(error, SchemaError):
        return error.message.replace(named[0], "the database")
    return "The database cannot be used at the moment."


async def _of_engine(request: Request, error: Exception) -> Response:
    if not isinstance(error, QuaereError):
        raise error
    if isinstance(error, StoreError):
        logger.warning("request %s: %s", request_id_of(request), error.message)
    return problem(request, refusal_of(error))


async def _of_refusal(request: Request, error: Exception) -> Response:
    if not isinstance(error, Refused):
        raise error
    return problem(request, error)


async def _of_form(request: Request, error: Exception) -> Response:
    """Tell what is wrong with a body or a parameter, without what it held."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = "; ".join(map(_fault, error.errors()[:10]))
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return problem(request, Refused(status, "invalid_request", f"Invalid request: {faults}."))


def _fault(fault: Mapping[str, object]) -> str:
    path = cast("Sequence[str | int]", fault["loc"])
    if fault["type"] == "json_invalid":  # its place is a character
        return f"the body is not valid JSON, at character {path[-1]}"
    if len(path) == 1 and path[0] == "body" and fault["type"] in _NO_OBJECT:
        return "the body must be a JSON object, sent with Content-Type: application/json"
    return f"{place_of(path)}: {fault_in_words(str(fault['msg']))}"


_NO_OBJECT = frozenset({"model_attributes_type", "model_type", "dict_type", "missing"})
"""Faults of a body that is empty or of another type: a form, a list, plain text."""


def place_of(path: Sequence[str | int]) -> str:
    """Return where in a request a fault is, ``limits.max_iters`` or ``after``; else in what part.

    Args:
        path: The part of the request, such as "body", and the way from there.
    """
    return ".".join(map(str, path[1:])) or str(path[0])


async def _of_http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    kind = status.phrase.lower().replace(" ", "_").replace("-", "_")
    headers = dict(error.headers or {})
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return problem(request, Refused(status, kind, str(error.detail), headers=headers))


def _methods(request: Request) -> Iterator[str]:
    """Yield the methods of the path; Starlette tells those of its first route alone."""
    for route in _routes(cast("FastAPI", request.app).routes):
        matched, _ = route.matches(request.scope)
        if matched is not Match.NONE:
            yield from getattr(route, "methods", None) or ()


def _routes(routes: Sequence[BaseRoute]) -> Iterator[BaseRoute]:
    """Yield ``routes`` with those of the routers among them."""
    for route in routes:
        router = getattr(route, "original_router", None)
        yield from _routes(router.routes) if isinstance(router, APIRouter) else [route]


def bug(request: Request, error: Exception) -> Response:
    """Return the answer where the service itself is at fault; the log tells more than it does."""
    logger.error("bug in request %s", request_id_of(request), exc_info=error)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    message = f"Internal error; see the log, under {request_id_of(request)}."
    return problem(request, Refused(status, "internal", message))


def install(app: FastAPI) -> None:
    """Let ``app`` answer every error in one form."""
    app.add_exception_handler(QuaereError, _of_engine)
    app.add_exception_handler(Refused, _of_refusal)
    app.add_exception_handler(RequestValidationError, _of_form)
    app.add_exception_handler(HTTPException, _of_http)
