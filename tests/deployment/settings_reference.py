"""Writes ``docs/settings.md``, ``.env.example`` and the settings that ``compose.yaml`` passes on.

python -m tests.deployment.settings_reference
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pydantic import BaseModel, SecretStr

from quaere.graphs.configuration import Configuration
from quaere.models.vendors import VENDORS
from quaere.runtime.resources import Resources
from quaere.runtime.settings import PREFIX, Settings
from quaere.search.registry import ProviderInfo

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "settings.md"
EXAMPLE = ROOT / ".env.example"
COMPOSE = ROOT / "compose.yaml"
NOT_PASSED_ON = {"QUAERE_DOCS", "QUAERE_CACHE_DIR", "QUAERE_DATA_DIR", "QUAERE_EVAL_DATA"}
"""Set by the image, or for developers alone."""

PAGE_HEAD = """\
# Settings

Every setting is an environment variable. An option of a command or a field of a request overrides
it, and it overrides the profile. `quaere doctor` says what is set and whether it works. In
containers a setting may also be a file of its name, see [deployment.md](deployment.md).

Written by `python -m tests.deployment.settings_reference`.
"""
EXAMPLE_HEAD = """\
# Every setting of Quaere, with the value that it has when it is not set. Copy this file to .env and
# uncomment what you change; compose.yaml reads it. Keys are better kept as files in deploy/secrets.
# Written by `python -m tests.deployment.settings_reference`.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting."""

    variable: str
    default: str
    """As it is written in the environment; empty for none."""
    description: str
    secret: bool = False


def sections() -> dict[str, list[Entry]]:
    """Return all settings by what they are for."""
    own = list(_of_class(Settings))
    services = Resources(Settings()).web.registry.infos
    known = {entry.variable for entry in own}
    limits = [entry for entry in own if "RESEARCH_" in entry.variable]
    return {
        "Quaere": [entry for entry in own if entry not in limits],
        "Limits": limits,
        "The supervisor": [e for e in _of_class(Configuration) if e.variable not in known],
        "Search services": [entry for info in services for entry in _of_service(info)],
        "Keys of models": [
            Entry(vendor.key_variable, "", f"Key of {vendor.name}.", secret=True)
            for vendor in VENDORS.values()
            if vendor.key_variable
        ],
    }


def _of_class(model: type[BaseModel]) -> Iterator[Entry]:
    documented = _docstrings(model)
    for name, field in model.model_fields.items():
        secret = "SecretStr" in str(field.annotation)
        default = field.get_default(call_default_factory=True, validated_data={})
        yield Entry(
            field.alias or f"{PREFIX}{name.upper()}", _text(default), documented[name], secret
        )


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return what stands below each field of a class, in one line."""
    (tree,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.replace("``", "`").split())
            case _:
                pass
    return found


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case SecretStr():
            return value.get_secret_value()
        case Enum():
            return str(value)
        case tuple() | dict():
            assert not value, "no list has a default, and none has had to be written yet"
            return ""
        case _:
            return str(value)


def _of_service(info: ProviderInfo) -> Iterator[Entry]:
    for name in info.needs:
        yield Entry(name, "", f"Needed by {info.name}: {info.description}.", _is_key(name))
    for name, default in info.options.items():
        purpose = "Address of" if name.endswith("_URL") else "Optional, for"
        yield Entry(name, default, f"{purpose} {info.name}.", _is_key(name))


def _is_key(name: str) -> bool:
    return name.endswith("_KEY")


def page() -> str:
    """Return the page as it should be."""
    parts = [PAGE_HEAD]
    for title, entries in sections().items():
        rows = [
            f"| `{e.variable}` | {f'`{e.default}`' if e.default else ''} "
            f"| {e.description.replace('|', chr(92) + '|')} |"
            for e in entries
        ]
        table = "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows])
        parts.append(f"## {title}\n\n{table}\n")
    return "\n".join(parts)


def example() -> str:
    """Return the example of an environment as it should be."""
    return "\n".join([EXAMPLE_HEAD, *_lines(sections().items())])


def compose() -> str:
    """Return the file for containers as it should be: as it is, with all settings passed on."""
    begin, end = "  environment: &settings\n", "  volumes: &volumes\n"
    before, _, rest = COMPOSE.read_text("utf-8").partition(begin)
    names = [entry.variable for entries in sections().values() for entry in entries]
    passed = "".join(f"    {name}:\n" for name in names if name not in NOT_PASSED_ON)
    return f"{before}{begin}{passed}{end}{rest.partition(end)[2]}"


def _lines(found: Iterable[tuple[str, list[Entry]]]) -> Iterator[str]:
    for title, entries in found:
        yield f"# --- {title}\n"
        for entry in entries:
            description = entry.description.replace("`", "")
            yield textwrap.fill(description, 100, initial_indent="# ", subsequent_indent="# ")
            yield f"#{entry.variable}={entry.default}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    EXAMPLE.write_text(example(), "utf-8")
    COMPOSE.write_text(compose(), "utf-8")
