"""What ``quaere doctor`` looks at: a list of checks, each a function that returns findings."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile
from time import monotonic

from quaere.domain.model import Message, ModelRequest, Role
from quaere.domain.question import Query
from quaere.domain.value import Outside, Value
from quaere.errors import QuaereError, SearchUnreachable, SettingsError, StoreError, cause_of
from quaere.graphs.configuration import Configuration
from quaere.models import VENDORS, ModelSpec, open_model
from quaere.models.meter import Meter, known_prices
from quaere.models.nearby import nearby_embedders, nearby_models
from quaere.models.plugins import plugin_vendors
from quaere.plan.delegation import known_cosine
from quaere.ports.model import ChatModel
from quaere.reason.llm.contracts import OpeningAnswer, narrowed
from quaere.runtime.redact import KeyRedactor
from quaere.runtime.resources import FOLDER, Resources
from quaere.runtime.search import usual_providers
from quaere.runtime.settings import PREFIX, Settings, service_settings, unknown_settings
from quaere.runtime.wiring_models import access_of, build_embedder, build_entailment, named_models
from quaere.runtime.wiring_store import build_carrier, build_database
from quaere.search.fanout import Failure, fan_out
from quaere.store.db.schema import REVISION
from quaere.synthesize.wording import counted
from quaere.verify.second_opinion import weights_for
from quaere.version import __version__

ASKED_S = 30.0
"""What a model or a search service may take to answer."""

REQUEST = ModelRequest(
    step="doctor",
    messages=(Message(role=Role.USER, content="Answer with what is asked for, all of it empty."),),
    output=narrowed(OpeningAnswer, 5),
    max_output_tokens=16,
)
"""The largest contract: a server that takes it takes every other. Its answer does not count."""
QUERY = Query(text="water")
EASIEST = "local:sentence-transformers/all-MiniLM-L6-v2"
"""The embedder that this machine can run itself, and for which all uses were measured."""
PAIRS = (
    ("The mill was built in 1781.", "The mill was built in 1781."),
    ("The mill was built in 1781.", "The mill was never built."),
)
"""What every entailment model tells apart."""
WRITTEN_BYTES = 1_000_000
TRIES = 3
"""How often a cache is tried, which gives a server half a second: the other checks load libraries
meanwhile, and on a machine that is busy that alone takes longer."""
ENTAILMENT_TOKENS = 100_000
"""More than two answers of any model take, its thoughts included."""


class Health(StrEnum):
    """The state of a component."""

    OK = "ok"
    NOTE = "note"
    """It works as far as it is wanted, and there is something to know."""
    FAULT = "fault"


class Finding(Value):
    """What the diagnosis found about one thing."""

    health: Health
    part: str
    """What kind of thing: ``model``, ``search``, ``folder`` ..."""
    name: Outside
    """Which one; empty where there is one only."""
    message: Outside
    """Its state, and what to do about it."""

    @property
    def sound(self) -> bool:
        """Whether it is sound: anything but a fault."""
        return self.health is not Health.FAULT


class Diagnosis(Value):
    """All findings, in the order of the checks."""

    healthy: bool
    """Whether none of them is a fault."""
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """What is looked at."""

    resources: Resources
    offline: bool
    """Whether no service may be asked."""

    @property
    def settings(self) -> Settings:
        """What the operator has set."""
        return self.resources.settings


Check = Callable[[Case], Awaitable[Sequence[Finding]]]
"""Looks at one part; what it raises becomes a finding, too."""


async def _each(part: str, looks: Mapping[str, Awaitable[Finding]]) -> list[Finding]:
    """Return what was found about each thing, by its name, or what went wrong with looking."""
    made = await asyncio.gather(*looks.values(), return_exceptions=True)
    return [
        _failed(part, name, outcome) if isinstance(outcome, BaseException) else outcome
        for name, outcome in zip(looks, made, strict=True)
    ]


def _failed(part: str, name: str, error: BaseException) -> Finding:
    if isinstance(error, QuaereError):
        return _fault(part, name, error.message)
    if isinstance(error, Exception):
        return _fault(part, name, f"the check itself failed: {type(error).__name__}: {error}")
    raise error


def _ok(part: str, name: str, message: str) -> Finding:
    return Finding(health=Health.OK, part=part, name=name, message=message)


def _note(part: str, name: str, message: str) -> Finding:
    return Finding(health=Health.NOTE, part=part, name=name, message=message)


def _fault(part: str, name: str, message: str) -> Finding:
    return Finding(health=Health.FAULT, part=part, name=name, message=message)


def _python() -> Finding:
    return _ok("python", "", f"{sys.version.split()[0]}, quaere {__version__}")


def _clients() -> Finding:
    """Tell which vendors' clients are installed; those of named models are checked with them."""
    modules = {vendor.extra: vendor.module for vendor in VENDORS.values()}
    there = [extra for extra, module in modules.items() if find_spec(module) is not None]
    missing = [extra for extra in modules if extra not in there]
    told = f"of models: {', '.join(there) or 'none'}"
    if not missing:
        return _ok("clients", "", told)
    install = f"pip install 'quaere[{','.join(missing)}]'"
    return _note("clients", "", f"{told}; the others come with {install}")


