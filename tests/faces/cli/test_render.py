"""A report on a terminal: its parts, and its answer in the width there is."""

from __future__ import annotations

import io
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tests.faces.cli import samples
from tests.synthesize.drafts import unanswered

from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist
from quaere.domain.report import AnswerStatus, Checks, Degradation, RunWarning, Sentence, Support
from quaere.domain.verdict import StopReason
from quaere.faces.cli.render import (
    DROPPED_SHOWN,
    WARNINGS_SHOWN,
    answer_blocks,
    rendered,
    rendered_turn,
)
from quaere.faces.mcp.forms import research_output
from quaere.resilience.breaker import PAUSED
from quaere.synthesize.wording import checks_in_words, unused_model
from quaere.view.export.markdown import long_markdown, markdown
from quaere.view.export.sections import document


def _console(*, colour: bool = False, width: int = 80) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=colour,
        color_system="standard" if colour else None,
        width=width,
    )


TEXT = """\
The mill at Orrin was built by Tamsin Wray. [1]

Citations
  [1] The mill at Orrin was built by Tamsin Wray.
      /notes/mill.pdf, page 3 The mill at Orrin was built by Tamsin Wray.
      “The mill at Orrin was built by Tamsin Wray.”

Coverage
  ✓ who built the mill
  ◐ when it was built
  ✗ what it milled
  ✗ more: The mill at Orrin was built by Tamsin Wray.

What is missing
  - The mill at Orrin was built by Tamsin Wray.

Warnings
  - index: /notes/torn.pdf: no PDF
  - read: The mill at Orrin was built by Tamsin Wray.: The mill at Orrin was
    built by Tamsin Wray.

How it went
  Stopped because searching brought nothing new (no_new_information).
  Degraded (plan): The mill at Orrin was built by Tamsin Wray.
  standard profile · 2 loops · 3 queries · 9 sources found, 7 read, 1 refused ·
  2.5 s
"""


def test_a_report_for_a_person() -> None:
    assert rendered(samples.report(), _console()) == TEXT


def test_that_the_question_as_a_whole_is_open_is_told_by_the_answer_alone() -> None:
    (item, *_) = samples.report().checklist.items
    report = samples.report().model_copy(
        update={
            "checklist": Checklist(items=(item,)),
            "gaps": (f"Not certain from the sources: {item.description}", "The mill's age."),
        }
    )
    shown = rendered(report, _console())
    assert "Coverage" not in shown
    assert "\nWhat is missing\n  - The mill's age.\n" in shown
    assert "Coverage" in rendered(report, _console(), full=True)


def test_the_ledger_of_model_calls_is_its_last_line() -> None:
    usage = Usage(prompt_tokens=4_000, completion_tokens=115)
    call = ModelCall(step="plan", model="openai:moth", usage=usage, cost_usd=0.002)
    report = samples.report().model_copy(update={"calls": (call, call)})
    *_, before, last = rendered(report, _console()).splitlines()
    assert before.endswith("2.5 s")
    assert last == "  2 model calls, 8,230 tokens, $0.004"


def test_full_adds_plan_loops_evidence_and_checks() -> None:
    shown = rendered(samples.report("It stood."), _console(width=120), full=True)
    assert "a: who built the mill (mill, built)" in shown
    assert (
        "2: Sources found: 9 · Sources read: 7 · Coverage: 50% · Confidence: 60% · Time: 1.5 s"
        in shown
    )
    assert f"{samples.QUESTION} (raw) Hits: 6 · New: 6" in shown
    assert "Orrin It stood. (gap) It stood." in shown
    assert "7     1   0.75   0.50   0.25    0.12  It stood., page 3" in shown
    assert "supported: It stood. (evidence 7) It stood." in shown


def test_warnings_are_cut_short_unless_all_is_asked_for() -> None:
    many = tuple(RunWarning(kind="index", message=f"torn {n}.") for n in range(25))
    report = samples.report().model_copy(update={"warnings": many})
    short, full = (rendered(report, _console(), full=full) for full in (False, True))
    assert short.count("torn") == WARNINGS_SHOWN
    assert f"and {25 - WARNINGS_SHOWN} more" in short
    assert full.count("torn") == 25


