"""Options that several commands share, and how the help of a command tells its options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from typing import Annotated, Protocol

import typer
from pydantic import TypeAdapter, ValidationError
from typer.core import TyperArgument, TyperCommand, TyperOption
from typer.models import OptionInfo

from quaere.domain.budget import Mode, ProfileName, limit_of
from quaere.domain.question import AnswerForm
from quaere.domain.scope import Host, Language, web_host
from quaere.domain.team import Strategy as StrategyName
from quaere.domain.value import fault_in_words
from quaere.errors import SettingsError
from quaere.faces.cli.output import Format, ShortFormat, format_called

OTHERS = "Options"
"""The section of options that belong to no group."""


class HelpFormatter(Protocol):
    """What Typer gives to a command to write its help with."""

    def section(self, name: str) -> AbstractContextManager[None]:
        """Begin a section, which ends with the block."""
        ...

    def write_dl(self, rows: Sequence[tuple[str, str]]) -> None:
        """Write a list of terms and what they mean."""
        ...


class PlainCommand(TyperCommand):
    """A command whose help has a section for each group of options.

    An argument has its name alone, or the values that it may have; Typer writes "<list[str]>", too.
    """

    def parse_args(  # pyright: ignore[reportIncompatibleMethodOverride] (Click's are private)
        self, ctx: typer.Context, args: list[str]
    ) -> list[str]:
        """Read the options; what is wrong with one is said in plain words.

        Without any words, a command that needs some shows its help.
        """
        self.no_args_is_help |= any(param.required for param in self.params)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if (said := fault_in_words(error.message)).startswith("must "):
                error.message = f"it {said}."
            raise

    def format_options(  # pyright: ignore[reportIncompatibleMethodOverride] (Click's are private)
        self, ctx: typer.Context, formatter: HelpFormatter
    ) -> None:
        """Write the arguments, then the options by section, those of none at the end."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if record := param.get_help_record(ctx):
                name, meaning = record
                rows = sections.setdefault(_section(param), [])
                rows.append((_term(param, name, ctx), meaning))
        for title in sorted(sections, key=lambda each: each == OTHERS):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def docs_option(meaning: str) -> OptionInfo:
    """Return the option that names files and folders; ``meaning`` is its help text."""
    return typer.Option("--docs", "-d", metavar="PATH", help=meaning)


def model_option(meaning: str) -> OptionInfo:
    """Return the option that names a language model; ``meaning`` is its help text."""
    return typer.Option("--model", "-m", metavar="NAME", help=meaning)


def output_option(meaning: str) -> OptionInfo:
    """Return the option that names the file to write; ``meaning`` is its help text."""
    return typer.Option("--output", "-o", metavar="FILE", help=meaning)


def subcommands(app: typer.Typer, name: str, about: str) -> typer.Typer:
    """Add a command to ``app`` that is nothing but the head of others, and return it for them."""
    group = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name=name)
    return group


_NAMES = {"token_normalize_func": format_called}
"""Lets an option that takes a format take the extension of its files as well."""


def add_commands(app: typer.Typer, **commands: Callable[..., None]) -> None:
    """Add ``commands`` to ``app``, each under its name here, in this order."""
    for name, command in commands.items():
        app.command(name, cls=PlainCommand, context_settings=_NAMES)(command)


def _section(param: object) -> str:
    if isinstance(param, TyperOption):
        return param.rich_help_panel or OTHERS
    return OTHERS if getattr(param, "param_type_name", "") == "option" else "Arguments"


def _term(param: object, written: str, ctx: typer.Context) -> str:
    """Return ``written``, Typer's name for ``param``, without the types that it adds."""
    if isinstance(param, TyperArgument) and not param.type_descriptor.is_choice:
        return written.removesuffix(f" {param.display_type(ctx)}")
    return written.replace("<list[", "<").replace("]>", ">")


