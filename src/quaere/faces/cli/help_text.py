"""How a command tells its arguments and options: by section, without names of Python's types."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption
from typer.models import OptionInfo

from quaere.domain.value import plain

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
        """Read the options; what is wrong with one is said in plain words."""
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if (said := plain(error.message)).startswith("must "):
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


def subcommands(app: typer.Typer, name: str, about: str) -> typer.Typer:
    """Add a command to ``app`` that is nothing but the head of others, and return it for them."""
    group = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name=name)
    return group


def _section(param: object) -> str:
    if isinstance(param, TyperOption):
        return param.rich_help_panel or OTHERS
    return OTHERS if getattr(param, "param_type_name", "") == "option" else "Arguments"


def _term(param: object, written: str, ctx: typer.Context) -> str:
    """Return ``written``, Typer's name for ``param``, without the types that it adds."""
    if isinstance(param, TyperArgument) and not param.type_descriptor.is_choice:
        return written.removesuffix(f" {param.display_type(ctx)}")
    return written.replace("<list[", "<").replace("]>", ">")
