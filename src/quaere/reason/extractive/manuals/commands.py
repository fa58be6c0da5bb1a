"""Finds the commands by which something is done, and what leads in to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple

from quaere.reason.extractive.answer_fit import ANYHOW
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.entries import is_entry
from quaere.reason.extractive.manuals.means import asked_deed
from quaere.reason.extractive.manuals.prompts import is_printed
from quaere.reason.extractive.manuals.ways import Way, asked_way, says_done
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import deny_alike
from quaere.text.layout import is_code
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, stems_of, terms, words

COVERED = 0.75
"""Share of the question's weight that a command, what leads in to it, what it says it does, and the
headings and the title over them must hold between them."""
LED = 0.5
"""Share that the command and the lines next to it must hold of that by themselves."""
FEWEST = 2
"""Words of the question, if it has as many, that they must have where nothing says their deed."""
SHOWN = 6
"""Lines of commands that are shown."""

_COMMAND = lazy_regex(
    r"(?:Usage:\s*)?(?:[$%>]\s+[^\s#`].*|(?:sudo\s+|\./)?[a-z][\w.+/-]*(?:\s+[^\s.,;!?]\S*|\s+\.\S*)+)"
)
"""A prompt and what follows, or words that begin small and end without a mark: no sentence."""
_WORD = lazy_regex(r"(?:\./|~/)?[a-z][\w.+/-]*|[~.]?[\w-]{0,80}[/\\][\w./\\-]+")
_ENDS = (".", "!", "?", ":", ",", ";")
_WRITTEN = lazy_regex(r"`(?:[$%>] )?[a-z./][^`\s]*\s[^`]+`")
"""A command with what it is given, as code in a sentence."""
_WRITTEN_ANY = lazy_regex(r"`[^`]*`")
"""Code in a sentence: what is called so, or typed, is not what the sentence says."""
_PURPOSE = lazy_regex(
    r"(?i)\W*(?:to|for)\s(?!(?:example|instance|this|that|do (?:so|this|that))\b)([^`:,]+)[:,]"
)
"""How a sentence begins that says what the command in it is for."""
_LEFT_OUT = lazy_regex(r"(?:\.\.\.|…)\W*$")
"""How a line ends that stands for what is left out: "(... as above ...)"."""
_ASIDE = lazy_regex(r"\([^()]*\)")
_WITHOUT = lazy_regex(r"(?i)\bwithout\s([^`,.;:]+)")
_ASKS_FOR_COMMAND = lazy_regex(r"(?i)\W*(?:which|what)\s+command\b")
_ASKING = stems_of("command way run use type start launch somebody someone somebody's someone's")
"""What is said of any command: who runs `gully serve` starts the server."""
_SETS = lazy_regex(r"(?i)\b(?P<deed>set|make) (?:an?|the|my|our|it)\b")
"""Asks by a word that says nothing: one sets up a thing, but sets a limit, and `make` makes all."""
_PROGRAM = lazy_regex(
    r"(?:from\s+\S+\s+)?import\s|[\w.]+(?:\[[^\]]*\])?\s*=\s|.*\w\(.*\)$|.*[(\[{]$"
)
"""A line of a program rather than of a shell."""
_LINK = lazy_regex(r"\[([^\]\n]+)\]\([^()\s]*\)")
_REMARK = lazy_regex(r"(?<=\S)\s+#\s+\S.*")
"""What a command does, said after it: "make test   # run all tests"."""
_AGENTS = ("r", "er")
"""What makes of a verb who or what does it: "serve", "server"; "work", "worker"."""


class _Told(NamedTuple):
    """Commands, or a sentence with one, and the lines around them."""

    lines: tuple[Line, ...]
    around: tuple[Line, ...]
    is_written: bool = False
    """Whether it is a sentence with a command in it."""


class _Rated(NamedTuple):
    """How well commands answer: shares of the question's weight, what counts most first."""

    held: float
    """By all that is said of them."""
    qualified: int
    """Words of the question that are typed as they are, and say how or where: "with pip"."""
    says: bool
    """Whether what leads in to them says that the deed is done to the thing."""
    tersely: int
    """Words of that which are not asked for, below zero."""
    exactly: int
    """All words of the question that are typed as they are."""
    does: int
    """How surely they do the deed itself: most where what leads in says so, see `_does`."""
    typed: float
    near: float
    """By them and the lines next to them."""
    unasked: int
    """Words of what leads in to them that are not asked for, below zero: "leading blank lines"."""
    besides: int
    """Words that are typed and not asked for, below zero."""
    says_one: bool
    """Whether of several things asked but one is said, and nothing over the commands says more."""

    @property
    def is_enough(self) -> bool:
        """Whether that is enough to be an answer."""
        return self.held >= COVERED and self.near >= LED * self.held and not self.says_one


