"""``contracts/openapi.json`` is what the service does, and only ever gets more.

After a change that is meant, write it anew with
``QUAERE_WRITE_CONTRACTS=1 pytest tests/faces/server/test_openapi.py``. What takes something away
from clients is refused even then; that needs a new path beside ``/v1``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from quaere.faces.server.service import make_service
from quaere.runtime.settings import Settings

FILE = Path(__file__).parents[3] / "contracts" / "openapi.json"
Json = Mapping[str, JsonValue]


def written() -> str:
    """Return the document as the file has it."""
    made = make_service(Settings()).openapi()
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def taken_away(before: JsonValue, now: JsonValue, place: str = "") -> Iterator[str]:
    """Yield what clients of ``before`` can no longer do or rely on."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return
    for name in before.keys() - now.keys():
        if name not in {"description", "summary", "title", "example", "examples", "default"}:
            yield f"{place}/{name} is gone"
    if place.endswith("Form") or "/parameters" in place:
        needed = set(_listed(now.get("required"))) - set(_listed(before.get("required")))
        yield from (f"{place} asks for {name}" for name in sorted(needed))
    for name in before.keys() & now.keys():
        yield from taken_away(before[name], now[name], f"{place}/{name}")


def _listed(value: JsonValue) -> list[str]:
    return cast("list[str]", value) if isinstance(value, list) else []


def test_the_document_only_gets_more() -> None:
    before, now = json.loads(FILE.read_text("utf-8")), json.loads(written())
    assert list(taken_away(before["paths"], now["paths"])) == []
    schemas = "components", "schemas"
    assert list(taken_away(before[schemas[0]][schemas[1]], now[schemas[0]][schemas[1]])) == []


def test_the_file_says_what_the_code_does() -> None:
    if os.environ.get("QUAERE_WRITE_CONTRACTS"):
        FILE.write_text(written(), "utf-8")
    assert FILE.read_text("utf-8") == written()


def test_each_operation_has_a_summary_of_its_own_that_says_what_it_does() -> None:
    paths = cast("Mapping[str, Mapping[str, Mapping[str, str]]]", json.loads(written())["paths"])
    told = [each for methods in paths.values() for each in methods.values()]
    summaries = [each["summary"] for each in told]
    assert len(set(summaries)) == len(summaries)
    assert "Start a run; once this returns, the run is saved and will be processed" in summaries
    assert [each for each in told if not each["description"].startswith(each["summary"])] == []


def test_no_contract_names_requirements_that_its_readers_cannot_look_up() -> None:
    for file in FILE.parent.glob("*.json"):
        assert re.findall(r"R\d+\.\d+|NFR-\d+", file.read_text("utf-8")) == [], file.name


def test_what_is_taken_away_is_noticed() -> None:
    before: JsonValue = {"a": {"b": {}, "description": "x"}, "RunForm": {"required": ["q"]}}
    assert list(taken_away(before, before)) == []
    more: JsonValue = {"a": {"b": {}, "c": {}}, "RunForm": {"required": ["q"]}}
    assert list(taken_away(before, more)) == []
    now: JsonValue = {"a": {}, "RunForm": {"required": ["q", "r"]}}
    assert sorted(taken_away(before, now)) == ["/RunForm asks for r", "/a/b is gone"]


def test_every_reference_leads_somewhere_and_every_operation_is_described() -> None:
    document = json.loads(written())
    assert document["openapi"].startswith("3.1")
    known = document["components"]["schemas"]
    for found in json.dumps(document).split('"#/components/schemas/')[1:]:
        assert found.partition('"')[0] in known
    assert not [name for name in known if "__" in name], "two models of one name"
    ids: list[str] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), (method, path)
            ids.append(operation["operationId"])
    assert len(ids) == len(set(ids))
