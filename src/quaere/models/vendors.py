"""What is known of each vendor of models: data only.

Patterns are matched against the beginning of a model's name. Which models take a temperature, think
before they write, or keep to a schema was collected in November 2026 from the vendors' own pages
and from the model profiles that LangChain's packages carry.

A model is named by its vendor; a `ModelSpec` says which one, a `ModelAccess` how it is reached.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import Enum, auto
from types import MappingProxyType
from typing import Annotated, Self

from pydantic import AfterValidator, Field, SecretStr

from quaere.domain.value import Value
from quaere.errors import SettingsError
from quaere.text.lazy_regex import lazy_regex


class Constraint(Enum):
    """How a model is made to keep to a JSON schema."""

    STRICT = auto()
    """``response_format`` with ``strict``: every property required, no others allowed."""
    SCHEMA = auto()
    """``response_format`` with the schema as it is."""
    JSON_OBJECT = auto()
    """``response_format`` for any JSON object; the schema is described in the prompt."""
    ANTHROPIC = auto()
    """``output_config.format``."""
    GOOGLE = auto()
    """``response_json_schema`` and its MIME type."""
    OLLAMA = auto()
    """``format``."""
    WORDS = auto()
    """Nothing; the schema is described in the prompt."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor, and how its client is made and spoken to."""

    name: str
    extra: str
    """The extra of this package that brings the client."""
    module: str
    client: str
    """Name of the LangChain class in ``module``."""
    connections: str
    """Path from the client to that of httpx, or httpx2, below it."""
    base_url: str
    """Empty where the caller has to give one."""
    key_variable: str
    """Environment variable that holds the key by the vendor's own custom; empty for no key."""
    constraint: Constraint
    limit: str = "max_tokens"
    """The argument that says how long the answer may be."""
    body: bool = False
    """Whether a request's arguments go straight into its body. Given as its own, the client of
    OpenAI would rename one, and raise for constrained answers that were cut off, losing them."""
    options: bool = False
    """Whether limit, temperature and the size of the context are passed together, as Ollama's."""
    arguments: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the client is made with besides model, key, base URL and timeout."""
    timeout: str = "timeout"
    """The client's argument for it, whole seconds; empty for one that is better left alone."""
    unconstrained: str = r"(?!)"
    """Models without the vendor's own mechanism for schemas, although others have it."""
    fallback: Constraint = Constraint.WORDS
    """The constraint used for ``unconstrained`` models."""
    tempered: str = ""
    """Models that take a temperature."""
    thinks: str = r"(?!)"
    """Models whose unseen thoughts count towards the limit of their output."""
    streams_json: bool = True
    """Whether an answer that keeps to a schema can be streamed."""
    windows: Mapping[str, int] = field(default_factory=dict[str, int])
    """Tokens of context by beginning of a model's name; the longest that fits counts."""
    properties: str = ""
    """Path, from the base URL, of what the server says about itself, its context among it."""
    schema_unseen: bool = False
    """Whether schemas hold its models from outside, by a grammar, instead of by the prompt."""
    roomy: bool = False
    """Whether ``windows`` say less of its models than many of them have."""
    hint: str = ""
    """What to do about an unknown model."""
    best: str = ""
    """The model that ``auto`` takes with a key of this vendor: good, and not its dearest."""
    lists: str = ""
    """Path, from the base URL, at which a server on one's own machine lists its models."""

    def constraint_for(self, model: str) -> Constraint:
        """Return how ``model`` is made to keep to a schema."""
        return self.fallback if re.match(self.unconstrained, model) else self.constraint

    def tempers(self, model: str) -> bool:
        """Return whether ``model`` takes a temperature."""
        return re.match(self.tempered, model) is not None

    def thinks_in(self, model: str) -> bool:
        """Return whether ``model`` thinks before it writes."""
        return re.match(self.thinks, model) is not None

    def is_small(self, model: str, window: int, *, known: bool) -> bool:
        """Return whether ``model`` must be asked little at a time.

        Args:
            model: Its name; most of those with open weights say how many parameters it has.
            window: Tokens that it has room for.
            known: Whether that was set, or said by its server.
        """
        narrow = window <= SMALL_WINDOW and (known or not self.roomy)
        return narrow or _SMALL.search(model.lower()) is not None

    def window(self, model: str) -> int:
        """Return the tokens that prompt and completion of ``model`` may have together."""
        fitting = (prefix for prefix in self.windows if model.startswith(prefix))
        return self.windows[max(fitting, key=len)]


