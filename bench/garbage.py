"""Reads what models wrote, in every way it can be broken, and tells what was made of it.

    python bench/garbage.py ../shared [--verbose]

The folder, by default that of QUAERE_EVAL_DATA, holds ``corpora/llm_garbage.jsonl`` with its
schemas and ``data/g3_malformed_json/pairs.jsonl``. Rows of the layer ``content`` are read as the
text of an answer; those of the layers ``envelope`` and ``stream`` are served, byte by byte, by a
server on loopback to the client that talks to real services. Printed for each layer: rows that were
handled as expected, those of them whose value was read, wrong values that were accepted, errors
without a type of ours, and the slowest row.

A pair of g3 is handled as expected if its value is read, or none is. Rejecting is right only where
it is expected, and of what can be read enough has to be: who rejects everything fails.
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
from quaere.models.structured.ask import output_schema, parse
from quaere.models.structured.find_json import read
from quaere.models.structured.lenient_json import Unreadable, same
from quaere.ports.model import ChatModel

MIN_SHARE = 0.95
MIN_READ = {"content": 0.95, "envelope": 0.6, "stream": 0.95, "g3": 0.25}
"""Smallest share of the rows with a value to be read that is read. The client refuses a message
without a role, one row of three in that layer, and g3 allows for rejecting."""
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of a row."""

    value: JsonValue
    """``None`` when it was rejected."""
    seconds: float
    untyped: str = ""
    """An error that is none of ours."""


READ = frozenset({"accept", "repair"})


@dataclass(slots=True)
class Tally:
    """How the rows of one layer were handled."""

    name: str
    rows: int = 0
    expected: int = 0
    values: int = 0
    readable: int = 0
    """Rows whose value is to be read; of g3, all."""
    untyped: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    slowest: tuple[float, str] = (0.0, "")

    def add(self, label: str, outcome: Outcome, *, readable: bool, right: bool) -> None:
        """Take the next row down."""
        got_value, seconds = outcome.value is not None, outcome.seconds
        self.rows += 1
        self.readable += readable
        if outcome.untyped:
            self.untyped.append(f"{label}: {outcome.untyped}")
        self.expected += right
        self.values += got_value
        self.slowest = max(self.slowest, (seconds, label))
        if not right:
            (self.wrong if got_value else self.missed).append(label)

    @property
    def good(self) -> bool:
        """Whether nothing wrong was accepted or untyped, and enough was as expected and read."""
        share = self.expected / max(1, self.rows)
        read = (self.values - len(self.wrong)) / max(1, self.readable)
        enough = share >= MIN_SHARE and read >= MIN_READ[self.name] * bool(self.readable)
        return not (self.wrong or self.untyped) and enough and self.slowest[0] < MAX_SECONDS

    def __str__(self) -> str:
        """One line."""
        seconds, label = self.slowest
        return (
            f"{self.name:10} {self.expected:4}/{self.rows:<4} as expected"
            f" ({100 * self.expected / max(1, self.rows):5.1f} %), {self.values:4} values read"
            f" of {self.readable}, {len(self.wrong)} wrong, {len(self.untyped)} untyped,"
            f" slowest {seconds:.3f} s ({label})"
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
        for label in tally.untyped:
            print(f"    untyped error: {label}")
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
            outcome = await _handled(row, contracts[row["schema"]], model)
            tallies.setdefault(row["layer"], Tally(row["layer"])).add(
                row["kind"],
                outcome,
                readable="reject" not in {row["expect"]["action"], *row["also"]},
                right=not outcome.untyped and _as_expected(outcome.value, row),
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
        value = values[0] if len(values) == 1 else None
        outcome = Outcome(value, time.perf_counter() - started)
        right = value is None or same(value, wanted)
        tally.add(repr(text)[:80], outcome, readable=True, right=right)
    return tally


async def _handled(row: Row, contract: Contract, model: ChatModel) -> Outcome:
    """Return what was made of a row."""
    started, value, untyped = time.perf_counter(), None, ""
    try:
        completion = await _completion(row, contract, model)
        value = parse(completion.text, completion.finish, contract).model_dump(exclude_unset=True)
    except (ContractError, ModelError):
        pass
    except Exception as error:  # noqa: BLE001 - what comes through is asked here
        untyped = f"{type(error).__name__}: {error}"
    return Outcome(cast("JsonValue", value), time.perf_counter() - started, untyped)


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
    return bool(actions & READ)


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
