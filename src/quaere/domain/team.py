"""Topics that a supervisor gives to researchers, and their findings."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from quaere.domain.question import ItemStatus
from quaere.domain.value import QuestionText, Value
from quaere.errors import UsageError


class Strategy(StrEnum):
    """How the steps of a run are put together."""

    LOOP = "loop"
    """One line of inquiry: search, read, evaluate, and again."""
    SUPERVISOR = "supervisor"
    """A supervisor that gives topics to researchers, each of which is such a loop."""
    AUTO = "auto"
    """The supervisor for deep questions of several independent parts, the loop for all others."""


class Delegation(Value):
    """What a supervisor does next."""

    thought: str = ""
    """Its view of the research so far; for readers of the trace."""
    topics: tuple[str, ...] = ()
    """To be researched now, side by side, each understandable by itself."""
    complete: bool = False
    """Whether there is nothing left to research."""
    last: bool = False
    """Whether the question is answered as soon as all its topics are."""


class Brief(Value):
    """What is to be found out, in the words that the research is held to."""

    text: str
    delegation: Delegation | None = None
    """The first topics, where they were chosen in the same step."""
    clarification: str = ""
    """What has to be asked back before anything can be researched; empty as a rule."""


NONE_WANTED = "Name other topics, or cancel the run if none of these is wanted."
REPLIES = "A reply is text, or an object with `text`, or with `topics` as a list of texts."


class InquiryKind(StrEnum):
    """What a run may need to ask the user."""

    CLARIFICATION = "clarification"
    TOPICS = "topics"


class Inquiry(Value):
    """What a run asks the user before it goes on."""

    kind: InquiryKind
    text: QuestionText
    """The question that is asked back, or the brief that the topics serve."""
    topics: tuple[QuestionText, ...] = ()
    """To be approved or edited."""

    @property
    def id(self) -> str:
        """Name to reply to; within a run, a step that is repeated raises the same inquiry again."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    def reply_of(self, typed: str) -> Reply:
        """Return what a user means who has ``typed`` a line in reply.

        Where topics are shown, that is the numbers of those to keep, or other topics with
        semicolons between them; an empty line, or a word such as "yes", approves them as they are.

        Raises:
            UsageError: when a number is that of no topic, or none of them is wanted.
        """
        if self.kind is InquiryKind.CLARIFICATION:
            return Reply(text=typed)
        said = typed.strip().rstrip(".!").lower()
        if said in _APPROVALS:
            return Reply()
        if said in _REFUSALS:
            raise UsageError(NONE_WANTED)
        numbers, wanted = _parts(typed.replace(",", ";")), _parts(typed)
        if numbers and all(map(_NUMBER.fullmatch, numbers)):
            wanted = [self._topic(int(each)) for each in numbers]
        return Reply(topics=tuple(dict.fromkeys(wanted))) if wanted else Reply()

    def meant(self, said: object) -> Reply:
        """Return what ``said`` comes to here: a reply, the fields of one, or the text of one.

        Text that replies to topics is read as if typed.

        Raises:
            UsageError: as `reply_of`, when it is not a reply, and when topics are named, but none.
        """
        try:
            read = _REPLY.validate_python(said)
        except ValidationError as error:
            raise UsageError(f"{type(said).__name__} is not a reply. {REPLIES}") from error
        reply = Reply(text=read) if isinstance(read, str) else read
        if self.kind is InquiryKind.CLARIFICATION or any(map(str.strip, reply.topics)):
            return reply
        if "topics" in reply.model_fields_set:
            raise UsageError(NONE_WANTED)
        return self.reply_of(reply.text)

    def _topic(self, number: int) -> str:
        last = len(self.topics)
        if not 0 < number <= last:
            raise UsageError(f"There is no topic {number}; the last one is {last}.")
        return self.topics[number - 1]


_NUMBER = re.compile(r"\d{1,9}")
_REFUSALS = frozenset({"n", "no", "none", "nope"})
_APPROVALS = frozenset({"y", "yes", "ok", "okay", "approve", "approved", "all"})


def _parts(text: str) -> list[str]:
    """Return the parts of ``text`` that semicolons separate."""
    return [part for part in map(str.strip, text.split(";")) if part]


class Reply(Value):
    """What the user replies to an inquiry."""

    text: QuestionText = ""
    """To a clarification."""
    topics: tuple[QuestionText, ...] = ()
    """To be researched in place of those that were shown; left out to leave them as they are."""


_REPLY: TypeAdapter[str | Reply] = TypeAdapter(str | Reply)


class Topic(Value):
    """A topic that was researched."""

    text: str
    round: Annotated[int, Field(ge=0)] = 0
    status: ItemStatus = ItemStatus.UNSATISFIED
    finding: str = ""
    """What was found, in a line or two; as the sources or a reasoner put it, unchecked."""
    evidence: tuple[str, ...] = ()
    """Ids of the passages that bear on it, best first."""
    gaps: tuple[str, ...] = ()
    """What is still unknown of it."""
    terms: tuple[str, ...] = ()
    """Words whose presence in a passage suggests that it answers the topic."""
    error: str = ""
    """Why its research was interrupted; empty when it was not."""