def test_a_warning_goes_on_below_its_own_words() -> None:
    warning = RunWarning(kind="index", message="torn " * 40)
    shown = rendered(samples.report().model_copy(update={"warnings": (warning,)}), _console())
    first, second, *_ = (line for line in shown.split("\n") if "torn" in line)
    assert (first.index("index:"), second.index("torn")) == (4, 4)


def test_an_outage_of_a_service_is_told_once_and_not_for_every_query() -> None:
    out = "brook could not be reached."
    told = (out, f"brook {PAUSED}{out}", "pond could not be reached.", f"brook {PAUSED}{out}")
    failed = tuple(
        RunWarning(kind="search", message=message, subject=f"q{n}")
        for n, message in enumerate(told)
    )
    report = samples.report().model_copy(update={"warnings": failed})
    short, full = (rendered(report, _console(), full=full) for full in (False, True))
    assert [short.count(service) for service in ("brook", "pond")] == [1, 1]
    assert "q0: brook could" in short
    assert "and 2 more; --format full" in short
    assert full.count("q3: brook is paused") == 1


def test_sentences_that_were_left_out_are_listed_with_why() -> None:
    dropped = tuple(
        Sentence(text=f"It has **{n}** arches.", support=Support.CONTRADICTED) for n in range(8)
    )
    report = samples.report().model_copy(update={"dropped": dropped})
    short = rendered(report, _console())
    assert (
        "Left out of the answer\n  - It has 0 arches.\n    contradicted\n  - It has 1 arches."
        in short
    )
    assert short.count("arches.") == DROPPED_SHOWN
    assert f"and {8 - DROPPED_SHOWN} more; --format full shows all" in short
    assert rendered(report, _console(), full=True).count("arches.") == 8


def test_a_place_inside_the_working_folder_is_shown_from_there() -> None:
    report = samples.report()
    location = f"{Path.cwd()}/notes/mill.pdf, page 3"
    citation = report.citations[0].model_copy(update={"location": location})
    shown = rendered(report.model_copy(update={"citations": (citation,)}), _console())
    assert "\n      notes/mill.pdf, page 3\n" in shown


def test_rows_of_a_quote_are_told_apart_from_its_empty_cells() -> None:
    report = samples.report()
    citation = report.citations[0]
    table = "Limits:\n| name |  | use |\n|---|---|---|\n| `LOOPS` |  | Loops. |\nAs said."
    quote = citation.quote.model_copy(update={"text": table})
    cited = citation.model_copy(update={"quote": quote})
    shown = rendered(report.model_copy(update={"citations": (cited,)}), _console(width=200))
    assert "“Limits: name | – | use / `LOOPS` | – | Loops. As said.”" in shown


def _quoting(text: str) -> str:
    report = samples.report()
    citation = report.citations[0]
    quote = citation.quote.model_copy(update={"text": text})
    cited = citation.model_copy(update={"quote": quote})
    shown = rendered(report.model_copy(update={"citations": (cited,)}), _console(width=900))
    return shown.partition("“")[2].partition("”")[0]


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        pytest.param("ab " * 159 + "abc", "ab " * 159 + "abc", id="just fits"),
        pytest.param(
            "ab " * 159 + "abcd", "ab " * 79 + "ab … " + "ab " * 78 + "abcd", id="between words"
        ),
        pytest.param("x" * 481, "x" * 240 + " … " + "x" * 240, id="one word"),
        pytest.param(
            "First. " + "ab " * 400 + "Last.",
            "First. " + "ab " * 76 + "ab … " + "ab " * 78 + "Last.",
            id="both ends",
        ),
    ],
)
def test_a_quote_is_shown_for_five_lines_or_so(quote: str, shown: str) -> None:
    assert _quoting(quote) == shown


