"""Scores what a report says against the known answer of its question. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from statistics import fmean, median

from pydantic import BaseModel

from quaere.domain.report import AnswerStatus, DirectKind, Report, Sentence
from quaere.text.languages.language import languages
from quaere_evals.datasets import MultihopQuestion
from quaere_evals.scorers import begins_with, holds_answer, normalize_answer

LEAD_SENTENCES, LEAD_WORDS = 2, 50
"""The lead of a report: its direct answer and as much of the proof after it as fits."""
_SAID = [(each.frame.yes, each.frame.no) for each in languages().values()]
YES_NO = frozenset(normalize_answer(said) for pair in (("yes", "no"), *_SAID) for said in pair)
"""In every language that questions are answered in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """What a report says to one question."""

    answers: Sequence[str]
    """None where the corpus does not answer it."""
    wants_all: bool = False
    """Whether it asks for all of ``answers``."""
    direct: str
    """The direct answer; the first sentence where there is none."""
    lead: str
    answer: str
    """All sentences."""
    sentences: int
    off_page: Sequence[bool]
    """For the first two sentences, whether each cites no gold page."""
    confidence: float
    status: AnswerStatus
    plain: str = ""
    """As many words of the sentences that share most with the question: the baseline."""

    @property
    def is_yes_no(self) -> bool:
        """Whether the known answer is yes or no."""
        return not YES_NO.isdisjoint(map(normalize_answer, self.answers))

    @property
    def direct_right(self) -> bool:
        """Whether the direct answer holds the known one."""
        return self._holds(self.direct)

    @property
    def lead_right(self) -> bool:
        """Whether the lead holds the known answer."""
        return self.direct_right or self._holds(self.lead)

    @property
    def right(self) -> bool:
        """Whether it says what a person who knows would say: the lead holds the known answer.

        A list has to be whole, wherever it stands, and what the corpus does not answer declined.
        """
        if not self.answers:
            return self.status is AnswerStatus.NO_EVIDENCE
        return self.answer_right if self.wants_all else self.lead_right

    @property
    def answer_right(self) -> bool:
        """Whether the whole answer holds the known one."""
        return self.lead_right or self._holds(self.answer)

    @property
    def plain_right(self) -> bool:
        """Whether the baseline holds the known answer."""
        return self._holds(self.plain)

    def _holds(self, text: str) -> bool:
        """A yes or a no has to be the first word: in running text both are everywhere."""
        if self.is_yes_no:
            return begins_with(text, self.answers)
        if self.wants_all:
            return all(holds_answer(text, [answer]) for answer in self.answers)
        return holds_answer(text, self.answers)


class AnswerScores(BaseModel):
    """The figures of one dataset; all but counts are shares, from 0 to 1."""

    n: int
    """Questions that the corpus answers; of these are all figures but the next."""
    right: float
    """Of all questions, those that it does not answer among them, the ones that are got right."""
    lead_has_gold: float
    """Direct answer and up to two sentences of proof, 50 words at most."""
    first_has_gold: float
    """The direct answer or, where none is given, the first sentence."""
    lead_f1: float
    """Words that direct and known answer share, where the known one is neither yes nor no."""
    answer_has_gold: float
    baseline_has_gold: float
    """As many words of the sentences of ten BM25 passages that share most with the question."""
    words_median: float
    sentences_median: float
    off_page_share: float
    """Of the first two sentences of all answers, those that cite no gold page."""
    yes_no_accuracy: float
    """Of the questions whose answer is yes or no; those left undecided count as wrong."""
    yes_no_decided: float
    """Share of those questions to which yes or no is said."""
    confidence_auc: float
    """How well confidence tells right leads from wrong ones: 0.5 is chance."""
    exit0_share: float
    exit0_right: float
    """Right leads among the answers called complete, and, below, among all others."""
    exit_other_right: float
    declined_unanswerable: float
    """Questions of another corpus that are declined."""
    declined_answerable: float
    answered_right: float
    """Of all questions, those that are called answered and have a right direct answer."""
    absent_unanswered: float
    """Of the set's own questions that its corpus does not answer, those that are not called
    answered; 1 where there is none."""

    @property
    def figures(self) -> dict[str, float]:
        """All figures by name."""
        return self.model_dump()