SMALL_WINDOW = 8_192
"""Tokens of context up to which a model is asked little at a time."""
_SMALL = lazy_regex(r"(?<![\w.])(?:[0-3](?:\.\d+)?b|\d{2,3}m)(?![a-z\d])|tiny|smol")
"""Names of models of fewer than four billion parameters: gemma3:270m, llama3.2:3b, qwen3-0.6b."""

_OPEN_THINKERS = r"(.*[/-])?(gpt-oss|qwen3|qwq|deepseek-r|magistral)|.*(think|reason)"
_FIXED_ELSEWHERE = r"(?!(.*/)?(o\d|gpt-[5-9]))"
_OPENAI: Mapping[str, object] = {
    "use_responses_api": False,
    "stream_usage": True,
    "stream_chunk_timeout": 0,  # our own deadline is on the whole
}

_COMPATIBLE = Vendor(
    name="compatible",
    extra="openai",
    module="langchain_openai",
    client="ChatOpenAI",
    connections="http_async_client",
    base_url="",
    key_variable="",
    constraint=Constraint.SCHEMA,
    body=True,
    arguments=_OPENAI,
    tempered=_FIXED_ELSEWHERE,
    thinks=_OPEN_THINKERS,
    windows={"": 8_192},
    schema_unseen=True,
    roomy=True,
)
"""Any service that speaks OpenAI's protocol."""

