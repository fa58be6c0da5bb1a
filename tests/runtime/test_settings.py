"""What the environment sets: read once, typed, and named when it cannot be used."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from quaere.domain.budget import PROFILES, Budget, ProfileName, resolve_budget
from quaere.errors import SettingsError
from quaere.runtime.settings import Settings, load_settings

Load = Callable[..., Settings]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Return what loads the settings of an environment that holds the given variables alone."""

    def load(**variables: str) -> Settings:
        for name in os.environ:
            if name.startswith(("QUAERE_", "AGENTIC_")) or "RESEARCH_" in name:
                monkeypatch.delenv(name)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return load_settings()

    return load


LIMITS = {
    "RESEARCH_MAX_ITERS": ("max_iters", 3),
    "RESEARCH_MAX_QUERIES": ("max_queries", 7),
    "RESEARCH_MAX_SOURCES": ("max_sources", 4),
    "RESEARCH_MAX_EXECUTION_TIME_S": ("max_execution_time_s", 2.5),
    "RESEARCH_TOKEN_BUDGET": ("token_budget", 0),
}


def profiles_of(settings: Settings) -> dict[ProfileName, Budget]:
    """Return every profile as the operator has it."""
    operator = settings.operator_limits
    return {name: resolve_budget(name, operator=operator) for name in ProfileName}


def test_without_variables_nothing_is_set(load: Load) -> None:
    settings = load()
    assert not any(settings.operator_limits.every_profile.values())
    assert settings.docs == ()
    assert settings.profile is None
    assert settings.cache_dir is None


@pytest.mark.parametrize("variable", LIMITS)
def test_a_limit_of_the_environment_is_read_r0_11(load: Load, variable: str) -> None:
    name, value = LIMITS[variable]
    limits = load(**{variable: str(value)}).operator_limits.every_profile
    assert limits == {**dict.fromkeys(limits), name: value}


@pytest.mark.parametrize("variable", LIMITS)
def test_the_environment_overrides_the_profile_r0_11(load: Load, variable: str) -> None:
    name, value = LIMITS[variable]
    budget = resolve_budget(
        ProfileName.DEEP, operator=load(**{variable: str(value)}).operator_limits
    )
    assert getattr(budget, name) == value != getattr(PROFILES[ProfileName.DEEP], name)


# Variable, profile, limit and its default. Those of chat and of citations are R3.1's; the deep tier
# of R0.6 goes further than R3.1's deep mode, and keeps its own.
OF_ONE_PROFILE = [
    ("CHAT_RESEARCH_MAX_LOOPS", ProfileName.CHAT, "max_iters", 2),
    ("CHAT_RESEARCH_MAX_SOURCES_READ", ProfileName.CHAT, "max_reads", 4),
    ("CHAT_RESEARCH_MAX_SEARCH_QUERIES", ProfileName.CHAT, "max_queries", 4),
    ("CHAT_RESEARCH_TIMEOUT_SECONDS", ProfileName.CHAT, "max_execution_time_s", 20),
    ("RESEARCH_MAX_CITATIONS_CHAT", ProfileName.CHAT, "max_citations", 8),
    ("DEEP_RESEARCH_MAX_LOOPS", ProfileName.DEEP, "max_iters", 10),
    ("DEEP_RESEARCH_MAX_SOURCES_READ", ProfileName.DEEP, "max_reads", 32),
    ("DEEP_RESEARCH_MAX_SEARCH_QUERIES", ProfileName.DEEP, "max_queries", 18),
    ("DEEP_RESEARCH_TIMEOUT_SECONDS", ProfileName.DEEP, "max_execution_time_s", 120),
    ("RESEARCH_MAX_CITATIONS_DEEP", ProfileName.DEEP, "max_citations", 12),
]


@pytest.mark.parametrize(("variable", "profile", "limit", "default"), OF_ONE_PROFILE)
def test_a_variable_changes_one_limit_of_one_profile_r3_1(
    load: Load, variable: str, profile: ProfileName, limit: str, default: int
) -> None:
    assert getattr(profiles_of(load())[profile], limit) == default
    changed = profiles_of(load(**{variable: "7"}))
    assert changed == {**PROFILES, profile: PROFILES[profile].override({limit: 7})}  # pyright: ignore[reportArgumentType]


def test_without_variables_the_profiles_are_their_own(load: Load) -> None:
    assert profiles_of(load()) == PROFILES


@pytest.mark.parametrize("profile", [ProfileName.CHAT, ProfileName.DEEP])
def test_a_profile_that_may_not_loop_has_one_r3_1(load: Load, profile: ProfileName) -> None:
    name = profile.upper()
    off = {f"AGENTIC_RESEARCH_{name}_ENABLED": "false", f"{name}_RESEARCH_MAX_LOOPS": "9"}
    assert profiles_of(load(**off)) == {
        **PROFILES,
        profile: PROFILES[profile].override({"max_iters": 1}),
    }
    off[f"AGENTIC_RESEARCH_{name}_ENABLED"] = "true"
    assert profiles_of(load(**off))[profile].max_iters == 9


def test_limits_of_one_profile_come_before_those_of_all_r3_1(load: Load) -> None:
    profiles = profiles_of(load(RESEARCH_MAX_ITERS="3", CHAT_RESEARCH_MAX_LOOPS="5"))
    assert profiles[ProfileName.CHAT].max_iters == 5
    assert profiles[ProfileName.DEEP].max_iters == 3


