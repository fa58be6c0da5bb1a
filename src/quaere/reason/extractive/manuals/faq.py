"""Finds where a source asks the question itself, as manuals do, and what it answers there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from quaere.domain.url import is_annals
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.commands import with_blocks
from quaere.reason.extractive.manuals.entries import is_entry
from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.quality import quality
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import deny_alike
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.sentences import QUESTION_MARKS
from quaere.text.tokens import apart, stem, terms, words

COVERED, SAME = 0.75, 0.6
"""Share of the question's weight that what a source asks must hold, with the page's title, and of
its own words that the question must hold: "How are the files of a cluster called?" is another.
It may name more than the question does where it holds all of it."""
HEADS, FEWEST = 0.66, 2
"""Share of a heading's words that a question has that it answers, and how many, at least; so many
of a question in the source, too, unless it has another word than the title of its page."""
PROSE = 0.6
"""Least quality of a line that says what something is: labels and pictures come before it."""
OPENING = 4
"""Words with which a line begins that names what it tells of."""
SHOWN = 3
"""Lines of an answer that are shown, a block of code as one."""
SECTION = 8
"""Lines of a section that are looked at for these."""

_OF_SECTIONS = frozenset({Kind.MANNER, Kind.REASON, Kind.STATEMENT})
"""Kinds of what takes a section to tell, not a fact."""
_MARK = lazy_regex(r"(?:Q(?:uestion)?|A(?:nswer)?)\s*[:.)]\s*")
_DEFINES = lazy_regex(r"(?:An?|The|It|This|One)\b")
"""How a sentence begins that may say what something is without its name: "A reader of tapes."."""
_TAGLINE = lazy_regex(
    r"(?!(?:Add|After|At|Before|Build|By|Check|Click|Copy|Create|Download|For|Get|How|If|In|Install"
    r"|Make|Note|On|Please|Read|Run|See|Set|Start|To|Try|Use|Welcome|When|With|You)\b)"
    r"[A-Z][\w'’/-]*(?:,? [\w'’/+-]+){2,14}\.?"
)
_STATES = lazy_regex(
    r"\b(?:is|are|was|were|has|have|had|can|could|do|does|did|may|must|should|will|would)\b"
)
"""A sentence with a verb: a line without one right below a name says what that is."""
_GONE = lazy_regex(
    r"(?i)\b(?:(?:is|are|was|were|been) (?:now )?(?:deprecated|obsolete|removed|withdrawn)"
    r"|no longer|(?:has|have) no effect)\b|\W*deprecated\b"
)
"""How a sentence tells that something is not to be used any more."""
_REPLY = lazy_regex(
    r"(?i)(?P<yes>yes|yep|sure|absolutely)\b|(?:no|nope)\b(?!\s+\w+\s+(?:is|are)\b)"
)


class Answered(NamedTuple):
    """What a source answers to the question, and whether it says yes or no."""

    lines: tuple[Line, ...]
    says: bool | None
    is_asked: bool = True
    """Whether the source asks the question, rather than heads a section by what is asked about."""


def find_answered(question: str, pool: Pool) -> Answered | None:
    """Return what comes after the same question in the sources; None where none asks it.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    goal = Goal(text, pool)
    best, found = 0.0, None
    for lines in _told_lines(pool):
        for heading, answer in _asked_in(lines, text):
            alike = _alike(heading, text, goal, pool)
            if alike > best:
                best, found = alike, (heading, answer)
    return _answered(text, *found, pool) if found else None


def is_asked_there(question: str, pool: Pool) -> bool:
    """Return whether a heading of the sources asks just what ``question`` asks, and is answered."""
    asked = frozenset(terms(last_question(question)))
    return any(
        _told_below(line, lines, None)
        for lines in _told_lines(pool)
        for line in lines
        if line.heading and frozenset(terms(_bare(line.text))) == asked
        if deny_alike(line.text, question)
    )