_ALL = (
    Vendor(
        name="openai",
        extra="openai",
        module="langchain_openai",
        client="ChatOpenAI",
        connections="http_async_client",
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        best="gpt-6.2-sol",
        constraint=Constraint.STRICT,
        limit="max_completion_tokens",
        body=True,
        arguments=_OPENAI,
        unconstrained=r"gpt-3\.5|gpt-4$|gpt-4-|gpt-4o-2024-05-13",
        tempered=r"gpt-[34]|gpt-5(\.\d)?-chat",
        thinks=r"o\d|gpt-[5-9](?!.*-chat)",
        windows={
            "": 128_000,
            "gpt-3.5": 16_385,
            "gpt-4": 8_192,
            "gpt-4-": 128_000,
            "gpt-4o": 128_000,
            "gpt-4.1": 1_047_576,
            "gpt-5": 272_000,
            "gpt-5.4": 400_000,
            "gpt-5.5": 1_050_000,
            "gpt-5.6": 1_050_000,
            "gpt-6": 1_050_000,
            "o1": 200_000,
            "o3": 200_000,
            "o4": 200_000,
        },
    ),
    Vendor(
        name="anthropic",
        extra="anthropic",
        module="langchain_anthropic",
        client="ChatAnthropic",
        connections="_async_client._client",
        base_url="https://api.anthropic.com",
        key_variable="ANTHROPIC_API_KEY",
        best="claude-sonnet-5-5",
        constraint=Constraint.ANTHROPIC,
        unconstrained=r"claude-(2|3|instant|sonnet-4-(0|2025)|opus-4-(0|2025))",
        tempered=r"claude-([23]|instant|haiku-4|sonnet-4|opus-4-([0-6](-|$)|2025))",
        thinks=r"claude-(fable|mythos|(haiku|sonnet|opus)-([6-9]|5-[5-9]))",
        windows={
            "": 200_000,
            "claude-2": 100_000,
            "claude-opus-4-6": 1_000_000,
            "claude-opus-4-7": 1_000_000,
            "claude-opus-4-8": 1_000_000,
            "claude-opus-5": 1_000_000,
            "claude-sonnet-4-6": 1_000_000,
            "claude-sonnet-5": 1_000_000,
            "claude-haiku-5": 1_000_000,
            "claude-fable": 1_000_000,
        },
    ),
    Vendor(
        name="google",
        extra="google",
        module="langchain_google_genai",
        client="ChatGoogleGenerativeAI",
        connections="client._api_client._async_httpx_client",
        base_url="https://generativelanguage.googleapis.com",
        key_variable="GOOGLE_API_KEY",
        best="gemini-3.8-flash",
        constraint=Constraint.GOOGLE,
        limit="max_output_tokens",
        arguments={"vertexai": False, "max_retries": 1},  # here 1 is the first attempt
        timeout="",  # it is sent to the server, which refuses any below ten seconds
        unconstrained=r"gemma-[123]",
        tempered=r"gemini-[12]|gemma",  # later ones are at their best with their own
        thinks=r"gemini-(2\.5|[3-9]|flash|pro)",
        windows={"": 131_072, "gemini": 1_048_576, "gemma-4": 262_144},
    ),
    Vendor(
        name="groq",
        extra="groq",
        module="langchain_groq",
        client="ChatGroq",
        connections="http_async_client",
        base_url="https://api.groq.com",
        key_variable="GROQ_API_KEY",
        best="openai/gpt-oss-120b",
        constraint=Constraint.SCHEMA,
        unconstrained=r"(?!openai/gpt-oss|moonshotai/kimi-k2|meta-llama/llama-4)",
        fallback=Constraint.JSON_OBJECT,
        thinks=_OPEN_THINKERS,
        streams_json=False,
        windows={
            "": 8_192,
            "llama-3.": 131_072,
            "openai/gpt-oss": 131_072,
            "qwen/": 131_072,
            "moonshotai/": 131_072,
            "meta-llama/llama-4": 131_072,
            "groq/compound": 131_072,
        },
    ),
    Vendor(
        name="deepseek",
        extra="deepseek",
        module="langchain_deepseek",
        client="ChatDeepSeek",
        connections="http_async_client",
        base_url="https://api.deepseek.com/v1",
        key_variable="DEEPSEEK_API_KEY",
        best="deepseek-v4-flash",
        constraint=Constraint.JSON_OBJECT,
        body=True,
        arguments={"stream_usage": True, "stream_chunk_timeout": 0},
        thinks=r"deepseek-(reasoner|flash|v4)",
        windows={"": 64_000, "deepseek-v4": 1_000_000, "deepseek-flash": 1_000_000},
    ),
    Vendor(
        name="mistral",
        extra="mistral",
        module="langchain_mistralai",
        client="ChatMistralAI",
        connections="async_client",
        base_url="https://api.mistral.ai/v1",
        key_variable="MISTRAL_API_KEY",
        best="mistral-medium-latest",
        constraint=Constraint.SCHEMA,
        unconstrained=r"open-|codestral-mamba",
        fallback=Constraint.JSON_OBJECT,
        thinks=_OPEN_THINKERS,
        windows={
            "": 32_000,
            "open-mistral-7b": 8_000,
            "open-mistral-nemo": 128_000,
            "mistral-large": 131_072,
            "mistral-medium": 131_072,
            "mistral-small": 128_000,
            "ministral": 128_000,
            "magistral": 128_000,
            "devstral": 128_000,
        },
    ),
    Vendor(
        name="ollama",
        extra="ollama",
        module="langchain_ollama",
        client="ChatOllama",
        connections="_async_client._client",
        base_url="http://127.0.0.1:11434",
        key_variable="",
        lists="api/tags",
        constraint=Constraint.OLLAMA,
        limit="num_predict",
        options=True,
        timeout="",  # it has none
        thinks=_OPEN_THINKERS,
        windows={"": 8_192},  # what it is asked for, since it would cut longer prompts in silence
        schema_unseen=True,
        hint="fetch it with `ollama pull`",
    ),
    _COMPATIBLE,
    replace(
        _COMPATIBLE,
        name="llamacpp",
        base_url="http://127.0.0.1:8080/v1",
        lists="models",
        tempered="",
        windows={"": 4_096},
        properties="../props",
        roomy=False,
    ),
    replace(
        _COMPATIBLE,
        name="lmstudio",
        base_url="http://127.0.0.1:1234/v1",
        lists="models",
        tempered="",
        windows={"": 4_096},
    ),
)