def _parser(adapter: TypeAdapter[str], expected: str) -> Callable[[str], str]:
    """Return what reads a value that ``adapter`` takes; any other is a usage error."""

    def parse(value: str) -> str:
        try:
            return adapter.validate_python(value)
        except ValidationError:
            raise typer.BadParameter(f"{value!r} is not {expected}.") from None

    return parse


def _url(value: str) -> str:
    if not web_host(value):
        raise typer.BadParameter(
            f"{value!r} is not an http or https URL; name files and folders with --docs."
        )
    return value


def _day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise typer.BadParameter(f"{value!r} is not a date, such as 2024-01-31.") from None


_host = _parser(TypeAdapter(Host), "a host name, such as example.org")
_language = _parser(TypeAdapter(Language), "an ISO 639 code in lower case, such as en or de")


def _site_option(name: str, meaning: str) -> OptionInfo:
    return typer.Option(name, metavar="HOST", parser=_host, help=meaning)


def _file_option(name: str, meaning: str) -> OptionInfo:
    return typer.Option(name, metavar="FILE", help=meaning)


QuestionWords = Annotated[
    list[str],
    typer.Argument(
        metavar="QUESTION",
        help="The question, in any language, with or without quotes; - for standard input.",
    ),
]
Docs = Annotated[
    list[Path] | None,
    docs_option("A file or folder to search; may be repeated. Default: QUAERE_DOCS."),
]
Providers = Annotated[
    list[str] | None,
    typer.Option(
        "--provider",
        "-p",
        metavar="NAME",
        help="A search service, see `quaere providers`; may be repeated. Default: "
        "QUAERE_PROVIDERS, else, without --docs, the services that need no key.",
    ),
]
Urls = Annotated[
    list[str] | None,
    typer.Option(
        "--url",
        metavar="URL",
        parser=_url,
        help="A web page to answer from; may be repeated. Nothing else is searched unless --docs "
        "or --provider is given as well.",
    ),
]
Site = Annotated[
    list[str] | None,
    _site_option("--site", "Use pages of this site only, subdomains included; may be repeated."),
]
PreferSite = Annotated[
    list[str] | None,
    _site_option("--prefer-site", "Rank results of this site first; may be repeated."),
]
ExcludeSite = Annotated[
    list[str] | None,
    _site_option(
        "--exclude-site", "Use no pages of this site, subdomains included; may be repeated."
    ),
]
PublishedAfter = Annotated[
    date | None,
    typer.Option(
        "--published-after",
        metavar="DATE",
        parser=_day,
        help="First day of publication, such as 2024-01-31.",
    ),
]
PublishedBefore = Annotated[
    date | None,
    typer.Option(
        "--published-before", metavar="DATE", parser=_day, help="Last day of publication."
    ),
]
SourceLanguage = Annotated[
    list[str] | None,
    typer.Option(
        "--source-language",
        metavar="CODE",
        parser=_language,
        help="A language that sources may be in, such as en; may be repeated.",
    ),
]
Need = Annotated[str, typer.Option("--context", metavar="TEXT", help="What the answer is for.")]
ConversationFile = Annotated[
    Path | None,
    _file_option(
        "--conversation",
        'Earlier questions and answers, the oldest first: a JSON list of {"question": ..., '
        '"answer": ...}.',
    ),
]
AnswerLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="CODE",
        parser=_language,
        help="Language of the answer, such as de. Default: that of the question.",
    ),
]
FormOfAnswer = Annotated[
    AnswerForm | None,
    typer.Option("--form", help="Layout of the answer. Default: chosen to fit the question."),
]
Profile = Annotated[
    ProfileName | None,
    typer.Option(
        "--profile", help="A named budget. Default: chosen to fit the question, else standard."
    ),
]
ModeName = Annotated[
    Mode | None,
    typer.Option(
        "--mode",
        help="Limits of a mode of the chat API, or of a brief answer; --profile, the environment "
        "and the options below override them.",
    ),
]
Strategy = Annotated[
    StrategyName | None,
    typer.Option(
        "--strategy",
        help="A single research loop, a supervisor with several researchers, or auto: a supervisor "
        "for deep questions with several independent parts. Default: QUAERE_STRATEGY, else auto.",
    ),
]
ApprovePlan = Annotated[
    bool,
    typer.Option(
        "--approve-plan",
        help="Ask for approval of the topics before the supervisor starts any researchers.",
    ),
]
Model = Annotated[
    str | None,
    model_option(
        "The language model, such as openai:gpt-4.1-mini or ollama:llama3.2; auto for the "
        "best that is configured, or none. Default: QUAERE_MODEL, else none.",
    ),
]
ReportFormat = Annotated[
    Format | None, typer.Option("--format", "-f", help="Format of the report. Default: text.")
]
Form = Annotated[ShortFormat, typer.Option("--format", "-f", help="Output format.")]
Output = Annotated[
    Path | None,
    output_option(
        "Write the report to a file. Its extension selects the format: .md, .html, .pdf, .docx, "
        ".json, .bib, .ris or .txt."
    ),
]
Events = Annotated[
    Path | None,
    _file_option("--events", "Write the events of the run to a file, one JSON object per line."),
]
Record = Annotated[
    Path | None,
    _file_option(
        "--record",
        "Record all search results, pages and model replies in a file for --replay; .gz "
        "compresses it.",
    ),
]
Replay = Annotated[
    Path | None,
    _file_option("--replay", "Replay a file written by --record; make no requests."),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Estimate calls, tokens, cost and time; make no requests.",
    ),
]
Continue = Annotated[
    str | None,
    typer.Option(
        "--continue",
        metavar="RUN",
        help="Build on an earlier run: its sources are searched as well, and checked again.",
    ),
]
Reuse = Annotated[
    bool,
    typer.Option(
        "--reuse",
        help="If the same question was asked recently, search the sources of that run as well.",
    ),
]
NoCache = Annotated[
    bool,
    typer.Option("--no-cache", help="Bypass the cache."),
]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Ignore cached results, and replace them with new ones.")
]
NoTrace = Annotated[
    bool, typer.Option("--no-trace", help="Do not record a trace of the run; see `quaere trace`.")
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Exit with 5 if a model that was named was not used throughout."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Do not show progress.")]

