"""What is known of vendors, and how a model of theirs is named."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from quaere.errors import SettingsError
from quaere.models.vendors import SMALL_WINDOW, VENDORS, Constraint, ModelAccess, ModelSpec, Vendor

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("vendor", VENDORS.values(), ids=VENDORS)
def test_a_row_is_complete(vendor: Vendor) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert vendor.extra in project["optional-dependencies"]
    assert vendor.window("some-model-that-nobody-knows") >= 4_096
    for pattern in (vendor.unconstrained, vendor.tempered, vendor.thinks):
        re.compile(pattern)
    assert vendor.base_url or vendor.name == "compatible"


@pytest.mark.parametrize(
    ("vendor", "model", "window"),
    [
        ("openai", "gpt-4", 8_192),
        ("openai", "gpt-4-turbo", 128_000),
        ("openai", "gpt-4.1-mini", 1_047_576),
        ("openai", "gpt-5-mini", 272_000),
        ("anthropic", "claude-haiku-4-5", 200_000),
        ("anthropic", "claude-opus-4-6", 1_000_000),
        ("google", "gemini-3.5-flash", 1_048_576),
        ("groq", "llama-3.3-70b-versatile", 131_072),
        ("mistral", "open-mistral-7b", 8_000),
        ("llamacpp", "anything", 4_096),
    ],
)
def test_the_longest_beginning_tells_the_window(vendor: str, model: str, window: int) -> None:
    """R0.7: context windows are respected by knowing them."""
    assert VENDORS[vendor].window(model) == window


@pytest.mark.parametrize(
    ("vendor", "model", "tempers", "thinks"),
    [
        ("openai", "gpt-4.1", True, False),
        ("openai", "o3-mini", False, True),
        ("openai", "gpt-5-mini", False, True),
        ("openai", "gpt-5-chat-latest", True, False),
        ("openai", "gpt-6.1-sol", False, True),
        ("anthropic", "claude-sonnet-4-5-20250929", True, False),
        ("anthropic", "claude-opus-4-20250514", True, False),
        ("anthropic", "claude-opus-4-6", True, False),
        ("anthropic", "claude-opus-4-7", False, False),
        ("anthropic", "claude-sonnet-5-5", False, True),
        ("anthropic", "claude-fable-5-1", False, True),
        ("google", "gemini-2.0-flash", True, False),
        ("google", "gemini-2.5-pro", True, True),
        ("google", "gemini-4-argon", False, True),
        ("groq", "openai/gpt-oss-20b", True, True),
        ("deepseek", "deepseek-chat", True, False),
        ("deepseek", "deepseek-reasoner", True, True),
        ("ollama", "qwen3:8b", True, True),
        ("ollama", "llama3.2:3b", True, False),
        ("compatible", "openai/gpt-5-mini", False, False),
        ("compatible", "org/moth-8b", True, False),
    ],
)
def test_models_that_think_or_take_no_temperature_are_known(
    vendor: str, model: str, *, tempers: bool, thinks: bool
) -> None:
    assert VENDORS[vendor].tempers(model) is tempers
    assert VENDORS[vendor].thinks_in(model) is thinks


@pytest.mark.parametrize(
    ("vendor", "model", "constraint"),
    [
        ("openai", "gpt-4o-mini", Constraint.STRICT),
        ("openai", "gpt-4", Constraint.WORDS),
        ("openai", "gpt-4-turbo", Constraint.WORDS),
        ("anthropic", "claude-sonnet-4-5", Constraint.ANTHROPIC),
        ("anthropic", "claude-3-haiku-20240307", Constraint.WORDS),
        ("anthropic", "claude-opus-4-1", Constraint.ANTHROPIC),
        ("groq", "openai/gpt-oss-120b", Constraint.SCHEMA),
        ("groq", "llama-3.1-8b-instant", Constraint.JSON_OBJECT),
        ("mistral", "open-mistral-7b", Constraint.JSON_OBJECT),
        ("deepseek", "deepseek-chat", Constraint.JSON_OBJECT),
    ],
)
def test_a_model_is_constrained_by_what_it_has(
    vendor: str, model: str, constraint: Constraint
) -> None:
    assert VENDORS[vendor].constraint_for(model) is constraint


@pytest.mark.parametrize("vendor", VENDORS.values(), ids=VENDORS)
def test_the_documentation_has_the_row(vendor: Vendor) -> None:
    text = (ROOT / "docs" / "models.md").read_text("utf-8")
    key = f"`{vendor.key_variable}`" if vendor.key_variable else "none"
    assert f"| `{vendor.name}` | `{vendor.extra}` | {key} |" in text


@pytest.mark.parametrize(
    ("model", "window", "small"),
    [
        ("nobody-knows", 8_192, True),
        ("nobody-knows", 8_193, False),
        ("llama3.2:3b", 10**6, True),
        ("gemma3:270M", 10**6, True),
        ("tinyllama", 10**6, True),
        ("llama-13b", 10**6, False),
        ("qwen3-4b", 10**6, False),
        ("model-3.5bit", 10**6, False),
    ],
)
def test_a_model_of_little_room_or_few_parameters_is_asked_little_at_a_time(
    model: str, window: int, *, small: bool
) -> None:
    assert VENDORS["compatible"].is_small(model, window, known=True) is small


def test_a_window_that_is_only_assumed_says_nothing_of_a_vendor_with_room() -> None:
    for vendor in VENDORS.values():
        assert vendor.is_small("nobody-knows", SMALL_WINDOW, known=True)
        assert vendor.is_small("nobody-knows", SMALL_WINDOW, known=False) is not vendor.roomy


ODD_WINDOWS = {16_385, 1_047_576}
"""Those of gpt-3.5-turbo and gpt-4.1."""


@pytest.mark.parametrize("vendor", VENDORS.values(), ids=VENDORS)
def test_windows_are_round_as_vendors_state_them(vendor: Vendor) -> None:
    round_ = {window for window in vendor.windows.values() if not window % 1000 * (window % 1024)}
    assert set(vendor.windows.values()) - round_ <= ODD_WINDOWS


def having(trait: Callable[[Vendor], object]) -> set[str]:
    return {name for name, vendor in VENDORS.items() if trait(vendor)}


OWN_MACHINE = {"ollama", "llamacpp", "lmstudio"}


def test_what_each_vendor_s_service_can_do_is_told() -> None:
    assert having(lambda vendor: vendor.options) == {"ollama"}
    assert having(lambda vendor: not vendor.streams_json) == {"groq"}
    assert having(lambda vendor: vendor.schema_unseen) == {"compatible", *OWN_MACHINE}
    assert having(lambda vendor: vendor.roomy) == {"compatible", "lmstudio"}
    assert having(lambda vendor: vendor.lists) == OWN_MACHINE


def test_clients_of_openai_s_kind_send_arguments_in_the_body_and_know_no_deadline_of_a_piece() -> (
    None
):
    own = having(lambda vendor: vendor.module in {"langchain_openai", "langchain_deepseek"})
    assert having(lambda vendor: vendor.body) == own
    for name in own:
        told = VENDORS[name].arguments
        assert told["stream_usage"] is True
        assert told["stream_chunk_timeout"] == 0
        assert told.get("use_responses_api", False) is False


def test_google_s_client_makes_one_attempt_at_its_own_service() -> None:
    """Its first attempt counts as a retry; the policy around the client makes all others."""
    assert VENDORS["google"].arguments == {"vertexai": False, "max_retries": 1}


@pytest.mark.parametrize(
    ("text", "vendor", "model"),
    [
        ("openai:gpt-4.1-mini", "openai", "gpt-4.1-mini"),
        ("ollama:llama3.2:3b", "ollama", "llama3.2:3b"),
        (" Groq : openai/gpt-oss-20b ", "groq", "openai/gpt-oss-20b"),
        ("compatible:hf.co/org/model:Q4_K_M", "compatible", "hf.co/org/model:Q4_K_M"),
    ],
)
def test_a_name_is_vendor_and_model(text: str, vendor: str, model: str) -> None:
    """R2.1: models by name."""
    spec = ModelSpec.parse(text)
    assert (spec.vendor, spec.model) == (vendor, model)
    assert spec.name == f"{vendor}:{model}"
    assert spec.about is VENDORS[vendor]


@pytest.mark.parametrize(
    "text", ["", ":", "openai", "openai:", ":gpt-5", "openai:a b", "openai:\x00"]
)
def test_a_malformed_name_is_told_the_form(text: str) -> None:
    with pytest.raises(SettingsError, match="vendor:model"):
        ModelSpec.parse(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("gpt-4o", "openai:gpt-4o"),
        ("o4-mini", "openai:o4-mini"),
        ("claude-opus-5", "anthropic:claude-opus-5"),
        ("gemini-3.5-flash", "google:gemini-3.5-flash"),
        ("gpt-oss", "ollama:gpt-oss"),
        ("Llama3.2", "ollama:Llama3.2"),
    ],
)
def test_a_model_without_its_vendor_is_guessed(text: str, meant: str) -> None:
    with pytest.raises(SettingsError, match=f"did you mean {meant}"):
        ModelSpec.parse(text)


@pytest.mark.parametrize(
    ("text", "near"),
    [("antropic:claude-opus-5", "anthropic:claude-opus-5"), ("olama:qwen3:8b", "ollama:qwen3:8b")],
)
def test_a_vendor_that_is_misspelt_is_guessed(text: str, near: str) -> None:
    with pytest.raises(SettingsError) as raised:
        ModelSpec.parse(text)
    assert f"Did you mean {near}?" in raised.value.message


def test_an_unknown_vendor_is_told_the_known_ones() -> None:
    with pytest.raises(SettingsError) as raised:
        ModelSpec.parse("zzz:model")
    assert "Did you mean" not in raised.value.message
    assert all(vendor in raised.value.message for vendor in VENDORS)


@given(st.text())
def test_any_text_is_a_name_or_an_error(text: str) -> None:
    try:
        spec = ModelSpec.parse(text)
    except SettingsError:
        return
    assert ModelSpec.parse(spec.name) == spec


def test_a_key_is_not_shown() -> None:
    access = ModelAccess(api_key=SecretStr("sk-moth"))
    assert "sk-moth" not in repr(access) + access.model_dump_json()
