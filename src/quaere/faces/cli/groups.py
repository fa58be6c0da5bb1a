"""Groups of options that commands share: one argument of the command, one section of its help."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, ClassVar, Protocol, cast, get_args, get_type_hints

from quaere.domain.budget import Limits
from quaere.errors import UsageError, cause_of
from quaere.faces.cli import options
from quaere.faces.cli.output import Format, check_writable, choose_format

MAX_CONVERSATION_BYTES = 8_000_000
STDIN_BYTES = 4_000_000
"""How much of standard input is read as the question: enough to say that it is too long."""
MOST_BROKEN = 0.2
"""Share of unreadable characters up to which it is damaged text, and no picture or document."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Options that stand together; each field is one."""

    title: ClassVar[str]
    """Of its section in the help."""

    @property
    def given(self) -> tuple[str, ...]:
        """The options that were given, as they are typed."""
        names = (field.name for field in fields(self))
        given = (name for name in names if getattr(self, name) not in (None, False, []))
        return tuple(f"--{name.rstrip('_').replace('_', '-')}" for name in given)


@dataclass(frozen=True, kw_only=True)
class Sources(Group):
    """Where the answer may come from."""

    title: ClassVar[str] = "Sources"

    docs: options.Docs = None
    provider: options.Providers = None
    url: options.Urls = None
    site: options.Site = None
    prefer_site: options.PreferSite = None
    exclude_site: options.ExcludeSite = None
    published_after: options.PublishedAfter = None
    published_before: options.PublishedBefore = None
    source_language: options.SourceLanguage = None

    def _sites(self) -> Mapping[str, object]:
        chosen = {"only": self.site, "prefer": self.prefer_site, "exclude": self.exclude_site}
        return {name: sites or () for name, sites in chosen.items()}

    def request_fields(self) -> Mapping[str, object]:
        """Return the fields of a `quaere.domain.request.RunRequest` that they set."""
        return {
            "docs": tuple(self.docs or ()),
            "providers": tuple(self.provider or ()),
            "scope": {
                "urls": self.url or (),
                "sites": self._sites(),
                "published_after": self.published_after,
                "published_before": self.published_before,
                "languages": self.source_language or (),
            },
        }


@dataclass(frozen=True, kw_only=True)
class Answer(Group):
    """What the answer is for, and what it looks like."""

    title: ClassVar[str] = "Answer"

    need: options.Need = ""
    conversation: options.ConversationFile = None
    language: options.AnswerLanguage = None
    layout: options.FormOfAnswer = None
    words: options.Words = None
    max_citations: options.MaxCitations = None

    def request_fields(self) -> Mapping[str, object]:
        """Return the fields of a request that they set; the lengths are limits.

        Raises:
            UsageError: when the file of the conversation cannot be used.
        """
        return {
            "context": self.need,
            "conversation": _turns(self.conversation) if self.conversation else (),
            "language": self.language,
            "form": self.layout,
        }


@dataclass(frozen=True, kw_only=True)
class Effort(Group):
    """How the question is researched, and what that may take."""

    title: ClassVar[str] = "Research"

    model: options.Model = None
    profile: options.Profile = None
    mode: options.ModeName = None
    strategy: options.Strategy = None
    max_iters: options.MaxIters = None
    max_queries: options.MaxQueries = None
    max_sources: options.MaxSources = None
    max_reads: options.MaxReads = None
    max_time: options.MaxTime = None
    max_tokens: options.MaxTokens = None
    max_cost: options.MaxCost = None
    no_cache: options.NoCache = False
    refresh: options.Refresh = False

    def request_fields(self) -> Mapping[str, object]:
        """Return the fields of a request that they set, all but the limits.

        Raises:
            UsageError: when they both bypass and renew the cache.
        """
        if self.no_cache and self.refresh:
            raise UsageError("--no-cache cannot be combined with --refresh.")
        return {
            "models": {"general": self.model},
            "profile": self.profile,
            "mode": self.mode,
            "strategy": self.strategy,
            "cached": "off" if self.no_cache else "refresh" if self.refresh else "use",
        }


