"""Language models and an embedder for tests: they need no network and remember what was asked.

    from quaere.testing import ScriptedModel

    model = ScriptedModel({"plan": {"queries": ["who built it"]}})

Each is a `quaere.ports.ChatModel`, or `Embedder`, like the real ones; see docs/testing.md.
"""

from __future__ import annotations

from quaere.testing.doubles import CutOff as CutOff
from quaere.testing.doubles import ModelDouble as ModelDouble
from quaere.testing.doubles import ObedientModel as ObedientModel
from quaere.testing.doubles import QueueModel as QueueModel
from quaere.testing.doubles import ScriptedEmbedder as ScriptedEmbedder
from quaere.testing.doubles import ScriptedModel as ScriptedModel
from quaere.testing.schema_sample import sample as sample

__all__ = [
    "CutOff",
    "ModelDouble",
    "ObedientModel",
    "QueueModel",
    "ScriptedEmbedder",
    "ScriptedModel",
    "sample",
]