VENDORS: Mapping[str, Vendor] = MappingProxyType({vendor.name: vendor for vendor in _ALL})
"""Every vendor by its name."""


_MODEL = lazy_regex(r"[^\s\x00-\x1f\x7f]{1,200}")


class ModelSpec(Value):
    """A vendor of `VENDORS` and one of its models."""

    vendor: str
    model: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the spec that is written ``vendor:model``; the model may have colons of its own.

        Raises:
            SettingsError: when it is of another form, or the vendor is unknown.
        """
        vendor, colon, model = text.strip().partition(":")
        vendor, model = vendor.strip().lower(), model.strip()
        if not colon or not vendor or not _MODEL.fullmatch(model):
            meant = _vendor_of(vendor) if not colon else ""
            advice = (
                f"did you mean {meant}:{text.strip()}?"
                if meant
                else "write vendor:model, such as openai:gpt-4.1-mini or ollama:llama3.2:3b."
            )
            raise SettingsError(f"{_shown(text)} is not a model name: {advice}")
        if vendor not in VENDORS:
            raise _unknown(vendor, model)
        return cls(vendor=vendor, model=model)

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return f"{self.vendor}:{self.model}"

    @property
    def about(self) -> Vendor:
        """What is known of the vendor."""
        return VENDORS[self.vendor]


def _unknown(vendor: str, model: str) -> SettingsError:
    near = get_close_matches(vendor, VENDORS, n=1)
    guess = f" Did you mean {near[0]}:{model}?" if near else ""
    return SettingsError(
        f"There is no vendor {_shown(vendor)}.{guess}"
        f" Known are {', '.join(VENDORS)}; any other service that speaks OpenAI's"
        " protocol is compatible:MODEL with a base URL."
    )


def _trimmed(key: SecretStr) -> SecretStr:
    return SecretStr(key.get_secret_value().strip())


class ModelAccess(Value):
    """How a model is reached, and what may be asked of it."""

    base_url: str = ""
    """Empty for the vendor's own."""
    api_key: Annotated[SecretStr, AfterValidator(_trimmed)] = SecretStr("")
    """Without space around it: a key that was read from a file ends with a line break."""
    context_tokens: Annotated[int, Field(ge=1)] | None = None
    """Tokens that prompt and completion may have together; ``None`` for what is known of it."""
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 120.0
    """Seconds that a call may take, from its first byte to its last."""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = 0.0
    """Given to models that take one; ``None`` to give none."""
    constraint: Constraint | None = None
    """How its model is made to keep to a schema, where its server refuses the vendor's own way."""


_FAMILIES = (
    (r"gpt-oss|llama|qwen|gemma|phi|smol", "ollama"),
    (r"gpt-|o\d|chatgpt", "openai"),
    (r"claude-", "anthropic"),
    (r"gemini-", "google"),
    (r"deepseek-", "deepseek"),
    (r"(?:open-)?(?:mi[sx]tral|magistral|ministral|devstral|codestral)", "mistral"),
)
"""Beginnings of models' names, and whose they are."""


def _vendor_of(model: str) -> str:
    """Return the vendor whose models have names like ``model``; empty where that is not clear."""
    return next((vendor for names, vendor in _FAMILIES if re.match(names, model.lower())), "")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:79]}…")