def _told_lines(pool: Pool) -> Iterator[Sequence[Line]]:
    """Yield the lines of each passage but those of files of changes and of rights."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        if not is_annals(passage.url):
            yield lines


def _alike(heading: Line, text: str, goal: Goal, pool: Pool) -> float:
    """Return how much ``heading`` asks of what ``text`` does; 0 where it asks something else."""
    asked, held = frozenset(goal.terms), frozenset(terms(_bare(heading.text)))
    before = _said_before(heading, pool.lines_of[heading.owner])
    around = held | before | heading.under | pool.title_terms[heading.owner]
    covered = goal.share_in(around)
    shared = len(held & asked) / max(1, len(held))
    if shared < SAME or covered < COVERED:
        return 0.0
    common = held & asked
    is_enough = len(common) >= FEWEST or not common <= pool.title_terms[heading.owner]
    agrees = asked <= held or (is_enough and _names_agree(text, heading.text))
    return covered + shared if agrees else 0.0


def answer_below(line: Line, pool: Pool) -> tuple[Line, ...]:
    """Return what a source answers where ``line`` leads in to a question there, after a "Q:".

    That begins with an "A:" before the next question. None for any other line.
    """
    lines = pool.lines_of[line.owner]
    if not _MARK.match(line.text) or line.text[0] != "Q":
        return ()
    for at in range(line.place + 1, len(lines)):
        if mark := _MARK.match(lines[at].text):
            answer = _up_to_next(lines[at:]) if mark[0][0] == "A" else ()
            return tuple(_unmarked(each, pool) for each in answer[:SHOWN])
    return ()


def find_section(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return what a section begins with whose heading says of what ``question`` asks how, or why.

    "Empty the tank" heads how one empties the tank, "The pump is loud" why it is and what to do: it
    has all words of the question, but those that the title of the page and the headings over it
    have, and hardly any other. A sentence that begins a paragraph and has no other may be such a
    heading as well, in bold; what it heads is the rest of its paragraph.
    """
    text = last_question(question)
    if expected_kind(text) not in _OF_SECTIONS or not is_english():
        return ()
    best, found = (0.0, 0), tuple[Line, ...]()
    for lines in _told_lines(pool):
        for at, heading in enumerate(lines):
            rated = _heads(heading, text, pool)
            section = _headed_by(heading, lines[at + 1 :], pool) if rated > best else ()
            if section and not _GONE.search(section[0].text):
                best, found = rated, with_blocks(section[:SECTION], pool)[:SHOWN]
    return found


def _heads(heading: Line, text: str, pool: Pool) -> tuple[float, int]:
    """Return the share and the number of the words of ``heading`` that ``text`` has.

    Both are 0 where it does not head what ``text`` asks.
    """
    if is_entry(heading, pool):
        return 0.0, 0
    asked = frozenset(terms(text))
    held = frozenset(terms(apart(heading.text)))
    shared = len(held & asked)
    least = HEADS if heading.heading else 1.0
    if shared < FEWEST or shared / len(held) < least:
        return 0.0, 0
    says_all = asked <= held | heading.under | pool.title_terms[heading.owner]
    agrees = deny_alike(heading.text, text)
    return (shared / len(held), shared) if says_all and agrees else (0.0, 0)


_GOES_ON = lazy_regex(
    r"(?:The|An?|He|She|It|They|We|You|I|This|That|These|Those|There|His|Her|Its|Their|Our|Your)\b"
    r"|[\w-]+ (?:is|are|was|were|has|have|had)\b"
)
"""How a sentence begins that tells on, and not what to do."""


def _headed_by(heading: Line, after: Sequence[Line], pool: Pool) -> Sequence[Line]:
    """Return the lines ``after`` a heading up to the next.

    Of a sentence that heads a paragraph it is the rest of that, where it says what to do.
    """
    if heading.heading:
        return _up_to_next(after)
    text = pool.passages[heading.owner].text
    before, end = text[: heading.start].rstrip(" *_"), text.find("\n\n", heading.end)
    if heading.columns or (before and not before.endswith("\n")):
        return ()
    rest = [line for line in _up_to_next(after) if end < 0 or line.start < end]
    return () if rest and _GOES_ON.match(rest[0].text) else rest


def _up_to_next(lines: Sequence[Line]) -> Sequence[Line]:
    """Return ``lines`` up to the next heading, table or question."""
    return lines[: next((at for at, line in enumerate(lines) if _parts(line)), len(lines))]


def _answered(text: str, heading: Line, answer: Sequence[Line], pool: Pool) -> Answered:
    """Return the first lines of ``answer``, without a bare yes or no before what explains it."""
    lines = tuple(_unmarked(line, pool) for line in answer[:SHOWN])
    says = _says(text, heading.text, lines[0].text)
    is_bare = says is not None and len(words(lines[0].text)) == 1
    told = lines[1:] if is_bare and len(lines) > 1 else lines
    return Answered(told, says, is_asked=_is_question(heading))


