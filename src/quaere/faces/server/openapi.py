"""The OpenAPI document: what FastAPI makes of the routes, and how callers are known."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import JsonValue, TypeAdapter
from starlette.responses import JSONResponse

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
    return _DOCUMENT.validate_python(made)


def describe(service: FastAPI) -> None:
    """Let ``service`` show its document at ``/openapi.json``."""

    def made() -> dict[str, JsonValue]:
        service.openapi_schema = service.openapi_schema or document(service)
        return service.openapi_schema

    async def openapi_json() -> JSONResponse:
        return JSONResponse(await asyncio.to_thread(made))  # a second of work, once

    service.openapi = made
    service.add_api_route("/openapi.json", openapi_json, include_in_schema=False)
