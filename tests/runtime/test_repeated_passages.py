"""What a page repeats takes the place of other evidence once."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaere import App, RunRequest, Settings
from quaere.domain.model import ModelRequest
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

OPTIONS = "\n".join(
    f"- --well-{name} N: the limit of {name} that a well of the valley may have when it is dug, "
    f"counted in {name} of the old measure, and given once for each of the wells."
    for name in (
        *("width", "ropes", "lamps", "guards", "stones", "buckets", "ladders", "beams", "pegs"),
        *("depth", "planks", "nails", "hooks", "wheels", "cranks", "chains", "lids", "gates"),
    )
)


async def test_a_model_is_shown_it_once(tmp_path: Path) -> None:
    commands = "\n\n".join(f"## {name}\n\n{OPTIONS}" for name in ("dig", "draw", "fill", "close"))
    rest = "## Limits\n\nA well of the valley may not be deeper than its limit of depth, 90 cubits."
    (tmp_path / "wells.md").write_text(f"# Wells\n\n{commands}\n\n{rest}\n", "utf-8")
    model = ScriptedModel({})
    settings = Settings(cache_dir=tmp_path / ".c", data_dir=tmp_path / ".d", model="my:model")
    async with App.open(settings, models={"my:model": model}) as app:
        request = RunRequest(question="What limit of depth may a well have?", docs=(tmp_path,))
        await (await app.start(request)).report()
    first: ModelRequest = model.requests[0]
    shown = first.messages[-1].content
    assert shown.count("--well-depth N") == 1
    assert "90 cubits" in shown
