"""From settings to language models by step, each on its guard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pydantic import SecretStr

from quaere.domain.model import Prices
from quaere.domain.request import ModelChoice, Settled
from quaere.errors import SettingsError
from quaere.models.vendors import VENDORS, ModelAccess, ModelSpec
from quaere.plan.delegation import choose_tier
from quaere.ports.model import ChatModel, EntailmentModel, thinking_tokens
from quaere.runtime.settings import Settings, service_settings

if TYPE_CHECKING:
    from quaere.models.langchain import LangChainModel
    from quaere.models.similarity import CosineEmbedder
    from quaere.reason.llm.reasoner import ModelReasoner
    from quaere.store.recording.replay import Replay

SETTING_OF = {
    "plan": "model_plan",
    "evaluate": "model_evaluate",
    "synthesize": "model_write",
    "check": "model_check",
}
"""The setting that names the model of each step."""
FIELD_OF = {"plan": "plan", "evaluate": "evaluate", "synthesize": "write", "check": "check"}
"""The field of `quaere.domain.request.ModelChoice` that names the model of each step."""
STEPS = tuple(SETTING_OF)
NO_CHOICE = ModelChoice()
NO_MODEL = "none"
"""Named in place of a model to do without one."""
AUTO_MODEL = "auto"
"""Named in place of a model to take the best that is configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSide:
    """A reasoner with models, and what belongs to it."""

    reasoner: ModelReasoner
    prices: Prices
    warm: Callable[[], Awaitable[None]]
    """What to call while the first search is on its way: imports take a second."""


class OpenedModels:
    """Every model once, however many steps and runs name it: its breaker is one, too."""

    def __init__(self, settings: Settings, own: Mapping[str, ChatModel]) -> None:
        """Open the models that ``settings`` reach; ``own`` are a caller's, open already."""
        self._settings = settings
        self.own = own
        """Models of the caller and of plug-ins, by their names."""
        self._guarded: dict[str, ChatModel] = {}
        self._clients: dict[str, LangChainModel] = {}

    def model(self, name: str) -> ChatModel:
        """Return the model called ``name``, on its guard.

        Raises:
            SettingsError: when its name, its key or its extra cannot be used.
        """
        from quaere.models.guard import ModelPolicy, ResilientModel
        from quaere.models.langchain import open_model

        policy = ModelPolicy.within(self._settings.model_timeout_s)
        if name in self.own:
            return self._guarded.setdefault(name, ResilientModel(self.own[name], policy))
        spec = ModelSpec.parse(name)
        if spec.name not in self._guarded:
            client = open_model(spec, access_of(spec, self._settings))
            client.learn()
            self._clients[spec.name] = client
            self._guarded[spec.name] = ResilientModel(client, policy)
        return self._guarded[spec.name]

    async def warm(self, name: str) -> None:
        """Import the client of the model called ``name``, which takes a second."""
        if name not in self.own:
            await self._clients[ModelSpec.parse(name).name].warm()

    async def aclose(self) -> None:
        """Let go of connections."""
        for client in self._clients.values():
            await client.aclose()


def named_models(settings: Settings, choice: ModelChoice = NO_CHOICE) -> dict[str, str]:
    """Return the names of the models by step; empty where none is used.

    Args:
        settings: The operator's; a step without a name of its own takes the general one.
        choice: What is chosen for a run. A general model takes the place of every one that the
            settings name, a step's own that of this step.

    Raises:
        SettingsError: when only some of the steps have one, or "auto" finds none.
    """
    names = {step: _named(step, settings, choice) for step in STEPS}
    if not any(names.values()) or _is_off(settings, choice):
        return {}
    if AUTO_MODEL in names.values():
        best = best_model(settings)
        names = {step: best if name == AUTO_MODEL else name for step, name in names.items()}
    return _complete(names)


def _named(step: str, settings: Settings, choice: ModelChoice) -> str:
    """Return the name of the model of ``step``; empty where none is named."""
    chosen: str | None = getattr(choice, FIELD_OF[step])
    own: str | None = getattr(settings, SETTING_OF[step])
    return chosen or choice.general or own or settings.model or ""


def _is_off(settings: Settings, choice: ModelChoice) -> bool:
    """Return whether the general model is "none" and no step of the run has one of its own."""
    general = choice.general or settings.model
    return general == NO_MODEL and not any(getattr(choice, FIELD_OF[step]) for step in STEPS)


def _complete(names: dict[str, str]) -> dict[str, str]:
    """Return ``names`` if every step has one.

    Raises:
        SettingsError: naming the steps that have none.
    """
    missing = [step for step, name in names.items() if name in ("", NO_MODEL)]
    if missing:
        raise SettingsError(
            f"No model is named for these steps: {', '.join(missing)}. Set QUAERE_MODEL for all "
            "that have none of their own."
        )
    return names