# The limits of a budget. Their ranges are the budget's own.


def _limit(option: str, name: str, meaning: str, *, metavar: str = "N") -> OptionInfo:
    """Return the option for the limit ``name``; a value out of its range is a usage error."""

    def parse(value: str) -> float:
        try:
            return limit_of(name, value)
        except SettingsError as error:
            raise typer.BadParameter(error.message) from None

    return typer.Option(option, metavar=metavar, parser=parse, help=meaning)


MaxIters = Annotated[
    int | None, _limit("--max-iters", "max_iters", "Maximum number of research loops.")
]
MaxQueries = Annotated[
    int | None, _limit("--max-queries", "max_queries", "Maximum number of queries.")
]
MaxSources = Annotated[
    int | None,
    _limit("--max-sources", "max_sources", "Maximum number of sources kept as evidence."),
]
MaxReads = Annotated[
    int | None, _limit("--max-reads", "max_reads", "Maximum number of pages to read.")
]
MaxTime = Annotated[
    float | None,
    _limit(
        "--max-time", "max_execution_time_s", "Time limit for the whole run.", metavar="SECONDS"
    ),
]
MaxTokens = Annotated[
    int | None,
    _limit(
        "--max-tokens",
        "token_budget",
        "Maximum number of tokens in all model calls; without a model, in the text read.",
    ),
]
MaxCost = Annotated[
    float | None,
    _limit(
        "--max-cost",
        "max_cost_usd",
        "Maximum cost of all model calls; models without a known price are not called.",
        metavar="USD",
    ),
]
MaxCitations = Annotated[
    int | None,
    _limit("--max-citations", "max_citations", "Maximum number of citations in the answer."),
]
Words = Annotated[
    int | None, _limit("--words", "answer_words", "Target length of the answer in words.")
]