def find_commands(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the commands that do what ``question`` asks how to do; none where none clearly do.

    What leads in to them comes first, in one line with the first of them.
    """
    text = last_question(question)
    if expected_kind(text) is not Kind.MANNER and not _ASKS_FOR_COMMAND.match(text):
        return ()
    sets = _SETS.search(text)
    idle = _ASKING.union(terms(sets["deed"]) if sets else ())
    goal = Goal.besides(idle, text, pool)
    found = _closest(text, goal, pool) if goal else None
    return _led_in(found, goal, pool) if goal and found else ()


def _closest(text: str, goal: Goal, pool: Pool) -> _Told | None:
    """Return the commands that have most of ``goal``, if they have enough of it."""
    deed = asked_deed(text)
    rated = [(_rated(text, told, deed, goal, pool), told) for told in _may_answer(text, goal, pool)]
    enough = [each for each in rated if each[0].is_enough]
    best = max(enough, key=lambda each: each[0], default=None)
    return best[1] if best else None


def _may_answer(text: str, goal: Goal, pool: Pool) -> Iterator[_Told]:
    """Yield the commands of all passages, those in a sentence where that says what is asked."""
    for lines in pool.lines_of:
        for told in _told(lines, goal, asked_deed(text), pool):
            says_so = not told.is_written or _is_told(told, text, goal, pool)
            if says_so and not _is_of_another(text, told):
                yield told


_OPPOSED = (
    (("create", "make", "build", "add", "install"),
     ("drop", "delete", "remove", "destroy", "uninstall", "purge")),
    (("build", "compile"), ("clean", "distclean")),
    (("start", "enable", "open", "mount", "resume", "continue"),
     ("stop", "disable", "kill", "close", "umount", "pause", "suspend")),
    (("encrypt", "compress", "pack"), ("decrypt", "decompress", "extract", "unpack")),
)  # fmt: skip
"""What one does, and what undoes it: as a command is called, or how its name begins."""
_PARTS = lazy_regex(r"[a-z]+")
_ITSELF = stems_of("self")


def _is_of_another(text: str, told: _Told) -> bool:
    return any(_undoes(text, line) or _does_to_another(text, line, told) for line in told.lines)


def _does_to_another(text: str, line: Line, told: _Told) -> bool:
    """Whether a program in ``line`` does the deed to a thing, and ``text`` asks of the program.

    `gully tool install lamp` does not install gully, unless a line next to it says so.
    """
    way, typed = asked_way(text), words(_code_of(line))
    if way is None or way.deed in ANYHOW or way.thing not in map(stem, typed[:1]):
        return False
    besides = frozenset(terms(" ".join(typed[1:]))) - _ITSELF.union(terms(text))
    near = (line, *told.around) if told.is_written else told.around
    said = " ".join(_WRITTEN_ANY.sub(" ", each.text) for each in near)
    named = map(stem, (word.strip(".,:;()") for word in said.casefold().split()))
    return bool(besides) and way.thing not in named


def _undoes(text: str, line: Line) -> bool:
    """Whether what one types in ``line`` undoes what ``text`` asks how to do.

    `pool_drop old` creates nothing, though it may drop what was just created.
    """
    asked = frozenset(words(text))
    typed = _PARTS.findall(_REMARK.sub("", _code_of(line)).casefold())
    pairs = (pair for each in _OPPOSED for pair in (each, each[::-1]))
    return any(
        not asked.isdisjoint(one) and _is_typed(other, typed) and not _is_typed(one, typed)
        for one, other in pairs
    )


def _is_typed(deeds: tuple[str, ...], typed: Sequence[str]) -> bool:
    return any(part.startswith(deeds) for part in typed)


def _rated(text: str, told: _Told, deed: str, goal: Goal, pool: Pool) -> _Rated:
    said = frozenset[str]().union(*map(_typed, told.lines))
    first = told.lines[0]
    over = first.under | pool.title_terms[first.owner]
    does = _does(deed, told, said)
    exactly, asked = _exactly(told, goal), asked_way(text)
    says = _says(asked, told)
    unasked = -sum(not goal.mask(frozenset([own])) for own in _leading_in(told))
    spoken, least = _spoken(told, together=does > 1), min(FEWEST, len(goal.words))
    return _Rated(
        held=max(goal.share_in(own | over) for own in spoken),
        qualified=len(exactly & asked.details) if asked else 0,
        says=says,
        tersely=unasked if says else 0,
        exactly=len(exactly),
        does=does,
        typed=goal.share_in(said),
        near=max(map(goal.share_in, spoken)),
        unasked=unasked,
        besides=-sum(not goal.mask(frozenset([stem(word)])) for word in _words_typed(told)),
        says_one=does < 2 and all(goal.mask(own | over).bit_count() < least for own in spoken),
    )


def _spoken(told: _Told, *, together: bool) -> list[frozenset[str]]:
    """Return the stems of each command with those of the lines around them, or of all together.

    Where nothing says what they are for, a word of one and one of another tell nothing.
    """
    around = frozenset[str]().union(*(line.terms for line in told.around))
    each = [around | line.terms | _typed(line) for line in told.lines]
    return [frozenset[str]().union(*each)] if together else each


def _does(deed: str, told: _Told, typed: frozenset[str]) -> int:
    """Return how surely commands, with the stems ``typed``, do what has the stem ``deed``.

    It is 3 where what leads in says so, 2 where the heading does and 1 where it is typed or said
    elsewhere. The heading over a usage line is but the name of the command.
    """
    if deed in _leading_in(told):
        return 3
    if deed in told.lines[0].under and not _is_usage(told.lines[0]):
        return 2
    return int(deed in typed or any(deed in line.terms for line in told.around))


def _says(asked: Way | None, told: _Told) -> bool:
    lead = (line.text for line in told.around if line.place < told.lines[0].place)
    return asked is not None and any(says_done(asked, each) for each in lead)


def _leading_in(told: _Told) -> frozenset[str]:
    """Return the stems of what leads in to the commands, but for what it says in brackets."""
    first = told.lines[0]
    leads = (line for line in told.around if line.place < first.place)
    return frozenset(term for line in leads for term in terms(_ASIDE.sub(" ", line.text)))


def _words_typed(told: _Told) -> list[str]:
    """Return the words that one types, without what is said of them."""
    return [word for line in told.lines for word in _words_of(line)]


def _words_of(line: Line) -> list[str]:
    return words(_REMARK.sub("", _code_of(line)))


def _told(lines: Sequence[Line], goal: Goal, deed: str, pool: Pool) -> Iterator[_Told]:
    at = 0
    while at < len(lines):
        block = list(takewhile(lambda line: _is_of_block(line, pool), lines[at:]))
        if run := tuple(line for line in block if not is_printed(line, pool)):
            yield from _of_run(run, lines, goal, deed)
        elif _has_command(lines[at]):
            yield _Told((lines[at],), (), is_written=True)
        at += len(block) or 1


def _of_run(run: tuple[Line, ...], lines: Sequence[Line], goal: Goal, deed: str) -> Iterator[_Told]:
    """Yield the commands of a ``run``: each by itself that says what it does, else all as one.

    Such commands stand next to each other to be chosen from, the others to be typed in turn. Where
    nothing over these says that they do the ``deed``, it is the one in which that is typed, or the
    first if all is typed in it that is asked for: others come after it.
    """
    explained = [line for line in run if _REMARK.search(line.text)]
    in_turn = [line for line in run if line not in explained]
    yield from (_Told((line,), ()) for line in explained)
    if not in_turn:
        return
    whole = _Told(run[:SHOWN], _next_to(run, lines))
    if len(in_turn) == 1 or _does(deed, whole, frozenset()) > 1:
        yield whole
        return
    doing = [line for line in in_turn if deed in frozenset(map(stem, _words_of(line)))]
    if len(doing) == 1 and len({tuple(_words_of(line)[:1]) for line in in_turn}) == 1:
        yield _Told((doing[0],), ())
    elif goal.share_in(_typed(in_turn[0])) >= COVERED:
        yield _Told((in_turn[0],), ())
    else:
        yield whole


def _next_to(run: Sequence[Line], lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the one of ``lines`` before ``run``, and after a usage the one that follows it."""
    start, end = run[0].place, run[-1].place + 1
    before = [line for line in lines[max(0, start - 1) : start] if not line.columns]
    after = lines[end : end + 1] if _is_usage(run[0]) else ()
    return tuple(line for line in (*before, *after) if _may_lead(line))


def _may_lead(line: Line) -> bool:
    return not line.heading and _LEFT_OUT.search(line.text) is None


def _has_command(line: Line) -> bool:
    """Whether ``line`` is a sentence with a command in it, and does not lead in to what follows."""
    is_sentence = not (line.columns or line.heading or line.text.endswith(":"))
    return is_sentence and _WRITTEN.search(line.text) is not None


def _is_told(told: _Told, text: str, goal: Goal, pool: Pool) -> bool:
    """Return whether a sentence with a command says by itself, under its title, what is asked.

    It denies what the question does: by "without altering it" one does not ask what alters it. And
    where it says what the command is for, that has a word of what is asked.
    """
    line = told.lines[0]
    purpose = _PURPOSE.match(line.text)
    if purpose and not goal.mask(frozenset(terms(purpose[1]))):
        return False
    told_in_words = frozenset(terms(_WRITTEN_ANY.sub(" ", line.text)))
    said = told_in_words | pool.title_terms[line.owner] | _typed(line)
    return deny_alike(_of_goal(line.text, goal), text) and goal.share_in(said) >= COVERED


def _of_goal(said: str, goal: Goal) -> str:
    """Return ``said`` but for what goes without: "lints without running tests" denies no linting.

    It stays where it has a word of ``goal``.
    """

    def kept(found: re.Match[str]) -> str:
        return found[0] if goal.mask(frozenset(terms(found[1]))) else ""

    return _WITHOUT.sub(kept, said)


def _exactly(told: _Told, goal: Goal) -> frozenset[str]:
    """Return the stems of the question typed as they are there: "hask" is not "hask-extras"."""
    written = (_code_of(line).strip("`").split() for line in told.lines)
    typed = {word.casefold() for words_of in written for word in words_of}
    return frozenset(term for term, word in goal.words.items() if word.casefold() in typed)


def _is_command(line: Line) -> bool:
    said = _REMARK.sub("", line.text)
    is_text = line.heading or line.columns or line.listed or said.endswith(_ENDS)
    if is_text or _PROGRAM.match(line.text):
        return False
    return _COMMAND.fullmatch(line.text) is not None


def _typed(line: Line) -> frozenset[str]:
    """Return the stems of what one types, and of what does that: of a sentence its code alone."""
    typed = words(_code_of(line))
    return frozenset(terms(" ".join(typed))).union(
        stem(f"{word}{end}") for word in typed for end in _AGENTS if word.isalpha()
    )


def _code_of(line: Line) -> str:
    code = _WRITTEN.search(line.text)
    return code[0] if code else line.text


def _is_usage(line: Line) -> bool:
    return line.text.startswith("Usage:")


def _led_in(told: _Told, goal: Goal, pool: Pool) -> tuple[Line, ...]:
    """Return the commands, the first with the line before it that leads in to it.

    Those below each other are one block, of as many lines, after what leads in to it. What is
    written "Usage: …" is said after it.
    """
    blocks = told.lines if told.is_written else _blocks(told.lines, pool)
    first, *others = blocks
    others += (line for line in told.around[-1:] if line.place > first.place)
    lead = _lead_of(told, goal)
    return (first, *others) if lead is None else (lead, as_block(first), *others)


def _lead_of(told: _Told, goal: Goal) -> Line | None:
    """Return the line before the commands that ends in a colon, or alone says what they do."""
    before = (line for line in told.around[:1] if line.place < told.lines[0].place)
    lead = next(before, None)
    if lead is None:
        return None
    typed = frozenset[str]().union(*map(_typed, told.lines))
    tells = goal.share_in(lead.terms) > goal.share_in(typed)
    if not (lead.text.endswith(":") or tells):
        return None
    return standing(replace(lead, text=_LINK.sub(r"\1", lead.text)))


_ONLY_LEADS = lazy_regex(
    r"(?i)\b(?:run|runs|type|use|uses|using|via|with|by|do|does|like|are|is|be|follows?|following"
    r"|examples?|here|this|these|below)\W*:\s*$"
)
"""How a sentence ends that says nothing without what it leads in to."""


def standing(lead: Line) -> Line:
    """Return ``lead`` without the colon before a block of code, where it says something alone."""
    if _ONLY_LEADS.search(lead.text):
        return lead
    text = lead.text.rstrip(": ")
    return replace(lead, end=lead.end - (len(lead.text) - len(text)), text=text)


def _blocks(lines: Sequence[Line], pool: Pool) -> list[Line]:
    """Return commands as code, those that stand directly below each other in one."""
    text = pool.passages[lines[0].owner].text
    runs: list[list[Line]] = []
    for line in lines:
        if runs and text[runs[-1][-1].end : line.start].count("\n") == 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [_as_one(run, text) for run in runs]


def _as_one(run: Sequence[Line], text: str) -> Line:
    """Return the commands of a ``run`` as a block, with their lines as they are in ``text``.

    One on a single line is code in a sentence.
    """
    typed = "\n".join(_as_typed(line, text) for line in run)
    is_block = "\n" in typed
    return replace(
        run[0], end=run[-1].end, text=typed if is_block else as_code(typed), is_block=is_block
    )


def _as_typed(line: Line, text: str) -> str:
    """Return a command in one line, or in as many as it goes on over, each ended by a backslash."""
    lines = text[line.start : line.end].split("\n")
    goes_on = len(lines) > 1 and all(each.rstrip().endswith("\\") for each in lines[:-1])
    return "\n".join(each.rstrip() for each in lines) if goes_on else _joined(line)


def as_block(line: Line) -> Line:
    """Return ``line`` of code as a block by itself, without its marks in a sentence."""
    marked = not line.is_block and line.text[:1] == line.text[-1:] == "`"
    return replace(line, text=line.text[1:-1] if marked else line.text, is_block=True)


def code_below(lead: Line, pool: Pool) -> Line | None:
    """Return the code that stands right below ``lead`` as one line, or as a block of several."""
    lines = pool.lines_of[lead.owner][lead.place + 1 : lead.place + 1 + SHOWN]
    run = list(takewhile(lambda line: is_typed(line, pool), lines))
    return as_block(_blocks(run, pool)[0]) if run else None


def with_blocks(lines: Sequence[Line], pool: Pool) -> tuple[Line, ...]:
    """Return ``lines``, which follow each other, with those of code in blocks."""
    found: list[Line] = []
    for typed, run in groupby(lines, key=lambda line: is_typed(line, pool)):
        each = list(run)
        found += _blocks(each, pool) if typed else each
    return tuple(found)


def is_typed(line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is one of code: a command, or a line of a program."""
    text = pool.passages[line.owner].text
    return _is_typed_line(line, pool) or is_code([text[line.start : line.end]])


def _is_of_block(line: Line, pool: Pool) -> bool:
    return is_printed(line, pool) or _is_typed_line(line, pool)


def _is_typed_line(line: Line, pool: Pool) -> bool:
    """Whether ``line`` is a command, or one word in lines right below each other with one.

    So is "make" above "make install". As many lines are looked at as are shown: a list of words
    may go on for thousands.
    """
    if is_printed(line, pool) or is_entry(line, pool):
        return False
    if _is_command(line) or not _is_word(line):
        return _is_command(line)
    lines, at = pool.lines_of[line.owner], line.place
    above = _joined_on(lines[max(0, at - SHOWN) : at + 1][::-1], pool)
    return any(map(_is_command, (*above, *_joined_on(lines[at : at + SHOWN + 1], pool))))


def _joined_on(lines: Sequence[Line], pool: Pool) -> Iterator[Line]:
    """Yield the ``lines`` after the first that are typed, as long as no blank line parts them."""
    for before, line in pairwise(lines):
        first, second = sorted((before, line), key=lambda each: each.start)
        between = pool.passages[line.owner].text[first.end : second.start]
        if between.count("\n") != 1 or not (_is_command(line) or _is_word(line)):
            return
        yield line


def _is_word(line: Line) -> bool:
    is_text = line.heading or line.columns or line.listed
    return not is_text and _WORD.fullmatch(line.text) is not None


def _joined(line: Line) -> str:
    return " ".join(line.text.split())


def as_code(text: str) -> str:
    """Return ``text``, one line, marked as code; as it is where it has such a mark."""
    return text if "`" in text or text.startswith("Usage:") else f"`{text}`"
