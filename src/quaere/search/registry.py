"""The services that can be searched: plug-ins and our own, as data, and providers by name.

Of each of our own: where it is, what it needs, how much it allows.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import EntryPoint
from typing import Protocol

from quaere.domain.question import SourceKind
from quaere.errors import SettingsError, UsageError
from quaere.ports.plugins import plugins as installed
from quaere.ports.search import SearchProvider
from quaere.resilience.limits import Pacing, RateLimit
from quaere.search.api import Api, Pairs
from quaere.search.pubmed import REQUESTS_PER_S, REQUESTS_PER_S_WITH_KEY, PubMed
from quaere.search.results import ProvidedText
from quaere.search.scholarly import Arxiv, Crossref, EuropePmc, OpenAlex, SemanticScholar
from quaere.search.web_engines import Bing, Brave, DuckDuckGo, SearXng, Serper, Tavily, Wikipedia

logger = logging.getLogger(__name__)

GROUP = "quaere.search_providers"
"""Entry-point group of plug-ins; each entry point names a ``ProviderInfo``."""

Factory = Callable[[Mapping[str, str]], SearchProvider]
"""Makes a provider from the values of its settings, by name: those it needs and its options."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``calls`` searches in any ``per_s`` seconds."""

    calls: int
    per_s: float = 1.0


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """What can be known of a provider before it is made."""

    name: str
    kinds: frozenset[SourceKind]
    needs: tuple[str, ...]
    """Names of the settings without which it cannot be made."""
    description: str
    factory: Factory
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """Settings that it can do without, with the value that each has when it is not set."""
    rate: Rate | None = None
    """What the service allows; None when it needs no limit here."""
    with_text: bool = False
    """Whether hits come with the text of their pages, so that none has to be opened."""

    def missing(self, settings: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of the needed settings that ``settings`` lacks or leaves empty."""
        return tuple(name for name in self.needs if not settings.get(name))


class Registry:
    """Providers by name."""

    def __init__(self, infos: Iterable[ProviderInfo]) -> None:
        """Hold ``infos``.

        Raises:
            UsageError: when two of them have one name.
        """
        self._infos: dict[str, ProviderInfo] = {}
        for info in infos:
            if info.name in self._infos:
                raise UsageError(f"There are two search services called {info.name!r}.")
            self._infos[info.name] = info

    @property
    def infos(self) -> tuple[ProviderInfo, ...]:
        """All providers, by name."""
        return tuple(self._infos[name] for name in sorted(self._infos))

    def info(self, name: str) -> ProviderInfo:
        """Return the provider called ``name``.

        Raises:
            UsageError: when there is none; the message names those there are.
        """
        if name not in self._infos:
            near = get_close_matches(name.lower(), self._infos, 1)
            guess = f" Did you mean {near[0]}?" if near else ""
            if "," in name:
                guess = " Name one at a time: --provider may be repeated."
            known = ", ".join(sorted(self._infos)) or "none"
            raise UsageError(f"Unknown search service {name!r}.{guess} Available: {known}.")
        return self._infos[name]

    def make(self, name: str, settings: Mapping[str, str]) -> SearchProvider:
        """Return a new provider, which gets to see its own settings and no others.

        Raises:
            UsageError: when no provider is called ``name``.
            SettingsError: when a setting that it needs is missing.
        """
        info = self.info(name)
        if missing := info.missing(settings):
            raise SettingsError(f"The search service {name} needs {', '.join(missing)}.")
        chosen = {name: settings.get(name) or value for name, value in info.options.items()}
        return info.factory(chosen | {need: settings[need] for need in info.needs})


def plugins(found: Iterable[EntryPoint] | None = None) -> tuple[ProviderInfo, ...]:
    """Return the providers of the installed plug-ins; see `quaere.ports.plugins`."""
    return installed(GROUP, ProviderInfo, found)


def beside(own: Iterable[ProviderInfo], others: Iterable[ProviderInfo]) -> tuple[ProviderInfo, ...]:
    """Return ``own`` and those of ``others`` whose names are still free, the first of each.

    The rest is left out, with a line in the log: no plug-in takes the place of another service.
    """
    kept = {info.name: info for info in own}
    for info in others:
        if kept.setdefault(info.name, info) is not info:
            logger.warning("plug-in left out: there is a search service %s already", info.name)
    return tuple(kept.values())


class Connect(Protocol):
    """Makes the client of one service."""

    def __call__(
        self, name: str, base_url: str, *, headers: Mapping[str, str], params: Pairs
    ) -> Api:
        """Return a client whose every request carries ``headers`` and ``params``."""
        ...


class _Described(Protocol):
    """What a provider's class declares."""

    name: str
    kinds: frozenset[SourceKind]


@dataclass(frozen=True, slots=True)
class Given:
    """What a provider is made of."""

    api: Api
    keep: ProvidedText
    settings: Mapping[str, str]
    pacing: Pacing


Make = Callable[[Given], SearchProvider]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting whose value goes out with every request."""

    name: str
    header: str = ""
    """Name of the header that it is sent in; empty when it is sent in ``param``."""
    param: str = ""
    form: str = "{}"
    """What is sent, with the value in place of the braces."""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """A service and the provider that queries it."""

    provider: type[_Described]
    description: str
    make: Make
    base_url: str = ""
    """Where it is when its setting does not say otherwise; empty for one that everybody hosts."""
    settings: tuple[Setting, ...] = ()
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    """What else goes out with every request."""
    rate: Rate | None = None
    with_text: bool = False
    """Whether hits come with the text of their pages, so that none has to be opened."""

    @property
    def base_url_setting(self) -> str:
        """Name of the setting for its base URL, such as ``BRAVE_BASE_URL``."""
        return f"{self.provider.name.upper()}_BASE_URL"

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the settings without which it cannot be asked."""
        needed = tuple(setting.name for setting in self.settings if setting.needed)
        return needed if self.base_url else (self.base_url_setting, *needed)

    @property
    def options(self) -> Mapping[str, str]:
        """The other settings, with their defaults."""
        defaults = {setting.name: "" for setting in self.settings if not setting.needed}
        return defaults | ({self.base_url_setting: self.base_url} if self.base_url else {})

    def info(self, connect: Connect, keep: ProvidedText, pacing: Pacing) -> ProviderInfo:
        """Return the entry for the registry of a provider that asks through ``connect``."""

        def factory(settings: Mapping[str, str]) -> SearchProvider:
            sent = [(each, settings[each.name]) for each in self.settings if settings[each.name]]
            headers = {each.header: each.form.format(value) for each, value in sent if each.header}
            params = {each.param: each.form.format(value) for each, value in sent if each.param}
            api = connect(
                self.provider.name,
                settings[self.base_url_setting],
                headers=headers,
                params={**self.params, **params},
            )
            return self.make(Given(api, keep, settings, pacing))

        return ProviderInfo(
            name=self.provider.name,
            kinds=self.provider.kinds,
            needs=self.needs,
            description=self.description,
            factory=factory,
            options=self.options,
            rate=self.rate,
            with_text=self.with_text,
        )


def _pubmed(given: Given) -> SearchProvider:
    # By the request and not by the search, of which each makes several.
    calls = REQUESTS_PER_S_WITH_KEY if given.settings[_NCBI_KEY.name] else REQUESTS_PER_S
    return PubMed(given.api, given.keep, given.pacing(calls, 1.0), at_once=calls)


_NCBI_KEY = Setting("NCBI_API_KEY", param="api_key")

EUROPE_PMC = Service(
    EuropePmc,
    "Biomedical articles, preprints, patents and guidelines with their abstracts",
    lambda given: EuropePmc(given.api, given.keep),
    "https://www.ebi.ac.uk/europepmc/webservices/rest",
    (Setting("EUROPE_PMC_EMAIL", param="email"),),
    rate=Rate(10),
)
"""Its service gives the full texts of PubMed Central, too."""

SERVICES: tuple[Service, ...] = (
    Service(
        Brave,
        "Web and news, Brave's own index",
        lambda given: Brave(given.api),
        "https://api.search.brave.com/res/v1",
        (Setting("BRAVE_API_KEY", header="X-Subscription-Token", needed=True),),
    ),
    Service(
        Bing,
        "Web and news, through any endpoint that speaks Bing's v7 format",
        lambda given: Bing(given.api),
        "https://api.bing.microsoft.com/v7.0",
        (Setting("BING_API_KEY", header="Ocp-Apim-Subscription-Key", needed=True),),
    ),
    Service(
        Tavily,
        "Web and news, with the text of the pages",
        lambda given: Tavily(given.api, given.keep),
        "https://api.tavily.com",
        (Setting("TAVILY_API_KEY", header="Authorization", form="Bearer {}", needed=True),),
        with_text=True,
    ),
    Service(
        SearXng,
        "Web and news, through your own SearXNG instance",
        lambda given: SearXng(given.api),
    ),
    Service(
        Serper,
        "Web and news, Google's results",
        lambda given: Serper(given.api),
        "https://google.serper.dev",
        (Setting("SERPER_API_KEY", header="X-API-KEY", needed=True),),
    ),
    Service(
        DuckDuckGo,
        "The web, without a key; limits frequent requests",
        lambda given: DuckDuckGo(given.api),
        "https://html.duckduckgo.com",
        rate=Rate(1),
    ),
    Service(
        Wikipedia,
        "Articles of Wikipedia, or of another MediaWiki",
        lambda given: Wikipedia(given.api),
        "https://en.wikipedia.org/w",
    ),
    Service(
        PubMed,
        "Biomedical articles with their abstracts",
        _pubmed,
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        (_NCBI_KEY, Setting("NCBI_EMAIL", param="email")),
        {"tool": "quaere"},
    ),
    EUROPE_PMC,
    Service(
        Arxiv,
        "Preprints with their abstracts",
        lambda given: Arxiv(given.api, given.keep),
        "https://export.arxiv.org/api",
        rate=Rate(1, per_s=3.0),  # https://info.arxiv.org/help/api/tou.html
    ),
    Service(
        OpenAlex,
        "Scholarly works with their abstracts; some ten searches a day without a key",
        lambda given: OpenAlex(given.api, given.keep),
        "https://api.openalex.org",
        (
            Setting("OPENALEX_API_KEY", param="api_key"),
            Setting("OPENALEX_MAILTO", param="mailto"),
        ),
        rate=Rate(10),
    ),
    Service(
        Crossref,
        "Works with a DOI, some with their abstracts",
        lambda given: Crossref(given.api, given.keep),
        "https://api.crossref.org",
        (Setting("CROSSREF_MAILTO", param="mailto"),),
        rate=Rate(1),  # for lists, without an address: announced for December 2025
    ),
    Service(
        SemanticScholar,
        "Scholarly works with their abstracts; often refuses requests without a key",
        lambda given: SemanticScholar(given.api, given.keep),
        "https://api.semanticscholar.org/graph/v1",
        (Setting("SEMANTIC_SCHOLAR_API_KEY", header="x-api-key"),),
        rate=Rate(1),
    ),
)

DEFAULT_PROVIDERS = (
    "wikipedia",
    "duckduckgo",
    "pubmed",
    "arxiv",
    "openalex",
    "crossref",
    "europe_pmc",
)
"""What works without any key."""


def infos(
    connect: Connect, keep: ProvidedText, pacing: Pacing = RateLimit
) -> tuple[ProviderInfo, ...]:
    """Return the entries for the registry of all services, asked through ``connect``.

    ``pacing`` makes the limits of those that keep to one by themselves.
    """
    return tuple(service.info(connect, keep, pacing) for service in SERVICES)
