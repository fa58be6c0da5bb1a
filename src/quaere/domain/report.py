"""What a run hands to its reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, cast

from pydantic import Field, model_validator

from quaere.domain.budget import Budget, ProfileName, Spend
from quaere.domain.evidence import Agreement, Conflict, Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Query
from quaere.domain.source import ReadStatus
from quaere.domain.value import MessageText, Outside, PageText, QuestionText, Sensitivity, Value
from quaere.domain.verdict import Confidence, StepMetadata, StopReason


class Support(StrEnum):
    """The verdict on a sentence and what it cites; the same wherever one is shown."""

    QUOTED = "quoted"
    """Its source has it word for word, or as a row of a table."""
    SUPPORTED = "supported"
    PARTLY = "partly_supported"
    """Some of its statements are there, others are not."""
    CONTRADICTED = "contradicted"
    NOT_JUDGED = "not_judged"
    """Nothing that was asked could tell; the reason says why."""
    NOT_A_CLAIM = "not_a_claim"
    """The sentence is about the run or the passages, leads in or labels; it cites nothing."""

    @property
    def holds(self) -> bool:
        """Whether its sources say what the sentence says."""
        return self in {Support.QUOTED, Support.SUPPORTED}


class CheckedBy(StrEnum):
    """Who gave the verdict on a sentence."""

    WORDS = "words"
    """Rules that compare words, figures, names and denials."""
    MODEL = "model"
    """A language model that read the sentence and its passages."""
    ENTAILMENT = "entailment"
    """A network made to tell whether one text follows from another."""


class Ruling(Value):
    """What a reader who understands says of one sentence."""

    support: Support
    by: CheckedBy = CheckedBy.MODEL
    evidence: int | None = None
    """Id of the evidence that decides, where it names one."""
    probability: Confidence | None = None
    """How likely the sources say it, where who rules has a number for that."""


WORDING_DIFFERS = "wording differs"
"""The reason where neither the words nor anybody who reads decides."""
BEYOND_LIMIT = "it cites more sources than this answer may have"
"""The reason why a sentence was left out of an answer that may cite only so many sources."""
BEYOND_LENGTH = "the answer was long enough before it"
"""The reason why a sentence was left out of an answer that may have only so many words."""
FORMER_NAMES = MappingProxyType({"unverifiable": Support.NOT_JUDGED})
"""Verdicts as logs of version 1 and 2 name them."""


def of_version_2(value: object) -> object:
    """Return a sentence as logs of version 2 and before have it in the form of today."""
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, object]", value)
    if "note" in fields:
        fields = {("reason" if name == "note" else name): each for name, each in fields.items()}
    support = fields.get("support")
    if isinstance(support, str) and support in FORMER_NAMES:
        fields = {**fields, "support": FORMER_NAMES[support]}
    return fields


class Quote(Value):
    """Words of a source: ``text`` is ``[start, end)`` of the page's stored text."""

    passage: str
    text: PageText
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]


class DirectKind(StrEnum):
    """What kind of thing a direct answer is."""

    YES_NO = "yes_no"
    CHOICE = "choice"
    """One of the things that the question compares."""
    DATE = "date"
    NUMBER = "number"
    NAME = "name"
    SENTENCE = "sentence"
    """The sentence that answers best: the sources decide on nothing shorter."""
    NONE = "none"
    """The sources do not say."""


class Direct(Value):
    """What a report answers with, before the sentences that prove it."""

    kind: DirectKind
    text: PageText
    """Without markers."""
    own_words: bool = False
    """As of a sentence."""
    evidence: tuple[int, ...] = ()
    """Ids of the evidence that carries it, best first."""
    quotes: tuple[Quote, ...] = ()
    """The sentences that carry it."""
    confidence: Confidence = 0.0
    """How likely it is that it and its proof answer the question rightly, where that was told on
    questions with known answers."""

    @property
    def precedes(self) -> bool:
        """Whether it is shown before its proof: it is neither a sentence of it nor missing."""
        return self.kind not in {DirectKind.SENTENCE, DirectKind.NONE}

    @property
    def is_sure(self) -> bool:
        """Whether the question counts as answered."""
        return self.confidence >= SURE


SURE = 0.6
"""Confidence from which a question counts as answered: right is then likelier than wrong."""
UNSURE = 0.5
"""The most that an answer has whose sentences its sources do not bear out."""


