"""Reads what models wrote, in every way it can be broken, and tells what was made of it.

    python bench/garbage.py ../shared [--verbose]

The folder, by default that of QUAERE_EVAL_DATA, holds ``corpora/llm_garbage.jsonl`` with its
schemas and ``data/g3_malformed_json/pairs.jsonl``. Rows of the layer ``content`` are read as the
text of an answer; those of the layers ``envelope`` and ``stream`` are served, byte by byte, by a
server on loopback to the client that talks to real services. Printed for each layer: rows that were
handled as expected, wrong values that were accepted, and the slowest row.

A pair of g3 is handled as expected if its value is read, or none is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from aiohttp import web
from pydantic import BaseModel, JsonValue

from plain_schema import contract_of
from quaere.domain.model import Completion, Finish, Message, ModelRequest, Role
from quaere.errors import ContractError, ModelError
from quaere.models import ModelAccess, ModelSpec, open_model
from quaere.models.structured.contract import parse
from quaere.models.structured.find_json import read
from quaere.models.structured.lenient_json import same
from quaere.models.structured.schema import output_schema
from quaere.models.structured.unreadable import Unreadable
from quaere.ports.model import ChatModel

MIN_SHARE = 0.95
MAX_SECONDS = 1.0
FINISHES = {"length": Finish.LENGTH, "content_filter": Finish.REFUSAL}
REQUEST = ModelRequest(
    step="plan", messages=(Message(role=Role.USER, content="Go on."),), max_output_tokens=1_000
)

Contract = type[BaseModel]


class Expected(TypedDict):
    """What is to become of a row."""

    action: str
    value: NotRequired[JsonValue]


class Row(TypedDict):
    """A line of the corpus."""

    kind: str
    layer: str
    schema: str
    raw: str
    context: dict[str, str]
    expect: Expected
    also: list[str]


class Pair(TypedDict):
    """A line of g3."""

    text: str
    expected: JsonValue
    already_valid: bool


@dataclass(slots=True)
class Tally:
    """How the rows of one layer were handled."""

    name: str
    rows: int = 0
    expected: int = 0
    values: int = 0
    wrong: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    slowest: tuple[float, str] = (0.0, "")

    def add(self, label: str, *, got_value: bool, right: bool, seconds: float) -> None:
        """Take the next row down."""
        self.rows += 1
        self.expected += right
        self.values += got_value
        self.slowest = max(self.slowest, (seconds, label))
        if not right:
            (self.wrong if got_value else self.missed).append(label)

    @property
    def good(self) -> bool:
        """Whether nothing wrong was accepted, enough was as expected and all of it was quick."""
        share = self.expected / max(1, self.rows)
        return not self.wrong and share >= MIN_SHARE and self.slowest[0] < MAX_SECONDS

    def __str__(self) -> str:
        """One line."""
        seconds, label = self.slowest
        return (
            f"{self.name:10} {self.expected:4}/{self.rows:<4} as expected"
            f" ({100 * self.expected / max(1, self.rows):5.1f} %), {self.values:4} values read,"
            f" {len(self.wrong)} wrong, slowest {seconds:.3f} s ({label})"
        )


def main() -> None:
    """Read both sets and print; exit with 1 when a bar is missed, 2 when the data is absent."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    default = os.environ.get("QUAERE_EVAL_DATA")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(default) if default else None)
    parser.add_argument("--verbose", action="store_true", help="name the rows that were missed")
    options = parser.parse_args()
    folder = cast("Path | None", options.folder)
    if folder is not None and not (folder / "corpora").is_dir():
        folder = folder.parent  # QUAERE_EVAL_DATA names the folder ``data`` beside ``corpora``
    if folder is None or not (folder / "corpora" / "llm_garbage.jsonl").is_file():
        sys.exit("No data: name the folder that holds corpora/llm_garbage.jsonl.")
    tallies = asyncio.run(read_corpus(folder / "corpora"))
    pairs = folder / "data" / "g3_malformed_json" / "pairs.jsonl"
    if pairs.is_file():
        tallies.append(read_pairs(pairs))
    else:
        print(f"There is no {pairs}.")
    for tally in tallies:
        print(tally)
        for label in tally.wrong:
            print(f"    wrong value: {label}")
        for label in tally.missed if cast("bool", options.verbose) else []:
            print(f"    not read: {label}")
    sys.exit(not all(tally.good for tally in tallies))


