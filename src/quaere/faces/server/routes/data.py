"""One's own data: all of it as an archive, and its deletion."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import StreamingResponse

from quaere.faces.server.access import Reading, Running
from quaere.faces.server.context import Shared
from quaere.runtime.own_data import erase_data, export_data

router = APIRouter(prefix="/v1/me", tags=["data"])

ARCHIVE: dict[int | str, dict[str, object]] = {
    200: {
        "description": "A ZIP archive of JSON files, and of the files of folders.",
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class Erased(BaseModel):
    """What was deleted."""

    runs: int


@router.get("/data", response_class=StreamingResponse, responses=ARCHIVE)
async def export(context: Shared, caller: Reading) -> StreamingResponse:
    """Return everything that is held of the caller: runs, conversations, folders, keys."""
    pieces = export_data(context.app, caller.owner, context.places.masked)
    told = {"Content-Disposition": 'attachment; filename="quaere-data.zip"'}
    return StreamingResponse(pieces, media_type="application/zip", headers=told)


@router.delete("/data")
async def erase(context: Shared, caller: Running) -> Erased:
    """Delete everything that is held of the caller, the key of this request included."""
    gone = await erase_data(context.app, caller.owner)
    for run_id in gone:
        context.feeds.forget(run_id)
    return Erased(runs=len(gone))
