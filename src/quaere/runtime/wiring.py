"""From a request to the engine that makes its run: what settings add, and the order of wrapping.

This and its neighbours `resources` and `wiring_models` are the only places that name concrete
adapters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from urllib.parse import urlsplit

from quaere.domain.budget import (
    MODE_PROFILES,
    AboveProfile,
    Limits,
    Mode,
    OperatorLimits,
    ProfileName,
    resolve_budgets,
    resolve_limits,
)
from quaere.domain.model import NO_PRICES, Prices
from quaere.domain.request import Cached, RunRequest, RunSpec, Settled
from quaere.domain.url import url2pathname
from quaere.errors import SettingsError, UsageError
from quaere.graphs.configuration import Configuration
from quaere.ports.human import Human
from quaere.ports.model import ChatModel, Embedder, EntailmentModel
from quaere.ports.read import Reader
from quaere.ports.search import SearchProvider
from quaere.read.batch import PunctualReader
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.timing import Clock
from quaere.runtime.engine import Engine, statistics_of
from quaere.runtime.redact import DiscreetHuman, privacy_of
from quaere.runtime.resources import FOLDER, NO_FOLDER, Resources
from quaere.runtime.run import Understood
from quaere.runtime.settings import Settings, own_settings
from quaere.runtime.wiring_models import (
    NO_MODEL,
    ModelSide,
    build_reasoner,
    check_names,
    named_models,
    recorded_reasoner,
)
from quaere.search.in_memory import EarlierEvidence
from quaere.text.languages.language import languages
from quaere.verify.calibration import calibration

if TYPE_CHECKING:
    from quaere.reason.llm.reasoner import ModelReasoner
    from quaere.runtime.tracing import RunTracing
    from quaere.store.recording.replay import Replay


class Tap(Protocol):
    """Wraps the ports of a run: keeps what they answer, or gives back what is kept."""

    @property
    def clock(self) -> Clock:
        """The time of the run."""
        ...

    def provider(self, inner: SearchProvider) -> SearchProvider:
        """Return ``inner`` with its answers kept."""
        ...

    def reader(self, inner: Reader) -> Reader:
        """Return ``inner`` with its pages kept."""
        ...

    def model(self, inner: ChatModel) -> ChatModel:
        """Return ``inner`` with its completions kept."""
        ...

    def embedder(self, inner: Embedder, same_cosine: float | None = None) -> Embedder:
        """Return ``inner`` with what it says kept."""
        ...

    def entailment(self, inner: EntailmentModel) -> EntailmentModel:
        """Return ``inner`` with what it says of claims kept."""
        ...

    def human(self, inner: Human) -> Human:
        """Return ``inner`` with their replies kept."""
        ...


@runtime_checkable
class Tappable(Protocol):
    """A reasoner whose models can be wrapped."""

    def wrapped(self, wrap: Callable[[ChatModel], ChatModel]) -> ModelReasoner:
        """Return the reasoner with ``wrap`` round every model."""
        ...


def settle(resources: Resources, spec: RunSpec) -> RunSpec:
    """Return ``spec`` with all that the settings add to its request.

    A request overrides the environment, which overrides the profile. Keys that somebody typed are
    left out, so that no service, recording, event or log has them.

    Raises:
        UsageError: when a folder is missing, or a provider or a model is unknown.
        SettingsError: when a limit or a setting cannot be used.
    """
    settings = resources.settings
    request, text = _without_keys(spec, settings)
    _check_names(resources, request)
    operator, configuration = settings.operator_limits, _configuration(request)
    mode, profile = _purpose(request, configuration, settings)
    docs, providers = _searched(request, configuration, settings)
    above = AboveProfile(
        mode=mode, defaults=request.default_limits, operator=operator, request=request.limits
    )
    settled = Settled(
        profile=profile,
        strategy=request.strategy or settings.strategy,
        budgets=resolve_budgets(**above),
        limits=_first_limits(profile, above),
        single_pass=tuple(sorted(operator.single_pass)),
        docs=docs,
        providers=providers,
        models=named_models(settings, request.models),
        embedder=settings.embedder or NO_MODEL,
        same_cosine=settings.embedder_same,
        supervision=configuration.model_dump(mode="json"),
    )
    changes = {"request": request, "settled": settled, "checked_text": text}
    return spec.model_copy(update=changes)


def _without_keys(spec: RunSpec, settings: Settings) -> tuple[RunRequest, str | None]:
    """Return the request of ``spec`` and the text to check, if any, without keys.

    Addresses that a text cites may look like keys: only configured ones are taken out of it.
    """
    privacy, text = privacy_of(settings), spec.checked_text
    return privacy.without_keys(spec.request), None if text is None else privacy.redact(text)


def _purpose(
    request: RunRequest, configuration: Configuration, settings: Settings
) -> tuple[Mode | None, ProfileName | None]:
    """Return the mode and the profile of a run; a profile that is set goes before "brief"."""
    mode = None if request.mode is Mode.BRIEF and settings.profile else request.mode
    by_mode = MODE_PROFILES[mode] if mode else None
    return mode, request.profile or by_mode or configuration.profile or settings.profile


def _searched(
    request: RunRequest, configuration: Configuration, settings: Settings
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the folders and the services that are searched besides pages named by URL.

    A request for pages that names nothing else is answered from them alone, whatever the
    environment has others searched in.
    """
    if request.scope.urls and not _names_others(request):
        return (), ()
    docs = tuple(path.absolute() for path in request.docs or settings.docs)
    return docs, request.providers or configuration.providers or settings.providers


