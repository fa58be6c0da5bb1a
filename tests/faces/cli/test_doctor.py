"""``quaere doctor``, as a process: a table or JSON, an exit code, and never a key."""

from __future__ import annotations

import pytest
from tests.faces.cli.conftest import Run

from quaere.faces.cli.doctor import diagnosis_text
from quaere.models import VENDORS
from quaere.runtime.doctor import Diagnosis, Finding, Health
from quaere.search.registry import SERVICES

KEY = "sk-nobody-may-see-this"
NOWHERE = "http://127.0.0.1:9"


def test_what_is_sound_ends_well(quaere: Run) -> None:
    done = quaere("doctor", "--offline")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n\nEverything that is configured works.\n")


def test_a_fault_is_told_and_is_exit_code_1(quaere: Run) -> None:
    done = quaere("doctor", "--offline", env={"QUAERE_MODEL": "openai:gpt-4.1-mini"})
    assert (done.returncode, done.stderr) == (1, "")
    assert "needs a key: set OPENAI_API_KEY" in done.stdout
    assert done.stdout.endswith("\n\n1 problem found.\n")


def test_settings_that_cannot_be_read_are_no_usage_error(quaere: Run) -> None:
    done = quaere("doctor", "--offline", "-f", "json", env={"RESEARCH_MAX_ITERS": "0"})
    assert done.returncode == 1
    faults = [f for f in Diagnosis.model_validate_json(done.stdout).findings if not f.sound]
    assert [fault.part for fault in faults] == ["settings"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_key_is_shown(quaere: Run, form: str) -> None:
    """Every service and model has a key, and none of them can be reached."""
    env = {name: KEY for service in SERVICES for name in (*service.needs, *service.options)}
    env |= {service.base_url_setting: f"{NOWHERE}/base" for service in SERVICES}
    env |= {vendor.key_variable: KEY for vendor in VENDORS.values() if vendor.key_variable}
    env |= {
        "QUAERE_MODEL_API_KEY": KEY,
        "QUAERE_MODEL": "openai:gpt-4.1-mini",
        "QUAERE_MODEL_BASE_URL": f"openai=http://me:{KEY}@127.0.0.1:9",
    }
    done = quaere("doctor", "-f", form, env=env)
    assert done.returncode == 1, done.stderr
    assert "could not be reached" in done.stdout
    assert "serper could not be reached" in done.stdout
    assert "Check the network connection" in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_the_table_can_be_trusted_by_a_terminal() -> None:
    torn = Finding(health=Health.FAULT, part="folder", name="a\x1b]0;b", message="no\nsuch \x07")
    text = diagnosis_text(Diagnosis(healthy=False, findings=(torn, torn)))
    assert text.endswith("\n\n2 problems found.\n")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert len(text.splitlines()) == 4