def test_a_script_without_blanks_stays_beside_its_mark() -> None:
    gap = "潮汐磨坊在水闸损坏时停止运转" * 3
    shown = rendered(samples.report().model_copy(update={"gaps": (gap,)}), _console(width=40))
    begun, more = next(
        pair for pair in pairwise(shown.splitlines()) if pair[0].startswith("  - 潮汐")
    )
    assert gap.startswith(begun.removeprefix("  - ") + more.strip())
    assert more.startswith("    ")


def test_lines_and_rows_of_a_quote_are_put_on_one_line() -> None:
    assert _quoting("One.\nTwo.\n| a | b |\n|---|---|\n| c |  |") == "One. Two. a | b / c | –"


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("It stood.\n\n## Its wheel\n\nIt turned.", "It stood. / Its wheel / It turned."),
        ("# The mill\n\nIt stood.", "The mill / It stood."),
        ("It stood.\n\n## Wheel\n\n### Size\n\n", "It stood. / Wheel / Size"),
        ("## Sizes\n\n| a | b |\n| c | d |", "Sizes / a | b / c | d"),
        ("# build it\nmake mill\n# run it\nmill", "# build it make mill # run it mill"),
        ("It stood.\n\n#1 of all\n\nIt turned.", "It stood. #1 of all It turned."),
    ],
)
def test_headings_in_a_quote_are_told_from_its_sentences_and_comments_stay(
    quote: str, shown: str
) -> None:
    assert _quoting(quote) == shown


def test_a_turn_of_a_conversation_shows_the_answer_its_sources_and_what_is_open() -> None:
    said = "It stood."
    assert rendered_turn(samples.report(said), _console()) == (
        "It stood. [1]\n\nSources\n"
        "  [1] It stood.  /notes/mill.pdf, page 3 It stood.\n\nWhat is missing\n  - It stood.\n"
    )


def test_a_turn_that_asks_on_what_an_answer_rests_shows_words_of_sources_and_how_sure_it_is() -> (
    None
):
    made = samples.report("It stood.")
    shown = rendered_turn(made, _console(), grounds=True)
    assert "“" in shown.partition("Citations")[2]
    assert shown.endswith(
        f"\nConfidence: {made.confidence:.0%}; coverage: {made.checklist.coverage:.0%}\n"
    )


def test_the_time_that_was_waited_takes_the_place_of_the_run_s() -> None:
    assert "· 0.0 s\n" in rendered(samples.report(), _console(width=200), took_s=0.0)
    assert "· 2.5 s\n" in rendered(samples.report(), _console(width=200))


def test_a_model_that_was_not_used_and_sentences_that_failed_are_told() -> None:
    lost = Degradation(step="plan", reason="no key", instead="rules")
    checks = Checks(written=3, supported=1, dropped=2)
    report = samples.report().model_copy(update={"degradations": (lost,), "checks": checks})
    shown = rendered(report, _console(width=200))
    assert shown.startswith(unused_model((lost,)))
    assert checks_in_words(checks) in shown
    assert "sentence written" not in rendered(samples.report(), _console(width=200))


def test_a_run_without_loops_found_nothing() -> None:
    broken = tuple(RunWarning(kind=kind, message="m") for kind in ("read", "index", "index"))
    report = samples.report().model_copy(update={"steps": (), "warnings": broken})
    assert "0 sources found, 0 read, 1 refused" in rendered(report, _console(width=200))


def test_one_source_is_counted_as_one() -> None:
    report = samples.report()
    step = report.steps[0].model_copy(update={"considered": 1, "read": 1})
    shown = rendered(report.model_copy(update={"steps": (step,)}), _console(width=120), full=True)
    assert "  1: Sources found: 1 · Sources read: 1 · " in shown


def test_loops_are_told_in_the_language_of_the_question() -> None:
    report = samples.report().model_copy(update={"question": "Wer hat die alte Mühle gebaut?"})
    shown = rendered(report, _console(width=120), full=True)
    assert "Quellen gefunden: 9 · " in shown
    assert "Treffer: 6 · Neu: 6" in shown
    assert "1,5 s" in shown