async def _settings(case: Case) -> Sequence[Finding]:
    """Tell which settings are set: their names, not what they say."""
    fields = sorted(case.settings.model_fields_set)
    names = (Settings.model_fields[name].alias or f"{PREFIX}{name.upper()}" for name in fields)
    unknown = [
        _note("settings", name, "is not a setting" + (f"; did you mean {near}?" if near else ""))
        for name, near in unknown_settings(Configuration.model_fields)
    ]
    return [_ok("settings", "", ", ".join(names) or "all at their defaults"), *unknown]


async def _models(case: Case) -> Sequence[Finding]:
    uses = await asyncio.to_thread(_uses, case.settings)  # "auto" may ask servers
    told = await _each("model", {name: _model(name, steps, case) for name, steps in uses.items()})
    if any(steps != ["fallback"] for steps in uses.values()):
        return told
    near: Sequence[str] = ()
    if not case.offline:
        near = await asyncio.to_thread(nearby_models, case.settings.model_base_url)
    return [_note("model", "", _without_model(near)), *told]


def _without_model(near: Sequence[str]) -> str:
    """Return what to say where no model is named, and ``near`` are ready on this machine."""
    advice = (
        f"{near[0]} is ready on this machine: QUAERE_MODEL={near[0]}" if near else "QUAERE_MODEL"
    )
    return (
        "none is named: answers quote the sources. With one, it plans the searches, writes the "
        f"answer in its own words and has every sentence checked; {advice}"
    )


def _uses(settings: Settings) -> Mapping[str, Sequence[str]]:
    """Return what each named model is for: steps, and standing in for others."""
    uses: dict[str, list[str]] = {}
    named = named_models(settings)
    for step, name in named.items():
        uses.setdefault(name, []).append(step)
    for name in settings.model_fallbacks:
        uses.setdefault(name, []).append("fallback")
    return uses


async def _model(name: str, uses: Sequence[str], case: Case) -> Finding:
    wanted = f"for {', '.join(uses)}"
    own = case.resources.own_models
    if name in own:
        return await _own_model(own[name], wanted, case)
    spec = ModelSpec.parse(name)
    access = access_of(spec, case.settings)
    patience_s = min(ASKED_S, access.timeout_s)
    model = open_model(spec, access.model_copy(update={"timeout_s": patience_s}))
    if case.offline:
        return _ok("model", name, f"{wanted}; not asked")
    try:
        await model.warm()
        began = monotonic()
        await model.complete(REQUEST)
        return _ok("model", name, f"{wanted}; answered in {monotonic() - began:.1f} s")
    finally:
        await model.aclose()


