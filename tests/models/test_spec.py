from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from quaere.errors import SettingsError
from quaere.models import VENDORS, ModelAccess, ModelSpec


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