def _names_others(request: RunRequest) -> bool:
    """Return whether ``request`` itself names folders or services."""
    return bool(request.docs or request.providers or request.supervision.get("providers"))


def _check_names(resources: Resources, request: RunRequest) -> None:
    """Raise UsageError where ``request`` names a service or a model that is unknown."""
    if services := [name for name in request.providers if name != FOLDER]:
        resources.web.check_names(services)
    check_names(request.models, resources.own_models)


def _configuration(request: RunRequest) -> Configuration:
    """Return how a supervisor of ``request`` researches.

    Raises:
        SettingsError: when a field of it is out of its range.
    """
    configuration = Configuration.from_runnable_config(
        {"configurable": dict(request.supervision)}, own_settings(Configuration.model_fields)
    )
    if request.approve_plan is None:
        return configuration
    wanted = request.approve_plan
    return configuration.model_copy(update={"approve_plan": wanted, "allow_clarification": wanted})


def assemble(
    resources: Resources, spec: RunSpec, tap: Tap | None = None, human: Human | None = None
) -> Engine:
    """Return the engine for the run of ``spec``, which is settled.

    From the service to the run: guard (retry, limits, breaker; shared by all runs), what is late,
    cache, scope, tap. A page of the cache does not tell how long pages take.

    Raises:
        UsageError: when a folder does not exist, or a provider is unknown.
        SettingsError: when a provider or a model lacks a setting that it needs.
    """
    # These read files, once a process: not while the run is on the event loop.
    calibration()
    languages()
    engine = _kept(_reading(resources, spec), resources, spec)
    engine = _reusing(_narrowed(engine, spec), spec)
    if human:
        heard = DiscreetHuman(Understood(human), privacy_of(resources.settings))
        engine = replace(engine, human=heard)
    return tapped(engine, spec, tap) if tap else engine


def _reading(resources: Resources, spec: RunSpec) -> Engine:
    """Return the engine for the run of ``spec`` before caches, scope and tap; raises likewise."""
    settled = settled_of(spec)
    providers, opens_pages, reader = _sources(resources, spec, settled)
    names = _models_of(resources.settings, spec, settled)
    made = build_reasoner(resources.settings, resources.models, names)
    embedder: Embedder | None = resources.embedder(settled.embedder or resources.settings.embedder)
    entailment = resources.entailment
    warmed = (resources.extractor if opens_pages else None, embedder, entailment, made)
    engine = replace(
        _engine(providers, reader, made.reasoner if made else None, settled),
        embedder=embedder,
        entailment=entailment,
        prices=_prices(made, resources),
        warming=[each.warm for each in warmed if each],
        marks=spec.marks,
    )
    return engine if opens_pages is None else _punctual(engine, spec)


def _prices(made: ModelSide | None, resources: Resources) -> Prices:
    """Return what models cost; an entailment model may be the only one."""
    if made:
        return made.prices
    if resources.entailment is None:
        return NO_PRICES
    from quaere.models.meter import known_prices

    return known_prices(resources.settings.prices)


def _models_of(settings: Settings, spec: RunSpec, settled: Settled) -> dict[str, str]:
    """Return the models of the run by step; those of this process where it was left to it."""
    if settled.models is not None:
        return settled.models
    return named_models(settings, spec.request.models)


