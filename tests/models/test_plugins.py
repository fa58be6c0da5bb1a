"""Models that a caller has opened, beside those that plug-ins open."""

from __future__ import annotations

import pytest

from quaere.models import plugins
from quaere.models.plugins import ModelPlugin, OwnModels
from quaere.testing import ScriptedModel


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have a plug-in for "house"; the names of the models that it opens are added as it does."""
    names: list[str] = []

    def open_one(name: str) -> ScriptedModel:
        names.append(name)
        return ScriptedModel(lambda _: "")

    monkeypatch.setattr(
        plugins, "plugin_vendors", lambda: {"house": ModelPlugin("house", open_one)}
    )
    return names


def test_there_are_models_of_the_caller_and_of_plugins_and_no_others(opened: list[str]) -> None:
    models = OwnModels({"mine": ScriptedModel(lambda _: "")})
    known = ["mine", "house:small"]
    unknown = ["other", "house", "house:", "other:small", ":small", "mine:small"]
    assert [name for name in [*known, *unknown] if name in models] == known
    assert not opened, "asking whether there is one opens none"


def test_a_model_is_opened_once_when_it_is_named(opened: list[str]) -> None:
    models = OwnModels({"mine": ScriptedModel(lambda _: "")})
    assert (list(models), len(models)) == (["mine"], 1)
    assert models["house:small:2"] is models["house:small:2"]
    assert opened == ["small:2"]
    assert (list(models), len(models)) == (["mine", "house:small:2"], 2)
    with pytest.raises(KeyError):
        models["other:small"]


def test_opening_a_model_changes_nothing_for_another_caller(opened: list[str]) -> None:
    given = {"mine": ScriptedModel(lambda _: "")}
    assert OwnModels(given)["house:small"]
    assert list(given) == ["mine"]
    assert opened == ["small"]
