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
    from quaere.domain.request import RunRequest as RunRequest
    from quaere.errors import QuaereError as QuaereError
    from quaere.faces.api import research as research
    from quaere.faces.api import run_research as run_research
    from quaere.runtime.app import App as App
    from quaere.runtime.run import Run as Run
    from quaere.runtime.settings import Settings as Settings


_HOMES = {
    "App": "quaere.runtime.app",
    "QuaereError": "quaere.errors",
    "Report": "quaere.domain.report",
    "Run": "quaere.runtime.run",
    "RunRequest": "quaere.domain.request",
    "Settings": "quaere.runtime.settings",
    "research": "quaere.faces.api",
    "run_research": "quaere.faces.api",
}

__all__ = [
    "App",
    "QuaereError",
    "Report",
    "Run",
    "RunRequest",
    "Settings",
    "research",
    "run_research",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