def check_names(choice: ModelChoice, own: Container[str]) -> None:
    """Raise SettingsError where ``choice`` names a model that no vendor of this process can have.

    Whether its key is set is for the process that makes the run to say: it may have others.

    Args:
        choice: What is chosen for a run.
        own: Names of the models of the caller and of plug-ins.
    """
    chosen: list[str | None] = [getattr(choice, field) for field in ModelChoice.model_fields]
    _check_names([name for name in chosen if name and name not in (NO_MODEL, AUTO_MODEL)], own)


def _check_names(names: Iterable[str], own: Container[str]) -> None:
    for name in names:
        if name not in own:
            ModelSpec.parse(name)


def best_model(settings: Settings) -> str:
    """Return the model that "auto" stands for: of a vendor whose key is set, else on this machine.

    May ask servers on this machine: not for the event loop.

    Raises:
        SettingsError: when there is neither.
    """
    for vendor in VENDORS.values():
        if vendor.best and service_settings([vendor.key_variable]) and find_spec(vendor.module):
            return f"{vendor.name}:{vendor.best}"
    from quaere.models.nearby import nearby_models

    near = nearby_models(settings.model_base_url)
    if not near:
        raise SettingsError(
            "There is no model for auto: set a vendor's key, such as OPENAI_API_KEY, and install "
            "its client, or start a server such as Ollama on this machine."
        )
    return near[0]


def build_reasoner(
    settings: Settings, opened: OpenedModels, names: Mapping[str, str]
) -> ModelSide | None:
    """Return the reasoner with the models of ``names``, by step; None where there are none.

    Raises:
        SettingsError: when a name, a key, an extra or the file of prices cannot be used.
    """
    if not names:
        _check_unused(settings, opened.own)
        return None
    from quaere.models.meter import known_prices
    from quaere.reason.llm.reasoner import ModelReasoner, Models

    by_step = {step: opened.model(name) for step, name in names.items()}
    models = Models(
        plan=by_step["plan"],
        evaluate=by_step["evaluate"],
        write=by_step["synthesize"],
        check=by_step["check"],
        fallbacks=tuple(map(opened.model, settings.model_fallbacks)),
    )
    return ModelSide(
        reasoner=ModelReasoner(models),
        prices=known_prices(settings.prices),
        warm=partial(opened.warm, names["plan"]),
    )


def _check_unused(settings: Settings, own: Container[str]) -> None:
    """Check what counts only once a model is named, so that a slip does not come out that late."""
    _check_names(settings.model_fallbacks, own)
    if settings.prices:
        from quaere.models.meter import read_prices

        read_prices(settings.prices)


def too_tight(settings: Settings, opened: OpenedModels, settled: Settled) -> str:
    """Return what to say where a run cannot hold one call of its models; nothing elsewhere.

    Time counts where the operator has said how long a call may take.
    """
    if not settled.models:
        return ""
    from quaere.graphs.reasoning import PATIENT_SHARE
    from quaere.plan.forecast import PROMPT_TOKENS
    from quaere.reason.llm.prompt_builder import JUDGING_SHARE, LEAST_OUTPUT

    budget = settled.budgets[choose_tier(settled.profile, None)]
    seconds = PATIENT_SHARE * budget.max_execution_time_s
    if "model_timeout_s" in settings.model_fields_set and settings.model_timeout_s > seconds:
        return (
            f"A run of {budget.max_execution_time_s:g} s gives a call at most {seconds:.0f} s, and "
            f"QUAERE_MODEL_TIMEOUT_S lets one take {settings.model_timeout_s:g} s: a slow model is "
            "cut off. Give the run more time (--max-time)."
        )
    thinks = max(thinking_tokens(opened.model(n)) for n in settled.models.values())
    needed = int((PROMPT_TOKENS.low + LEAST_OUTPUT + thinks) / JUDGING_SHARE)
    if needed > budget.token_budget:
        return (
            f"A call of its model needs a budget of {needed:,} tokens, and the run has "
            f"{budget.token_budget:,}: no model is called. Raise --max-tokens."
        )
    return ""


def build_embedder(settings: Settings, name: str | None = None) -> CosineEmbedder | None:
    """Return the embedder called ``name``, or the one that the settings name, if there is one.

    Raises:
        SettingsError: when its name, its key or its extra cannot be used.
    """
    name = name or settings.embedder
    if not name or name == NO_MODEL:
        return None
    from quaere.models.embedding import open_embedder

    kept = settings.cache_folder / "models"
    return open_embedder(name, partial(access_of, settings=settings), kept)


def build_entailment(settings: Settings, opened: OpenedModels) -> EntailmentModel | None:
    """Return the entailment model that the settings name, if they name one.

    Raises:
        SettingsError: when its name, its key or its extra cannot be used.
    """
    name = (settings.entailment or "").strip()
    if not name or name == NO_MODEL:
        return None
    from quaere.models.entailment import LocalEntailment, ServedEntailment

    vendor, _, folder = name.partition(":")
    if vendor.strip().lower() == "local":
        return LocalEntailment(folder.strip())
    return ServedEntailment(opened.model(name), partial(opened.warm, name))


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
