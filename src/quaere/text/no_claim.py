"""Sentences that state nothing about the world: about the passages, lead-ins, questions and labels.

Those about the passages that were read say what these do not say, or that they disagree. All stay
in their place, for an answer says with them what is missing and what disagrees. One with a figure,
a date or a second clause is a claim whatever it begins with: a page could have a model add one to
such words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from quaere.text.dates import dates
from quaere.text.inline import unmarked
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ONES
from quaere.text.numbers import numbers
from quaere.text.sentences import QUESTION_MARKS
from quaere.text.tokens import stem, stop_words, terms, words

EARLIER: Final = "Earlier"
"""Begins a sentence on what a document said that a later one has put out of date; where that
stands is in brackets after it."""
LONGEST: Final = 30
"""Words of the longest sentence that is taken for one of these."""

_MATERIAL: Final = (
    r"(?:passages?|sources?|documents?|texts?|excerpts?|evidence|material|search results?|papers?"
    r"|articles?|pages?|reports?|releases?|filings?|guides?|manuals?|documentation)"
)
_SAY: Final = (
    r"(?:says?|states?|stated|mentions?|mentioned|gives?|given|specif(?:y|ies|ied)|names?|named"
    r"|indicates?|indicated|tells?|contains?|provides?|provided|explains?|explained|describes?"
    r"|discuss(?:es)?|address(?:es)?|identif(?:y|ies|ied)|reports?|reported|covers?|covered|found"
    r"|reveals?|clarif(?:y|ies)|record|answer)"
)
_THE: Final = r"(?:(?:the|these|those|all|both|my|available|provided|given|cited)\s+)*(?:\w+\s+)?"
_NOT: Final = r"(?:do|does|did)(?:\s+not|n['’]t)\s+(?:\w+\s+)?"
_ASKS: Final = r"(?:whether|how|who|whose|what|when|why|where|which)\b[^.;:]*,\s+"
_FOUND_IN: Final = (
    rf"(?:in|by|from)\s+(?:(?:either|any|all|both|none|one)\s+(?:of\s+)?)?{_THE}{_MATERIAL}\b"
)
_ENGLISH: Final = (
    rf"(?:{_ASKS})?{_THE}{_MATERIAL}\s+(?:\w+\s+)?{_NOT}(?:{_SAY}|settle|decide|resolve|list|quantify"
    r"|disclose|break\b.*\bdown)\b"
    rf"|{_THE}{_MATERIAL}\s+(?:\w+\s+)?{_SAY}\s+(?:no|nothing)\b"
    rf"|(?:none of (?:the|these|those) (?:\w+\s)?{_MATERIAL}|no {_MATERIAL})"
    rf"\s+(?:\w+\s+)?{_SAY}\b"
    rf"|(?:this|it|that) is (?:not|nowhere) {_SAY}\b(?=.*\b{_MATERIAL}\b)"
    rf"|[^.;:,]*\b(?:is|are|was|were)\s+(?:not|nowhere)\s+{_SAY}\s+(?:anywhere\s+)?{_FOUND_IN}\W*$"
)
_PAPER: Final = (
    r"(?:plan|design|spec(?:ification)?|readme|faq|notes?|proposal|study|book|chapter|section"
    r"|handbook|tutorial|instructions?|change ?log|description|overview|summary|post|entry|survey"
    r"|reference)"
)
_TELL: Final = (
    r"(?:say|state|mention|specify|explain|tell|name|give|reveal|define|describe|clarify|settle"
    r"|indicate|discuss|list)"
)
_WH: Final = r"(?:\w+\s+)?(?:whether|if|how|who|whose|what|when|why|where|which)\b"
_SILENT: Final = (
    rf"{_THE}{_PAPER}\s+(?:\w+\s+)?{_NOT}{_TELL}\s+{_WH}"
    rf"|{_WH}[^.;:]*\s(?:the|this|these|those)\s+(?:\w+\s+)?(?:{_MATERIAL}|{_PAPER})\s+"
    rf"{_NOT}{_TELL}\W*$"
)
_ANLEITUNG: Final = (
    r"(?:handbuch|anleitung|dokumentation|dokument|text|bericht|artikel|seite|quelle|passage"
    r"|abschnitt|auszug|plan|readme|übersicht)"
)
_SAGT: Final = r"(?:sag|nenn|erklär|verr[äa]t|erwähn|beschreib|bericht)\w*"
_GESAGT: Final = (
    r"(?:(?:aus)?gesagt|genannt|erklärt|verraten|erwähnt|beschrieben|berichtet|angegeben|mitgeteilt"
    r"|festgehalten|vermerkt|verzeichnet)"
)
_OB: Final = (
    r"(?:ob|wie|wer|wessen|wem|wen|was|wann|warum|weshalb|wo|woher|wohin|womit|wodurch|welche\w*)\b"
)
_SCHWEIGT: Final = (
    rf"(?:das|die|der|dieses?|dieser)\s+{_ANLEITUNG}\s+{_SAGT}\s+(?:\w+\s+)?nicht,\s+{_OB}"
    rf"|{_OB}[^.;:]*,\s+{_SAGT}\s+(?:das|die|der|dieses?|dieser)\s+{_ANLEITUNG}\s+nicht\W*$"
)
_QUELLEN: Final = (
    r"(?:quellen|passagen|dokumente|textstellen|unterlagen|texte|belege|abschnitte|auszüge)n?"
)
_GERMAN: Final = (
    rf"(?:(?:die|diese|den|in den|aus den)\s+(?:\w+\s+)?{_QUELLEN})\b.*\b(?:nicht|kein\w*|nichts)\b"
    rf"|keine (?:der {_QUELLEN}|quelle)\s+(?:nennt|sagt|erwähnt|gibt|enthält)\b"
    r"|(?:ob|wie|wer|wessen|wem|wen|was|wann|warum|weshalb|wo|woher|wohin|womit|wodurch|welche\w*)\b"
    rf"[^.;:]*,\s+\w+\s+(?:(?:aus|in)\s+)?(?:die|den|diesen?)\s+(?:\w+\s+)?{_QUELLEN}\s+nicht"
    r"(?:\s+\w+)?\W*$"
    rf"|[^.;:,]*\b(?:wird|werden|ist|sind)\s+in\s+(?:den|diesen|keiner der)\s+(?:\w+\s+)?{_QUELLEN}"
    r"\s+(?:nicht\s+)?(?:genannt|erwähnt|angegeben|beschrieben|erklärt)\W*$"
)
_OTHERS: Final = (
    r"(?:les|ces)\s+(?:sources|passages|documents|textes|extraits)\s+n(?:e\s+|['’])\w+\s+"
    r"(?:pas|rien|aucun\w*)\b"
    r"|(?:las fuentes|los (?:pasajes|documentos|textos))\s+no\s+(?:dicen|indican|mencionan|dan)\b"
    r"|(?:le fonti|i (?:passaggi|documenti|testi))\s+non\s+(?:dicono|indicano|menzionano|danno)\b"
    r"|(?:as fontes|os (?:trechos|documentos|textos))\s+não\s+(?:dizem|indicam|mencionam|dão)\b"
    r"|de (?:bronnen|passages|documenten|teksten)\s+(?:zeggen|noemen|vermelden|geven)\b.*\b"
    r"(?:niet|niets|geen)\b"
)
_ABSENT: Final = lazy_regex(rf"(?i)\s*(?:{_ENGLISH}|{_SILENT}|{_GERMAN}|{_SCHWEIGT}|{_OTHERS})")
_OPEN: Final = r"(?:open|unclear|unknown|unsaid|undecided|unanswered|uncertain)"
_DEED: Final = (
    r"(?:leases?|contracts?|agreements?|treat(?:y|ies)|deeds?|licen[cs]es?|polic(?:y|ies)|terms"
    r"|rules|by-?laws|charters?|statutes?|acts?|laws?|regulations?|ordinances?|minutes|letters?"
    r"|e-?mails?|messages?|memos?|memoirs?|diar(?:y|ies)|ledgers?|registers?|records?|files?|lists?"
    r"|tables?|forms?|invoices?|receipts?|transcripts?|statements?|notices?|announcements?"
    r"|leaflets?|brochures?|newsletters?|timetables?|recipes?|logs?|wills?)"
)
_IT: Final = (
    r"(?:it|they|(?:the|this|that|these|those|its|their|his|her)\s+(?:[\w'’-]+\s+)?"
    rf"(?:{_MATERIAL}|{_PAPER}|{_DEED}))"
)
_VERTRAG: Final = (
    r"\w*(?:vertrag|vereinbarung|satzung|ordnung|gesetz|protokoll|blatt|buch|heft|verzeichnis|testament|brief|mail|nachricht|tagebuch"
    r"|register|akte|liste|tabelle|formular|rechnung|erklärung|mitteilung|meldung|fahrplan|rezept)"
    r"e?[ns]?"
)
_ES: Final = (
    r"(?:es|er|sie|(?:das|die|der|dieses?|dieser|ihre?|seine?)\s+"
    rf"(?:{_ANLEITUNG}|{_QUELLEN}|{_VERTRAG}))"
)
"""What may be silent: what is read, as "the lease" or "her letters"; nobody who may speak."""
_LEFT_OPEN: Final = lazy_regex(
    rf"(?i)\s*(?:{_IT}\s+{_NOT}{_TELL}\s+{_WH}"
    rf"|{_IT}\s+(?:(?:say|state|mention|tell|list)s?\s+nothing|(?:state|mention|list)s?\s+no)\b"
    rf"|{_THE}{_PAPER}\s+gives?\s+no\b"
    rf"|{_WH}[^.;:]*\s{_IT}\s+{_NOT}{_TELL}\W*$"
    rf"|{_WH}[^.;:,]*\b(?:is|are|remains?|stays?)\s+(?:left\s+|still\s+)?{_OPEN}\W*$"
    rf"|(?:it|this)\s+(?:is|remains?|stays?)\s+(?:left\s+|still\s+)?{_OPEN}\s+{_WH}"
    rf"|{_WH}[^.;:,]*\b(?:is|are|was|were)\s+(?:not|nowhere)\s+(?:said|told|stated|mentioned"
    r"|given|explained|specified|named|disclosed|reported|recorded|clear)\W*$"
    rf"|{_WH}[^.;:]*\b(?:can(?:not|['’]t|\s+not)|could(?:\s+not|n['’]t))\s+be\s+\w+\s+"
    rf"(?:from|by)\s+{_THE}(?:{_MATERIAL}|{_PAPER})\W*$"
    rf"|{_ES}\s+{_SAGT}\s+(?:\w+\s+)?nicht,\s+(?:\w+\s+)?{_OB}"
    rf"|(?:\w+\s+)?{_OB}[^.;:]*,\s+{_SAGT}\s+{_ES}\s+(?:\w+\s+)?nicht\W*$"
    rf"|(?:es\s+(?:bleibt|ist)\s+(?:offen|unklar),\s+(?:\w+\s+)?{_OB}"
    rf"|(?:\w+\s+)?{_OB}[^.;:]*,\s+(?:(?:bleibt|ist)\s+(?:offen|unklar|ungesagt)"
    rf"|(?:wird|wurde|ist)\s+(?:\w+\s+){{0,3}}nicht\s+{_GESAGT})\W*$))"
)
_DISAGREE: Final = lazy_regex(
    r"(?i)\s*(?:(?:the (?:two|three|four)|both|these two) (?:\w+\s)?\w+s"
    rf"|(?:the|these) {_MATERIAL})\s+"
    r"(?:do not agree|don['’]t agree|disagree|contradict (?:each other|one another))\b"
    rf"|\s*(?:die|diese)\s+(?:\w+\s+)?{_QUELLEN}\s+widersprechen\s+(?:sich|einander)\b"
)
_SECOND: Final = lazy_regex(
    r"(?i)[;:]\s|\b(?:but|however|although|though|while|whereas|except"
    r"|aber|jedoch|doch|obwohl|während|mais|pero|però|mas|maar)\b"
)
_TOLD_AS_TRUE: Final = lazy_regex(
    r"(?i)\b(?:mention|reveal|disclose|explain|discuss|erwähn|verrät|verraten|verschweig)\w*"
    r"(?:\s+nicht)?,?\s+(?:that|dass)\b"
)
"""Who "does not mention that it is unsafe" says that it is."""
_COUNTED: Final = lazy_regex(
    rf"(?i)\b(?:two|three|four|five|six|zwei|drei|vier|fünf|beiden)\s+(?=(?:{_MATERIAL}|{_QUELLEN})\b)"
    r"|(?<=\bthese )(?:two|three|four|five|six)\s|(?<=\bdiesen )(?:zwei|drei|vier|fünf|beiden)\s"
    r"|(?<=\bthe )two\s"
)


def is_about_passages(text: str) -> bool:
    """Return whether ``text`` says of the passages that they are silent, or that they disagree.

    A second clause may state anything, so that a sentence with one is none of these.
    """
    text = " ".join(text.split())
    return _is_of_one_clause(text) and bool(_ABSENT.match(text) or _DISAGREE.match(text))


def tells_disagreement(text: str) -> bool:
    """Return whether ``text`` begins by saying of the passages that they disagree."""
    return _DISAGREE.match(unmarked(text)) is not None


_SAID_EARLIER: Final = lazy_regex(rf"{EARLIER} \((?P<where>.{{1,300}}?)\): (?=\S)")


LEAST_PLACE: Final = 3
"""Characters of the shortest name of a place in documents: every text has an "a"."""


def tells_earlier(text: str) -> bool:
    """Return whether ``text`` says that something was said before what is told now."""
    return _SAID_EARLIER.match(text) is not None


def said_earlier(text: str, sources: Iterable[str]) -> str:
    """Return what ``text`` says was said earlier, without where, if one of ``sources`` has that.

    Other texts are returned as they are.
    """
    found = _SAID_EARLIER.match(text)
    if found is None or len(found["where"]) < LEAST_PLACE:
        return text
    place = re.compile(rf"(?<!\w){re.escape(found['where'])}(?!\w)")
    return text[found.end() :] if any(map(place.search, sources)) else text


def is_left_open(text: str) -> bool:
    """Return whether ``text`` says that a question stays open, or that something does not tell.

    That may be any document, "the lease" or "her letters". Somebody may say so of the world, too,
    so that it is one of these only where it cites nothing.
    """
    return _is_of_one_clause(text) and _LEFT_OPEN.match(text) is not None


def _is_of_one_clause(text: str) -> bool:
    is_told = _SECOND.search(text) or _TOLD_AS_TRUE.search(text)
    return len(words(text)) <= LONGEST and not is_told


_SAYING: Final = lazy_regex(
    r"(?i)\b(?:sa(?:y|id)|stat|mention|tell|told|giv|specif|nam(?:e|ing)|explain|describ|disclos"
    r"|report|indicat|clear|known|open|sag|nenn|genannt|erwähn|angegeb|erklär|beschrieb|bericht|verr[äa]t"
    r"|offen|bekannt|hervor|dit|dis|indiqu|précis|dic|mencion|dett|dic|menzion|zeg|noem)"
    rf"|\b(?:{_MATERIAL}|{_QUELLEN})\b"
)
_DENYING: Final = lazy_regex(
    r"(?i)\b(?:not|cannot|no|nothing|nowhere|none|neither|without|open|unclear|unknown|unsaid|silent"
    r"|nicht|nichts|kein\w*|offen|unklar|unbekannt|pas|rien|aucun\w*|nada|ning\w*|non|niente"
    r"|niet|niets|geen)\b|n['’]t\b"
)


def may_tell_silence(text: str) -> bool:
    """Return whether ``text`` may be about what its sources do not say.

    A weak sign, for where somebody has read them: "the river is not named" may be about the river.
    """
    return bool(_SAYING.search(text) and _DENYING.search(text))


def after_disagreement(text: str) -> str:
    """Return ``text`` without the words that say of the passages that they disagree.

    Nor has it the counts of passages, "either of the two sources", and of what was named before.
    """
    disagree = _DISAGREE.match(text)
    return _COUNTED.sub("", text[disagree.end() if disagree else 0 :])


_MEANT: Final = (
    "passage source document text excerpt evidence material either say state mention give specify"
    " name indicate tell contain provide explain describe find quellen unterlagen passagen"
    " dokumente nennen sagen erwähnen genannt erwähnt hervor geht"
)


def subject(text: str) -> frozenset[str]:
    """Return the stems of what ``text`` is about, without those that speak of passages."""
    own = frozenset(terms(text))
    return own.difference(terms(_MEANT)) or own


LONGEST_LEAD: Final = 15
"""Words of the longest lead-in, which ends with a colon."""
_STOPS: Final = (".", "!", "?", "。", "！", "？")
_PROMPTS: Final = ("$ ", "% ", "> ")
"""What a command is written after: it answers though it has the words of the question alone."""
_HAS_VALUE: Final = lazy_regex(r":\s+\S")
"""As in "Oven: no", which answers "Is there no oven?" with nothing but its words."""
LONGEST_LABEL: Final = 6
"""Words of the longest label, which has no stop and no word that the question has not."""


def is_no_claim(text: str, question: str = "", *, cites: bool = True) -> bool:
    """Return whether ``text`` states nothing that a source could support.

    Args:
        text: A sentence of an answer.
        question: What was asked; it may give labels, such as "Height", and figures.
        cites: Whether its writer cited anything for it. What stays open, "whether it was sold is
            unclear", is a claim with a source and none without.
    """
    said = unmarked(text).strip()
    rest = after_disagreement(said)  # "the two" counts nothing new
    if not said or (_has_own_figure(rest, question) and not _counts_items(said)):
        return False
    about = _LABEL_BEFORE.sub("", unmarked(_BOLD_LABEL.sub("", text)).strip())
    is_about = is_about_passages(about) or (not cites and is_left_open(about))
    is_label = _is_label(said, question) and not _IS_COMMAND.fullmatch(text.strip())
    return is_about or _leads(said, question, cites=cites) or is_label


MUCH: Final = 3
"""Words that neither the question nor every lead-in has from which one with a source is a claim."""
_LEADING: Final = frozenset(
    terms(
        "follow following below step thing way point part kind item reason list include"
        " folgende folgenden schritte punkte arten gründe teile"
    )
)


def _leads(said: str, question: str, *, cites: bool) -> bool:
    """Return whether ``said`` leads in what follows, as "Among them:" and "Why?" do."""
    if said.endswith(QUESTION_MARKS):
        return not (cites or _says_much(said, question))
    return _is_lead_in(said) and not (cites and _says_much(said, question))


def _says_much(lead: str, question: str) -> bool:
    """Return whether a ``lead`` in states something besides that more follows."""
    return len(frozenset(terms(lead)) - _LEADING - frozenset(terms(question))) >= MUCH


def _has_own_figure(rest: str, question: str) -> bool:
    """Return whether ``rest`` has a date, or a figure that the ``question`` has not."""
    known = {(number.value, number.unit) for number in numbers(question)}
    days = {(date.year, date.month, date.day) for date in dates(question)}
    return any((date.year, date.month, date.day) not in days for date in dates(rest)) or any(
        (number.value, number.unit) not in known for number in numbers(rest)
    )


_LABEL_BEFORE: Final = lazy_regex(r"^[^\W\d_]+(?:\s[^\W\d_]+){0,2}:\s+")
"""As in "Caveat: The sources do not say …"."""
_BOLD_LABEL: Final = lazy_regex(
    r"(?i)^\s*\*\*(?!(?:yes|no|true|false|not|ja|nein|oui|non|sí|sì|sim|não|nee)\b)"
    r"[^\W\d_]+(?:\s[^\W\d_]+){0,2}[.:]\*\*\s+(?=\S)"
)
"""As in "**Deadline.** The two sources disagree."; a yes or no in its place is an answer."""
_ITEMS: Final = "|".join(ONES[2:13])


def _counts_items(text: str) -> bool:
    """Return whether the one figure of a lead-in is in words: "Three things matter:".

    It counts the items that follow, which everybody can see.
    """
    return text.endswith(":") and len(numbers(text)) == 1 and _COUNT.search(text) is not None


_COUNT: Final = lazy_regex(
    rf"(?i)\b(?:{_ITEMS})(?::|\s(?!(?:of|hundred|thousand|million|billion)\b)[a-z]+)"
)


def _is_lead_in(text: str) -> bool:
    return text.endswith(":") and len(words(text)) <= LONGEST_LEAD


_IS_COMMAND: Final = lazy_regex(r"`[^`\s]+\s[^`\n]+`")
"""Code of several words and nothing else: it answers, as what is after a prompt does."""


def _is_label(text: str, question: str) -> bool:
    common = stop_words()
    said = [word for word in words(text) if word not in common]
    if not said or text.endswith(_STOPS) or text.startswith(_PROMPTS):
        return False
    if len(words(text)) > LONGEST_LABEL or _HAS_VALUE.search(text):
        return False
    return frozenset(map(stem, said)) <= frozenset(terms(question))
