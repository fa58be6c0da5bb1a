"""Spoilt answers of models, written after the development corpus and of other kinds than its rows.

Each row has the form of ``corpora/llm_garbage.jsonl``: what a model or its server sent, and what is
to become of it. `fresh.py` writes them to a folder that ``garbage.py`` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

VERDICT: Mapping[str, JsonValue] = {"label": "refuted", "confidence": 0.35, "reason": "Page 2."}
PLAN: Mapping[str, JsonValue] = {"queries": ["ferry fare Skarholm", "Skarholm quay timetable"]}
DECISION: Mapping[str, JsonValue] = {"action": "search", "arg": "lamp oil price 1911"}
CLAIMS: Mapping[str, JsonValue] = {"claims": [{"text": "The lamp was lit.", "sources": [2, 5]}]}
V, P, D, C = (json.dumps(value) for value in (VERDICT, PLAN, DECISION, CLAIMS))


class Spoilt(NamedTuple):
    """What was sent, and the value that it is to be read as; None where it is to be refused."""

    kind: str
    schema: str
    raw: str
    value: Mapping[str, JsonValue] | None = None
    also: Sequence[str] = ()
    finish: str = ""


CONTENT = (
    # Wrapped in what models put around their JSON.
    Spoilt("wrap: fence in upper case", "verdict", f"```JSON\n{V}\n```", VERDICT),
    Spoilt("wrap: tilde fence", "verdict", f"~~~json\n{V}\n~~~", VERDICT),
    Spoilt("wrap: fence never closed", "verdict", f"```json\n{V}\n", VERDICT),
    Spoilt(
        "wrap: fence inside a quotation", "verdict", f"> ```json\n> {V}\n> ```", VERDICT, ["reject"]
    ),
    Spoilt("wrap: byte order mark", "verdict", f"\ufeff{V}", VERDICT),
    Spoilt("wrap: name of the speaker", "verdict", f"Assistant: {V}", VERDICT),
    Spoilt(
        "wrap: think block with braces", "verdict", f"<think>{{maybe}} {{}}</think>{V}", VERDICT
    ),
    Spoilt("wrap: think block never opened", "verdict", f"It may be so.</think>\n{V}", VERDICT),
    Spoilt("wrap: XML with CDATA", "verdict", f"<json><![CDATA[{V}]]></json>", VERDICT),
    Spoilt("wrap: const in JavaScript", "decision", f"const decision = {D};", DECISION),
    Spoilt("wrap: python assignment", "decision", f"decision = {D}", DECISION),
    Spoilt("wrap: shell comment before", "decision", f"# the decision\n{D}", DECISION),
    Spoilt("wrap: numbered", "decision", f"1. {D}", DECISION),
    Spoilt("wrap: bold", "decision", f"**{D}**", DECISION),
    Spoilt("wrap: inline code", "decision", f"`{D}`", DECISION),
    Spoilt("wrap: brackets of a link", "decision", f"Here: [{D}]", DECISION, ["reject"]),
    Spoilt("wrap: JSON in a JSON string", "decision", json.dumps(D), DECISION),
    Spoilt("wrap: result key", "decision", json.dumps({"result": DECISION}), DECISION, ["reject"]),
    Spoilt("wrap: function call", "decision", f"submit({D})", DECISION),
    Spoilt(
        "wrap: sentence with braces before", "decision", f"I fill in {{action}} now: {D}", DECISION
    ),
    Spoilt("wrap: apology after", "plan", f"{P}\n\nSorry for the delay! :}}", PLAN),
    Spoilt("wrap: HTML pre", "plan", f"<pre>{P}</pre>", PLAN),
    Spoilt("wrap: end-of-text mark", "plan", f"{P}<|endoftext|>", PLAN),
    Spoilt("wrap: channel marks", "plan", f"<|channel|>final<|message|>{P}<|return|>", PLAN),
    # Bent syntax of which only one reading is possible.
    Spoilt("syntax: trailing comma in object", "decision", D[:-1] + ",}", DECISION),
    Spoilt("syntax: trailing comma in list", "plan", P.replace('"]', '",]'), PLAN),
    Spoilt(
        "syntax: unquoted keys",
        "decision",
        '{action: "search", arg: "lamp oil price 1911"}',
        DECISION,
    ),
    Spoilt(
        "syntax: equals for colon",
        "decision",
        '{"action" = "search", "arg" = "lamp oil price 1911"}',
        DECISION,
        ["reject"],
    ),
    Spoilt(
        "syntax: arrow for colon",
        "decision",
        '{"action" => "search"}',
        {"action": "search"},
        ["reject"],
    ),
    Spoilt(
        "syntax: semicolon between members",
        "decision",
        '{"action": "search"; "arg": "lamp oil price 1911"}',
        DECISION,
        ["reject"],
    ),
    Spoilt(
        "syntax: tab in a string",
        "decision",
        D.replace(" oil", "\toil"),
        {**DECISION, "arg": "lamp\toil price 1911"},
        ["reject"],
    ),
    Spoilt("syntax: plus before number", "verdict", V.replace("0.35", "+0.35"), VERDICT),
    Spoilt("syntax: leading zeros", "verdict", V.replace("0.35", "00.35"), VERDICT, ["reject"]),
    Spoilt(
        "syntax: underscores in number",
        "claims",
        C.replace("[2, 5]", "[2, 0_5]"),
        CLAIMS,
        ["reject"],
    ),
    Spoilt("syntax: NaN", "verdict", V.replace("0.35", "NaN")),
    Spoilt(
        "syntax: undefined",
        "verdict",
        V.replace('"Page 2."', "undefined"),
        {"label": "refuted", "confidence": 0.35},
        ["reject"],
    ),
    Spoilt("syntax: missing closing bracket", "plan", P.replace("]", ""), PLAN, ["reject"]),
    Spoilt("syntax: extra closing brace", "plan", P + "}", PLAN),
    Spoilt(
        "syntax: low quotes", "decision", "{„action“: „search“}", {"action": "search"}, ["reject"]
    ),
    Spoilt("syntax: HTML entities", "decision", D.replace('"', "&quot;"), DECISION, ["reject"]),
    Spoilt(
        "syntax: escaped slashes and quotes",
        "decision",
        r'{"action": "fetch", "arg": "http:\/\/a.example\/x"}',
        {"action": "fetch", "arg": "http://a.example/x"},
    ),
    Spoilt("syntax: line ends of a Mac", "plan", P.replace(", ", ",\r"), PLAN),
    Spoilt("syntax: no-break spaces between tokens", "plan", P.replace(": ", ":\u00a0"), PLAN),
    Spoilt(
        "syntax: zero-width space in a key",
        "decision",
        D.replace("action", "act\u200bion"),
        DECISION,
        ["reject"],
    ),
    # Values that only their author can mend.
    Spoilt("value: confidence in words", "verdict", V.replace("0.35", '"high"')),
    Spoilt("value: confidence as fraction", "verdict", V.replace("0.35", '"7/20"')),
    Spoilt("value: confidence below zero", "verdict", V.replace("0.35", "-0.2")),
    Spoilt("value: number as string", "verdict", V.replace("0.35", '"0.35"'), VERDICT, ["reject"]),
    Spoilt(
        "value: label with a full stop",
        "verdict",
        V.replace("refuted", "refuted."),
        VERDICT,
        ["reject"],
    ),
    Spoilt("value: label negated", "verdict", V.replace("refuted", "not supported")),
    Spoilt("value: label null", "verdict", V.replace('"refuted"', "null")),
    Spoilt("value: label of another language", "verdict", V.replace("refuted", "widerlegt")),
    Spoilt(
        "value: key in another case",
        "verdict",
        V.replace('"label"', '"Label"'),
        VERDICT,
        ["reject"],
    ),
    Spoilt(
        "value: nested too deep",
        "plan",
        '{"queries": [["ferry fare"]]}',
        {"queries": ["ferry fare"]},
        ["reject"],
    ),
    Spoilt(
        "value: queries as objects",
        "plan",
        '{"queries": [{"query": "ferry fare"}]}',
        {"queries": ["ferry fare"]},
        ["reject"],
    ),
    Spoilt("value: queries as numbers", "plan", '{"queries": [1911, 1912]}'),
    Spoilt(
        "value: thirteen queries",
        "plan",
        json.dumps({"queries": [f"q {n}" for n in range(13)]}),
        {"queries": [f"q {n}" for n in range(12)]},
        ["reject"],
    ),
    Spoilt("value: negative source", "claims", C.replace("5", "-5")),
    Spoilt("value: source out of range", "claims", C.replace("5", "12")),
    Spoilt("value: source as a word", "claims", C.replace("5", '"five"')),
    Spoilt("value: empty claims", "claims", '{"claims": []}', {"claims": []}, ["reject"]),
    Spoilt("value: two verdicts", "verdict", f"{V}\n{V.replace('refuted', 'supported')}"),
    Spoilt(
        "value: correction after",
        "verdict",
        f"{V}\nWait, I meant:\n{V.replace('refuted', 'unclear')}",
    ),
    Spoilt("value: action outside the list", "decision", '{"action": "delete", "arg": "all"}'),
    Spoilt("value: list of two actions", "decision", f"[{D}, {D.replace('search', 'finish')}]"),
    Spoilt(
        "value: example of the prompt",
        "decision",
        '{"action": "search|fetch|finish", "arg": "..."}',
    ),
    Spoilt(
        "value: unknown key beside", "decision", json.dumps({**DECISION, "mood": "sure"}), DECISION
    ),
    # Cut off, or nothing at all.
    Spoilt("truncated: in a key", "decision", '{"action": "search", "ar', None, (), "length"),
    Spoilt(
        "truncated: in a query",
        "plan",
        '{"queries": ["ferry fare Skarholm", "Skarh',
        {"queries": ["ferry fare Skarholm"]},
        ["reject"],
        "length",
    ),
    Spoilt(
        "truncated: in an escape",
        "decision",
        '{"action": "search", "arg": "lamp \\',
        None,
        (),
        "length",
    ),
    Spoilt("truncated: at the first brace", "decision", "{", None, (), "length"),
    Spoilt("nothing: null", "decision", "null"),
    Spoilt("nothing: number", "decision", "42"),
    Spoilt("nothing: white space", "decision", "\n\t  \u3000"),
    Spoilt("nothing: refusal", "decision", "I'm sorry, but I can't help with that."),
    Spoilt("nothing: tool syntax", "decision", "<tool_call>search</tool_call>"),
    Spoilt(
        "nothing: base64",
        "decision",
        "eyJhY3Rpb24iOiAic2VhcmNoIn0=",
        {"action": "search"},
        ["reject"],
    ),
    Spoilt("nothing: LaTeX", "decision", r"\boxed{search}"),
    Spoilt("whole: filtered at its end", "decision", D, DECISION, ["reject"], "content_filter"),
    Spoilt("nothing: filtered", "decision", D[:-1], None, (), "content_filter"),
    Spoilt("bomb: nested lists", "plan", '{"queries": ' + "[" * 100_000),
    Spoilt("bomb: one quote after another", "plan", '"' * 100_000),
    Spoilt("bomb: braces after an answer", "decision", D + "{" * 50_000, DECISION, ["reject"]),
    Spoilt(
        "loop: the same query",
        "plan",
        '{"queries": ["' + "and then the ferry, " * 2_000,
        None,
        (),
        "length",
    ),
)


def _message(**fields: JsonValue) -> str:
    message = {"role": "assistant", "content": V, **fields}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"id": "x", "object": "chat.completion", "choices": [choice]})


ENVELOPES = (
    Spoilt("envelope: no usage", "verdict", _message(), VERDICT),
    Spoilt("envelope: role user", "verdict", _message(role="user"), None),
    Spoilt("envelope: role system", "verdict", _message(role="system"), None),
    Spoilt("envelope: content null", "verdict", _message(content=None), None),
    Spoilt("envelope: content list of numbers", "verdict", _message(content=[1, 2]), None),
    Spoilt(
        "envelope: content object", "verdict", _message(content=dict(VERDICT)), VERDICT, ["reject"]
    ),
    Spoilt("envelope: reasoning beside", "verdict", _message(reasoning_content="Hm {"), VERDICT),
    Spoilt("envelope: annotations", "verdict", _message(annotations=[], audio=None), VERDICT),
    Spoilt("envelope: choices as object", "verdict", '{"choices": {"0": {}}}', None),
    Spoilt("envelope: choice a string", "verdict", '{"choices": ["yes"]}', None),
    Spoilt("envelope: message null", "verdict", '{"choices": [{"message": null}]}', None),
    Spoilt("envelope: plain text", "verdict", "OK", None),
    Spoilt("envelope: number", "verdict", "7", None),
    Spoilt(
        "envelope: error object with 200",
        "verdict",
        '{"error": {"message": "overloaded", "code": 529}}',
        None,
    ),
    Spoilt("envelope: error as list", "verdict", '{"error": ["no", "model"]}', None),
    Spoilt(
        "envelope: usage as text",
        "verdict",
        _message()[:-1] + ', "usage": "many"}',
        VERDICT,
        ["reject"],
    ),
    Spoilt(
        "envelope: usage with nulls",
        "verdict",
        _message()[:-1] + ', "usage": {"prompt_tokens": null}}',
        VERDICT,
        ["reject"],
    ),
    Spoilt(
        "envelope: usage with fractions",
        "verdict",
        _message()[:-1] + ', "usage": {"prompt_tokens": 1.5, "completion_tokens": 2}}',
        VERDICT,
        ["reject"],
    ),
    Spoilt(
        "envelope: finish reason of its own",
        "verdict",
        _message().replace('"stop"', '"eos_token"'),
        VERDICT,
    ),
    Spoilt(
        "envelope: finish reason a number",
        "verdict",
        _message().replace('"stop"', "3"),
        VERDICT,
        ["reject"],
    ),
    Spoilt("envelope: two bodies", "verdict", _message() * 2, None),
    Spoilt(
        "envelope: control characters",
        "verdict",
        _message(content=V.replace("Page 2.", "P\\u0000\\u001b[2J")),
        {**VERDICT, "reason": "P[2J"},
        ["reject"],
    ),
)


def _delta(text: str, end: str | None = None) -> str:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": end}
    return "data: " + json.dumps({"choices": [choice]})


def _events(*events: str, between: str = "\n\n") -> str:
    return between.join([*events, ""])


HALVES = _delta(V[:20]), _delta(V[20:]), _delta("", "stop"), "data: [DONE]"
STREAMS = (
    Spoilt("stream: CRLF", "verdict", _events(*HALVES, between="\r\n\r\n"), VERDICT),
    Spoilt(
        "stream: comments between",
        "verdict",
        _events(": hold on", *HALVES[:1], ": :", *HALVES[1:]),
        VERDICT,
    ),
    Spoilt(
        "stream: ids and retry",
        "verdict",
        _events(*(f"id: {n}\nretry: 10\n{each}" for n, each in enumerate(HALVES))),
        VERDICT,
    ),
    Spoilt(
        "stream: usage after the end",
        "verdict",
        _events(
            *HALVES[:3],
            'data: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}',
            HALVES[3],
        ),
        VERDICT,
    ),
    Spoilt(
        "stream: role alone first",
        "verdict",
        _events('data: {"choices": [{"index": 0, "delta": {"role": "assistant"}}]}', *HALVES),
        VERDICT,
    ),
    Spoilt(
        "stream: null content between",
        "verdict",
        _events(
            HALVES[0], 'data: {"choices": [{"index": 0, "delta": {"content": null}}]}', *HALVES[1:]
        ),
        VERDICT,
    ),
    Spoilt(
        "stream: error in the middle",
        "verdict",
        _events(HALVES[0], 'data: {"error": {"message": "overloaded"}}'),
        None,
    ),
    Spoilt(
        "stream: broken event",
        "verdict",
        _events(HALVES[0], 'data: {"choices": [{"ind', "data: [DONE]"),
        None,
    ),
    Spoilt("stream: ends without a word", "verdict", "", None),
    Spoilt("stream: cut off half-way", "verdict", _events(HALVES[0]), None),
    Spoilt(
        "stream: stopped for length",
        "verdict",
        _events(HALVES[0], _delta("", "length"), HALVES[3]),
        None,
    ),
    Spoilt(
        "stream: filtered",
        "verdict",
        _events(HALVES[0], _delta("", "content_filter"), HALVES[3]),
        None,
    ),
    Spoilt("stream: not a stream", "verdict", _message(), VERDICT, ["reject"]),
    Spoilt("stream: HTML", "verdict", "<html>502 Bad Gateway</html>", None),
    Spoilt(
        "stream: choices null",
        "verdict",
        _events('data: {"choices": null}', *HALVES),
        VERDICT,
        ["reject"],
    ),
)


def rows() -> Iterator[dict[str, JsonValue]]:
    """Yield all of them as rows of the corpus."""
    layers = (("content", CONTENT), ("envelope", ENVELOPES), ("stream", STREAMS))
    for layer, spoilt in layers:
        for each in spoilt:
            expect: dict[str, JsonValue] = {"action": "reject"}
            if each.value is not None:
                expect = {"action": "repair", "value": dict(each.value)}
            yield {
                "kind": each.kind,
                "layer": layer,
                "schema": each.schema,
                "raw": each.raw,
                "context": {"finish_reason": each.finish} if each.finish else {},
                "expect": expect,
                "also": list(each.also),
            }