async def _own_model(model: ChatModel, wanted: str, case: Case) -> Finding:
    """Check a model that the caller or a plug-in has opened."""
    if case.offline:
        return _ok("model", model.name, f"{wanted}; not asked")
    began = monotonic()
    async with asyncio.timeout(ASKED_S):
        await model.complete(REQUEST)
    return _ok("model", model.name, f"{wanted}; answered in {monotonic() - began:.1f} s")


async def _embedder(case: Case) -> Sequence[Finding]:
    embedder = build_embedder(case.settings)
    if embedder is None:
        # One that is switched off is not missed.
        return [] if case.settings.embedder else [await _without_embedder(case)]
    verifies, told = _told_uses(embedder.name, case.settings)
    took = "not asked"
    if not case.offline:
        await embedder.warm()  # which may fetch it first
        began = monotonic()
        await embedder.similarities([("A yes.", "A no.")])
        took = f"answered in {monotonic() - began:.1f} s"
    return [(_ok if verifies else _note)("embedder", embedder.name, f"{told}; {took}")]


def _told_uses(name: str, settings: Settings) -> tuple[bool, str]:
    """Return whether the embedder verifies sentences, and for what it is used, in words."""
    verifies = weights_for(name) is not None
    compares = settings.embedder_same or known_cosine(name)
    told = f"for {_listing('ranking', verifies and 'sentences', compares and 'topics')}"
    if verifies:
        return True, told
    return False, f"{told}, not measured for {_listing('sentences', not compares and 'topics')}"


def _listing(*uses: object) -> str:
    """Return those of ``uses`` that there are, as in "ranking, sentences and topics"."""
    *before, last = map(str, filter(None, uses))
    return f"{', '.join(before)} and {last}" if before else last


async def _without_embedder(case: Case) -> Finding:
    """Tell what an embedder would do, and which one is easiest to have on this machine."""
    near: Sequence[str] = ()
    if not case.offline:
        near = await asyncio.to_thread(nearby_embedders, case.settings.model_base_url)
    advice = f"pip install 'quaere[embeddings]', then QUAERE_EMBEDDER={EASIEST}"
    if near:
        advice = f"{near[0]} is ready on this machine: QUAERE_EMBEDDER={near[0]}"
    elif find_spec("fastembed") is not None:
        advice = f"fastembed is installed: QUAERE_EMBEDDER={EASIEST}, fetched once, or local:FOLDER"
    told = "none is named: what is asked in other words than its source says is often missed"
    return _note("embedder", "", f"{told}; {advice}")


async def _entailment(case: Case) -> Sequence[Finding]:
    """Ask the entailment model about a claim that its premise says and about one that it denies."""
    patience_s = min(ASKED_S, case.settings.model_timeout_s)
    model = build_entailment(case.settings, case.resources.models)
    if model is None:
        return []
    if case.offline:
        return [_ok("entailment", model.name, "not asked")]
    await model.warm()
    meter = Meter()
    meter.open(ENTAILMENT_TOKENS, None)
    began = monotonic()
    told = await model.entail(PAIRS, meter, within_s=patience_s)
    said, denied = told.each
    if said is None or denied is None:
        return [_fault("entailment", model.name, f"does not judge: {told.fault}")]
    if said.entailed <= denied.entailed:
        advice = "it takes denials for statements, or is made for something else"
        return [_fault("entailment", model.name, f"judges the wrong way round: {advice}")]
    return [_ok("entailment", model.name, f"judged two claims in {monotonic() - began:.1f} s")]


async def _prices(case: Case) -> Sequence[Finding]:
    """Tell of which models no price is known: those are not called under a limit in money."""
    prices = known_prices(case.settings.prices)
    names = await asyncio.to_thread(_usable, case.settings)
    unknown = [name for name in names if prices.of(name) is None]
    if unknown:
        advice = "give it in the file that QUAERE_PRICES names, or --max-cost keeps it unused"
        return [_note("price", name, f"not known; {advice}") for name in unknown]
    return [_ok("price", "", f"known for {counted(len(names), 'named model')}")] if names else []