class Opens(StrEnum):
    """What begins with a sentence, in the answer as its writer laid it out."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    """An item of a list."""
    NUMBERED = "numbered"
    """An item of a numbered list."""
    ROW = "row"
    """A row of a table; its sentence says "column: value; column: value"."""
    CODE = "code"
    """A block of code, which its sentence is, with its line breaks."""

    @property
    def is_whole(self) -> bool:
        """Whether it is one sentence by itself, which no other continues."""
        return self in {Opens.ROW, Opens.CODE}


class Sentence(Value):
    """One sentence of an answer and the evidence it rests on. ``text`` carries no markers."""

    text: str
    """One line, but for a block of code; code and bold words are marked as in Markdown."""
    evidence: tuple[int, ...] = ()
    """Ids of the evidence cited, best first."""
    quotes: tuple[Quote, ...] = ()
    item: str | None = None
    """Id of the checklist item it answers."""
    own_words: bool = False
    """Whether it is word for word in documents of the user's own, and shown as it is there."""
    opens: Opens | None = None
    """What begins with it; None where it continues what came before."""
    support: Support = Support.NOT_JUDGED
    by: CheckedBy | None = None
    """Who gave the verdict; None where nobody has yet, and in logs before version 3."""
    reason: MessageText = ""
    """Why it is that verdict, in words."""
    probability: Confidence | None = None
    """How likely its sources say it, as who gave the verdict has it (words: where as many sentences
    are supported as not); None where that one has no number or cannot tell."""
    direct: Direct | None = None
    """The direct answer that it proves; on the first sentence of an answer alone, if on any."""

    _former = model_validator(mode="before")(of_version_2)

    @property
    def is_claim(self) -> bool:
        """Whether it claims something, and is not about the run or the passages."""
        return self.support is not Support.NOT_A_CLAIM


