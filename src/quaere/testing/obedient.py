"""A model that does what the text in its prompt says: the worst case of an injected instruction."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Unpack

from pydantic import JsonValue

from quaere.domain.model import ModelRequest, Role
from quaere.testing.double import Answer, ModelDouble, Options
from quaere.testing.sample import obeyed
from quaere.testing.scripted import Script, ScriptedModel


class ObedientModel(ModelDouble):
    """Writes what it is ordered to wherever the order's trigger is anywhere in a user's message.

    Asked for plain text, it writes the order and nothing else. Asked for JSON, it writes an
    instance of the schema in which every free text is the order, every list holds it and every
    number is as large as may be; of an order that is a JSON object itself, the parts that the
    schema has a property for. So a run goes on. With ``verbatim`` it writes the order as it is,
    whatever the schema.

    A prompt without a trigger is answered by ``otherwise``.
    """

    def __init__(
        self,
        orders: Mapping[str, str],
        *,
        otherwise: Script | None = None,
        parts: Mapping[str, JsonValue] | None = None,
        verbatim: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Obey.

        Args:
            orders: What to write, by the text that triggers it; the first that is found counts.
            otherwise: Script for the requests that hold no trigger.
            parts: What stands in the JSON of every order, by property, such as
                ``{"sufficient": False}`` for a run that goes on.
            verbatim: Whether to break the contract of a schema rather than change an order.
            options: What every double can be told.
        """
        super().__init__(**options)
        self._orders = orders
        self._otherwise = ScriptedModel(otherwise or {})
        self._parts = parts or {}
        self._verbatim = verbatim
        self.obeyed: list[str] = []
        """Steps in which an order was carried out."""

    def answer(self, request: ModelRequest) -> Answer:
        """Return what the prompt orders."""
        order = self._order(request)
        if order is None:
            return self._otherwise.answer(request)
        self.obeyed.append(request.step)
        if request.output is None or self._verbatim:
            return order
        parts = {**self._parts, **_parts(order)}
        written = obeyed(request.output.definition, text=order, parts=parts)
        return json.dumps(written, ensure_ascii=False)

    def _order(self, request: ModelRequest) -> str | None:
        shown = "\n".join(m.content for m in request.messages if m.role is not Role.SYSTEM)
        return next((order for trigger, order in self._orders.items() if trigger in shown), None)


def _parts(order: str) -> Mapping[str, JsonValue]:
    try:
        parsed: JsonValue = json.loads(order)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
