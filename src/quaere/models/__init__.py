"""Models by name, whatever their vendor.

    model = open_model(ModelSpec.parse("anthropic:claude-sonnet-4-6"), ModelAccess(api_key=key))
    completion = await model.complete(request)

Nothing of a vendor is imported before the first call, or before `LangChainModel.warm`.
"""

from __future__ import annotations

from quaere.models.langchain import LangChainModel, open_model
from quaere.models.spec import ModelAccess, ModelSpec
from quaere.models.vendors import VENDORS, Vendor

__all__ = ["VENDORS", "LangChainModel", "ModelAccess", "ModelSpec", "Vendor", "open_model"]