def _asked_in(lines: Sequence[Line], text: str) -> Iterator[tuple[Line, Sequence[Line]]]:
    """Yield each question among ``lines`` with the lines up to the next heading or question.

    Where ``text`` asks what something is, a heading that says no more than its name asks that.
    """
    wanted = frozenset(terms(text)) if expected_kind(text) is Kind.DEFINITION else None
    for line in lines:
        if told := _told_below(line, lines, wanted):
            yield line, told


def _told_below(line: Line, lines: Sequence[Line], wanted: frozenset[str] | None) -> Sequence[Line]:
    """Return the ``lines`` that answer ``line``; none where it asks nothing.

    As the name of what is ``wanted`` it asks what that is, but not as an element: "<tide>".
    """
    is_name = _is_name(line) and frozenset(terms(line.text)) == wanted
    if line.columns or not (is_name or _is_question(line)):
        return ()
    told = _prose(_below(line, lines)) if is_name else _below(line, lines)
    return _from_subject(told, wanted) if wanted else told


def _is_name(line: Line) -> bool:
    return line.heading and not line.text.startswith("<")


def _below(line: Line, lines: Sequence[Line]) -> Sequence[Line]:
    """Return the ``lines`` after ``line`` that are under it: of an item, up to the next one."""
    rest = lines[line.place + 1 :]
    return _up_to_item(rest) if line.listed else _up_to_next(rest)


def _is_question(line: Line) -> bool:
    return _bare(line.text).endswith(QUESTION_MARKS)


def _up_to_item(lines: Sequence[Line]) -> Sequence[Line]:
    """Return ``lines`` up to the next item of a list, too."""
    below = _up_to_next(lines)
    return below[: next((at for at, line in enumerate(below) if line.listed), len(below))]


def _prose(lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if quality(line) >= PROSE]


def _from_subject(told: Sequence[Line], wanted: frozenset[str]) -> Sequence[Line]:
    """Return ``told`` from the line on that begins with what is ``wanted``, if one does.

    "What is libtide?" may begin with what came before libtide; its name begins what it is. None
    where the first does not speak of it.
    """
    for at, line in enumerate(told):
        opening = frozenset(terms(" ".join(line.text.split()[:OPENING])))
        if wanted <= opening:
            return told[at:]
    tells = told and (told[0].terms & wanted or _DEFINES.match(told[0].text) or _is_tagline(told))
    return told if tells else ()


def _is_tagline(told: Sequence[Line]) -> bool:
    """Whether the first line ``told``, alone in its paragraph, says what something is.

    It does without its name and a verb: "Fast reader of tapes."
    """
    text = told[0].text
    is_alone = len(told) == 1 or told[1].start > told[0].end + 1
    return is_alone and bool(_TAGLINE.fullmatch(text)) and not _STATES.search(text)


def _said_before(question: Line, lines: Sequence[Line]) -> frozenset[str]:
    """Return the stems of what leads in to ``question`` since a "Q:"."""
    begun = [at for at in range(question.place) if _MARK.match(lines[at].text)]
    since = lines[begun[-1] : question.place] if begun else ()
    if not since or since[0].text[0] != "Q" or any(map(_parts, since)):
        return frozenset()
    return frozenset[str]().union(*(line.terms for line in since))


def _parts(line: Line) -> bool:
    return line.heading or bool(line.columns) or _is_question(line)


def _bare(text: str) -> str:
    """Return ``text`` without the marks of a heading or a question, or its number in a cell."""
    if text.startswith("|"):
        said = [cell for cell in cells(text) if any(map(str.isalpha, cell))]
        text = said[0] if len(said) == 1 else text
    return _MARK.sub("", text.strip("# "), count=1)


def _unmarked(line: Line, pool: Pool) -> Line:
    """Return ``line`` without the "A:" before an answer."""
    mark = _MARK.match(pool.passages[line.owner].text, line.start, line.end)
    if mark is None or line.text[0] != "A":
        return line
    return replace(line, start=mark.end(), text=_MARK.sub("", line.text, count=1))


def _names_agree(asked: str, heading: str) -> bool:
    """Return whether ``heading`` names nothing that ``asked`` does not."""
    known = frozenset(map(stem, words(asked)))
    named = (stem(word) for name in names(_bare(heading)) for word in words(name.text))
    return all(word in known for word in named)


def _says(asked: str, heading: str, answer: str) -> bool | None:
    """Return the yes or no that ``answer`` begins with, turned where one of both denies."""
    reply = _REPLY.match(answer)
    if reply is None or not is_english() or expected_kind(asked) is not Kind.YES_NO:
        return None
    return (reply["yes"] is not None) == deny_alike(asked, heading)