async def read_corpus(corpora: Path) -> list[Tally]:
    """Return what became of the rows, layer by layer."""
    schemas = cast(
        "dict[str, dict[str, JsonValue]]", json.loads((corpora / "llm_schemas.json").read_text())
    )
    contracts = {name: contract_of(schema, name.title()) for name, schema in schemas.items()}
    tallies: dict[str, Tally] = {}
    async with serving() as (model, bodies):
        for row in _lines(corpora / "llm_garbage.jsonl"):
            row = cast("Row", row)
            bodies["next"] = row["raw"]
            started = time.perf_counter()
            value = await _handled(row, contracts[row["schema"]], model)
            seconds = time.perf_counter() - started
            tallies.setdefault(row["layer"], Tally(row["layer"])).add(
                row["kind"],
                got_value=value is not None,
                right=_as_expected(value, row),
                seconds=seconds,
            )
    return list(tallies.values())


def read_pairs(path: Path) -> Tally:
    """Return what became of the pairs; for what is JSON already, JSON itself says what is right."""
    tally = Tally("g3")
    for line in _lines(path):
        pair = cast("Pair", line)
        text = pair["text"]
        wanted = cast("JsonValue", json.loads(text)) if pair["already_valid"] else pair["expected"]
        started = time.perf_counter()
        try:
            values = read(text)
        except Unreadable:
            values = []
        seconds = time.perf_counter() - started
        got_value = len(values) == 1
        right = not got_value or same(values[0], wanted)
        tally.add(repr(text)[:80], got_value=got_value, right=right, seconds=seconds)
    return tally


async def _handled(row: Row, contract: Contract, model: ChatModel) -> JsonValue | None:
    """Return the value that was made of a row, ``None`` when it was rejected."""
    try:
        completion = await _completion(row, contract, model)
        value = parse(completion.text, completion.finish, contract)
    except (ContractError, ModelError):
        return None
    return cast("JsonValue", value.model_dump(exclude_unset=True))


async def _completion(row: Row, contract: Contract, model: ChatModel) -> Completion:
    if row["layer"] == "content":
        finish = FINISHES.get(row["context"].get("finish_reason", ""), Finish.STOP)
        return Completion(text=row["raw"], finish=finish)
    request = REQUEST.model_copy(update={"output": output_schema(contract)})
    if row["layer"] == "envelope":
        return await model.complete(request)
    completion = Completion(text="")
    async for piece in model.stream(request):
        completion = piece if isinstance(piece, Completion) else completion
    return completion


def _as_expected(value: JsonValue | None, row: Row) -> bool:
    actions = {row["expect"]["action"], *row["also"]}
    if value is None:
        return "reject" in actions
    if "value" in row["expect"]:
        return value == row["expect"]["value"]
    return bool(actions & {"accept", "repair"})


@asynccontextmanager
async def serving() -> AsyncGenerator[tuple[ChatModel, dict[str, str]]]:
    """Serve whatever is put in as ``next``; yield a model behind that server, and where to put it.

    The server says that it streams if it is asked to.
    """
    bodies: dict[str, str] = {}

    async def answer(request: web.Request) -> web.Response:
        asked = cast("Mapping[str, JsonValue]", await request.json())
        kind = "text/event-stream" if asked.get("stream") else "application/json"
        return web.Response(body=bodies["next"].encode(), content_type=kind)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = cast("tuple[str, int]", runner.addresses[0])[1]
    access = ModelAccess(base_url=f"http://127.0.0.1:{port}/v1", timeout_s=20)
    model = open_model(ModelSpec.parse("compatible:any"), access)
    await model.warm()
    try:
        yield model, bodies
    finally:
        await model.aclose()
        await runner.cleanup()


def _lines(path: Path) -> Iterator[object]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