def row_of(
    report: Report, question: MultihopQuestion, gold_pages: AbstractSet[str], plain: str = ""
) -> AnswerRow:
    """Return what ``report`` says to ``question``, and, for comparison, the baseline ``plain``.

    ``gold_pages`` are the URLs on which its answer stands; a place inside one of them is on it.
    """
    texts = [sentence.text for sentence in report.sentences]
    urls = {entry.id: entry.url for entry in report.evidence}

    def is_off_page(sentence: Sentence) -> bool:
        cited = {urls.get(number, "") for number in sentence.evidence}
        return gold_pages.isdisjoint(cited | {url.partition("#")[0] for url in cited})

    direct = report.direct
    return AnswerRow(
        answers=question.answers,
        wants_all=question.wants_all,
        direct=direct.text if direct.kind is not DirectKind.NONE else "",
        lead=lead_of(report),
        answer=" ".join(texts),
        sentences=len(texts),
        off_page=[is_off_page(sentence) for sentence in report.sentences[:2]],
        confidence=report.confidence,
        status=report.status,
        plain=plain,
    )


def lead_of(report: Report) -> str:
    """Return what ``report`` begins with: its direct answer, and as much of its proof as fits."""
    texts = [sentence.text for sentence in report.sentences]
    return " ".join([report.direct.text] * report.direct.precedes + list(_lead(texts)))


def _lead(texts: Sequence[str]) -> Iterable[str]:
    """Yield the first sentence and those after it that stay within the length of a lead."""
    used = 0
    for text in islice(texts, LEAD_SENTENCES):
        used += len(text.split())
        if used > LEAD_WORDS and text is not texts[0]:
            return
        yield text


def token_f1(text: str, answers: Sequence[str]) -> float:
    """Return the best F1 of the words of ``text`` against one of ``answers``, as SQuAD has it."""
    said = Counter(normalize_answer(text).split())

    def f1(answer: str) -> float:
        wanted = Counter(normalize_answer(answer).split())
        shared = (said & wanted).total()
        return 2 * shared / (said.total() + wanted.total()) if shared else 0.0

    return max(map(f1, answers), default=0.0)


def auc(scored: Iterable[tuple[float, bool]]) -> float:
    """Return the chance that a right one scores above a wrong one, ties half; 0.5 without both."""
    pairs = list(scored)
    right = [score for score, is_right in pairs if is_right]
    wrong = [score for score, is_right in pairs if not is_right]
    if not right or not wrong:
        return 0.5
    won = sum((r > w) + 0.5 * (r == w) for r in right for w in wrong)
    return won / (len(right) * len(wrong))


def summed(asked: Sequence[AnswerRow], declined: Sequence[bool]) -> AnswerScores:
    """Return the figures of ``asked``.

    Args:
        asked: The questions of the set, one at least that its corpus answers.
        declined: For each question of another corpus, whether it was declined.
    """
    rows = [row for row in asked if row.answers]

    def mean(
        figure: Callable[[AnswerRow], float], over: Sequence[AnswerRow] | None = None
    ) -> float:
        measured = rows if over is None else over
        return fmean(map(figure, measured)) if measured else 0.0

    pretended = [r for r in asked if not r.answers and r.status is AnswerStatus.ANSWERED]
    binary = [row for row in rows if row.is_yes_no]
    spans = [row for row in rows if not row.is_yes_no]
    complete = [row for row in rows if row.status is AnswerStatus.ANSWERED]
    others = [row for row in rows if row.status is not AnswerStatus.ANSWERED]
    off_page = [off for row in rows for off in row.off_page]
    return AnswerScores(
        n=len(rows),
        right=fmean(row.right for row in asked),
        lead_has_gold=mean(lambda row: row.lead_right),
        first_has_gold=mean(lambda row: row.direct_right),
        lead_f1=mean(lambda row: token_f1(row.direct, row.answers), spans),
        answer_has_gold=mean(lambda row: row.answer_right),
        baseline_has_gold=mean(lambda row: row.plain_right),
        words_median=median(len(row.answer.split()) for row in rows),
        sentences_median=median(row.sentences for row in rows),
        off_page_share=fmean(off_page) if off_page else 0.0,
        yes_no_accuracy=mean(lambda row: row.direct_right, binary),
        yes_no_decided=mean(lambda row: begins_with(row.direct, sorted(YES_NO)), binary),
        confidence_auc=auc((row.confidence, row.lead_right) for row in rows),
        exit0_share=len(complete) / len(rows),
        exit0_right=mean(lambda row: row.lead_right, complete),
        exit_other_right=mean(lambda row: row.lead_right, others),
        declined_unanswerable=fmean(declined) if declined else 0.0,
        declined_answerable=mean(lambda row: row.status is AnswerStatus.NO_EVIDENCE),
        answered_right=sum(row.direct_right for row in complete) / len(rows),
        absent_unanswered=1 - len(pretended) / max(1, len(asked) - len(rows)),
    )
