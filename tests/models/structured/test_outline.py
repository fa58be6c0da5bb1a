from __future__ import annotations

import json

from pydantic import BaseModel
from tests.models.structured.contracts import Survey

from quaere.models.structured.outline import outline
from quaere.models.structured.schema import output_schema

OUTLINE = """\
A JSON object with
- "title": text (1 to 80 characters) — of the lighthouse
- "lamps": list (at most 4) of: object — from the top down
  - "id": whole number (1 to 9) — its number
  - "colour": one of "white", "red", may be left out
  - "seen_by": list of: whole number, may be left out
- "certainty": number (0 to 1)
- "state": one of "lit", "dark"
- "note": text, may be left out
- "tags": list of: text, may be left out"""


def test_tells_each_field_in_a_line() -> None:
    output = output_schema(Survey)
    assert outline(output) == OUTLINE
    assert len(OUTLINE) < len(json.dumps(output.definition)) / 1.5


def test_tells_lists_of_lists_and_mixed_values() -> None:
    class Odd(BaseModel):
        pairs: list[list[int]]
        either: int | str
        sure: bool
        least: list[str] | None

    assert outline(output_schema(Odd)).splitlines()[1:] == [
        '- "pairs": list of: list of: whole number',
        '- "either": any value',
        '- "sure": true or false',
        '- "least": list of: text',
    ]
