"""Language models and an embedder for tests: they need no network and remember what was asked.

    from quaere.testing import ScriptedModel

    model = ScriptedModel({"plan": {"queries": ["who built it"]}})

Each is a `quaere.ports.ChatModel`, or `Embedder`, like the real ones; see docs/testing.md.
"""

from __future__ import annotations

from quaere.testing.double import CutOff as CutOff
from quaere.testing.double import ModelDouble as ModelDouble
from quaere.testing.embedder import ScriptedEmbedder as ScriptedEmbedder
from quaere.testing.obedient import ObedientModel as ObedientModel
from quaere.testing.queued import QueueModel as QueueModel
from quaere.testing.sample import sample as sample
from quaere.testing.scripted import ScriptedModel as ScriptedModel

__all__ = [
    "CutOff",
    "ModelDouble",
    "ObedientModel",
    "QueueModel",
    "ScriptedEmbedder",
    "ScriptedModel",
    "sample",
]