def _kept(engine: Engine, resources: Resources, spec: RunSpec) -> Engine:
    """Return ``engine`` with what its services answer in the cache, unless that is off."""
    if spec.request.cached is Cached.OFF:
        return engine
    from quaere.store.cache import Keeper

    keeper, reasoner = Keeper(resources.cache, spec.request.cached), engine.reasoner
    if resources.settings.cache_models and isinstance(reasoner, Tappable):
        reasoner = reasoner.wrapped(keeper.model)
    return replace(
        engine,
        providers=[keeper.provider(each) for each in engine.providers],
        reader=keeper.reader(engine.reader),
        reasoner=reasoner,
    )


def _narrowed(engine: Engine, spec: RunSpec) -> Engine:
    """Return ``engine`` within the scope of the request."""
    if not spec.request.scope.narrows:
        return engine
    from quaere.search.scope import Scoping

    scoping = Scoping(spec.request.scope)
    return replace(
        engine,
        providers=[scoping.provider(each) for each in engine.providers],
        reader=scoping.reader(engine.reader),
    )


def _is_of_file_in(roots: Sequence[Path], url: str) -> bool:
    """Return whether ``url`` is that of a file in one of ``roots``, which are searched anyway."""
    parts = urlsplit(url)
    if parts.scheme != "file" or not roots:
        return False
    path = Path(url2pathname(parts.path)).resolve()
    return any(path.is_relative_to(root) for root in roots)


def _reusing(engine: Engine, spec: RunSpec) -> Engine:
    """Return ``engine`` with the evidence of an earlier run before what it searches.

    Files of the folders that it searches come from there alone.
    """
    if not spec.reused:
        return engine
    roots = [path.resolve() for path in spec.settled.docs] if spec.settled else []
    # What was kept of a file lacks its headings and heads of tables, and may be out of date.
    passages = [each for each in spec.reused.passages if not _is_of_file_in(roots, each.url)]
    earlier = EarlierEvidence(passages, notice=spec.reused.told)
    return replace(engine, providers=[earlier, *engine.providers])


def _punctual(engine: Engine, spec: RunSpec) -> Engine:
    """Return ``engine`` whose rounds don't wait for pages that are late.

    All pages are waited for that ``spec`` itself names.
    """
    if spec.checked_text is not None or spec.request.scope.urls:
        return engine
    reader = PunctualReader(engine.reader)
    return replace(engine, reader=reader, closing=[*engine.closing, reader.aclose])


def tapped(engine: Engine, spec: RunSpec, tap: Tap) -> Engine:
    """Return ``engine`` for the run of ``spec``, whose answers go through ``tap``."""
    reasoner, embedder = engine.reasoner, engine.embedder
    return replace(
        engine,
        providers=[tap.provider(provider) for provider in engine.providers],
        reader=tap.reader(engine.reader),
        reasoner=reasoner.wrapped(tap.model) if isinstance(reasoner, Tappable) else reasoner,
        embedder=tap.embedder(embedder, engine.same_cosine) if embedder else None,
        entailment=tap.entailment(engine.entailment) if engine.entailment else None,
        human=tap.human(engine.human) if engine.human else None,
        clock=tap.clock,
        marks=spec.marks,
    )


def searched(resources: Resources, spec: RunSpec) -> list[SearchProvider]:
    """Return what the run of ``spec``, which is settled, searches: guarded and cached.

    Raises:
        UsageError: when a folder does not exist, or a provider is unknown.
        SettingsError: when a provider lacks a setting that it needs.
    """
    providers, _ = _providers(resources, settled_of(spec), spec.request.scope.urls)
    if spec.request.cached is Cached.OFF:
        return providers
    from quaere.store.cache import Keeper

    keeper = Keeper(resources.cache, spec.request.cached)
    return [keeper.provider(provider) for provider in providers]


def replayed(spec: RunSpec, replay: Replay) -> Engine:
    """Return an engine that makes the recorded run again and asks no service anything."""
    made = recorded_reasoner(replay)
    return replace(
        _engine(replay.providers, replay.reader, made, settled_of(spec)),
        embedder=replay.embedder,
        entailment=replay.entailment,
        same_cosine=replay.same_cosine,
        marks=replay.marks,
        clock=replay.clock,
    )


