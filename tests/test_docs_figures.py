"""Figures that pages of the docs give are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quaere.audit.second_opinion import MOST
from quaere.audit.sources import AuditLimits
from quaere.domain.budget import PROFILES
from quaere.evidence.pool import LARGE_TOKENS
from quaere.faces.cli.check import MAX_SENTENCES
from quaere.faces.mcp.forms import MAX_PAGE_CHARS, MAX_STATUS_WAIT_S
from quaere.faces.mcp.runs import Pace
from quaere.faces.server.guard import MOST_STREAMS
from quaere.faces.server.signing import SIGNED_IN_S
from quaere.faces.tool import MAX_SECONDS
from quaere.graphs.nodes.collect import COMPARED_CHARS
from quaere.index.whole_tables import MOST_ROWS
from quaere.models.request import THINKING_TOKENS
from quaere.models.similarity import MAX_CHARS
from quaere.models.vendors import SMALL_WINDOW
from quaere.reason.extractive.draft import PROOF_WORDS
from quaere.resilience.limits import AWAY_S
from quaere.runtime.settings import Settings
from quaere.runtime.webhooks import TIMEOUT_S
from quaere.runtime.worker import REPORT_S, WorkerPolicy
from quaere.store.carriers.database import MAX_ATTEMPTS
from quaere.store.db.database import BUSY_S, CONNECT_S
from quaere.store.db.postgres import LOST_S
from quaere.store.fleet import SILENT_S
from quaere.store.schedules import MAX_SCHEDULES
from quaere.synthesize.brief import MAX_WORDS

DOCS = Path(__file__).parents[1] / "docs"
ROW = re.compile(r"(?m)^\| [^|]+ \| `--([a-z-]+)` \|(.+)\|$")
FIELDS = {"max-time": "max_execution_time_s", "max-tokens": "token_budget", "words": "answer_words"}


def test_the_page_on_budgets_has_the_figures_of_every_profile() -> None:
    rows: list[tuple[str, str]] = ROW.findall((DOCS / "budgets.md").read_text("utf-8"))
    assert len(rows) == 8
    for option, cells in rows:
        field = FIELDS.get(option, option.replace("-", "_"))
        told = [float(cell.replace(",", "")) for cell in cells.split("|")]
        assert told == [getattr(budget, field) for budget in PROFILES.values()], option


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("assistants", f"waits up to {MAX_STATUS_WAIT_S} seconds"),
        ("assistants", f"goes on after {Pace().hand_back_s:.0f} seconds"),
        ("assistants", f"A page longer than {MAX_PAGE_CHARS:,} characters"),
        ("budgets", f"would be shown more than {LARGE_TOKENS:,}"),
        ("checking", f"{MOST} in a request"),
        ("checking", f"a text may have {MAX_SENTENCES:,} sentences"),
        ("deployment", f"at most {MAX_WORDS} words"),
        ("jobs", f"of {WorkerPolicy().lease_s:.0f} seconds (`--lease`)"),
        ("models", f"a context of up to {SMALL_WINDOW:,} tokens"),
        ("models", f"a text, {MAX_CHARS:,} characters, is what is embedded"),
        ("models", f"a passage that is ranked, {COMPARED_CHARS}."),
        ("models", f"get {THINKING_TOKENS:,} tokens more"),
        ("models", f"`QUAERE_MODEL_TIMEOUT_S` seconds ({Settings().model_timeout_s:.0f})"),
        ("no-model", f"A table of more than {MOST_ROWS:,} rows is not read"),
        ("no-model", f"{PROOF_WORDS} words at most for one question about a fact"),
        ("scaling", f"after {LOST_S}\nseconds of silence"),
        ("scaling", f"Workers report every {REPORT_S:.0f} seconds"),
        ("scaling", f"silent for {SILENT_S:.0f} is no longer shown"),
        ("scaling", f"doubles the time, up to {AWAY_S:.0f} seconds"),
        ("scaling", f"each user has its own, {MAX_SCHEDULES} at most"),
        ("scaling", f"a status of 2xx within {TIMEOUT_S:.0f} s"),
        ("traces", f"waited for, {BUSY_S:.0f} seconds at most"),
        ("traces", f"started again for {CONNECT_S:.0f} seconds"),
        ("users", f"may have {MOST_STREAMS} streams"),
    ],
)
def test_a_page_says_what_the_code_has(page: str, said: str) -> None:
    assert said in (DOCS / f"{page}.md").read_text("utf-8")


def test_figures_that_pages_give_in_words() -> None:
    assert (MAX_ATTEMPTS, MAX_SECONDS, SIGNED_IN_S) == (5, 600, 12 * 3600)
    assert "has had five workers die over it" in (DOCS / "jobs.md").read_text("utf-8")
    assert "ten minutes at most" in (DOCS / "assistants.md").read_text("utf-8")
    assert "A session lasts twelve hours" in (DOCS / "security.md").read_text("utf-8")


def test_the_options_of_a_check_begin_with_the_limits_of_an_audit() -> None:
    said = re.sub(r"\s+", " ", (DOCS / "cli.md").read_text("utf-8"))
    limits = AuditLimits()
    assert f"Maximum number of sources to read. [default: {limits.max_reads};" in said
    assert f"Time limit for reading and comparing. [default: {limits.max_time_s};" in said
