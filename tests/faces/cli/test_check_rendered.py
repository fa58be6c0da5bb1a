"""The verdicts of ``quaere check`` as a reader of a terminal has them."""

from __future__ import annotations

from rich.console import Console

from quaere.audit.report import NO_CITATIONS
from quaere.domain.audit import Audit, CheckedSentence, CheckedSource, Place, summarized
from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import CheckedBy, RunWarning, Support
from quaere.domain.source import ReadStatus
from quaere.faces.cli.check import MAX_QUOTE_CHARS, audit_rendered

ADDRESS = "https://valley.example/mill"
READ = CheckedSource(number=1, address=ADDRESS, url=ADDRESS, status=ReadStatus.OK)


def sentence(
    text: str = "The mill stands.", quote: str = "It stands.", **others: object
) -> CheckedSentence:
    place = Place(source=1, text=quote, start=0, end=len(quote), locator="line 3")
    given = {
        "line": 7,
        "start": 0,
        "end": len(text),
        "text": text,
        "verdict": Support.SUPPORTED,
        "cites": (1,),
        "probability": 0.97,
        "place": place,
        "read": True,
    }
    return CheckedSentence.model_validate({**given, **others})


def audit(*sentences: CheckedSentence, sources: tuple[CheckedSource, ...] = (READ,)) -> Audit:
    return Audit(summary=summarized(sentences, sources), sentences=sentences, sources=sources)


def rendered(found: Audit, *, coloured: bool = False, width: int = 60) -> str:
    console = Console(
        width=width,
        force_terminal=coloured,
        color_system="standard" if coloured else None,
        highlight=False,
    )
    return audit_rendered(found, console)


def test_every_sentence_is_followed_by_its_quote_and_who_judged_it_why() -> None:
    judged = sentence(by=CheckedBy.MODEL, reason="it is said there")
    lines = rendered(audit(judged)).splitlines()
    assert lines[:4] == [
        "line  verdict    prob.  sentence and best match",
        "   7  supported    97%  The mill stands.",
        "                        “It stands.”",
        "                        https://valley.example/mill, line 3",
    ]
    assert lines[4].strip().endswith(": it is said there")
    assert lines[5] == ""


def test_a_narrow_terminal_shows_each_sentence_below_its_verdict() -> None:
    lines = rendered(audit(sentence(), sentence(place=None, line=8)), width=36).splitlines()
    assert lines[:5] == [
        "7  supported  97%",
        "  The mill stands.",
        "  “It stands.”",
        "  https://valley.example/mill, line",
        "  3",
    ]
    assert "8  supported  97%" in lines


def test_a_sentence_that_nothing_was_compared_with_is_alone() -> None:
    alone = sentence(place=None, probability=None, verdict=Support.NOT_JUDGED)
    lines = rendered(audit(alone)).splitlines()
    assert lines[1].split() == ["7", "not", "judged", "–", "The", "mill", "stands."]
    assert lines[2] == ""


def test_the_figures_come_last_after_the_sources() -> None:
    lines = rendered(audit(sentence())).splitlines()
    sources = lines.index("source  status  address")
    assert lines[sources - 1] == ""
    assert lines[sources + 1 : sources + 3] == ["     1  ok      https://valley.example/mill", ""]
    assert lines[sources + 3].split() == ["Sentences", "1"]
    assert lines[-1].split() == ["Citation", "recall", "100%"]
    assert NO_CITATIONS not in lines


def test_where_nothing_is_cited_that_is_said_and_no_sources_are_listed() -> None:
    nothing = sentence(cites=(), place=None)
    lines = rendered(audit(nothing, sources=())).splitlines()
    assert not any(line.startswith("source ") for line in lines)
    assert lines[2:4] == ["", NO_CITATIONS]
    assert lines[4].split() == ["Sentences", "1"]


def test_no_line_ends_with_spaces() -> None:
    lines = rendered(audit(sentence())).split("\n")
    assert lines == [line.rstrip() for line in lines]
    assert len(lines) > 10


def test_a_source_says_where_it_was_read_and_why_it_was_not() -> None:
    moved = READ.model_copy(update={"url": "https://valley.example/moved"})
    lost = CheckedSource(
        number=2, labels=("3", "b"), status=ReadStatus.NOT_FOUND, reason="there is\nno such page"
    )
    text = rendered(audit(sentence(), sources=(moved, lost)))
    assert "read at https://valley.example/moved" in text
    assert "     2  not_found  [3], [b]\n                   there is no such page\n" in text
    assert "read at" not in rendered(audit(sentence()))
    assert "read at" not in rendered(audit(sentence(), sources=(lost,)))


def test_long_quotes_are_shortened_and_others_are_whole() -> None:
    longest = "a" * MAX_QUOTE_CHARS
    whole = "".join(rendered(audit(sentence(quote=longest))).split())
    assert f"“{longest}”" in whole
    cut = "".join(rendered(audit(sentence(quote=f"{longest}a"))).split())
    assert f"“{longest}…”" in cut


def test_a_sentence_of_several_lines_is_one() -> None:
    text = rendered(audit(sentence("The\n mill\tstands.", quote="It\n\nstands.")))
    assert "The mill stands." in text
    assert "“It stands.”" in text


def test_warnings_and_calls_follow_the_figures() -> None:
    used = Usage(prompt_tokens=40, completion_tokens=2)
    call = ModelCall(step="check", model="m", usage=used)
    warned = audit(sentence()).model_copy(
        update={
            "warnings": (RunWarning(kind="reason", message="Slow\x1b.", subject="a.pdf"),),
            "calls": (call,),
        }
    )
    *_, recall, warning, calls = rendered(warned).splitlines()
    assert recall.startswith("Citation recall")
    assert warning.startswith("Warning: a.pdf: Slow")
    assert "\x1b" not in warning
    assert calls.startswith("1 model call, 42 tokens")


def test_a_colour_tells_the_verdict() -> None:
    for verdict, colour in (
        (Support.SUPPORTED, "\x1b[32m"),
        (Support.PARTLY, "\x1b[33m"),
        (Support.CONTRADICTED, "\x1b[31m"),
    ):
        assert colour in rendered(audit(sentence(verdict=verdict)), coloured=True)
        assert colour not in rendered(audit(sentence(verdict=verdict)))
