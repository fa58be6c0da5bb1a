"""The answer of a run, as its events bring it, and the claims in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import JsonValue

from quaere.domain.events import Event, RunFinished, SentenceWritten
from quaere.domain.report import Sentence, Support
from quaere.synthesize.compose import FENCE
from quaere.text.markdown import hide_code

_MARKER = re.compile(r"\[(\d+)\]")
_BLOCK = re.compile(rf"(?ms)^[ >]*{FENCE}$.*?^[ >]*{FENCE}$")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence where it stands: ``[start, end)`` of the answer, in code points."""

    start: int
    end: int
    citations: tuple[int, ...]
    """Numbers of the sources that it names."""
    sentence: Sentence

    @property
    def body(self) -> dict[str, JsonValue]:
        """As clients get it."""
        said = self.sentence
        return {
            "start": self.start,
            "end": self.end,
            "text": said.text,
            "citations": list(self.citations),
            "verdict": str(said.support),
            "checked_by": str(said.by) if said.by else None,
            "probability": said.probability,
            "reason": said.reason,
        }


class Answer:
    """What the events of a run have told of its answer so far."""

    def __init__(self) -> None:
        self.text = ""
        self.claims: list[Claim] = []

    def take(self, event: Event) -> str:
        """Return what ``event`` adds to the answer; empty for most events.

        Joined, what the events of a whole run add is the answer of its report: the last event adds
        what is still missing of it.
        """
        match event:
            case SentenceWritten():
                added = event.appended
                self._claim(event)
            case RunFinished():
                added = _rest(self.text, event.report.answer)
            case _:
                return ""
        self.text += added
        return added

    def marker(self, number: int) -> tuple[int, int]:
        """Return where ``[number]`` stands first, as ``[start, end)``; the end without one."""
        marker = f"[{number}]"
        place = _without_code(self.text).find(marker)
        return (place, place + len(marker)) if place >= 0 else (len(self.text), len(self.text))

    def _claim(self, event: SentenceWritten) -> None:
        if not event.appended or event.sentence.support is Support.NOT_A_CLAIM:
            return
        end = len(self.text) + len(event.appended)
        start = end - len(event.appended.lstrip())
        shown = _without_code(event.text)
        numbers = tuple(dict.fromkeys(int(number) for number in _MARKER.findall(shown)))
        self.claims.append(Claim(start, end, numbers, event.sentence))


def _without_code(text: str) -> str:
    """Return ``text``, as long as it was, without the brackets in code, which cite nothing."""
    return hide_code(_BLOCK.sub(lambda block: "x" * len(block[0]), text))


def _rest(told: str, answer: str) -> str:
    """Return what is left to tell of ``answer``; all of it, apart, where something else was told.

    The latter is for logs of other versions: no stream can take back what it has said.
    """
    return answer[len(told) :] if answer.startswith(told) else f"\n\n{answer}"
