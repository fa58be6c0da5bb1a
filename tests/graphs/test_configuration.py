"""What may be set of a supervised run, and how LangGraph Studio shows it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping

import hypothesis.strategies as st
import pytest
from hypothesis import given
from langchain_core.runnables import RunnableConfig

from quaere.domain.budget import ProfileName
from quaere.errors import SettingsError
from quaere.graphs.configuration import Configuration

Shown = Mapping[str, object]

SHARES = ["min_novelty_threshold", "duplicate_topic_similarity_threshold"]


def configured(**fields: object) -> RunnableConfig:
    return {"configurable": fields}


def shown() -> Mapping[str, Shown]:
    schema = Configuration.model_json_schema()
    return {name: field["x_oap_ui_config"] for name, field in schema["properties"].items()}


def test_fr_05_fr_06_fr_08_fr_09_fr_10_defaults() -> None:
    for config in (None, RunnableConfig(), configured(), configured(thread_id="t")):
        assert Configuration.from_runnable_config(config) == Configuration()
    made = Configuration.from_runnable_config()
    assert made.max_researcher_iterations == 3
    assert made.max_react_tool_calls == 5
    assert made.max_concurrent_research_units == 5
    assert made.enable_early_termination is True
    assert made.min_novelty_threshold == 0.15
    assert made.duplicate_topic_similarity_threshold == 0.75
    assert made.allow_clarification is made.approve_plan is False


def test_nfr_06_old_behaviour_is_three_fields_away() -> None:
    old = Configuration.from_runnable_config(
        configured(
            enable_early_termination=False, max_researcher_iterations=6, max_react_tool_calls=10
        )
    )
    assert old.enable_early_termination is False
    assert (old.max_researcher_iterations, old.max_react_tool_calls) == (6, 10)
    assert (
        old.model_copy(
            update={
                "enable_early_termination": True,
                "max_researcher_iterations": 3,
                "max_react_tool_calls": 5,
            }
        )
        == Configuration()
    ), "and nothing else is changed"


def test_a_run_ranks_above_the_environment_and_both_above_the_defaults() -> None:
    environment = {"max_react_tool_calls": "7", "min_novelty_threshold": "0.3", "profile": "deep"}
    made = Configuration.from_runnable_config(
        configured(max_react_tool_calls=9, profile=None, model=""), environment
    )
    assert made.max_react_tool_calls == 9
    assert made.min_novelty_threshold == 0.3
    assert made.profile is ProfileName.DEEP, "what is empty is not set"
    assert made.model is None
    assert made.max_researcher_iterations == 3


def test_texts_of_the_environment_are_understood() -> None:
    environment = {"enable_early_termination": "false", "providers": "pubmed, wikipedia,"}
    made = Configuration.from_runnable_config(None, environment)
    assert made.enable_early_termination is False
    assert made.providers == ("pubmed", "wikipedia")
    assert Configuration.from_runnable_config(configured(providers=["pubmed"])).providers == (
        "pubmed",
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_researcher_iterations", 0),
        ("max_researcher_iterations", 11),
        ("max_react_tool_calls", 31),
        ("max_concurrent_research_units", 21),
        ("max_concurrent_research_units", "many"),
        ("enable_early_termination", "perhaps"),
        ("profile", "thorough"),
        *((share, value) for share in SHARES for value in (-0.01, 1.01, float("nan"))),
    ],
)
def test_a_value_out_of_range_is_a_settings_error_that_names_its_field(
    field: str, value: object
) -> None:
    with pytest.raises(SettingsError, match=f"Invalid configuration: {field}: "):
        Configuration.from_runnable_config(configured(**{field: value}))
    with pytest.raises(SettingsError, match=field):
        Configuration.from_runnable_config(None, {field: str(value)})


@given(st.sampled_from(SHARES), st.floats(0, 1))
def test_every_share_may_be_a_threshold(field: str, value: float) -> None:
    made = Configuration.from_runnable_config(configured(**{field: value}))
    assert made.model_dump()[field] == value


def test_nfr_04_every_field_has_its_place_in_the_user_interface() -> None:
    fields = shown()
    assert list(fields) == list(Configuration.model_fields)
    for name, field in fields.items():
        assert field["description"], name
        made = Configuration.from_runnable_config(configured(**{name: field["default"]}))
        assert made == Configuration(), f"{name}: the default shown is the default"
    assert fields["enable_early_termination"]["type"] == "boolean"
    assert fields["max_researcher_iterations"] == {
        "type": "slider",
        "min": 1,
        "max": 10,
        "step": 1,
        "default": 3,
        "description": "Rounds in which the supervisor may send out researchers.",
    }
    json.dumps(fields)


@pytest.mark.parametrize(
    "name", [name for name, field in shown().items() if field["type"] == "slider"]
)
def test_sliders_end_where_the_range_ends(name: str) -> None:
    field = shown()[name]
    for end, beyond in ((field["min"], -1), (field["max"], 1)):
        assert isinstance(end, int | float)
        Configuration.from_runnable_config(configured(**{name: end}))
        with pytest.raises(SettingsError, match=name):
            Configuration.from_runnable_config(configured(**{name: end + beyond}))


def test_it_goes_into_a_config_and_comes_out_the_same() -> None:
    made = Configuration(max_react_tool_calls=2, providers=("pubmed",), profile=ProfileName.CHAT)
    assert Configuration.from_runnable_config(configured(**made.model_dump())) == made
    assert Configuration.from_runnable_config(configured(**made.model_dump(mode="json"))) == made


def test_reading_it_imports_no_langgraph() -> None:
    """Settings are read before anything is researched."""
    code = (
        "import sys, quaere.graphs.configuration as c; c.Configuration();"
        "print([m for m in sys.modules if m.partition('.')[0] in ('langgraph', 'langchain_core')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
