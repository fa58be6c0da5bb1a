"""Deep research whose every sentence can be checked against the page it cites.

    from quaere import research

    report = research("Who designed the bridge?", docs=["notes/"])
    print(report.answer)

Names are loaded when they are first used, so that ``import quaere`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from quaere.version import __version__ as __version__

if TYPE_CHECKING:
    from quaere.domain.report import Report as Report
    from quaere.errors import QuaereError as QuaereError
    from quaere.faces.api import research as research
    from quaere.faces.api import run_research as run_research
    from quaere.runtime.engine import Engine as Engine
    from quaere.runtime.settings import Settings as Settings
    from quaere.runtime.wiring import build_engine as build_engine


_HOMES = {
    "Engine": "quaere.runtime.engine",
    "QuaereError": "quaere.errors",
    "Report": "quaere.domain.report",
    "Settings": "quaere.runtime.settings",
    "build_engine": "quaere.runtime.wiring",
    "research": "quaere.faces.api",
    "run_research": "quaere.faces.api",
}

__all__ = [
    "Engine",
    "QuaereError",
    "Report",
    "Settings",
    "build_engine",
    "research",
    "run_research",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