def _usable(settings: Settings) -> Sequence[str]:
    """Return the named models; of a name that cannot be used, the check of models tells."""
    names: list[str] = []
    with suppress(SettingsError):
        names.extend(
            name if name.partition(":")[0] in plugin_vendors() else ModelSpec.parse(name).name
            for name in _uses(settings)
        )
    return names


async def _searches(case: Case) -> Sequence[Finding]:
    names = _configured(case.resources)
    _ = case.resources.web.fetcher  # what may be read besides the public web is checked by it
    return await _each("search", {name: _search(name, case) for name in names})


def _configured(resources: Resources) -> Sequence[str]:
    """Return the services that are asked when none is named or one fails, and those with keys."""
    settings = resources.settings
    infos = resources.web.registry.infos
    keyed = [i.name for i in infos if i.needs and not i.missing(service_settings(i.needs))]
    asked = dict.fromkeys((*usual_providers(settings), *settings.provider_fallbacks, *keyed))
    return [name for name in asked if name != FOLDER]


_UNREACHED = " Check the network connection, and the base URL if you have set one."


async def _search(name: str, case: Case) -> Finding:
    provider = case.resources.web.provider(name)
    if case.offline:
        return _ok("search", name, "not asked")
    began = monotonic()
    (outcome,) = await fan_out([QUERY], [provider], limit=1, timeout_s=ASKED_S)
    if isinstance(outcome, Failure):
        unreached = outcome.error_type == SearchUnreachable("").type
        return _fault("search", name, outcome.message + (_UNREACHED if unreached else ""))
    found = "found something" if outcome.hits else "found nothing"
    return _ok("search", name, f"{found} in {monotonic() - began:.1f} s")


async def _folders(case: Case) -> Sequence[Finding]:
    folders = [_folder(path) for path in case.settings.docs]
    if not folders:
        return [_note("folder", "", "none is set; set QUAERE_DOCS, or use --docs with a command")]
    return [*folders, _index(case.resources)] if all(each.sound for each in folders) else folders


def _folder(path: Path) -> Finding:
    path = path.expanduser()  # as it is when it is searched
    if not path.exists():
        return _fault("folder", str(path), "is not there")
    if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
        return _fault("folder", str(path), "may not be read; change its permissions")
    return _ok("folder", str(path), "can be read")


def _index(resources: Resources) -> Finding:
    counts = resources.folder().counts()
    if counts is None:
        return _note(
            "index", "", "not built yet; the first question builds it, or run quaere index"
        )
    files, broken = counts
    message = f"{counted(files, 'file')}, {broken:,} of them not readable"
    return _note("index", "", message) if broken else _ok("index", "", message)


async def _cache(case: Case) -> Sequence[Finding]:
    return [_kept_in("cache", case.settings.cache_folder, "QUAERE_CACHE_DIR")]


async def _data(case: Case) -> Sequence[Finding]:
    return [_kept_in("data", case.settings.data_folder, "QUAERE_DATA_DIR")]