@dataclass(frozen=True, kw_only=True)
class Output(Group):
    """What is written where."""

    title: ClassVar[str] = "Output"

    form: options.ReportFormat = None
    output: options.Output = None
    events: options.Events = None
    quiet: options.Quiet = False

    def checked_format(self, *others: Path | None) -> Format:
        """Return the format of the report, once every file can be written.

        Args:
            others: Further files that the command writes.

        Raises:
            UsageError: when one of them cannot, two are the same, or the format is unknown.
        """
        files = [path for path in (self.output, self.events, *others) if path]
        for path in files:
            check_writable(path)
        if len({path.resolve() for path in files}) < len(files):
            raise UsageError("--output, --events and --record must name different files.")
        return choose_format(self.form, self.output)


@dataclass(frozen=True, kw_only=True)
class Earlier(Group):
    """Whether the sources of an earlier run are searched as well."""

    title: ClassVar[str] = "Earlier runs"

    continue_: options.Continue = None
    reuse: options.Reuse = False


def question_of(words: Sequence[str]) -> str:
    """Return the question, read from standard input for ``-``, as text that can be encoded.

    Raises:
        UsageError: when standard input is not text.
    """
    argument = " ".join(words)
    if argument == "-":
        text = sys.stdin.buffer.read(STDIN_BYTES).decode("utf-8", "replace")
        if text.count("\ufffd") > MOST_BROKEN * len(text):
            raise UsageError("Standard input is not text; it must be the question.")
        return text.rstrip("\r\n")  # a program ends its output with one
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def request_fields(
    question: str, sources: Sources, answer: Answer, effort: Effort
) -> dict[str, object]:
    """Return the fields of the `quaere.domain.request.RunRequest` that the options ask for.

    What is left out is decided by the settings.

    Raises:
        UsageError: when the file of the conversation cannot be used.
    """
    return {
        "question": question,
        **sources.request_fields(),
        **answer.request_fields(),
        **effort.request_fields(),
        "limits": Limits(
            max_iters=effort.max_iters,
            max_queries=effort.max_queries,
            max_sources=effort.max_sources,
            max_reads=effort.max_reads,
            max_execution_time_s=effort.max_time,
            token_budget=effort.max_tokens,
            max_cost_usd=effort.max_cost,
            max_citations=answer.max_citations,
            answer_words=answer.words,
        ),
    }


def beginning_of(path: Path, most: int) -> bytes:
    """Return the first bytes of the file ``path``, ``most`` of them at most.

    Raises:
        UsageError: when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:  # or a name with a zero byte
        raise UsageError(f"Cannot read {str(path)!r}: {cause_of(error)}.") from error


def _turns(path: Path) -> object:
    """Return the exchanges in the file; the request checks each of them."""
    from json import loads

    data = beginning_of(path, MAX_CONVERSATION_BYTES + 1)
    if len(data) > MAX_CONVERSATION_BYTES:
        raise UsageError(
            f"Cannot use {str(path)!r}: a conversation may have {MAX_CONVERSATION_BYTES:,} "
            "bytes at most."
        )
    try:
        turns: object = loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"Cannot use {str(path)!r}: it is not JSON.") from error
    if not isinstance(turns, list):
        raise UsageError(
            f"Cannot use {str(path)!r}: a conversation is a JSON list of objects, each with "
            '"question" and "answer".'
        )
    return tuple(cast("list[object]", turns))


def _members(group: type[Group]) -> list[inspect.Parameter]:
    """Return the fields of ``group`` as parameters for Typer, each with its section."""
    hints = get_type_hints(group, include_extras=True)
    found: list[inspect.Parameter] = []
    for field in fields(group):
        kind, option = get_args(hints[field.name])
        option = copy(option)
        option.rich_help_panel = group.title
        found.append(
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=Annotated[kind, option],
            )
        )
    return found


class _Signed(Protocol):
    __signature__: inspect.Signature


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return ``command`` as Typer can take it: with the options in place of its groups."""
    parameters: list[inspect.Parameter] = []
    groups: dict[str, type[Group]] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        kind: object = parameter.annotation
        if isinstance(kind, type) and issubclass(kind, Group):
            groups[parameter.name] = kind
            parameters += _members(kind)
        else:
            parameters.append(parameter)

    @wraps(command)
    def called(**given: object) -> None:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        command(**given, **made)

    cast("_Signed", called).__signature__ = inspect.Signature(parameters)
    return called
