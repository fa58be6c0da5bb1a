"""The OpenAPI document: what FastAPI makes of the routes, and how callers are known."""

from __future__ import annotations

import asyncio
import json

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import JsonValue, TypeAdapter
from starlette.responses import JSONResponse

JSON, PROBLEM, STREAM = "application/json", "application/problem+json", "text/event-stream"
SENT_EVENT: dict[str, JsonValue] = {
    "type": "object",
    "title": "ServerSentEvent",
    "properties": {name: {"type": "string"} for name in ("event", "id", "data")},
}
"""What each server-sent event has; ``data`` is JSON."""
_DOCUMENT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


def operation_id(route: APIRoute) -> str:
    """Return the name of an operation, such as ``runs_create``, by which clients call it."""
    return f"{route.tags[0]}_{route.name}" if route.tags else route.name


def document(service: FastAPI) -> dict[str, JsonValue]:
    """Return the document of ``service``, OpenAPI 3.1."""
    made = get_openapi(
        title=service.title,
        version=service.version,
        description=service.description,
        routes=service.routes,
        license_info=service.license_info,
        tags=service.openapi_tags,
    )
    made["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "An API key, `qk_...`."},
        "session": {"type": "apiKey", "in": "cookie", "name": "quaere_session"},
    }
    made["security"] = [{"key": []}, {"session": []}, {}]
    for methods in made["paths"].values():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                _correct(status, response.get("content", {}))
    return _DOCUMENT.validate_python(made)


def _correct(status: str, content: dict[str, JsonValue]) -> None:
    """Name the media types that FastAPI cannot know of in the ``content`` of a response."""
    if status[:1] in {"4", "5"} and JSON in content:
        told = json.dumps(content[JSON])
        if told.endswith('/Problem"}}'):
            content[PROBLEM] = content.pop(JSON)
        else:  # that of another protocol, before which ours may refuse
            content[PROBLEM] = {"schema": {"$ref": "#/components/schemas/Problem"}}
    if STREAM in content:
        content[STREAM] = {"schema": SENT_EVENT}


def describe(service: FastAPI) -> None:
    """Let ``service`` show its document at ``/openapi.json``."""

    def made() -> dict[str, JsonValue]:
        service.openapi_schema = service.openapi_schema or document(service)
        return service.openapi_schema

    async def openapi_json() -> JSONResponse:
        return JSONResponse(await asyncio.to_thread(made))  # a second of work, once

    service.openapi = made
    service.add_api_route("/openapi.json", openapi_json, include_in_schema=False)