def _kept_in(part: str, folder: Path, setting: str) -> Finding:
    """Write a megabyte to ``folder`` for a moment: a full disk still takes empty files."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(WRITTEN_BYTES))
            file.flush()
    except OSError as error:
        message = f"cannot be written: {cause_of(error)}; name another with {setting}"
        return _fault(part, str(folder), message)
    return _ok(part, str(folder), "can be written")


async def _redis(case: Case) -> Sequence[Finding]:
    """Look at the cache that runs share, where one is configured."""
    url = case.settings.cache_url
    if url.startswith("mem:"):
        return []
    name = _USER.sub("://", url).partition("?")[0]
    if case.offline:
        return [_ok("redis", name, "not asked")]
    cache = case.resources.cache
    for _ in range(TRIES):
        key, began = f"doctor:{token_hex()}", monotonic()
        await cache.set(key, "well", 10)
        if await cache.get(key) == "well":
            return [_ok("redis", name, f"stored and read back in {monotonic() - began:.1f} s")]
    why = f" ({cache.trouble})" if cache.trouble else ""
    advice = "start the server, or fix or unset QUAERE_CACHE_URL"
    return [_fault("redis", name, f"keeps nothing{why}; {advice}")]


async def _carrier(case: Case) -> Sequence[Finding]:
    """Look at NATS, where it brings runs to workers."""
    if case.settings.carrier is None:
        return []
    database = build_database(case.settings)
    carrier = build_carrier(case.settings, database)
    if case.offline:
        return [_ok("carrier", carrier.name, "not asked")]
    began = monotonic()
    try:
        await carrier.check()
    except StoreError as error:
        advice = "Start it, or fix QUAERE_CARRIER"
        return [_fault("carrier", carrier.name, f"{error.message} {advice}")]
    finally:
        await carrier.aclose()
        await database.aclose()
    return [_ok("carrier", carrier.name, f"answered in {monotonic() - began:.1f} s")]


async def _database(case: Case) -> Sequence[Finding]:
    """Look at the database of traces and the version of its tables.

    One that is not named is a file of our own, which is created and upgraded when it is opened:
    only what prevents that is told.
    """
    database = build_database(case.settings)
    is_own = case.settings.database_url is None
    if case.offline:
        return [] if is_own else [_ok("database", database.name, "not asked")]
    try:
        async with database:
            version = await database.version()
    except StoreError as error:
        advice = "" if is_own else " Start it, or fix QUAERE_DATABASE_URL"
        return [_fault("database", database.name, f"{error.message}{advice}")]
    return _of_version(database.name, version, is_own=is_own)


def _of_version(name: str, version: str | None, *, is_own: bool) -> Sequence[Finding]:
    """Return what the version of the tables of a database means for this one of Quaere."""
    if version is not None and version > REVISION:
        late = f"its tables have version {version}, later than {REVISION}; install a later Quaere"
        return [_fault("database", name, late)]
    if is_own:
        return []
    if version != REVISION:
        have = f"its tables have version {version}" if version else "it has no tables"
        return [_fault("database", name, f"{have}, {REVISION} is required; run quaere db upgrade")]
    return [_ok("database", name, f"version {version}, up to date")]


_USER = re.compile(r"://[^/?#]*@")
"""Name and password in a URL."""

CHECKS: Mapping[str, Check] = {
    "settings": _settings,
    "model": _models,
    "embedder": _embedder,
    "entailment": _entailment,
    "price": _prices,
    "search": _searches,
    "folder": _folders,
    "cache": _cache,
    "data": _data,
    "redis": _redis,
    "carrier": _carrier,
    "database": _database,
}
"""All that need settings, by their part. A new part (a database, a server) is a line here."""


async def diagnose(
    resources: Resources, *, offline: bool, checks: Mapping[str, Check] = CHECKS
) -> Diagnosis:
    """Return what all ``checks`` find, made side by side, without any key."""
    findings = [_python(), _clients(), *await _looked_at(Case(resources, offline), checks)]
    return Diagnosis(healthy=all(each.sound for each in findings), findings=tuple(findings))


def misconfigured(error: SettingsError) -> Diagnosis:
    """Return what there is to say where the settings themselves cannot be read."""
    findings = (_python(), _clients(), _fault("settings", "", error.message))
    return Diagnosis(healthy=False, findings=findings)


async def _looked_at(case: Case, checks: Mapping[str, Check]) -> list[Finding]:
    made = await asyncio.gather(*(check(case) for check in checks.values()), return_exceptions=True)
    found: list[Finding] = []
    for part, outcome in zip(checks, made, strict=True):
        found += [_failed(part, "", outcome)] if isinstance(outcome, BaseException) else outcome
    redact = KeyRedactor(case.settings)
    return [each.model_copy(update={"message": redact(each.message)}) for each in found]
