"""Who the caller is, how a browser signs in, and all data that is held of the caller."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from quaere.domain.access import Right
from quaere.faces.server.access import (
    COOKIE,
    WAY_COOKIE,
    Context,
    Reading,
    Running,
    Shared,
    caller_of,
)
from quaere.faces.server.errors import Refused, invalid, unknown
from quaere.faces.server.forms import Form
from quaere.faces.server.signing import SESSION_S, SIGNED_IN_S, WAY_S, Way
from quaere.runtime.own_data import erase_data, export_data
from quaere.runtime.settings import Access
from quaere.store.keys import Keys
from quaere.version import __version__

if TYPE_CHECKING:
    from quaere.faces.server.oidc import Issuer


logger = logging.getLogger(__name__)
router = APIRouter(prefix="/v1", tags=["service"])

_OWN_PATH: Final = re.compile(r"/(?![/\\])[^\s\\]*")
"""A place of this site: "//" and "/\\" would lead to another."""


class Session(BaseModel):
    """The caller, and how the service is set up."""

    version: str
    access: Access
    signed_in: bool
    user: str | None
    org: str | None
    rights: tuple[Right, ...]
    model: str | None
    """The model of runs that name none; null for none."""
    sharing: bool
    makes_runs: bool
    """Whether this process makes runs itself."""
    stores: Mapping[str, bool]
    """What is kept when a run is over: ``pages``, ``questions``."""


class SignIn(Form):
    """The API key that a browser signs in with."""

    key: Annotated[str, Field(min_length=1, max_length=200)]


@router.get("/session")
async def session(request: Request, context: Shared) -> Session:
    """Return who the caller is; an unknown caller is not an error."""
    try:
        caller = await caller_of(request)
    except Refused:
        caller = None
    settings = context.app.settings
    return Session(
        version=__version__,
        access=context.access,
        signed_in=caller is not None,
        user=caller.owner.user if caller else None,
        org=caller.owner.org if caller else None,
        rights=tuple(sorted(caller.rights)) if caller else (),
        model=settings.model if caller else None,
        sharing=settings.sharing,
        makes_runs=context.workers > 0,
        stores={"pages": settings.store_pages, "questions": settings.store_questions},
    )


@router.post("/session", status_code=HTTPStatus.NO_CONTENT)
async def sign_in(form: SignIn, request: Request, context: Shared, response: Response) -> None:
    """Sign a browser in with an API key, in exchange for a session cookie."""
    found = await Keys(await context.app.database()).find(form.key)
    if found is None:
        raise unknown()
    _begin(request, response, context.signer.session(found.id), SESSION_S)


@router.get("/session/login", response_class=RedirectResponse, status_code=HTTPStatus.SEE_OTHER)
async def log_in(
    request: Request, context: Shared, back: Annotated[str, Query(max_length=500)] = "/"
) -> RedirectResponse:
    """Redirect a browser to the issuer that signs users in; afterwards it returns to `back`."""
    issuer, way = _issuer(context), Way(back=back if _OWN_PATH.fullmatch(back) else "/")
    try:
        there = await issuer.way_to(way, _callback(request))
    except Refused as refused:
        return _not_signed_in(request, refused, way.back)
    answer = RedirectResponse(there, HTTPStatus.SEE_OTHER)
    answer.set_cookie(
        WAY_COOKIE,
        context.signer.login_cookie(way.model_dump_json()),
        max_age=WAY_S,
        path="/v1/session",
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="lax",  # the issuer's site leads back here
    )
    return answer


@router.get("/session/callback", response_class=RedirectResponse, status_code=HTTPStatus.SEE_OTHER)
async def logged_in(
    request: Request,
    context: Shared,
    state: Annotated[str, Query(max_length=200)] = "",
    code: Annotated[str, Query(max_length=2_000)] = "",
    error: Annotated[str, Query(max_length=200)] = "",
) -> RedirectResponse:
    """Start the session of a user who returns from the issuer."""
    issuer = _issuer(context)
    kept = context.signer.way_of(request.cookies.get(WAY_COOKIE, ""))
    way = Way.model_validate_json(kept) if kept else None
    if way is None or not secrets.compare_digest(state.encode(), way.state.encode()):
        stray = invalid("This sign-in was not started here, or it took too long.")
        return _not_signed_in(request, stray, "/")
    try:
        if not code:
            raise _declined(error)
        owner = await issuer.came_back(way, code, _callback(request))
    except Refused as refused:
        return _not_signed_in(request, refused, way.back)
    answer = RedirectResponse(way.back, HTTPStatus.SEE_OTHER)
    answer.delete_cookie(WAY_COOKIE, path="/v1/session", httponly=True, samesite="lax")
    _begin(request, answer, context.signer.signed_in(owner.user), SIGNED_IN_S)
    return answer


@router.delete("/session", status_code=HTTPStatus.NO_CONTENT)
async def sign_out(response: Response) -> None:
    """Sign the browser out."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def _begin(request: Request, response: Response, session: str, seconds: int) -> None:
    """Have the browser keep ``session`` for so many seconds, out of reach of pages and sites."""
    response.set_cookie(
        COOKIE,
        session,
        max_age=seconds,
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="strict",
    )


def _declined(error: str) -> Refused:
    """Return the refusal of a user who comes back without a code (RFC 6749, 4.1.2.1)."""
    logger.warning("the issuer sends a user back who is not signed in: %r", error)
    return Refused(HTTPStatus.UNAUTHORIZED, "access_denied", "The issuer did not sign you in.")


def _not_signed_in(request: Request, refused: Refused, back: str) -> RedirectResponse:
    """Return what leads a browser back to the page, which says in words why it is not signed in.

    Raises:
        Refused: for a program, which reads the error itself.
    """
    if "text/html" not in request.headers.get("accept", ""):
        raise refused
    path, query = urlsplit(back).path, urlsplit(back).query
    told = urlencode({"sign_in": refused.kind})
    return RedirectResponse(f"{path}?{query + '&' if query else ''}{told}", HTTPStatus.SEE_OTHER)


def _issuer(context: Context) -> Issuer:
    if context.issuer is None:
        message = "Users sign in with an API key here."
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", message)
    return context.issuer


def _callback(request: Request) -> str:
    """Return where the issuer sends a browser back to: on the site that it came from."""
    return str(request.url_for("logged_in"))


data_router = APIRouter(prefix="/v1/me", tags=["data"])

ARCHIVE: dict[int | str, dict[str, object]] = {
    200: {
        "description": "A ZIP archive of JSON files, and of the files of folders.",
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class Erased(BaseModel):
    """What was deleted."""

    runs: int


@data_router.get("/data", response_class=StreamingResponse, responses=ARCHIVE)
async def export(context: Shared, caller: Reading) -> StreamingResponse:
    """Return everything stored about the caller: runs, conversations, folders, keys."""
    pieces = export_data(context.app, caller.owner, context.places.masked)
    told = {"Content-Disposition": 'attachment; filename="quaere-data.zip"'}
    return StreamingResponse(pieces, media_type="application/zip", headers=told)


@data_router.delete("/data")
async def erase(context: Shared, caller: Running) -> Erased:
    """Delete everything stored about the caller, including the key of this request.

    This also needs the scope `folders`, and the scopes of every key that is deleted.
    """
    now = datetime.now(UTC)
    mine = await Keys(await context.app.database()).list(caller.owner)
    caller.need(
        Right.FOLDERS, *(right for key in mine if key.is_valid(now) for right in key.scopes)
    )
    gone = await erase_data(context.app, caller.owner)
    for run_id in gone:
        context.feeds.forget(run_id)
    return Erased(runs=len(gone))
