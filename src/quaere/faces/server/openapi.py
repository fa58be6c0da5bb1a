"""The OpenAPI document: what FastAPI makes of the routes, and how callers are known."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import JsonValue, TypeAdapter

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
