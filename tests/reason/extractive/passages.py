"""A shelf of passages about a world that does not exist, and how to read it."""

from __future__ import annotations

from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import Checklist, Question
from quaere.domain.report import Sentence
from quaere.domain.source import Passage, passage_id
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.answer import write_answer
from quaere.reason.extractive.checklist import Ticked, build_checklist, tick
from quaere.reason.extractive.pool import Pool

Text = tuple[str, str]
"""Title and text."""

FOUNDER: Text = (
    "Quill Observatory",
    (
        "Quill Observatory is an observatory on Mount Sorrel. It was founded by Odile Varga with"
        " money from a lottery. Its dome turns on forty brass wheels."
    ),
)
BIRTH: Text = (
    "Odile Varga",
    (
        "Odile Varga (3 May 1851 - 9 June 1919) was an astronomer and a maker of clocks. She was"
        " born in Tarnholm, a fishing town. Varga never married."
    ),
)
TOWN: Text = (
    "Tarnholm",
    "Tarnholm is a fishing town on the river Esk. Its population was 4,120 in 1900.",
)
LENS: Text = (
    "Hask Lens Works",
    "Hask Lens Works ground lenses for lighthouses. The works burned down in 1932.",
)
CHEESE: Text = (
    "Cheese of Brell",
    "Brell cheese ripens in caves because the air there is damp. It is sold at the autumn market.",
)
SHELF = (LENS, FOUNDER, BIRTH, CHEESE, TOWN)

BORN = "Where was the founder of Quill Observatory born?"


def passage(title: str, text: str, start: int = 0) -> Passage:
    url = f"file:///shelf/{title.replace(' ', '-')}.txt"
    return Passage(
        id=passage_id(url, start, text),
        url=url,
        title=title,
        text=text,
        start=start,
        end=start + len(text),
    )


def pool(*texts: Text, statistics: TermStatistics | None = None, start: int = 0) -> Pool:
    passages = [passage(title, text, start) for title, text in texts]
    evidence = [
        Evidence(id=10 + n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(passages)
    ]
    return Pool(evidence, {p.id: p for p in passages}, statistics)


def filed(name: str, title: str, text: str) -> Pool:
    """Return a pool of one passage, of a file that is called otherwise than its page."""
    found = passage(title, text).model_copy(update={"url": f"file:///shelf/{name}"})
    evidence = Evidence(id=10, passage=found.id, url=found.url, title=title, score=Score())
    return Pool([evidence], {found.id: found})


def checklist(question: str) -> Checklist:
    return build_checklist(Question(text=question))


def ticked(question: str, *texts: Text) -> Ticked:
    read = pool(*texts)
    asked = Question(text=question)
    return tick(build_checklist(asked), read, asked)


def answer(
    question: str, *texts: Text, max_words: int = 200, max_citations: int = 10
) -> tuple[Sentence, ...]:
    read = pool(*texts)
    asked = Question(text=question)
    wanted = build_checklist(asked)
    return write_answer(asked, wanted, read, max_words=max_words, max_citations=max_citations)
