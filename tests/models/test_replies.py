from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.chat_model import CONSTRAINED, PLAIN

from quaere.domain.model import Finish, ModelRequest
from quaere.errors import ModelError
from quaere.models.client import THOUGHTS
from quaere.models.replies import REPEATS, Draft, ToolCalls
from quaere.models.vendors import ModelSpec

Fields = Mapping[str, object]


@dataclass
class Said:
    """What LangChain makes of a piece."""

    type = "ai"
    text: str = ""
    response_metadata: Fields = field(default_factory=dict[str, object])
    additional_kwargs: Fields = field(default_factory=dict[str, object])
    usage_metadata: Fields | None = None


def draft(*pieces: Said, request: ModelRequest = PLAIN, max_tokens: int = 500) -> Draft:
    found = Draft(ModelSpec.parse("openai:moth"), request, max_tokens)
    for piece in pieces:
        found.add(piece)
    return found


@pytest.mark.parametrize(
    ("field_", "word", "finish"),
    [
        ("finish_reason", "stop", Finish.STOP),
        ("finish_reason", "STOP", Finish.STOP),
        ("stop_reason", "end_turn", Finish.STOP),
        ("finish_reason", "some new word", Finish.STOP),
        ("done_reason", "length", Finish.LENGTH),
        ("stop_reason", "max_tokens", Finish.LENGTH),
        ("stop_reason", "model_context_window_exceeded", Finish.LENGTH),
        ("finish_reason", "MAX_TOKENS", Finish.LENGTH),
        ("finish_reason", "content_filter", Finish.REFUSAL),
        ("stop_reason", "refusal", Finish.REFUSAL),
        ("finish_reason", "PROHIBITED_CONTENT", Finish.REFUSAL),
    ],
)
def test_the_words_of_the_vendors_are_understood(field_: str, word: str, finish: Finish) -> None:
    found = draft(Said("moth"), Said(response_metadata={field_: word}))
    assert found.streamed().finish is finish
    assert found.finished().text == "moth"


@pytest.mark.parametrize("word", ["error", "OTHER", "insufficient_system_resource", "load"])
def test_what_failed_is_no_answer(word: str) -> None:
    with pytest.raises(ModelError, match="stopped with an error") as raised:
        draft(Said("mo", {"finish_reason": word})).finished()
    assert raised.value.retryable


def test_a_refusal_in_its_own_field_counts() -> None:
    found = draft(Said(additional_kwargs={"refusal": "I cannot."}))
    assert found.finished().finish is Finish.REFUSAL


def test_a_prompt_that_was_blocked_is_a_refusal() -> None:
    feedback = {"prompt_feedback": {"block_reason": "SAFETY"}}
    assert draft(Said("", feedback)).streamed().finish is Finish.REFUSAL
    innocent = {"prompt_feedback": {"block_reason": None}, "finish_reason": "STOP"}
    assert draft(Said("moth", innocent)).streamed().finish is Finish.STOP


def test_counts_that_begin_anew_replace_those_before() -> None:
    """Some servers count everything so far with every piece."""
    found = draft(
        Said(usage_metadata={"input_tokens": 40, "output_tokens": 1}),
        Said(usage_metadata={"input_tokens": 40, "output_tokens": 7}),
    )
    usage = found.finished().usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (40, 7)


def test_counts_of_what_is_new_are_added() -> None:
    found = draft(
        Said(usage_metadata={"input_tokens": 40, "output_tokens": 1}),
        Said(usage_metadata={"input_tokens": 0, "output_tokens": 7}),
    )
    usage = found.finished().usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (40, 8)


@pytest.mark.parametrize(
    "counts",
    [{}, {"input_tokens": None}, {"input_tokens": "40"}, {"input_tokens": -3, "output_tokens": -1}],
)
def test_counts_that_make_no_sense_are_not_counted(counts: Fields) -> None:
    usage = draft(Said("moth", usage_metadata=counts)).finished().usage
    assert usage.estimated
    assert usage.total_tokens > 0


def test_only_what_was_not_counted_is_estimated() -> None:
    usage = draft(Said("moth", usage_metadata={"output_tokens": 7})).finished().usage
    assert usage.estimated
    assert usage.completion_tokens == 7
    assert usage.prompt_tokens == draft(Said("moth")).finished().usage.prompt_tokens