def test_what_a_command_line_sets_by_name_is_taken_too() -> None:
    settings = Settings(max_iters=3, docs=(Path("notes"),), cache_dir=Path("c"))
    assert settings.max_iters == 3
    assert settings.docs == (Path("notes"),)


def test_a_setting_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValidationError, match="max_itres"):
        Settings(max_itres=3)  # pyright: ignore[reportCallIssue] - that is it


@pytest.mark.parametrize(
    ("value", "docs"),
    [
        ("notes", ["notes"]),
        (f"notes{os.pathsep}more notes", ["notes", "more notes"]),
        ('["notes", "a:b"]', ["notes", "a:b"]),
        (f"notes{os.pathsep}", ["notes"]),
        ("[]", []),
    ],
)
def test_folders_are_paths_side_by_side_or_a_json_list(
    load: Load, value: str, docs: list[str]
) -> None:
    assert load(QUAERE_DOCS=value).docs == tuple(map(Path, docs))


def test_other_settings_bear_the_name_of_the_project(load: Load) -> None:
    settings = load(QUAERE_PROFILE="chat", QUAERE_CACHE_DIR="c", QUAERE_MAX_FILE_BYTES="10")
    assert settings.profile is ProfileName.CHAT
    assert settings.cache_dir == Path("c")
    assert settings.max_file_bytes == 10


def test_folders_may_be_named_from_home(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    settings = load(QUAERE_DOCS="~/n", QUAERE_CACHE_DIR="~/c", QUAERE_DATA_DIR="~/d")
    assert settings.docs == (Path("/home/ann/n"),)
    assert settings.cache_folder == Path("/home/ann/c")
    assert settings.data_folder == Path("/home/ann/d")


@pytest.mark.parametrize(
    "variable", [*LIMITS, *(row[0] for row in OF_ONE_PROFILE), "QUAERE_DOCS", "QUAERE_PROFILE"]
)
def test_an_empty_variable_sets_nothing(load: Load, variable: str) -> None:
    assert load(**{variable: ""}) == load()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("QUAERE_CACHE_URL", "reddis://cache:6379/0"),
        ("RESEARCH_MAX_ITERS", "three"),
        ("RESEARCH_MAX_ITERS", "0"),
        ("RESEARCH_MAX_ITERS", "101"),
        ("RESEARCH_MAX_QUERIES", "1.5"),
        ("RESEARCH_MAX_SOURCES", "-1"),
        ("RESEARCH_MAX_EXECUTION_TIME_S", "nan"),
        ("RESEARCH_MAX_EXECUTION_TIME_S", "inf"),
        ("RESEARCH_MAX_EXECUTION_TIME_S", "0"),
        ("RESEARCH_TOKEN_BUDGET", "-5"),
        ("CHAT_RESEARCH_MAX_LOOPS", "0"),
        ("CHAT_RESEARCH_MAX_SOURCES_READ", "-1"),
        ("DEEP_RESEARCH_MAX_SEARCH_QUERIES", "many"),
        ("DEEP_RESEARCH_TIMEOUT_SECONDS", "3601"),
        ("RESEARCH_MAX_CITATIONS_DEEP", "0"),
        ("AGENTIC_RESEARCH_CHAT_ENABLED", "maybe"),
        ("QUAERE_PROFILE", "fast {and} loose"),
        ("QUAERE_MAX_FILE_BYTES", "0"),
        ("QUAERE_DOCS", '["notes"'),
        ("QUAERE_DOCS", "[1, 2]"),
        ("QUAERE_READ_PORTS", "443,99999"),
        ("QUAERE_READ_PORTS", "http"),
        ("QUAERE_READ_NETWORKS", "10.1.0.0/99"),
        ("QUAERE_READ_NETWORKS", "10.0.0.0/8, intranet"),
        ("QUAERE_WEBHOOK_URL", "ftp://hooks.example/"),
        ("QUAERE_WEBHOOK_SECRET", "hush"),
        ("QUAERE_SERVER_ORIGINS", "app.example.org"),
        ("QUAERE_SERVER_ORIGINS", "https://app.example.org/"),
    ],
)
def test_a_value_that_cannot_be_used_is_an_error_that_names_its_variable(
    load: Load, variable: str, value: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load(**{variable: value})
    assert f" {variable}: " in caught.value.message
    assert "\n" not in caught.value.message
    assert "[" not in caught.value.message, "nothing of the library that found it"
    assert caught.value.message.endswith(".")


def test_an_origin_is_compared_as_browsers_write_it(load: Load) -> None:
    settings = load(QUAERE_SERVER_ORIGINS="HTTPS://App.Example.org")
    assert settings.server_origins == ("https://app.example.org",)


def test_a_password_in_what_is_no_origin_is_not_shown(load: Load) -> None:
    with pytest.raises(SettingsError, match="QUAERE_SERVER_ORIGINS") as caught:
        load(QUAERE_SERVER_ORIGINS="https://ada:sesame@app.example.org")
    assert "sesame" not in caught.value.message


def test_every_bad_variable_is_named_at_once(load: Load) -> None:
    with pytest.raises(SettingsError) as caught:
        load(RESEARCH_MAX_ITERS="0", QUAERE_PROFILE="fast")
    assert "RESEARCH_MAX_ITERS: must be at least 1" in caught.value.message
    assert "QUAERE_PROFILE" in caught.value.message
