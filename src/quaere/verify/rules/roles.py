"""Who does what to whom in two aligned statements: whether a sentence exchanges the two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import cached_by_language, spoken
from quaere.text.tokens import fold, stop_words, tokenize
from quaere.verify.align import BE, Alignment, Match, Word, stems
from quaere.verify.likeness import is_irregular, root
from quaere.verify.rules.converses import ends_alike, is_relation

_MUTUAL: Final = frozenset(map(root, ("marry", "meet", "met", "border", "equal", "resemble")))
"""Verbs that say the same of both."""
_PARTICIPLE: Final = re.compile(r"(?:ed|en|wn|lt|ght|ld|id|un|nt|ut|de|ne|^set|^hit|^cast|^met)$")
_NO_VERB: Final = re.compile(r"(?:tion|sion|ment|ness|ity|istry|ism|ship|logy|ics)s?$")
_LEAD: Final = re.compile(
    r"(?i)\W*(?:after|before|when|while|if|once|since|until|although|though|because|as)\s"
    r"[^,;:()]{1,80},"
)
"""A clause with which a statement begins, and which might as well end it."""
_MOVED: Final = re.compile(r"(?i)\s*(?:it (?:is|was)|there (?:is|are|was|were))\b")


def exchanges(alignment: Alignment) -> int:
    """Return -1 where the two sides of a verb are exchanged, 1 where they are kept, else 0.

    "A trained B" and "B was trained by A" keep them. For an exchange, all that was before the verb
    must change sides, and something come to be before it.
    """
    if _MOVED.match(alignment.said) or _MOVED.match(alignment.held):
        return 0
    verdict = 0
    for match in alignment.matches:
        turned = _turned_around(alignment, match)
        if turned and not _is_of_one_voice(alignment, match):
            return -turned
        verdict = turned or verdict
    return verdict


def _turned_around(alignment: Alignment, verb: Match) -> int:
    """Return -1 where the sides of ``verb`` are others than in the source, 1 where they are not.

    0 where it has no sides, or where its voice cannot be told.
    """
    if verb.said.stem in _MUTUAL or verb.opposite or _is_noun(alignment.said, verb.said):
        return 0
    turned = _crossed(alignment, verb, alignment.matches)
    if not turned or _may_be_passive(alignment.said, verb.said):
        return 0
    return 0 if _may_be_passive(alignment.held, verb.held) else turned


def _is_of_one_voice(alignment: Alignment, verb: Match) -> bool:
    """Return whether ``verb`` is passive on both sides, or on neither."""
    return is_passive(alignment.said, verb.said) is is_passive(alignment.held, verb.held)


def reconciles(alignment: Alignment) -> bool:
    """Return whether an opposite says the same, since its two sides are exchanged, too."""
    moving = [each for each in alignment.matches if _may_move(each.said)]
    return any(
        m.opposite and _crossed(alignment, m, moving) < 0 and _is_of_one_voice(alignment, m)
        for m in alignment.matches
    )


def _may_move(word: Word) -> bool:
    """Return whether ``word`` may be one of two sides; verbs of little weight and "40 km" stay."""
    return word.weight == 1 and not word.stem[0].isdigit() and len(word.stem) > 2


def _crossed(alignment: Alignment, verb: Match, among: Sequence[Match]) -> int:
    """Return -1 where what is before ``verb`` is after it in the source and the reverse.

    1 where both stay, 0 where it cannot be told.
    """
    moves = [*_moves(alignment, verb, among)]
    stays, leaves, comes = (True, True), (True, False), (False, True)
    ways = {(before, there) for _, before, there in moves}
    beside = {(before, there) for each, before, there in moves if _is_beside(each, verb)}
    if {leaves, comes} <= beside and stays not in ways:
        return -1
    return 1 if ways == {stays, (False, False)} else 0


def _moves(
    alignment: Alignment, verb: Match, among: Sequence[Match]
) -> Iterator[tuple[Match, bool, bool]]:
    """Yield what is ``among`` others, whether it is before ``verb``, and whether in the source."""
    said, held = _led_until(alignment.said), _led_until(alignment.held)
    for each in among:
        # "You need an account" and "an account is needed" leave out who.
        if each is not verb and not each.opposite and _is_of_one_voice(alignment, each):
            yield (
                each,
                _precedes(each.said.start, verb.said.start, said),
                _precedes(each.held.start, verb.held.start, held),
            )


def _is_beside(match: Match, verb: Match) -> bool:
    """Return whether a word is in the clause of ``verb`` in the sentence and in its source.

    "Rafts go round reefs, which ships cross" and "ships cross reefs, and rafts go round them" have
    all before the reefs that the other has behind them.
    """
    return match.said.clause == verb.said.clause and match.held.clause == verb.held.clause


def _led_until(text: str) -> int:
    """Return where the clause ends that ``text`` begins with and might end with as well."""
    lead = _LEAD.match(text)
    return lead.end() if lead else 0


def _precedes(one: int, other: int, lead: int) -> bool:
    """Return whether what is at ``one`` comes before ``other``, with the ``lead`` put last."""
    return (one < lead, one) < (other < lead, other)


def _is_noun(text: str, word: Word) -> bool:
    match = re.match(r"\w+", text[word.start :])
    return match is not None and _NO_VERB.search(match[0]) is not None


def _may_be_passive(text: str, verb: Word) -> bool:
    """Return whether the verb may be passive without an auxiliary of its own.

    As "opened" is in "it was designed by Wray and opened in 1903", and both verbs are in "the mill,
    built by Wray and paid for by the town".
    """
    if is_passive(text, verb):
        return False
    before = [token.text for token in tokenize(text[: verb.start])][-2:]
    behind = [token.text for token in tokenize(text[verb.start :])][1:3]
    apposed = text[: verb.start].rstrip().endswith(",")
    return apposed or "by" in behind or bool({"and", "or"}.intersection(before))


def is_passive(text: str, verb: Word) -> bool:
    """Return whether ``verb`` is a participle after a form of "be" in ``text``."""
    before = [fold(token.text) for token in tokenize(text[: verb.start])][-2:]
    word = re.match(r"\w+", text[verb.start :])
    if word is None or not BE.intersection(before):
        return False
    return _PARTICIPLE.search(word[0]) is not None or is_irregular(word[0])


@dataclass(frozen=True, slots=True)
class _Transfers:
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


@dataclass(frozen=True, slots=True)
class _Transfer:
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
        if not here or not there:
            continue
        if here <= theirs and there <= mine:
            return True
    return False


def _without_infinitives(words: Sequence[str]) -> Sequence[str]:
    """Return ``words`` without the "to" of "have to go", which tells no direction."""
    pairs = pairwise(("", *words))
    return [word for before, word in pairs if word != "to" or before not in _BEFORE_VERB]


def _table() -> _Transfers | None:
    language = spoken()
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
    if spoken() is not None:
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
    other = _behind(behind, set((table.to if gives else table.of).split()))
    passive = bool(BE.intersection(words[max(0, place - 2) : place]))
    if gives and not other and not agent and passive:  # "each step is given a minute"
        return _Transfer(frozenset(), frozenset(_content(_last_clause(before))))
    if gives and not other:
        other = frozenset(_content(before)) if agent else _first_object(behind, root(words[place]))
    subject = agent or frozenset(_content(before))
    return _Transfer(subject, other) if gives else _Transfer(other, subject)


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
    if spoken() is not None:
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