@given(st.lists(st.text()))
def test_the_text_is_that_of_the_pieces(texts: list[str]) -> None:
    pieces = [f"{place}:{text}" for place, text in enumerate(texts)]
    assert draft(*map(Said, pieces)).finished().text == "".join(pieces)


@given(st.lists(st.text(), min_size=1))
def test_what_is_sent_again_counts_once(texts: list[str]) -> None:
    pieces = [f"{place} of all the pieces: {text}" for place, text in enumerate(texts)]
    said = "".join(pieces)
    for sent in (
        [*pieces, said],
        [piece for piece in pieces for _ in range(2)],
        list(accumulate(pieces)),
        [*accumulate(pieces), said],
    ):
        assert draft(*map(Said, sent)).finished().text == said


def test_lone_surrogates_are_replaced() -> None:
    found = draft(Said("moth \ud83e"))
    assert found.finished().text == "moth ?"


def test_json_whose_stream_names_no_end_is_taken_for_cut_off() -> None:
    """What is read of it is complete or nothing."""
    found = draft(Said('{"food": '), Said('"lichen"}'), request=CONSTRAINED).streamed()
    assert (found.text, found.finish) == ('{"food": "lichen"}', Finish.LENGTH)


@pytest.mark.parametrize("request_", [PLAIN, CONSTRAINED])
def test_a_stream_that_brings_nothing_and_names_no_end_is_no_answer(request_: ModelRequest) -> None:
    with pytest.raises(ModelError, match="ended its answer half-way"):
        draft(Said(), request=request_).streamed()


@pytest.mark.parametrize("piece", ["the ", "", "lichen and salt " * 40])
def test_a_stream_that_keeps_to_no_limit_is_endless(piece: str) -> None:
    found = draft(max_tokens=50)
    taken = 0
    while not found.endless:
        assert taken < 200, "it never ends"
        found.add(Said(piece))
        taken += 1
    assert draft(*[Said("mothlike")] * 50, max_tokens=50).endless is False


def test_a_model_in_a_loop_is_caught_long_before_its_limit() -> None:
    loop, varied = ["the "] * (REPEATS + 2), ["the ", "moth "] * REPEATS
    assert draft(*map(Said, loop), max_tokens=9_000).endless
    assert not draft(*map(Said, loop[1:]), max_tokens=9_000).endless
    assert not draft(*map(Said, varied), max_tokens=9_000).endless
    assert not draft(*[Said()] * 2 * REPEATS, max_tokens=9_000).endless, "thoughts come apart"
    rules = ["-"] * (REPEATS - 1) + ["\n"]
    assert not draft(*map(Said, rules * 2), max_tokens=9_000).endless


def test_what_is_cut_off_for_its_length_is_kept() -> None:
    found = draft(*[Said("the lantern moth ")] * 40, max_tokens=50)
    assert found.endless
    assert found.streamed().finish is Finish.LENGTH


@dataclass
class Calling(Said):
    """A whole answer with tool calls."""

    tool_calls: Sequence[Fields] = ()
    invalid_tool_calls: Sequence[Fields] = ()


@dataclass
class CallingPiece(Calling):
    """A streamed piece, whose calls LangChain tries to parse by itself as well."""

    tool_call_chunks: Sequence[Fields] = ()


def calls(*replies: Said) -> ToolCalls:
    found = ToolCalls()
    for reply in replies:
        found.add(reply)
    return found


FOOD: Fields = {"name": "food", "args": {"food": "lichen"}}


def test_the_arguments_of_one_call_are_json() -> None:
    assert calls(Calling(tool_calls=[FOOD])).arguments_for("food") == '{"food": "lichen"}'


def test_arguments_that_could_not_be_read_are_given_as_written() -> None:
    broken: Fields = {"name": "food", "args": '{"food": "lichen"'}
    assert calls(Calling(invalid_tool_calls=[broken])).arguments_for("food") == broken["args"]


def test_pieces_are_put_together_by_their_place() -> None:
    pieces = [
        CallingPiece(
            tool_calls=[FOOD], tool_call_chunks=[{"index": 0, "name": "food", "args": '{"fo'}]
        ),
        CallingPiece(tool_call_chunks=[{"index": 0, "name": None, "args": 'od": 1}'}]),
        CallingPiece(),
    ]
    assert calls(*pieces).arguments_for("food") == '{"food": 1}'


