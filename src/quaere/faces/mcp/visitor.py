"""On whose behalf a tool is called, what that allows, and which files it can name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from quaere.domain.access import UNLIMITED, KeyLimits, Right
from quaere.domain.trace import Owner
from quaere.runtime.app import LOCAL


class Visitor(Protocol):
    """The user on whose behalf a tool is called."""

    @property
    def owner(self) -> Owner:
        """Whose runs they see."""
        ...

    @property
    def limits(self) -> KeyLimits:
        """What their key allows them."""
        ...

    @property
    def roots(self) -> Sequence[Path]:
        """Folders and files that a text of theirs may cite."""
        ...

    def need(self, right: Right) -> None:
        """Raise NotAllowed where they lack ``right``."""
        ...

    def masked(self, text: str) -> str:
        """Return ``text``, plain or JSON, as they may see it."""
        ...

    async def located(self, address: str) -> tuple[str, Sequence[Path]]:
        """Return the URL that ``address`` stands for, and the folders that it may lie in.

        Raises:
            QuaereError: when it names a folder that they may not use.
        """
        ...


@dataclass(frozen=True, slots=True)
class LocalUser:
    """The user of this machine, who may do everything and sees paths as they are."""

    roots: Sequence[Path]
    owner: Owner = LOCAL
    limits: KeyLimits = UNLIMITED

    def need(self, right: Right) -> None:
        """Allow everything."""
        del right

    def masked(self, text: str) -> str:
        """Return ``text`` unchanged."""
        return text

    async def located(self, address: str) -> tuple[str, Sequence[Path]]:
        """Return ``address`` itself."""
        return address, self.roots
