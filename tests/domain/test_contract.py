"""``contracts/run_events.json`` and ``docs/events.md`` are what the events are.

The server, the web page and other programs read the first. After a change that is meant, write
both anew with ``QUAERE_WRITE_CONTRACTS=1 pytest tests/domain/test_contract.py``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import get_args

from quaere.domain.events import RUN_EVENT, VERSION, Event, RunEvent

FILE = Path(__file__).parents[2] / "contracts" / "run_events.json"
PAGE = FILE.parents[1] / "docs" / "events.md"
COMMON = set(Event.model_fields)
HEAD = """\
# Events

Everything that shows a run reads one log of events: the terminal, `--events FILE`, traces, the tool
and whatever follows. `contracts/run_events.json` has their JSON schema, version {version}; the
first event of a run says which version its log has. Logs of versions 1 and 2 can still be read.

Every event has {common}. `seq` counts from 1 without gaps and `at` is in UTC. `topic` is empty
unless several researchers work on one question.

- Searches and pages are told as they come, each with its provider, seconds and canonical URL.
- `evidence_collected` tells how the selection differs from the one before;
  `quaere.view.reduce.Progress` adds it up.
- Joined, what all `sentence_written` have `appended` is the answer of the report, in whatever form
  was asked for. Notices about the run are sentences of their own, whose support is `not_a_claim`.
  With a model they begin while the answer is still being written, and none is taken back.
- `quaere.view.trace_graph` links queries, pages, passages, quotes and claims in both directions.

A new event takes three edits: its class in `quaere.domain.events`, the node that tells it, and its
line in `quaere.view.describe`. What a text may give away is an annotation on its field:
`QuestionText`, `PageText` or `MessageText`; traces leave out what is not to be kept by that.

This page is written by `QUAERE_WRITE_CONTRACTS=1 pytest tests/domain/test_contract.py`.

| event | what it tells | fields |
|---|---|---|"""


def written() -> str:
    """Return the schema of the events as the file has it."""
    schema = RUN_EVENT.json_schema(mode="serialization")
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "RunEvent"}
    title["$comment"] = f"version {VERSION}"
    return json.dumps({**title, **schema}, indent=2, sort_keys=True) + "\n"


def test_the_file_says_what_the_code_does() -> None:
    if os.environ.get("QUAERE_WRITE_CONTRACTS"):
        FILE.write_text(written(), "utf-8")
    assert FILE.read_text("utf-8") == written()


def documented() -> str:
    """Return the page about the events: what each tells, and its fields."""
    lines = [
        HEAD.format(version=VERSION, common=", ".join(f"`{name}`" for name in Event.model_fields))
    ]
    for kind in get_args(get_args(RunEvent)[0]):
        own = {name: hint for name, hint in kind.model_fields.items() if name not in COMMON}
        fields = ", ".join(f"`{name}`" for name in own if name != "type")
        said = " ".join((kind.__doc__ or "").split())
        lines.append(f"| `{own['type'].default}` | {said} | {fields} |")
    return "\n".join(lines) + "\n"


def test_the_page_says_what_the_code_does() -> None:
    if os.environ.get("QUAERE_WRITE_CONTRACTS"):
        PAGE.write_text(documented(), "utf-8")
    assert PAGE.read_text("utf-8") == documented()


def test_every_event_has_a_type_and_the_common_fields() -> None:
    schema = json.loads(FILE.read_text("utf-8"))
    mapping = schema["discriminator"]["mapping"]
    assert len(mapping) == len(schema["oneOf"]) == 19
    for name, reference in mapping.items():
        event = schema["$defs"][reference.rpartition("/")[2]]
        assert event["properties"]["type"]["const"] == name
        assert set(event["properties"]) >= COMMON | {"type"}
        assert event["additionalProperties"] is False