def test_queries_stand_below_their_loop() -> None:
    report = samples.report("It stood.").model_copy(update={"refined_question": ""})
    shown = rendered(report, _console(width=120), full=True)
    loops = shown.partition("\nLoops\n")[2].partition("\n\n")[0]
    assert loops == (
        "  1: Sources found: 6 · Sources read: 5 · Coverage: 40% · Confidence: 30% · Time: 1.0 s\n"
        f"      {samples.QUESTION} (raw) Hits: 6 · New: 6\n"
        "  2: Sources found: 9 · Sources read: 7 · Coverage: 50% · Confidence: 60% · Time: 1.5 s\n"
        "      Orrin It stood. (gap) It stood."
    )


@pytest.mark.parametrize("more", [0, 1])
def test_what_just_fits_is_shown_without_a_word_of_more(more: int) -> None:
    warnings = tuple(RunWarning(kind="index", message="torn.") for _ in range(10 + more))
    dropped = tuple(Sentence(text="Gone.", support=Support.PARTLY) for _ in range(5 + more))
    report = samples.report().model_copy(update={"warnings": warnings, "dropped": dropped})
    shown = rendered(report, _console())
    assert (shown.count("torn."), shown.count("Gone.")) == (10, 5)
    assert shown.count("- and 1 more; --format full shows all") == 2 * more
    assert "more; --format full" not in rendered(report, _console(), full=True)


def _answered(answer: str, width: int = 200) -> str:
    report = samples.report().model_copy(update={"answer": answer})
    return rendered(report, _console(width=width)).partition("\n\nCitations")[0]


TABLE = """\
Two mills:
| Mill | Built |
| --- | --- |
| Orrin | in 1788 [1] |
| 灯台 | later |
That is all."""


def test_the_cells_of_a_table_stand_below_each_other() -> None:
    assert (
        _answered(TABLE)
        == """\
Two mills:
| Mill  | Built       |
|-------|-------------|
| Orrin | in 1788 [1] |
| 灯台  | later       |
That is all."""
    )


def test_lines_of_an_answer_keep_their_indentation_and_code_its_marks() -> None:
    answer = "- One:\n  - Its **own** `[1]` part"
    assert _answered(answer) == answer.replace("**", "")


def test_a_table_whose_rows_differ_in_length_stays_as_it_is_written() -> None:
    uneven = TABLE.replace("| later |", "|")
    assert _answered(uneven) == uneven


def test_where_nothing_answers_places_to_look_are_named_with_their_lines() -> None:
    nothing = unanswered()
    places = (
        "\nWhere to look\n"
        "  - Velling  Market › Salt  /notes/velling.md, lines 3-9\n"
        "    Salt was sold by (7) `guilds` | <b>Ada</b>.\n"
        "  - Ferries  /notes/ferries.md, lines 3-9\n"
        "    The ferry **sank**.\n"
    )
    assert places in rendered(nothing, _console())
    assert rendered_turn(nothing, _console()).endswith(places)
    assert "Where to look" not in rendered(samples.report(), _console())


@pytest.mark.parametrize("reason", StopReason)
def test_every_stop_reason_is_put_in_words(reason: StopReason) -> None:
    ended = {"status": AnswerStatus.ANSWERED, "stop_reason": reason}
    report = samples.report().model_copy(update=ended)
    assert f"({reason.value})." in rendered(report, _console())


def test_no_evidence_for_every_part_is_told_of_an_answer_in_part() -> None:
    assert samples.report().status is AnswerStatus.INSUFFICIENT
    report = samples.report().model_copy(update={"stop_reason": StopReason.SUFFICIENT})
    told = [rendered(report, _console()), markdown(report), long_markdown(document(report))]
    assert "every part" not in "".join(told)
    assert research_output(report).message == "Answered in part."


def test_an_empty_report_has_no_empty_sections() -> None:
    full = samples.report()
    report = full.model_copy(
        update={
            "citations": (),
            "checklist": type(full.checklist)(),
            "gaps": (),
            "warnings": (),
            "evidence": (),
            "steps": (),
            "queries": (),
            "sentences": (),
            "refined_question": "",
            "degradations": (),
        }
    )
    shown = rendered(report, _console(), full=True)
    assert [line for line in shown.split("\n") if line and not line.startswith(" ")] == [
        "The mill at Orrin was built by Tamsin Wray. [1]",
        "How it went",
    ]


