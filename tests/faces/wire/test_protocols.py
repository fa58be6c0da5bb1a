"""Each form by the rules of its protocol, as the libraries of its clients know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import pytest
from ag_ui.core import Event as AgUiEvent
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter
from tests.faces.wire.streams import (
    KINDS,
    NAMES,
    RUN,
    Kind,
    Object,
    bodies,
    deltas,
    log,
    read,
    report_of,
)
from tests.synthesize.drafts import unanswered

from quaere.domain.events import (
    Phase,
    RunFinished,
    RunStarted,
    SearchFinished,
    SentenceWritten,
    SourceRead,
)
from quaere.domain.report import Citation, Quote, Sentence, Support
from quaere.domain.source import ReadStatus
from quaere.faces.wire.chat import ChatStream, StreamEvent
from quaere.faces.wire.openai import ChatCompletionStream, ChatOptions, ResponseStream
from quaere.faces.wire.parts import (
    Answer,
    closing_list,
    progress_line,
    source_links,
    source_list,
    without_closing_list,
)

each_log = pytest.mark.parametrize("name", NAMES)
CHAT: TypeAdapter[object] = TypeAdapter(StreamEvent)
RESPONSES: TypeAdapter[object] = TypeAdapter(ResponseStreamEvent)
AG_UI: TypeAdapter[object] = TypeAdapter(AgUiEvent)
REPORTED = [name for name in NAMES if report_of(log(name))]


# The chat API


@each_log
def test_the_chat_stream_keeps_to_its_contract_and_order_r3_7(name: str) -> None:
    told = [
        cast("BaseModel", CHAT.validate_python(each))
        for each in bodies(read(ChatStream(), log(name)))
    ]
    kinds = [str(getattr(each, "type", "")) for each in told]
    assert kinds[0] == "metadata"
    order = ["token", "citation", "usage", "done"]
    settled = [kind for kind in kinds if kind in order]
    assert settled == sorted(settled, key=order.index)
    first = kinds.index("token") if "token" in kinds else len(kinds)
    assert "progress" in kinds[:first]


@each_log
def test_progress_is_in_the_words_of_r3_7(name: str) -> None:
    got = [each for each in bodies(read(ChatStream(), log(name))) if each["type"] == "progress"]
    known = {
        *("type", "phase", "message", "loop", "maxLoops"),
        *("sourcesConsidered", "sourcesRead"),
    }
    phases = {str(phase) for phase in Phase} - {"indexing", "verifying"}
    for each in got:
        assert each.keys() <= known
        assert each["phase"] in phases
        assert each["message"]
    for field in ("sourcesConsidered", "sourcesRead"):
        counts = [cast("int", each[field]) for each in got]
        assert counts == sorted(counts)
    assert all(
        1 <= cast("int", e["loop"]) <= cast("int", e["maxLoops"]) for e in got if "loop" in e
    )


def test_warnings_and_verdicts_reach_the_chat() -> None:
    told = bodies(read(ChatStream(), log("degraded")))
    warned = [cast("Object", each["warning"])["message"] for each in told if "warning" in each]
    assert len(warned) == 4
    assert "too many searches failed" in str(warned[-1]), "what the report alone says"
    report = report_of(log("web"))
    assert report
    verdicts = {
        each["verdict"]
        for each in bodies(read(ChatStream(), log("web")))
        if each["type"] == "citation"
    }
    assert verdicts == {str(each.support) for each in report.sentences}


# OpenAI's chat completions


@each_log
def test_every_chunk_is_one_of_openai_s(name: str) -> None:
    told = bodies(read(ChatCompletionStream(), log(name)))
    chunks = [each for each in told if "error" not in each]
    ids = {ChatCompletionChunk.model_validate(each).id for each in chunks}
    assert ids == {f"chatcmpl-{log(name)[0].run_id}"}
    first, *rest = deltas(chunks)
    assert first["role"] == "assistant"
    assert not any("role" in each for each in rest)


@pytest.mark.parametrize("name", REPORTED)
def test_annotations_lie_on_the_markers_and_no_two_lead_to_one_address(name: str) -> None:
    report = report_of(log(name))
    assert report
    told = bodies(read(ChatCompletionStream(), log(name)))
    text = "".join(str(each.get("content", "")) for each in deltas(told))
    annotated = [
        cast("Mapping[str, object]", each["url_citation"])
        for delta in deltas(told)
        for each in cast("Sequence[Object]", delta.get("annotations", ()))
    ]
    assert len({each["url"] for each in annotated}) == len(annotated) == len(report.citations)
    for number, each in enumerate(annotated, start=1):
        start, end = cast("int", each["start_index"]), cast("int", each["end_index"])
        assert text[start:end] == f"[{number}]"
    last = told[-1]
    assert last["citations"] == [each["url"] for each in annotated]
    results = cast("Sequence[Object]", last["search_results"])
    assert [each["title"] for each in results] == [each.title for each in report.citations]


@pytest.mark.parametrize("name", REPORTED)
def test_open_webui_is_shown_the_words_of_each_source(name: str) -> None:
    report = report_of(log(name))
    assert report
    told = bodies(read(ChatCompletionStream(), log(name)))
    shown = [cast("Mapping[str, Object]", each["event"]) for each in told if "event" in each]
    assert [each["data"]["document"] for each in shown] == [
        [citation.quote.text] for citation in report.citations
    ]
    # It numbers sources in the order in which their addresses come.
    urls = [cast("Object", each["data"]["source"])["url"] for each in shown]
    assert urls == told[-1]["citations"]
    assert all(each["type"] == "source" for each in shown)


@pytest.mark.parametrize("name", REPORTED)
def test_sources_are_listed_under_the_answer_unless_told_otherwise(name: str) -> None:
    report = report_of(log(name))
    assert report
    told = bodies(read(ChatCompletionStream(), log(name)))
    text = "".join(str(each.get("content", "")) for each in deltas(told))
    assert text == report.answer + source_list(report.citations)
    stream = ChatCompletionStream()
    for event in log(name):
        list(stream.frames(event))
    whole = ChatCompletion.model_validate(stream.completion(report))
    assert whole.choices[0].message.content == text
    assert whole.usage
    assert whole.usage.total_tokens == sum(call.usage.total_tokens for call in report.calls)


@pytest.mark.parametrize("apart", [True, False])
def test_usage_is_told_once(apart: bool) -> None:
    told = bodies(read(ChatCompletionStream(ChatOptions(include_usage=apart)), log("web")))
    with_usage = [each for each in told if each.get("usage")]
    assert len(with_usage) == 1
    assert (with_usage[0]["choices"] == []) is apart
    usage = cast("Mapping[str, int]", with_usage[0]["usage"])
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0


def test_claims_are_told_with_their_place_and_verdict() -> None:
    report = report_of(log("folder"))
    assert report
    own = cast("Object", bodies(read(ChatCompletionStream(), log("folder")))[-1]["quaere"])
    claims = cast("Sequence[Object]", own["sentences"])
    assert [each["text"] for each in claims] == [each.text for each in report.sentences]
    for each in claims:
        start, end = cast("int", each["start"]), cast("int", each["end"])
        assert str(each["text"]).removesuffix(".") in report.answer[start:end]


# OpenAI's Responses


@each_log
def test_every_event_is_one_of_openai_s_and_numbered_without_a_gap(name: str) -> None:
    told = bodies(read(ResponseStream(RUN, 0.0), log(name)))
    assert [each["sequence_number"] for each in told] == list(range(len(told)))
    for each in told:
        RESPONSES.validate_python(each)
    assert [each["type"] for each in told[:2]] == ["response.created", "response.in_progress"]


@each_log
def test_items_are_opened_in_order_and_closed_as_the_response_has_them(name: str) -> None:
    told = bodies(read(ResponseStream(RUN, 0.0), log(name)))
    opened = [each for each in told if each["type"] == "response.output_item.added"]
    assert [each["output_index"] for each in opened] == list(range(len(opened)))
    done = {
        cast("int", each["output_index"]): each["item"]
        for each in told
        if each["type"] == "response.output_item.done"
    }
    response = cast("Object", told[-1]["response"])
    assert [done[index] for index in sorted(done)] == response["output"]
    Response.model_validate(response)


def test_searches_and_pages_are_calls_of_the_web_search() -> None:
    told = bodies(read(ResponseStream(RUN, 0.0), log("web")))
    response = cast("Object", told[-1]["response"])
    calls = [e for e in cast("list[Object]", response["output"]) if e["type"] == "web_search_call"]
    actions = [str(cast("Object", each["action"])["type"]) for each in calls]
    events = [e for e in log("web") if isinstance(e, SearchFinished | SourceRead)]
    assert actions == [
        "search" if isinstance(each, SearchFinished) else "open_page" for each in events
    ]
    assert actions


def test_the_response_can_be_looked_at_after_every_event() -> None:
    stream = ResponseStream(RUN, 0.0)
    assert stream.response["status"] == "queued"
    seen: list[object] = []
    for event in log("web"):
        list(stream.frames(event))
        Response.model_validate(stream.response)
        seen.append(stream.response["status"])
    assert seen == ["in_progress"] * (len(seen) - 1) + ["completed"]


# AG-UI


@each_log
def test_ag_ui_events_follow_the_order_of_the_protocol(name: str) -> None:
    told = bodies(read(KINDS[4].begin(), log(name)))
    for each in told:
        AG_UI.validate_python(each)
    assert told[0]["type"] == "RUN_STARTED"
    ends = [n for n, e in enumerate(told) if e["type"] in {"RUN_FINISHED", "RUN_ERROR"}]
    assert ends == [len(told) - 1]
    open_: set[str] = set()
    for each in told:
        match each["type"]:
            case "STEP_STARTED":
                assert f"step {each['stepName']}" not in open_
                open_.add(f"step {each['stepName']}")
            case "STEP_FINISHED":
                open_.remove(f"step {each['stepName']}")
            case "SUBAGENT_STARTED":
                assert f"agent {each['subagentRunId']}" not in open_
                open_.add(f"agent {each['subagentRunId']}")
            case "SUBAGENT_FINISHED":
                open_.remove(f"agent {each['subagentRunId']}")
            case "TEXT_MESSAGE_START":
                open_.add(f"text {each['messageId']}")
            case "TEXT_MESSAGE_END":
                open_.remove(f"text {each['messageId']}")
            case "TEXT_MESSAGE_CONTENT":
                assert f"text {each['messageId']}" in open_
                assert each["delta"]
            case _:
                continue
    assert not open_


def test_researchers_are_agents_of_the_run() -> None:
    told = bodies(read(KINDS[4].begin(), log("researchers")))
    begun = [each["description"] for each in told if each["type"] == "SUBAGENT_STARTED"]
    assert begun == list(dict.fromkeys(event.topic for event in log("researchers") if event.topic))


# The AI SDK

UI_CHUNKS: Mapping[str, tuple[set[str], set[str]]] = {
    "start": (set(), {"messageId", "messageMetadata"}),
    "start-step": (set(), set()),
    "finish-step": (set(), set()),
    "finish": (set(), {"messageMetadata"}),
    "abort": (set(), set()),
    "error": ({"errorText"}, set()),
    "text-start": ({"id"}, set()),
    "text-delta": ({"id", "delta"}, set()),
    "text-end": ({"id"}, set()),
    "reasoning-start": ({"id"}, set()),
    "reasoning-delta": ({"id", "delta"}, set()),
    "reasoning-end": ({"id"}, set()),
    "source-url": ({"sourceId", "url"}, {"title"}),
    "source-document": ({"sourceId", "mediaType", "title"}, {"filename"}),
}
"""What each chunk must and may have; clients refuse what has more (AI SDK 5, the strictest)."""


@each_log
def test_ui_chunks_have_what_the_ai_sdk_allows(name: str) -> None:
    told = bodies(read(KINDS[5].begin(), log(name)))
    part = ""
    for each in told:
        kind, fields = str(each["type"]), set(each) - {"type"}
        if kind.startswith("data-"):
            assert fields == {"id", "data"}
            continue
        needed, allowed = UI_CHUNKS[kind]
        assert needed <= fields <= needed | allowed
        if kind.endswith(("-start", "-delta", "-end")) and kind != "finish-step":
            assert part == ("" if kind.endswith("-start") else str(each["id"]))
            part = "" if kind.endswith("-end") else str(each["id"])
    assert told[0]["type"] == "start"
    assert part == ""


# Links


def citation(number: int, url: str, quote: str = "The mill stands.", locator: str = "") -> Citation:
    return Citation(
        id=number,
        evidence=number,
        title="A [mill](x)",
        url=url,
        type="web",
        location=url or "no address",
        quote=Quote(passage="p", text=quote, start=0, end=len(quote)),
        locator=locator,
    )


def test_links_open_at_the_quote_and_no_two_are_equal() -> None:
    page, paper = "https://a.example/mill", "https://a.example/mill.pdf"
    links = source_links(
        [
            citation(1, page),
            citation(2, page, "It milled oats."),
            citation(3, page),
            citation(4, paper, locator="page 3"),
            citation(5, paper, locator="page 9"),
            citation(6, "folder:notes/mill.md"),
            citation(7, "folder:notes/mill.md"),
            citation(8, ""),
        ]
    )
    assert links == [
        f"{page}#:~:text=The%20mill%20stands.",
        f"{page}#:~:text=It%20milled%20oats.",
        f"{page}#source-3:~:text=The%20mill%20stands.",
        paper,
        f"{paper}#source-5",
        "folder:notes/mill.md",
        "folder:notes/mill.md#source-7",
        "#source-8",
    ]


def test_the_list_of_sources_is_markdown_that_reads_as_it_stands() -> None:
    listed = source_list(
        [citation(1, "https://a.example/mill"), citation(2, "folder:notes/my mill.md")]
    )
    assert listed == (
        "\n\nSources:\n\n"
        "1. [A (mill)(x)](<https://a.example/mill#:~:text=The%20mill%20stands.>)\n"
        "2. A (mill)(x) (folder:notes/my mill.md)"
    )
    assert source_list([]) == ""


def test_where_nothing_answers_the_list_at_the_end_is_of_places_to_look() -> None:
    listed = closing_list(unanswered())
    assert listed == (
        "\n\nWhere to look. None of this answers the question; it comes nearest to it.\n\n"
        "- Velling, Market › Salt (/notes/velling.md, lines 3-9): Salt was sold by (7) 'guilds' "
        "\\| ‹b\\>Ada‹/b\\>.\n"
        "- Ferries (/notes/ferries.md, lines 3-9): The ferry \\*\\*sank\\*\\*."
    )
    assert without_closing_list(f"Nothing.{listed}") == "Nothing."
    cited = unanswered().model_copy(update={"citations": (citation(1, "https://a.example"),)})
    assert closing_list(cited) == source_list(cited.citations)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_stream_ends_with_places_to_look(kind: Kind) -> None:
    *before, last = log("no_evidence")
    assert isinstance(last, RunFinished)
    places = unanswered().nearest
    nothing = last.report.model_copy(update={"nearest": places})
    told = bodies(read(kind.begin(), (*before, last.model_copy(update={"report": nothing}))))
    wanted = [place.model_dump(mode="json") for place in places]
    assert any(wanted == found for body in told for found in _all_of("nearest", body))


def _all_of(name: str, body: object) -> Iterator[object]:
    """Yield every value called ``name`` inside ``body``."""
    if isinstance(body, Mapping):
        for key, value in cast("Object", body).items():
            if key == name:
                yield value
            yield from _all_of(name, value)


def test_the_answer_and_the_end_are_no_progress() -> None:
    for event in log("folder"):
        if isinstance(event, RunStarted | RunFinished):
            assert progress_line(event) == ""
    lines = [line for event in log("researchers") if (line := progress_line(event))]
    assert all("\n" not in line and "[" not in line for line in lines)


def test_progress_names_a_page_by_an_address_that_clients_can_follow() -> None:
    page = SourceRead(url="https://a.example/mill", title="The <mill>", status=ReadStatus.OK)
    # A client that makes links of addresses took the bracket that closed it for a part of it.
    told = "Page, ok: The ‹mill> (https://a.example/mill): 0 passages"
    assert progress_line(page) == told


@pytest.mark.parametrize(
    "shown", ["Read `rows[1]` or `rows[2]` [1].", "```\nread(rows[1], rows[2])\n```\n[1]"]
)
def test_brackets_in_code_are_no_markers(shown: str) -> None:
    answer = Answer()
    said = Sentence(text="Read it.", evidence=(4,), support=Support.QUOTED)
    for text in ("It holds rows [2].", shown):
        answer.take(SentenceWritten(text=text, sentence=said, appended=f"\n\n{text}"))
    assert [claim.citations for claim in answer.claims] == [(2,), (1,)]
    start, end = answer.marker(1)
    assert answer.text[start:end] == "[1]"
    assert "[1]" not in answer.text[end:]