def _engine(
    providers: Sequence[SearchProvider],
    reader: Reader,
    reasoner: ModelReasoner | None,
    settled: Settled,
) -> Engine:
    """Return an engine that reasons without a model where ``reasoner`` cannot."""
    extractive = ExtractiveReasoner(statistics_of(providers))
    return Engine(
        providers=providers,
        reasoner=reasoner or extractive,
        fallback=extractive if reasoner else None,
        same_cosine=settled.same_cosine,
        profiles=settled.budgets,
        configuration=Configuration.from_runnable_config({"configurable": settled.supervision}),
        reader=reader,
        chunker=PassageChunker(),
    )


def _sources(
    resources: Resources, spec: RunSpec, settled: Settled
) -> tuple[list[SearchProvider], bool | None, Reader]:
    """Return what is searched, whether pages have to be opened, and what reads them.

    A check searches no more than the folders that are named, for what its text cites nothing for.
    """
    cached = spec.request.cached is Cached.USE
    if spec.checked_text is not None:
        searched = list[SearchProvider]()
        if spec.looks_up:
            searched.append(resources.folder(spec.request.docs))
        return searched, True, resources.reader(spec.request.docs, cached=cached)
    providers, opens_pages = _providers(resources, settled, spec.request.scope.urls)
    web = opens_pages is not None
    return providers, opens_pages, resources.reader(settled.docs, web=web, cached=cached)


def _providers(
    resources: Resources, settled: Settled, urls: Sequence[str]
) -> tuple[list[SearchProvider], bool | None]:
    """Return what is searched, and whether pages have to be opened; None without the web.

    Pages that are named by URL are searched alone, unless something else is named, too.

    Folders are searched where some are named. The web is searched by the providers that are named,
    or where there is neither a name nor a folder, by those that need no key.
    """
    at_hand = _at_hand(resources, settled, urls)
    names = _services(resources, settled, at_hand)
    if not names:
        return at_hand, bool(urls) or None
    return [*at_hand, *resources.web.providers(names)], resources.web.opens_pages(names)


def _services(
    resources: Resources, settled: Settled, at_hand: Sequence[SearchProvider]
) -> Sequence[str]:
    """Return the names of the services that are asked besides what is ``at_hand``."""
    names = [name for name in settled.providers if name != FOLDER]
    return () if at_hand and not names else resources.web.wanted(names)


def _at_hand(resources: Resources, settled: Settled, urls: Sequence[str]) -> list[SearchProvider]:
    """Return what is searched without asking a service: folders, and pages named by URL."""
    found: list[SearchProvider] = []
    if settled.docs:
        found.append(resources.folder(settled.docs))
    elif FOLDER in settled.providers:
        raise UsageError(NO_FOLDER)
    if urls:
        from quaere.search.in_memory import GivenPages

        found.append(GivenPages(urls))
    return found


def _first_limits(profile: ProfileName | None, above: AboveProfile) -> Limits:
    """Return the limits that hold whichever profile planning chooses."""
    if profile is not None:
        return resolve_limits(profile, **above)
    asked = above.get("request", Limits()).copy()
    if above.get("operator", OperatorLimits()).single_pass:
        asked.pop("max_iters", None)
    return asked


def provider_names(resources: Resources, spec: RunSpec) -> tuple[str, ...]:
    """Return the names of what the run of ``spec``, which is settled, would search.

    A service that needs a key is named without one, too.

    Raises:
        UsageError: when a folder is missing, or nobody is called like a service of the settings.
    """
    settled = settled_of(spec)
    at_hand = _at_hand(resources, settled, spec.request.scope.urls)
    names = _services(resources, settled, at_hand)
    resources.web.check_names(names)
    return (*(provider.name for provider in at_hand), *names)


def settled_of(spec: RunSpec) -> Settled:
    """Return what the settings added to ``spec``.

    Raises:
        UsageError: when it is not settled yet.
    """
    if spec.settled is None:
        raise UsageError(f"The run {spec.run_id} has not been settled.")
    return spec.settled


NO_TELEMETRY = "OTEL_EXPORTER_OTLP_ENDPOINT needs more libraries: pip install 'quaere[telemetry]'."


def tracing_of(settings: Settings) -> RunTracing | None:
    """Return what sends a trace of every run, where the settings say where to.

    Raises:
        SettingsError: when its libraries are not installed.
    """
    if not settings.otlp_endpoint:
        return None
    try:
        from quaere.runtime.tracing import RunTracing
    except ModuleNotFoundError as error:
        raise SettingsError(NO_TELEMETRY) from error
    return RunTracing.to(settings.otlp_endpoint)
