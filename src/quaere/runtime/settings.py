"""Typed settings. This is the one place that reads the environment."""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, cast

import platformdirs
from pydantic import (
    Field,
    SecretStr,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from quaere.domain.budget import PROFILES, Limits, OperatorLimits, ProfileName
from quaere.domain.request import Listener
from quaere.domain.team import Strategy
from quaere.domain.value import at_home, comma_separated, fault_in_words
from quaere.errors import SettingsError
from quaere.runtime.logs import LogFormat

PREFIX = "QUAERE_"

CACHES = ("mem://", "redis://", "rediss://")
"""How the URL of a cache begins: memory, or Redis, with TLS or without."""

WEBHOOK_KEY_MARK = "whsec_"
"""How the secret that signs webhooks begins."""
WEBHOOK_KEY_BYTES = range(24, 65)

_TEXTS = TypeAdapter(list[str])
_ORIGIN = re.compile(r"(?i:https?)://[^/?#@\s]+")


class Access(StrEnum):
    """How the service knows its users."""

    OFF = "off"
    """Everybody who reaches it is the user of this machine."""
    KEYS = "keys"
    PROXY = "proxy"
    """A proxy in front of it signs them in."""
    OIDC = "oidc"
    """An issuer of OpenID Connect signs them in; programs may have API keys, too."""


_OF_ALL = ("max_iters", "max_queries", "max_sources", "max_execution_time_s", "token_budget")
_OF_ONE = ("max_iters", "max_queries", "max_reads", "max_execution_time_s", "max_citations")
_LIMITS = (*_OF_ALL, *(f"{profile}_{limit}" for profile in ("chat", "deep") for limit in _OF_ONE))
"""Fields that hold a limit of a budget, some of them for one profile."""


class Settings(BaseSettings):
    """What an operator may set, by environment variable (``QUAERE_...``) or by argument.

    The limits keep the names that requirement R0.11 gives them, such as ``RESEARCH_MAX_ITERS``. A
    request overrides them, and they override the profile. Those of one profile alone keep the
    names of R3.1, such as ``CHAT_RESEARCH_MAX_LOOPS``, and only change what that profile says.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    docs: Annotated[tuple[Path, ...], NoDecode] = ()
    """Folders or files to search when a command names none: a JSON list, or paths separated as
    in ``PATH``."""
    cache_dir: Path | None = None
    """Folder of the indexes; the user's cache folder when not set."""
    cache_url: str = "mem://"
    """Cache that runs share for answers of services: ``mem://`` or ``redis://host:port/0``."""
    http_cache: bool = True
    """Whether pages are cached on disk for as long as their servers allow."""
    cache_models: bool = False
    """Whether answers of language models are cached, too."""
    data_dir: Path | None = None
    """Folder of the runs; the user's data folder when not set."""
    resumable: bool = True
    """Whether a run is kept on disk while it goes on, so that it can be resumed."""
    database_url: SecretStr | None = None
    """Database of traces, ``sqlite:///PATH`` or ``postgresql://...``; when not set, a file in the
    data folder."""
    carrier: SecretStr | None = None
    """What delivers submitted runs to workers: ``nats://HOST:PORT[,HOST...][/NAME]`` for NATS
    JetStream; the database when not set."""
    webhook_url: SecretStr | None = None
    """URL to notify when a submitted run has ended; none when not set."""
    webhook_secret: SecretStr | None = None
    """Key that webhooks are signed with: ``whsec_`` and 24 to 64 random bytes in base64."""
    trace: bool = True
    """Whether runs of commands are recorded in the database."""
    store_pages: bool = True
    """Whether the text of pages is kept anywhere after a run."""
    store_questions: bool = True
    """Whether questions are kept anywhere after a run."""
    profile: ProfileName | None = None
    """The named budget; chosen to fit the question when not set."""
    strategy: Strategy = Strategy.AUTO
    """``loop`` for a single research loop, ``supervisor`` for several researchers, or ``auto`` for
    whichever suits the question."""
    max_file_bytes: Annotated[int, Field(gt=0)] = 50_000_000
    """Files larger than this are not indexed."""
    keep_days: Annotated[float | None, Field(gt=0, allow_inf_nan=False)] = None
    """Days after which the service deletes runs, unless they are pinned, and conversations to which
    nothing was added; never when not set."""
    keep_bytes: Annotated[int | None, Field(gt=0)] = None
    """Bytes that all runs may take up before the service deletes the oldest that are not pinned; no
    limit when not set."""
    chat_abandoned_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 10.0
    """Seconds that the service works on a ``chat`` answer after its reader has left."""
    max_folders: Annotated[int, Field(ge=0)] = 50
    """Folders that a user of the service may create; 0 for none."""
    max_folder_files: Annotated[int, Field(gt=0)] = 2_000
    """Files that a user may upload to one folder."""
    max_folder_bytes: Annotated[int, Field(gt=0)] = 1_000_000_000
    """Total size of the files in one such folder, in bytes."""
    providers: Annotated[tuple[str, ...], NoDecode] = ()
    """Search services to use when a command names none, separated by commas."""
    provider_fallbacks: Annotated[tuple[str, ...], NoDecode] = ()
    """Search services to use instead, in this order, when one fails, separated by commas."""
    read_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Hosts that may be read although they are not on the public web, separated by commas."""
    read_ports: Annotated[tuple[Annotated[int, Field(ge=1, le=65_535)], ...], NoDecode] = ()
    """Ports that may be read besides 80 and 443."""
    read_networks: Annotated[tuple[str, ...], NoDecode] = ()
    """Networks that may be read although they are not public, such as 10.1.0.0/16."""
    obey_robots: bool = True
    """Whether pages that a site's robots.txt closes to Quaere are left unread."""
    full_text: bool = True
    """Whether the open full text of a work is read where a search returned its abstract (at most
    three works per loop), or no more than its DOI or its address in PubMed."""
    fetch_timeout_s: Annotated[
        float, Field(gt=0, le=600, alias="RESEARCH_SOURCE_FETCH_TIMEOUT_SECONDS")
    ] = 12.0
    """Seconds that fetching one page may take."""
    max_page_bytes: Annotated[int, Field(gt=0, alias="RESEARCH_SOURCE_MAX_BYTES")] = 1_500_000
    """Bytes that a page may have, decoded; a PDF may have ten times as many."""
    model: str | None = None
    """Model of every step that has none of its own, ``vendor:model``; ``none`` for no model."""
    model_plan: str | None = None
    """Model that plans."""
    model_evaluate: str | None = None
    """Model that judges what was found."""
    model_write: str | None = None
    """Model that writes the answer."""
    model_check: str | None = None
    """Model that judges what an answer does not quote."""
    model_fallbacks: Annotated[tuple[str, ...], NoDecode] = ()
    """Models to use instead, in this order, when one fails, separated by commas."""
    # The one URL of an own server has the key "".
    model_base_url: Annotated[dict[str, str], NoDecode] = Field(default_factory=dict)
    """Base URL of models that are not at their vendor's own address: one URL for your own server,
    or ``vendor=URL`` for each vendor, separated by commas."""
    model_api_key: SecretStr = SecretStr("")
    """Key for your own model server; the keys of vendors have variables of their own."""
    model_context_tokens: Annotated[int | None, Field(ge=1_024)] = None
    """Context window of the models in tokens, where Quaere does not know it or has it wrong."""
    model_timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    """Seconds that a call to a model may take."""
    embedder: str | None = None
    """Embedder that compares texts by meaning: ``vendor:model``, or ``local:MODEL``, where MODEL is
    a folder or a name that fastembed knows; ``none`` for none."""
    embedder_same: Annotated[float | None, Field(gt=0, le=1)] = None
    """Cosine similarity from which two research topics count as the same, in place of the value
    that is known for the embedder."""
    entailment: str | None = None
    """Model that tells whether a claim follows from its source: ``local:FOLDER`` with an ONNX
    network, ``ollama:bespoke-minicheck``, or any ``vendor:model``; ``none`` for none."""
    prices: Path | None = None
    """JSON file with prices of models, which add to or replace those in the built-in list."""
    auth: Access | None = None
    """How users of the service prove who they are: ``off`` (not at all), ``keys``, ``oidc`` (an
    issuer signs them in) or ``proxy`` (a proxy names them in a header); when not set, ``off`` on
    loopback and ``keys`` elsewhere."""
    server_names: Annotated[tuple[str, ...], NoDecode] = ()
    """Host names at which the service may be reached, separated by commas."""
    server_origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Origins of other sites whose pages may call the service, such as ``https://app.example.org``."""
    secret_key: SecretStr | None = None
    """Key that signs sessions and shared links; when not set, one that is made in the data folder.
    Servers that share users need the same key."""
    proxy_user_header: str = "X-Forwarded-User"
    """Header in which the proxy that signs users in names them."""
    oidc_issuer: str | None = None
    """Address of the issuer that signs users in, such as ``https://login.example.org/realm``."""
    oidc_client_id: str | None = None
    """Id of the service at the issuer."""
    oidc_client_secret: SecretStr | None = None
    """Secret that belongs to the id of the service, if it has one."""
    oidc_audience: str | None = None
    """Audience of the tokens that programs send; the id of the service when not set."""
    oidc_admins: Annotated[tuple[str, ...], NoDecode] = ()
    """Subjects (``sub``) of the users who are administrators, separated by commas."""
    sharing: bool = False
    """Whether users may share a report with everybody who has its link."""
    log_level: str = "WARNING"
    """Lowest level that is logged, such as INFO."""
    log_format: LogFormat = LogFormat.TEXT
    """``text``, or ``json`` for one JSON object per line; setting either turns logging on."""
    otlp_endpoint: Annotated[str | None, Field(alias="OTEL_EXPORTER_OTLP_ENDPOINT")] = None
    """OpenTelemetry collector that receives a trace of every run, such as
    ``http://localhost:4318``; needs the extra ``telemetry``."""
    eval_data: Path | None = None
    """Folder of the evaluation data."""

    max_iters: Annotated[int | None, Field(alias="RESEARCH_MAX_ITERS")] = None
    """Research loops of a run."""
    max_queries: Annotated[int | None, Field(alias="RESEARCH_MAX_QUERIES")] = None
    """Queries of a run."""
    max_sources: Annotated[int | None, Field(alias="RESEARCH_MAX_SOURCES")] = None
    """Sources that a run keeps as evidence."""
    max_execution_time_s: Annotated[float | None, Field(alias="RESEARCH_MAX_EXECUTION_TIME_S")] = (
        None
    )
    """Seconds that a run may take."""
    token_budget: Annotated[int | None, Field(alias="RESEARCH_TOKEN_BUDGET")] = None
    """Tokens of all calls to models; without a model, of the text that is read."""

    chat_max_iters: Annotated[int | None, Field(alias="CHAT_RESEARCH_MAX_LOOPS")] = None
    """Research loops under ``chat``."""
    chat_max_queries: Annotated[int | None, Field(alias="CHAT_RESEARCH_MAX_SEARCH_QUERIES")] = None
    """Queries under ``chat``."""
    chat_max_reads: Annotated[int | None, Field(alias="CHAT_RESEARCH_MAX_SOURCES_READ")] = None
    """Pages read under ``chat``."""
    chat_max_execution_time_s: Annotated[
        float | None, Field(alias="CHAT_RESEARCH_TIMEOUT_SECONDS")
    ] = None
    """Seconds that a run may take under ``chat``."""
    chat_max_citations: Annotated[int | None, Field(alias="RESEARCH_MAX_CITATIONS_CHAT")] = None
    """Citations of an answer under ``chat``."""
    chat_agentic: Annotated[bool, Field(alias="AGENTIC_RESEARCH_CHAT_ENABLED")] = True
    """Whether ``chat`` may loop; if not, it searches, reads and answers once."""

    deep_max_iters: Annotated[int | None, Field(alias="DEEP_RESEARCH_MAX_LOOPS")] = None
    """Research loops under ``deep``."""
    deep_max_queries: Annotated[int | None, Field(alias="DEEP_RESEARCH_MAX_SEARCH_QUERIES")] = None
    """Queries under ``deep``."""
    deep_max_reads: Annotated[int | None, Field(alias="DEEP_RESEARCH_MAX_SOURCES_READ")] = None
    """Pages read under ``deep``."""
    deep_max_execution_time_s: Annotated[
        float | None, Field(alias="DEEP_RESEARCH_TIMEOUT_SECONDS")
    ] = None
    """Seconds that a run may take under ``deep``."""
    deep_max_citations: Annotated[int | None, Field(alias="RESEARCH_MAX_CITATIONS_DEEP")] = None
    """Citations of an answer under ``deep``."""
    deep_agentic: Annotated[bool, Field(alias="AGENTIC_RESEARCH_DEEP_ENABLED")] = True
    """Whether ``deep`` may loop; if not, it searches, reads and answers once."""

    @property
    def listener(self) -> Listener | None:
        """The address to which the ends of runs are reported that name none."""
        return Listener(url=self.webhook_url.get_secret_value()) if self.webhook_url else None

    @property
    def webhook_key(self) -> bytes | None:
        """What webhooks are signed with."""
        return None if self.webhook_secret is None else _key(self.webhook_secret)

    @field_validator("docs", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        if not value.lstrip().startswith("["):
            return [path for path in value.split(os.pathsep) if path]
        try:
            return _TEXTS.validate_json(value)
        except ValidationError:
            raise PydanticCustomError("docs", "this is not a JSON list of paths") from None

    @field_validator("docs")
    @classmethod
    def _docs_at_home(cls, value: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple(map(at_home, value))

    @field_validator("cache_dir", "data_dir")
    @classmethod
    def _at_home(cls, value: Path | None) -> Path | None:
        return value and at_home(value)

    @field_validator("cache_url")
    @classmethod
    def _of_a_cache(cls, value: str) -> str:
        if not value.startswith(CACHES):
            raise PydanticCustomError("cache_url", "use mem:// or redis://HOST:PORT/0")
        return value

    @field_validator("read_networks")
    @classmethod
    def _of_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for network in value:
            try:
                ip_network(network)
            except ValueError:
                said = "{network} is not a network, such as 10.1.0.0/16"
                raise PydanticCustomError("network", said, {"network": network}) from None
        return value

    @field_validator("webhook_url")
    @classmethod
    def _of_a_listener(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not value.get_secret_value().startswith(("http://", "https://")):
            raise PydanticCustomError("url", "the address must begin with http:// or https://")
        return value

    @field_validator("webhook_secret")
    @classmethod
    def _signs(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(_key(value)) not in WEBHOOK_KEY_BYTES:
            said = "it must be {mark} and 24 to 64 random bytes in base64, as {command} makes them"
            made = {"mark": WEBHOOK_KEY_MARK, "command": "`openssl rand -base64 32`"}
            raise PydanticCustomError("secret", said, made)
        return value

    @field_validator("server_origins")
    @classmethod
    def _of_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(_ORIGIN.fullmatch, value)):
            # None is shown: a password may be in it.
            said = "each must be an origin without a path, such as https://app.example.org"
            raise PydanticCustomError("origin", said)
        # Browsers say it in small letters and without a path, and it is compared letter by letter.
        return tuple(origin.lower() for origin in value)

    @field_validator("model_base_url", mode="before")
    @classmethod
    def _addresses(cls, value: object) -> object:
        """Read one URL, or ``vendor=URL`` pairs. A URL may hold "=", but only after its colon."""
        if not isinstance(value, str):
            return value
        addresses = dict(_address(part.strip()) for part in value.split(",") if part.strip())
        for url in addresses.values():
            if not url.startswith(("http://", "https://")):
                raise PydanticCustomError("url", "a base URL must begin with http:// or https://")
        return addresses

    @field_validator(
        "providers",
        "provider_fallbacks",
        "read_hosts",
        "read_ports",
        "read_networks",
        "model_fallbacks",
        "server_names",
        "server_origins",
        "oidc_admins",
        mode="before",
    )
    @classmethod
    def _listed(cls, value: object) -> object:
        return comma_separated(value)

    @field_validator(*_LIMITS)
    @classmethod
    def _within_range(cls, value: float | None, info: ValidationInfo) -> float | None:
        name = (info.field_name or "").removeprefix("chat_").removeprefix("deep_")
        limit = cast("Limits", {name: value})
        try:
            PROFILES[ProfileName.STANDARD].override(limit)
        except SettingsError as error:
            reason = error.message.removeprefix(f"Invalid limit: {name}: ").rstrip(".")
            raise PydanticCustomError("limit", "{reason}", {"reason": reason}) from None
        return value

    @property
    def cache_folder(self) -> Path:
        """Where indexes and kept answers lie; it need not be there yet."""
        return self.cache_dir or Path(platformdirs.user_cache_dir("quaere"))

    @property
    def data_folder(self) -> Path:
        """Where runs are kept; it need not be there yet."""
        return (self.data_dir or Path(platformdirs.user_data_dir("quaere"))).absolute()

    @property
    def stores_all(self) -> bool:
        """Whether what a run was asked and told may be kept as it is."""
        return self.store_pages and self.store_questions

    @property
    def operator_limits(self) -> OperatorLimits:
        """The limits and switches that the environment sets."""
        chat = Limits(
            max_iters=self.chat_max_iters,
            max_queries=self.chat_max_queries,
            max_reads=self.chat_max_reads,
            max_execution_time_s=self.chat_max_execution_time_s,
            max_citations=self.chat_max_citations,
        )
        deep = Limits(
            max_iters=self.deep_max_iters,
            max_queries=self.deep_max_queries,
            max_reads=self.deep_max_reads,
            max_execution_time_s=self.deep_max_execution_time_s,
            max_citations=self.deep_max_citations,
        )
        agentic = {ProfileName.CHAT: self.chat_agentic, ProfileName.DEEP: self.deep_agentic}
        return OperatorLimits(
            every_profile=Limits(
                max_iters=self.max_iters,
                max_queries=self.max_queries,
                max_sources=self.max_sources,
                max_execution_time_s=self.max_execution_time_s,
                token_budget=self.token_budget,
            ),
            by_profile={ProfileName.CHAT: chat, ProfileName.DEEP: deep},
            single_pass=frozenset(name for name, on in agentic.items() if not on),
        )


def load_settings() -> Settings:
    """Return the settings of the environment.

    Raises:
        SettingsError: when a variable holds a value that cannot be used, naming it.
    """
    try:
        return Settings()
    except ValidationError as error:
        faults = "; ".join(
            f"{_variable(fault['loc'])}: {fault_in_words(fault['msg'])}" for fault in error.errors()
        )
        raise SettingsError(f"Invalid value in the environment: {faults}.") from error


def _address(part: str) -> tuple[str, str]:
    """Return the vendor that ``part`` names, empty for none, and its URL."""
    vendor, equals, url = part.partition("=")
    if equals and ":" not in vendor:
        return vendor.strip(), url.strip()
    return "", part


def _key(secret: SecretStr) -> bytes:
    """Return the bytes of a secret, none where it is not base64."""
    try:
        return b64decode(secret.get_secret_value().removeprefix(WEBHOOK_KEY_MARK), validate=True)
    except ValueError:
        return b""


def _variable(place: tuple[int | str, ...]) -> str:
    """Return the environment variable of the field at ``place``: its alias, or its own name."""
    name = str(place[0]) if place else "?"
    return name if name.isupper() else f"{PREFIX}{name.upper()}"


def service_settings(names: Iterable[str]) -> dict[str, str]:
    """Return the values of the environment for the settings of search services, by name.

    They keep the names that their services give them, such as ``BRAVE_API_KEY``.
    """
    return {name: value for name in names if (value := os.environ.get(name, ""))}


def own_settings(names: Iterable[str]) -> dict[str, str]:
    """Return the values of the environment for settings that are described elsewhere, by name.

    Each is in a variable of its own: ``max_react_tool_calls`` in QUAERE_MAX_REACT_TOOL_CALLS.
    """
    values = ((name, os.environ.get(f"{PREFIX}{name.upper()}", "")) for name in names)
    return {name: value for name, value in values if value}


def unknown_settings(own: Iterable[str]) -> list[tuple[str, str]]:
    """Return variables of the environment that are named like settings and are none, sorted.

    With each is the setting that it is nearest to, empty for none.

    Args:
        own: Settings that are described elsewhere, as `own_settings` takes them.
    """
    fields = (_variable((field.alias or name,)) for name, field in Settings.model_fields.items())
    known = sorted(_ours(fields) | {name.upper() for name in own})
    unknown = sorted(_ours(os.environ).difference(known))
    near = (get_close_matches(name, known, n=1) for name in unknown)
    found = ("".join(f"{PREFIX}{name}" for name in names) for names in near)
    return list(zip((f"{PREFIX}{name}" for name in unknown), found, strict=True))


def _ours(variables: Iterable[str]) -> set[str]:
    """Return those of ``variables`` that have our prefix, without it."""
    return {name.removeprefix(PREFIX) for name in variables if name.startswith(PREFIX)}
