"""Prompts, each in a file of its own under ``prompts/`` (R0.4).

A file begins with its version, then has a ``# system`` and a ``# user`` part. ``$name`` stands for
what a call fills in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from quaere.domain.model import Message, Role

_FILE = re.compile(r"version: (\d+)\n+# system\n+(.*?)\n+# user\n+(.*)", re.DOTALL)
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file."""

    version: int
    system: Template
    user: Template

    def fill(self, **values: str) -> tuple[Message, ...]:
        """Return the messages with ``values`` filled in.

        Raises:
            KeyError: when a value is missing.
        """
        return (
            Message(role=Role.SYSTEM, content=_tidy(self.system.substitute(values))),
            Message(role=Role.USER, content=_tidy(self.user.substitute(values))),
        )


@cache
def prompt(name: str) -> Prompt:
    """Return the prompt in the file ``name``.md."""
    text = (files("quaere.reason.llm") / "prompts" / f"{name}.md").read_text("utf-8")
    match = _FILE.fullmatch(text)
    if match is None:
        raise ValueError(f"prompts/{name}.md lacks its version or one of its parts")
    version, system, user = match.groups()
    return Prompt(int(version), Template(system), Template(user))


def _tidy(text: str) -> str:
    """Return ``text`` without the gaps that empty values leave."""
    return _GAP.sub("\n\n", text).strip()