@settings(max_examples=30, deadline=None)
@given(st.text())
def test_nothing_from_a_source_commands_the_terminal_or_styles_itself(text: str) -> None:
    hostile = f"\x1b]0;title\x07\x9b31m[bold red]{text}\r\n\u202e:smile:"
    shown = rendered(samples.report(hostile), _console(), full=True)
    assert {c for c in shown if unicodedata.category(c) in {"Cc", "Cs"}} <= {"\n"}
    assert "\u202e" not in shown
    assert "[bold" in shown
    assert ":smile:" in shown
    coloured = rendered(samples.report(hostile), _console(colour=True), full=True)
    assert "\x1b]0;" not in coloured
    assert "\x9b" not in coloured


def test_lines_keep_to_the_width_of_the_terminal() -> None:
    shown = rendered(samples.report("A long sentence. " * 40), _console(width=60), full=True)
    assert max(map(len, shown.split("\n"))) <= 60


def shown(answer: str, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        for block in answer_blocks(answer, console):
            console.print(block)
    return [line.rstrip() for line in captured.get().splitlines()]


WIDE = """\
Two mills:
| Mill | What it ground | Since |
| --- | --- | --- |
| Orrin | rye and oats, and in years of hunger the bark of birches as well [1] | 1788 |
| Velling | nothing | 1790 [2] |
That is all."""


def test_a_wide_table_is_wrapped_in_its_cells() -> None:
    assert shown(WIDE, 50) == [
        "Two mills:",
        "| Mill    | What it ground            | Since    |",
        "|---------|---------------------------|----------|",
        "| Orrin   | rye and oats, and in      | 1788     |",
        "|         | years of hunger the bark  |          |",
        "|         | of birches as well [1]    |          |",
        "|---------|---------------------------|----------|",
        "| Velling | nothing                   | 1790 [2] |",
        "That is all.",
    ]


@pytest.mark.parametrize("width", [40, 50, 60, 80, 94, 95, 96, 97, 120])
def test_no_line_of_a_table_is_wider_than_the_terminal(width: int) -> None:
    lines = shown(WIDE, width)
    assert max(map(len, lines)) <= width
    assert any("Velling" in line and "1790 [2]" in line for line in lines) or width < 50
    assert not any(line.startswith("birches") for line in lines)


def test_where_there_is_no_room_a_row_is_a_list_of_its_cells() -> None:
    assert shown(WIDE, 30)[1:5] == [
        "- Mill: Orrin",
        "  What it ground: rye and",
        "  oats, and in years of hunger",
        "  the bark of birches as well",
    ]


def test_a_table_that_fits_is_as_wide_as_it_is() -> None:
    assert shown("| a | b |\n| --- | --- |\n| one | **2** |", 40) == [
        "| a   | b |",
        "|-----|---|",
        "| one | 2 |",
    ]


def test_what_an_item_goes_on_with_begins_under_its_text() -> None:
    answer = "- Rye and oats were ground here in good years.\n12. And in bad ones, it was bark."
    assert shown(answer, 26) == [
        "- Rye and oats were ground",
        "  here in good years.",
        "12. And in bad ones, it",
        "    was bark.",
    ]


@pytest.mark.parametrize("width", [12, 20, 40])
def test_a_word_that_is_longer_than_a_line_is_shown_whole(width: int) -> None:
    word = "https://mill.example/" + "grain/" * 20
    table = f"| Mill | Where |\n| --- | --- |\n| Orrin | {word} |"
    for answer in (f"- {word}", f"12. Look at `{word}`", word, table, f"| Orrin | {word} |"):
        told = "".join(line.strip() for line in shown(answer, width))
        assert word in told


def test_code_is_shown_as_it_is() -> None:
    answer = "```\n- a | b\n| a | b |\n```\n[1]"
    assert shown(answer, 60) == answer.split("\n")
