"""Folders of documents: listed, filled, indexed and deleted; always by id, never by path."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, File, Query, Request, Response, UploadFile
from fastapi.responses import FileResponse, PlainTextResponse
from pydantic import BaseModel, StringConstraints

from quaere.errors import FileRefused, QuaereError
from quaere.faces.server.access import Folding, KnownFirst, Reading, Shared
from quaere.faces.server.feed import headers
from quaere.faces.server.forms import Form
from quaere.faces.server.stream import EventStream
from quaere.faces.server.uploads import name_of
from quaere.faces.wire.parts import Frame, failed, sse
from quaere.runtime.folders import Folder, FolderFile, FolderFiles, IndexStep

router = APIRouter(prefix="/v1/folders", tags=["folders"], route_class=KnownFirst)

CHUNK_BYTES = 262_144
BINARY = "application/octet-stream"
"""The type under which files of others are sent, so that no browser shows or runs them."""
STEPS: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The state of the index; with `Accept: text/event-stream`, its progress.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
FILE_TEXT: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The text of the file as runs read it; with `original`, the file itself.",
        "content": {
            "text/plain": {"schema": {"type": "string"}},
            BINARY: {"schema": {"type": "string", "contentMediaType": BINARY}},
        },
        "headers": {"ETag": {"schema": {"type": "string"}}},
    }
}


class FolderForm(Form):
    """A folder to create."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class FolderList(BaseModel):
    """The folders that the caller may search: the operator's first."""

    folders: tuple[Folder, ...]


class RefusedFile(BaseModel):
    """A file that was refused, and why."""

    name: str
    status: str
    message: str


class Uploaded(BaseModel):
    """The files of an upload: those that were accepted, and those that were refused."""

    files: tuple[FolderFile, ...]
    refused: tuple[RefusedFile, ...]


@router.get("")
async def listed(context: Shared, caller: Reading) -> FolderList:
    """Return the folders that the caller may search."""
    return FolderList(folders=await (await context.folders()).list(caller.owner))


@router.post("", status_code=HTTPStatus.CREATED)
async def create(form: FolderForm, context: Shared, caller: Folding) -> Folder:
    """Create an empty folder."""
    return await (await context.folders()).create(caller.owner, form.name)


@router.get("/{folder_id}")
async def one(folder_id: str, context: Shared, caller: Reading) -> Folder:
    """Return a folder and the state of its index."""
    return await (await context.folders()).get(caller.owner, folder_id)


@router.delete("/{folder_id}", status_code=HTTPStatus.NO_CONTENT)
async def delete(folder_id: str, context: Shared, caller: Folding) -> None:
    """Delete a folder with its files, and remove them from every index."""
    await (await context.folders()).delete(caller.owner, folder_id)


@router.get("/{folder_id}/files")
async def files(
    folder_id: str,
    context: Shared,
    caller: Reading,
    *,
    after: Annotated[str, Query(max_length=4096, description="Previous `following`.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> FolderFiles:
    """Return the files of a folder, and whether each could be read."""
    folders = await context.folders()
    return await folders.files(caller.owner, folder_id, after=after, limit=limit)


@router.post("/{folder_id}/files", status_code=HTTPStatus.CREATED)
async def upload(
    folder_id: str,
    context: Shared,
    caller: Folding,
    uploads: Annotated[list[UploadFile], File(alias="files", max_length=100)],
) -> Uploaded:
    """Add files to a folder; files of the same names are replaced.

    Files that cannot be read are refused; the content of a file decides, not its name. When none
    was accepted, the response is the error of the first.
    """
    folders = await context.folders()
    taken: list[FolderFile] = []
    refused: list[RefusedFile] = []
    first: FileRefused | None = None
    for each in uploads:
        name = name_of(each)
        try:
            taken.append(await folders.add_file(caller.owner, folder_id, name, _chunks(each)))
        except FileRefused as error:
            first = first or error
            refused.append(RefusedFile(name=name, status=error.status, message=error.message))
    if first and not taken:
        raise first
    return Uploaded(files=tuple(taken), refused=tuple(refused))


@router.get("/{folder_id}/files/{path:path}", response_class=Response, responses=FILE_TEXT)
async def text_of_file(
    folder_id: str,
    path: str,
    context: Shared,
    caller: Reading,
    *,
    place: Annotated[str, Query(max_length=200, description="A record, such as `row=7`.")] = "",
    original: Annotated[bool, Query(description="Return the file itself as a download.")] = False,
) -> Response:
    """Return the text of a file as runs read it; its `ETag` is a citation's `content_hash`.

    With `original`, the file itself is sent as an attachment, unchanged and unchecked.
    """
    folders, name = await context.folders(), path.rpartition("/")[2]
    if original:
        found = await folders.original(caller.owner, folder_id, path)
        return FileResponse(found, media_type=BINARY, filename=name)
    page = await folders.text(caller.owner, folder_id, path, place=place)
    told = {
        "Content-Disposition": f"inline; filename*=UTF-8''{quote(f'{name}.txt', safe='')}",
        "ETag": f'"{page.content_hash}"',
    }
    return PlainTextResponse(page.text.encode("utf-8", "replace"), headers=told)


@router.delete("/{folder_id}/files/{path:path}", status_code=HTTPStatus.NO_CONTENT)
async def delete_file(folder_id: str, path: str, context: Shared, caller: Folding) -> None:
    """Delete a file of a folder, and remove it from every index."""
    await (await context.folders()).delete_file(caller.owner, folder_id, path)


@router.post("/{folder_id}/index", response_model=IndexStep, responses=STEPS)
async def index(
    folder_id: str, request: Request, context: Shared, caller: Folding
) -> Response | IndexStep:
    """Bring the index of a folder up to date; what was indexed stays if the caller disconnects."""
    folders = await context.folders()
    await folders.get(caller.owner, folder_id)
    steps = folders.index(caller.owner, folder_id)
    if "text/event-stream" in request.headers.get("accept", ""):
        return EventStream(_frames(steps), headers())
    return [step async for step in steps][-1]


async def _chunks(upload: UploadFile) -> AsyncGenerator[bytes]:
    while chunk := await upload.read(CHUNK_BYTES):
        yield chunk


async def _frames(steps: AsyncGenerator[IndexStep]) -> AsyncGenerator[bytes]:
    try:
        async for step in steps:
            name = "done" if step.finished else "progress"
            yield sse(Frame(step.model_dump_json(), event=name))
    except QuaereError as error:
        yield sse(failed(error.type, error.message, error.retryable))
