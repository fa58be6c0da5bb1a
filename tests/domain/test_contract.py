"""``contracts/run_events.json`` is what the events are, and what every event keeps to.

The server, the web page and other programs read the file. After a change that is meant, write it
anew with ``QUAERE_WRITE_CONTRACTS=1 pytest tests/domain/test_contract.py``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from quaere.domain.events import RUN_EVENT, Event

FILE = Path(__file__).parents[2] / "contracts" / "run_events.json"
COMMON = set(Event.model_fields)


def written() -> str:
    """Return the schema of the events as the file has it."""
    schema = RUN_EVENT.json_schema(mode="serialization")
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "RunEvent"}
    return json.dumps({**title, **schema}, indent=2, sort_keys=True) + "\n"


def test_the_file_says_what_the_code_does() -> None:
    if os.environ.get("QUAERE_WRITE_CONTRACTS"):
        FILE.write_text(written(), "utf-8")
    assert FILE.read_text("utf-8") == written()


def test_every_event_has_a_type_and_the_common_fields() -> None:
    schema = json.loads(FILE.read_text("utf-8"))
    mapping = schema["discriminator"]["mapping"]
    assert len(mapping) == len(schema["oneOf"]) == 16
    for name, reference in mapping.items():
        event = schema["$defs"][reference.rpartition("/")[2]]
        assert event["properties"]["type"]["const"] == name
        assert set(event["properties"]) >= COMMON | {"type"}
        assert event["additionalProperties"] is False