@pytest.mark.parametrize(
    "made",
    [
        [],
        [FOOD, FOOD],
        [{"name": "shell", "args": {"food": "lichen"}}],
        [{"name": None, "args": {"food": "lichen"}}],
    ],
)
def test_other_tools_and_several_calls_are_no_answer(made: Sequence[Fields]) -> None:
    assert calls(Calling(tool_calls=made)).arguments_for("food") == ""


def test_names_are_the_same_however_they_are_spelt() -> None:
    assert calls(Calling(tool_calls=[{"name": "OpeningAnswer", "args": {}}])).arguments_for(
        "opening_answer"
    )


def test_details_of_the_counts_are_kept_and_added() -> None:
    def counted(first: int) -> Said:
        cached, thought = {"cache_read": first + 2}, {"reasoning": first + 3}
        return Said(
            usage_metadata={
                "input_tokens": 40 if first else 0,
                "output_tokens": first + 1,
                "input_token_details": cached,
                "output_token_details": thought,
            }
        )

    usage = draft(counted(10), counted(0)).finished().usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (40, 12)
    assert (usage.cached_tokens, usage.reasoning_tokens) == (14, 16)
    assert not usage.estimated
    assert draft(Said("moth", usage_metadata={"input_tokens": 3})).finished().usage.estimated


def test_counts_that_grow_replace_those_before_and_others_are_added() -> None:
    def counts(prompt: int, completion: int) -> Said:
        return Said(usage_metadata={"input_tokens": prompt, "output_tokens": completion})

    for pieces, total in (
        ([counts(40, 1), counts(41, 5)], (41, 5)),
        ([counts(40, 1), counts(39, 5)], (79, 6)),
        ([counts(0, 1), counts(40, 5)], (40, 6)),
    ):
        usage = draft(*pieces).finished().usage
        assert (usage.prompt_tokens, usage.completion_tokens) == total


def test_the_last_word_on_the_end_counts_unless_it_is_empty() -> None:
    said = [Said("a", {"finish_reason": "length"}), Said("b", {"finish_reason": ""})]
    assert draft(*said).finished().finish is Finish.LENGTH
    assert draft(*said, Said("c", {"stop_reason": "end_turn"})).finished().finish is Finish.STOP
    with pytest.raises(ModelError, match="half-way"):
        draft(Said("a", {"finish_reason": 7})).streamed()


def test_whoever_else_speaks_is_no_model() -> None:
    human = Said("moth")
    human.type = "HumanMessageChunk"
    with pytest.raises(ModelError, match="answered in the role 'human'"):
        draft(human)


@pytest.mark.parametrize(("piece", "pieces"), [("x" * 8, 10), ("x" * 16, 5), ("xy", 20), ("", 20)])
def test_a_token_is_at_most_eight_characters_or_two_pieces(piece: str, pieces: int) -> None:
    assert not draft(*[Said(piece)] * pieces, max_tokens=10).endless
    assert draft(*[Said(piece)] * (pieces + 1), max_tokens=10).endless


def test_text_comes_before_the_arguments_of_a_tool_unless_it_is_blank() -> None:
    def called(text: str) -> Calling:
        return Calling(text, tool_calls=[FOOD])

    assert draft(called("moth"), request=CONSTRAINED).finished().text == "moth"
    assert draft(called(" \n"), request=CONSTRAINED).finished().text == '{"food": "lichen"}'
    assert draft(called(" "), request=PLAIN).finished().text == " "


def test_thoughts_that_only_mention_an_answer_are_none() -> None:
    drafted = 'Perhaps {"food": "lichen"} is right. But'
    found = draft(Said("", additional_kwargs={THOUGHTS: drafted}), request=CONSTRAINED)
    assert found.finished().text == ""


def test_two_equal_pieces_are_no_reason_to_drop_later_ones() -> None:
    pieces = ["Bora ", "Bora ", "has ", "1", "000", "000", " people."]
    assert draft(*map(Said, pieces)).finished().text.endswith("has 1000000 people.")
