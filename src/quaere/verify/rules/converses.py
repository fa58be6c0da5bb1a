"""Words that say one thing of two from either end: who sells, beats or follows, and who buys.

Such words are often taken for opposites, or for the same: "A beat B" and "A lost to B" have the
words of each other. A sentence agrees with its source where the same thing is at the same end. So
it is with what passes from one to another, and with the two sides of a "to" or "from".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.text.languages.language import cached_by_language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import fold, stop_words, tokenize
from quaere.verify.align import BE, Alignment, stems
from quaere.verify.ground import CLAUSE_END
from quaere.verify.likeness import alike, root

_RELATIONS: Final[Sequence[tuple[str, str]]] = (
    (
        r"beats?|defeat(?:s|ed)?|(?:won|wins?) against|(?:ahead|in front) of|overc[ao]mes?",
        (
            r"(?:lost|loses?|losing) (?:to|against)|suffer(?:s|ed) (?:[\w–-]+ ){1,3}?defeat"
            r" (?:at the hands of|against|to)|(?:came in|finish(?:ed|es)|ranks?|ranked)"
            r" behind|(?:beaten|defeated|overcome) by"
        ),
    ),
    (
        (
            r"succeed(?:s|ed)|(?:took|takes?|taken) (?:over (?:as (?:\w+ ){1,3})?from|the place of)"
            r"|followed|superseded"
            r"|successor (?:of|to)|replac(?:es|ed|ing)|c[ao]mes? after|instead of|in place of"
        ),
        (
            r"preced(?:es|ed)|predecessor (?:of|to)|ma[dk]es? way for|g[ai]ves? (?:way|place) to"
            r"|handed over to|(?:succeeded|followed|replaced|superseded) by"
        ),
    ),
    (
        r"hir(?:es|ed)|employ(?:s|ed)|appoint(?:s|ed)|engaged",
        r"work(?:s|ed) for|(?:hired|employed|appointed|engaged) by",
    ),
    (
        r"(?:mother|father|parent|aunt|uncle|teacher|master) of",
        r"(?:daughter|son|child|niece|nephew|pupil|student|apprentice) of",
    ),
    (
        r"includ(?:es|ed)|contain(?:s|ed)|consists? of|compris(?:es|ed)",
        r"(?:is|are|was|were) (?:a )?part of|(?:included|contained) in",
    ),
)
"""What may come between two things: from the first end of a relation, and from the second."""
_SUCCESSION: Final = 1
"""Place of the relation above that "replaced" belongs to."""
_EXCHANGE: Final = lazy_regex(r"(?i)\breplac(?:es|ed|ing)\s(?P<old>[^,;.]+?)\s(?:by|with)\s")
"""Names what is left before what comes: "replaced Redis with PostgreSQL"."""
_WORDS = """
beat beaten defeat overcome win won lose lost follow precede succeed replace supersede hire employ
appoint engage work mother father parent daughter son child include contain
"""
_STEMS: Final = frozenset(map(root, _WORDS.split()))


class _Ends(NamedTuple):
    """The two things of a relation, as stems."""

    relation: int
    first: frozenset[str]
    second: frozenset[str]


def ends_alike(said: str, held: str) -> int:
    """Return 1 where a relation of both has the same thing at the same end, -1 where exchanged.

    0 where they have no relation in common, or its ends cannot be told.
    """
    if not is_english():
        return 0
    ways = {_compared(a, b) for a in _ends(said) for b in _ends(held) if a.relation == b.relation}
    ways.discard(0)
    return ways.pop() if len(ways) == 1 else 0


def is_relation(stem: str) -> bool:
    """Return whether ``stem`` is of a word of a relation, which may pass for an opposite."""
    return stem in _STEMS


def _compared(said: _Ends, held: _Ends) -> int:
    shared = said.first & said.second | held.first & held.second
    first, second = said.first - shared, said.second - shared
    kept = alike(first, held.first) + alike(second, held.second)
    crossed = alike(first, held.second) + alike(second, held.first)
    return (kept > crossed) - (kept < crossed)


def _ends(text: str) -> Iterator[_Ends]:
    """Yield every relation that ``text`` names, with its two ends."""
    exchange = _EXCHANGE.search(text)
    if exchange:
        yield _Ends(_SUCCESSION, _first(text[exchange.end() :]), stems([exchange["old"]]))
        return
    marks = list(_longest(_marks(text)))
    for place, (start, end, relation, way) in enumerate(marks):
        low = marks[place - 1][1] if place else 0
        high = marks[place + 1][0] if place + 1 < len(marks) else len(text)
        before, behind = _last(text[low:start]), _first(text[end:high])
        if before and behind:
            yield _Ends(relation, *((before, behind) if way > 0 else (behind, before)))


_Mark = tuple[int, int, int, int]
"""Where words of a relation begin and end, its number, and 1 or -1: from which end they tell it."""


def _marks(text: str) -> Iterator[_Mark]:
    for relation, ways in enumerate(_RELATIONS):
        for pattern, way in zip(ways, (1, -1), strict=True):
            for match in re.finditer(rf"(?i)\b(?:{pattern})\b", text):
                yield *match.span(), relation, way


def _longest(marks: Iterable[_Mark]) -> Iterator[_Mark]:
    """Yield ``marks`` in order, without those that are within another: "followed by"."""
    last = 0
    for mark in sorted(marks, key=lambda each: (each[0], -each[1])):
        if mark[0] >= last:
            yield mark
            last = mark[1]


def _last(text: str) -> frozenset[str]:
    """Return the stems of what is last in ``text``: what "which" refers to precedes it."""
    parts = [found for part in CLAUSE_END.split(text) if (found := stems([part]))]
    return parts[-1] if parts else frozenset()


def _first(text: str) -> frozenset[str]:
    parts = CLAUSE_END.split(text)
    return stems(parts[:1])


class _Transfers(NamedTuple):
    """How a language says that something passes from one to another."""

    gives: str
    """Verbs whose subject is who had it."""
    takes: str
    """Verbs whose subject is who has it then."""
    either: str
    """Verbs of which only "to" or "from" tells."""
    to: str
    """Words before who has it then, after a verb of giving."""
    of: str
    """Words before who had it, after a verb of taking."""
    agent: str
    """Words before who does it, in a passive."""
    directions: str
    """Words that tell apart what is before and what behind them."""


_TRANSFERS: Final[Mapping[str, _Transfers]] = MappingProxyType(
    {
        "en": _Transfers(
            gives="sell sold give gave given lend lent supply supplied deliver donate hand send "
            "sent teach taught award grant export bequeath sublet transfer offer show tell told "
            "inform pay paid dedicate assign cede",
            takes="buy bought purchase acquire get got receive borrow obtain inherit learn learnt "
            "import accept take took taken",
            either="lease rent hire",
            to="to",
            of="from",
            agent="by",
            directions="to into from onto towards against",
        ),
        "de": _Transfers(
            gives="verkauft verkaufte verkaufen verkauften verpachtet verpachtete vermietet "
            "vermietete verlieh verliehen liefert lieferte geliefert übergab übergeben vererbte "
            "vererbt schenkte geschenkt spendete gespendet",
            takes="kauft kaufte kaufen gekauft erwarb erworben pachtet pachtete gepachtet mietet "
            "mietete gemietet lieh geliehen erhielt erhalten bekam bekommen erbte geerbt bezieht "
            "bezog übernahm",
            either="",
            to="an",
            of="von vom",
            agent="von vom durch",
            directions="an von vom nach aus gegen in ins zu zum zur",
        ),
        "fr": _Transfers(
            gives="vend vendit vendu vendue vendent donna donne donné donnée prêta prête prêté "
            "offrit offert offerte livre livra livré céda cédé cédée remit remis",
            takes="achète acheta acheté achetée achètent reçut reçu reçue emprunta emprunté "
            "obtint obtenu hérita hérité",
            either="loue loua loué louée",
            to="à au aux",
            of="à au aux de du des",
            agent="par",
            directions="à au aux vers contre",
        ),
        "es": _Transfers(
            gives="vende vendió vendido vendida venden dio dado donó donado prestó prestado "
            "entregó entregado entregada cedió cedido regaló regalado",
            takes="compra compró comprado comprada compran recibió recibido adquirió adquirido "
            "obtuvo heredó heredado",
            either="alquiló alquilado alquila arrendó arrendado",
            to="a al",
            of="a al de del",
            agent="por",
            directions="a al hacia contra desde",
        ),
        "it": _Transfers(
            gives="vende vendette venduto venduta vendono donò donato prestò prestato consegnò "
            "consegnato cedette ceduto",
            takes="compra comprò comprato comprata acquistò acquistato ricevette ricevuto ereditò",
            either="affittò affittato",
            to="a al alla ai allo alle",
            of="da dal dalla dai dallo dalle",
            agent="da dal dalla dai dallo dalle",
            directions="a al alla da dal dalla verso contro",
        ),
        "pt": _Transfers(
            gives="vende vendeu vendido vendida deu doou doado emprestou entregou entregue cedeu",
            takes="compra comprou comprado comprada recebeu recebido adquiriu herdou",
            either="alugou alugado arrendou arrendado",
            to="a ao à aos às para",
            of="a ao à de do da dos das",
            agent="por pelo pela",
            directions="a ao à para contra",
        ),
        "nl": _Transfers(
            gives="verkoopt verkocht verkochten gaf gegeven leverde geleverd schonk geschonken "
            "verhuurde verhuurd verpachtte verpacht",
            takes="koopt kocht gekocht kochten kreeg gekregen ontving ontvangen erfde geërfd "
            "huurde gehuurd pachtte gepacht",
            either="",
            to="aan",
            of="van",
            agent="door van",
            directions="aan van naar tegen uit",
        ),
    }
)
"""By ISO 639-1; languages without a record are not looked at."""
_ARTICLE: Final = frozenset(("a", "an", "the", "his", "her", "its", "their", "how", "what"))
_FINITE: Final = frozenset(
    ("is", "are", "was", "were", "have", "has", "had", "must", "may", "can", "will", "should")
)
"""Verbs that follow a noun, and no other verb: "hands must be washed"."""
_BEFORE_VERB: Final = frozenset(
    ("have", "has", "had", "able", "unable", "ought", "need", "needs", "allowed", "required")
)
"""Words after which "to" has a verb: "have to go"."""
_TOLD: Final = frozenset(
    map(root, ("teach", "taught", "show", "tell", "told", "inform", "pay", "paid"))
)
"""Verbs of giving whose first object is who is given."""


class _Transfer(NamedTuple):
    """Who had something and who has it then, as stems; empty where it is not said."""

    giver: frozenset[str]
    receiver: frozenset[str]


def transfers(said: str, held: str) -> int:
    """Return -1 where giver and receiver are exchanged, 1 where both sentences agree, else 0.

    "A sold it to B", "B bought it from A" and "it was sold to B by A" agree. So it is with the two
    ends of any relation that can be told from either: who beats, follows or hires whom.
    """
    mine, theirs = _transfer(said), _transfer(held)
    return (mine and theirs and _passed_alike(mine, theirs)) or ends_alike(said, held)


def _passed_alike(mine: _Transfer, theirs: _Transfer) -> int:
    crossed = mine.giver & theirs.receiver or mine.receiver & theirs.giver
    kept = mine.giver & theirs.giver or mine.receiver & theirs.receiver
    return bool(kept) - bool(crossed)


def passes_on(stem: str) -> bool:
    """Return whether ``stem`` is of a verb with which something passes from one to another.

    Or of one of another relation that can be told from either end.
    """
    table = _table()
    if table is None:
        return False
    return is_relation(stem) or any(
        stem in _stems(verbs) for verbs in (table.gives, table.takes, table.either)
    )


def turns_direction(alignment: Alignment) -> bool:
    """Return whether what is behind one "to" or "from" is elsewhere in the other, both ways.

    "YAML is converted to JSON" and "JSON is converted to YAML".
    """
    table = _table()
    if table is None:
        return False
    said, held = (_without_infinitives(_tokens(text)) for text in (alignment.said, alignment.held))
    mine, theirs = stems([alignment.said]), stems([alignment.held])
    for word in table.directions.split():
        here, there = _behind(said, {word}), _behind(held, {word})
        here, there = here - there, there - here  # what both have tells nothing apart
        if here and there and here <= theirs and there <= mine:
            return True
    return False


def _without_infinitives(words: Sequence[str]) -> Sequence[str]:
    """Return ``words`` without the "to" of "have to go", which tells no direction."""
    pairs = pairwise(("", *words))
    return [word for before, word in pairs if word != "to" or before not in _BEFORE_VERB]


def _table() -> _Transfers | None:
    language = language_in_use()
    return _TRANSFERS.get(language.code if language else "en")


@cached_by_language(maxsize=64)
def _stems(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


def _tokens(text: str) -> Sequence[str]:
    return [fold(token.text) for token in tokenize(text)]


def _transfer(text: str) -> _Transfer | None:
    table = _table()
    if table is None:
        return None
    words = _tokens(text)
    for place, word in enumerate(words):
        way = 0 if _is_noun_at(words, place) else _way(table, word, words[place:])
        if way:
            return _parties(table, words, place, gives=way > 0)
    return None


def _is_noun_at(words: Sequence[str], place: int) -> bool:
    """Return whether the word at ``place`` is a noun: "the hands", "hands must be"; in English."""
    if not is_english():
        return False
    before, behind = words[max(0, place - 1) : place], words[place + 1 : place + 2]
    return bool(_ARTICLE.intersection(before) or _FINITE.intersection(behind))


def _way(table: _Transfers, word: str, behind: Sequence[str]) -> int:
    """Return 1 for a verb of giving, -1 for one of taking, 0 for any other word."""
    found = root(word)
    for verbs, way in ((table.gives, 1), (table.takes, -1)):
        if found in _stems(verbs):
            return way
    if found in _stems(table.either):
        given, taken = (_behind(behind, set(part.split())) for part in (table.to, table.of))
        return bool(given) - bool(taken)
    return 0


def _parties(table: _Transfers, words: Sequence[str], place: int, *, gives: bool) -> _Transfer:
    before, behind = words[:place], words[place + 1 :]
    agent = _behind(behind, set(table.agent.split()) - set(table.of.split()))
    subject = frozenset(_content(before))
    if not gives:
        return _Transfer(_behind(behind, set(table.of.split())), agent or subject)
    other = _behind(behind, set(table.to.split()))
    if agent or other:
        return _Transfer(agent or subject, other or subject)
    if BE.intersection(words[max(0, place - 2) : place]):  # "each step is given a minute"
        return _Transfer(frozenset(), frozenset(_content(_last_clause(before))))
    return _Transfer(subject, _first_object(behind, root(words[place])))


def _last_clause(words: Sequence[str]) -> Sequence[str]:
    """Return ``words`` from the last one on that begins a clause: "after the keys are" handed."""
    starts = [n for n, word in enumerate(words) if word in _PARTING]
    return words[starts[-1] + 1 :] if starts else words


_CONJUNCTIONS: Final = (
    "after before when while once if unless until because since although whereas but"
)
_PARTING: Final = frozenset(_CONJUNCTIONS.split())


def _first_object(behind: Sequence[str], verb: str) -> frozenset[str]:
    """Return who is given in "gave the museum the painting", and "taught the cook"."""
    if not is_english():
        return frozenset()
    start = next((n for n, word in enumerate(behind) if word not in stop_words()), len(behind))
    run = [*takewhile(lambda word: word not in stop_words(), behind[start:])]
    rest = behind[start + len(run) :]
    if verb in _TOLD or (rest and rest[0] in _ARTICLE):
        return frozenset(_content(run))
    return frozenset()


def _behind(words: Sequence[str], marks: set[str]) -> frozenset[str]:
    """Return the stems of the words directly after one of ``marks``, its articles left out."""
    for place, word in enumerate(words):
        if word in marks:
            return frozenset(_run(words[place + 1 :]))
    return frozenset()


def _run(words: Sequence[str]) -> Iterator[str]:
    """Yield the stems with which ``words`` begin, up to the next word that says nothing."""
    started = False
    for word in words:
        if word in stop_words():
            if started:
                return
            continue
        started = True
        yield root(word)


def _content(words: Sequence[str]) -> Iterator[str]:
    return (root(word) for word in words if word not in stop_words())
