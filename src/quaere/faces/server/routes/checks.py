"""Checks of anybody's text against what it cites."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from quaere.audit.auditor import AuditLimits
from quaere.audit.cited_text import cited_text
from quaere.audit.verdict import Audit
from quaere.faces.server.access import Checking
from quaere.faces.server.asking import paths_of
from quaere.faces.server.context import Shared
from quaere.faces.server.forms import CheckForm
from quaere.runtime.check import CheckOptions

router = APIRouter(prefix="/v1/checks", tags=["checks"])


@router.post("")
async def check(form: CheckForm, context: Shared, caller: Checking) -> Audit:
    """Return a verdict on every sentence of a text, with the words of its sources.

    Web pages are read as in a run; documents are read where they are in one of the folders.
    """
    options = CheckOptions(
        roots=await paths_of(context, caller, form.folders),
        model=form.model,
        limits=AuditLimits(max_reads=form.max_reads, max_time_s=form.max_time_s),
    )
    text = await asyncio.to_thread(cited_text, form.text)
    audit = await context.app.check(text, options)
    return Audit.model_validate_json(context.places.masked(audit.model_dump_json()))
