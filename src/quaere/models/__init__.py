"""Models by name, whatever their vendor.

    model = open_model(ModelSpec.parse("anthropic:claude-sonnet-4-6"), ModelAccess(api_key=key))
    completion = await model.complete(request)

Nothing of a vendor is imported before the first call, or before ``LangChainModel.warm``, and the
clients themselves only when they are first used: a run without a model has no need of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from quaere.models.vendors import VENDORS, ModelAccess, ModelSpec, Vendor

if TYPE_CHECKING:
    from quaere.models.langchain import LangChainModel, open_model

__all__ = ["VENDORS", "LangChainModel", "ModelAccess", "ModelSpec", "Vendor", "open_model"]


def __getattr__(name: str) -> object:
    if name in ("LangChainModel", "open_model"):
        return getattr(import_module("quaere.models.langchain"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