def claims_in(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return those of ``sentences`` that claim something."""
    return [sentence for sentence in sentences if sentence.is_claim]


class Citation(Value):
    """One entry of the numbered list under an answer."""

    id: Annotated[int, Field(ge=1)]
    """The number in the text, ``[1]``; given in the order of the claims."""
    evidence: Annotated[int, Field(ge=1)]
    title: str
    url: str
    type: str
    """Kind of source: ``folder``, ``web`` or ``pubmed``."""
    pmid: str = ""
    """Its id in PubMed; empty for a source that has none."""
    location: str
    """Path or URL, with the place inside it."""
    quote: Quote
    locator: str = ""
    retrieved_at: str = ""
    content_hash: str = ""
    published: str = ""
    """When the source says it appeared, ISO 8601 as far as it goes: a year, a month, a day."""
    author: str = ""
    """Who wrote it, as the source says."""
    part: str = ""
    """What of a scholarly work was read: ``abstract`` or ``full text``; empty for other sources."""


class Nearby(Value):
    """A place in the user's own documents that comes near a question which nothing answers.

    It is not evidence: no sentence rests on it, and no citation leads to it.
    """

    title: str
    heading: PageText = ""
    """The headings over the line, the widest first; empty where there are none."""
    url: str
    location: str
    """Path or URL, with the place inside it."""
    locator: str = ""
    line: Quote
    """The sentence or row there that shares most words with the question."""


class RunWarning(Value):
    """Something that went wrong without ending the run."""

    kind: str
    """``search``, ``read``, ``reason``, ``index``, ``verify``, ``budget`` or ``research``, or
    ``empty`` where there is nothing to read in the folders."""
    message: Annotated[Outside, Sensitivity.MESSAGE]
    subject: Annotated[Outside, Sensitivity.SUBJECT] = ""
    """The query, URL or path concerned."""
    retryable: bool = False

    @property
    def concerns_query(self) -> bool:
        """Whether its subject is a query or a topic."""
        return self.kind in {"search", "reason", "research"}

    @property
    def concerns_file(self) -> bool:
        """Whether its subject is a file or folder, whose name may look like a key and be none."""
        return self.kind == "index"

    @property
    def told(self) -> str:
        """What it says, after its subject, in one line."""
        return ": ".join(filter(None, (self.subject, self.message)))


class Degradation(Value):
    """A step that was degraded: it ran in a weaker way than requested."""

    step: str
    reason: QuestionText
    instead: str = ""
    """Who did the step in place of the model that was named for it; empty where nobody had to."""


class QueryOutcome(Value):
    """A query that was asked and what came back."""

    query: Query
    iteration: Annotated[int, Field(ge=0)]
    hits: Annotated[int, Field(ge=0)] = 0
    fresh: Annotated[int, Field(ge=0)] = 0
    """Hits that no earlier query had brought."""
    error: MessageText = ""
    """Why no provider answered; empty when one did."""
    unheard: MessageText = ""
    """Why a provider did not answer, where those that did found nothing."""

    @property
    def failed(self) -> bool:
        """Whether nothing was found and a provider failed, which might have found something."""
        return bool(self.error or self.unheard)

    @property
    def poor(self) -> bool:
        """Whether it found fewer than three results and should be asked in other words (R0.4)."""
        return self.hits < 3


class Step(Value):
    """One loop of a run in figures."""

    iteration: Annotated[int, Field(ge=0)]
    queries: tuple[QuestionText, ...] = ()
    considered: Annotated[int, Field(ge=0)] = 0
    """Sources seen so far, by canonical URL."""
    read: Annotated[int, Field(ge=0)] = 0
    """Sources whose text was read so far."""
    evidence: tuple[int, ...] = ()
    """Evidence that stood in the selection at the end of the loop, best first."""
    findings: Annotated[int, Field(ge=0)] | None = None
    """New evidence that was found to bear on the answer; ``None`` where nobody says."""
    coverage: Confidence = 0.0
    confidence: Confidence = 0.0
    seconds: float = 0.0


class Checks(Value):
    """How verification of the written sentences ended."""

    written: Annotated[int, Field(ge=0)] = 0
    supported: Annotated[int, Field(ge=0)] = 0
    repaired: Annotated[int, Field(ge=0)] = 0
    marked: Annotated[int, Field(ge=0)] = 0
    dropped: Annotated[int, Field(ge=0)] = 0


class Figures(Value):
    """What a run took and made, as its events tell it."""

    stage_seconds: Mapping[str, float] = {}
    """Seconds spent in each phase; the parts of a supervised run count under its own phases."""
    fetches: Mapping[ReadStatus, int] = {}
    """Pages that were opened, or could not be, by how that ended."""
    searches: Mapping[str, int] = {}
    """Queries sent to each provider."""
    pubmed_queries: Annotated[int, Field(ge=0)] = 0
    """Of them, those to providers of biomedical literature."""
    web_queries: Annotated[int, Field(ge=0)] = 0
    """Of them, those to other services on the web."""
    evidence_pooled: Annotated[int, Field(ge=0)] = 0
    """Passages in the pool, before ranking."""
    evidence_selected: Annotated[int, Field(ge=0)] = 0
    """Passages that ranking left for the writer."""
    retried_searches: Annotated[int, Field(ge=0)] = 0
    """Searches that needed more than one attempt."""
    compactions: Annotated[int, Field(ge=0)] = 0
    """Steps that were shown shortened passages."""


class EarlierRun(Value):
    """A run that asked nearly the same, and is recent enough to draw on."""

    run_id: str
    question: QuestionText
    completed: datetime


class AnswerStatus(StrEnum):
    """Whether the question was answered."""

    ANSWERED = "answered"
    INSUFFICIENT = "insufficient"
    NO_EVIDENCE = "no_evidence"


class Report(Value):
    """The result of a run: an answer whose every sentence can be checked, and how it came about."""

    run_id: str
    question: QuestionText
    read_as: QuestionText = ""
    """What a follow-up question was taken to ask, said as a whole; empty for one that says all by
    itself."""
    answer: str
    """Whole sentences with ``[1]`` markers; never empty."""
    direct: Direct = Direct(kind=DirectKind.NONE, text="")
    """What the question is answered with, in the fewest words that the sources allow."""
    status: AnswerStatus
    sentences: tuple[Sentence, ...] = ()
    dropped: tuple[Sentence, ...] = ()
    """Sentences that were written and are not in the answer, each with why; they cite nothing."""
    citations: tuple[Citation, ...] = ()
    checklist: Checklist = Checklist()
    gaps: tuple[QuestionText, ...] = ()
    nearest: tuple[Nearby, ...] = ()
    """Where to look, best first, when nothing answers the question; none when something does."""
    confidence: Confidence = 0.0
    stop_reason: StopReason
    profile: ProfileName
    budget: Budget
    spend: Spend
    seconds: float = 0.0
    started_at: str = ""
    """ISO 8601, UTC; so is ``finished_at``."""
    finished_at: str = ""
    synthesis: StepMetadata = StepMetadata()
    """When the answer was written, by whom, and with how many tokens."""
    figures: Figures = Figures()
    steps: tuple[Step, ...] = ()
    queries: tuple[QueryOutcome, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    """The selection that the answer was written from, best first."""
    agreements: tuple[Agreement, ...] = ()
    """For each item of the checklist, what evidence supports an answer and what contradicts it."""
    conflicts: tuple[Conflict, ...] = ()
    """Pairs of evidence that say different things of the same."""
    checks: Checks = Checks()
    warnings: tuple[RunWarning, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    """The ledger: every call of a model, in order."""
    refined_question: QuestionText = ""
    reasoner: str = ""
    dispatched_topics: tuple[QuestionText, ...] = ()
    """Topics that were given to researchers; none where one line of inquiry was followed."""
    skipped_topics: tuple[QuestionText, ...] = ()
    """Topics that were refused, because they repeat others."""
    truncated: bool = False
    """Whether the research was cut short: by a limit, or because it brought nothing new."""
    earlier_run: EarlierRun | None = None
    """A run whose evidence this one could have used; told where the request says ``offer``."""

    @property
    def asked(self) -> str:
        """What was asked as a whole, which tells its language where "wie hoch?" alone does not."""
        return self.read_as or self.question

    @property
    def iterations(self) -> int:
        """Loops run, the first look included."""
        return self.spend.iterations

    @property
    def unsearched(self) -> str:
        """That no service could answer any query, and why the first; empty where one could."""
        reasons = [asked.error for asked in self.queries]
        return (
            f"Nothing could be searched. {reasons[0].rstrip('.')}."
            if reasons and all(reasons)
            else ""
        )
