"""How much a server of one's own has room for, in its own words.

llama.cpp says so under ``/props``, and in the error with which it refuses a request that is too
long: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md, 2026-11.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from quaere.models.spec import ModelAccess

ASKED_S = 1.0
"""Seconds that a server has to tell."""
_REFUSED = re.compile(r"""exceed_context_size_error.*?['"]n_ctx['"]:\s*(\d{3,9})""", re.DOTALL)


class _Slot(BaseModel):
    n_ctx: Annotated[int, Field(ge=256)]


class _Properties(BaseModel):
    default_generation_settings: _Slot


def context_told(url: str, access: ModelAccess) -> int | None:
    """Return the tokens that prompt and answer may have together; None where ``url`` does not say.

    A server that is down is reported by the first call that needs it.
    """
    import httpx2  # noqa: PLC0415 - slow to import, and seldom needed

    key = access.api_key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        said = httpx2.get(url, headers=headers, timeout=ASKED_S, trust_env=False)
        return _Properties.model_validate_json(said.content).default_generation_settings.n_ctx
    except (httpx2.HTTPError, httpx2.InvalidURL, ValidationError):
        return None


def context_in(error: Exception) -> int | None:
    """Return the tokens that a server has room for by its ``error``; None where it is another."""
    refused = _REFUSED.search(str(error))
    return int(refused[1]) if refused else None
