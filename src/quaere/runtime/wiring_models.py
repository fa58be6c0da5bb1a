"""From settings to language models by step, each on its guard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pydantic import SecretStr

from quaere.domain.prices import Prices
from quaere.errors import SettingsError
from quaere.models.spec import ModelAccess, ModelSpec
from quaere.ports.model import ChatModel
from quaere.runtime.settings import Settings, service_settings

if TYPE_CHECKING:
    from quaere.models.embedding import CosineEmbedder
    from quaere.models.langchain import LangChainModel
    from quaere.reason.llm.reasoner import ModelReasoner
    from quaere.store.recording.cassette import Replay

SETTING_OF = {
    "plan": "model_plan",
    "evaluate": "model_evaluate",
    "synthesize": "model_write",
    "check": "model_check",
}
"""The setting that names the model of each step."""
STEPS = tuple(SETTING_OF)
NO_MODEL = "none"
"""Named in place of a model to do without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSide:
    """The reasoner with models, and what belongs to it."""

    reasoner: ModelReasoner
    prices: Prices
    warming: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to call while the first search is on its way: imports take a second."""
    closing: Sequence[Callable[[], Awaitable[None]]] = ()


@dataclass(slots=True)
class _Opened:
    """Every model once, however many steps name it: its breaker is one, too."""

    settings: Settings
    guarded: dict[str, ChatModel] = field(default_factory=dict[str, ChatModel])
    clients: dict[str, LangChainModel] = field(default_factory=dict[str, "LangChainModel"])

    def model(self, name: str) -> ChatModel:
        """Return the model called ``name``."""
        from quaere.models.guard import ResilientModel
        from quaere.models.langchain import open_model

        spec = ModelSpec.parse(name)
        if spec.name not in self.guarded:
            client = open_model(spec, access_of(spec, self.settings))
            self.clients[spec.name] = client
            self.guarded[spec.name] = ResilientModel(client)
        return self.guarded[spec.name]


def named_models(settings: Settings, model: str | None = None) -> dict[str, str]:
    """Return the names of the models by step; empty where none is to be used.

    Args:
        settings: The operator's; a step without a name of its own takes the general one.
        model: In place of every name that the settings have.

    Raises:
        SettingsError: when only some of the steps have one.
    """
    general = model or settings.model or ""
    if general == NO_MODEL:
        return {}
    own: dict[str, str | None] = {step: getattr(settings, SETTING_OF[step]) for step in STEPS}
    names = {step: (model or name or general) for step, name in own.items()}
    if not any(names.values()):
        return {}
    missing = [step for step, name in names.items() if not name]
    if missing:
        raise SettingsError(
            f"No model is named for these steps: {', '.join(missing)}. Set QUAERE_MODEL for all "
            "that have none of their own."
        )
    return names


def build_models(settings: Settings, model: str | None = None) -> ModelSide | None:
    """Return the reasoner with the models that ``model`` or the settings name, if any is named.

    Raises:
        SettingsError: when a name, a key, an extra or the file of prices cannot be used.
    """
    names = named_models(settings, model)
    if not names:
        return None
    from quaere.models.pricing import known_prices
    from quaere.reason.llm.reasoner import ModelReasoner, Models

    opened = _Opened(settings)
    by_step = {step: opened.model(name) for step, name in names.items()}
    models = Models(
        plan=by_step["plan"],
        evaluate=by_step["evaluate"],
        write=by_step["synthesize"],
        check=by_step["check"],
        fallbacks=tuple(map(opened.model, settings.model_fallbacks)),
    )
    first = ModelSpec.parse(names["plan"]).name
    return ModelSide(
        reasoner=ModelReasoner(models),
        prices=known_prices(settings.prices),
        warming=(opened.clients[first].warm,),
        closing=tuple(client.aclose for client in opened.clients.values()),
    )


def build_embedder(settings: Settings) -> CosineEmbedder | None:
    """Return the embedder that the settings name, if they name one.

    Raises:
        SettingsError: when its name, its key or its extra cannot be used.
    """
    if not settings.embedder or settings.embedder == NO_MODEL:
        return None
    from quaere.models.embedding import open_embedder

    return open_embedder(settings.embedder, partial(access_of, settings=settings))


def recorded_reasoner(replay: Replay) -> ModelReasoner | None:
    """Return the reasoner with the models of a recording; None where its run had none."""
    if len(replay.models) < len(STEPS):
        return None
    from quaere.reason.llm.reasoner import ModelReasoner, Models

    return ModelReasoner(Models(*replay.models[:4], fallbacks=replay.models[4:]))


def access_of(spec: ModelSpec, settings: Settings) -> ModelAccess:
    """Return how ``spec`` is reached.

    A key in the vendor's own variable goes to that vendor alone; ``QUAERE_MODEL_API_KEY`` goes to
    vendors that have no such variable, which are the operator's own servers.
    """
    vendor, urls = spec.about, settings.model_base_url
    local = not vendor.key_variable
    key = SecretStr(service_settings([vendor.key_variable]).get(vendor.key_variable, ""))
    return ModelAccess(
        base_url=urls.get(spec.vendor, urls.get("", "") if local else ""),
        api_key=settings.model_api_key if local else key,
        context_tokens=settings.model_context_tokens,
        timeout_s=settings.model_timeout_s,
    )
