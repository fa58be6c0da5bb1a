"""What asks for the last answer once more: in another form, on what it rests, how sure it is.

None of it asks anything of the sources that was not asked before. The question before is answered
again, with its sources, their words and how sure it is, in the form that is wanted. Thanks
and goodbyes ask nothing at all.
"""

from __future__ import annotations

from typing import Final

from quaere.domain.question import AnswerForm
from quaere.text.lazy_regex import lazy_regex

_LED: Final = (
    r"(?i)^\W{0,5}(?:(?:and|but|now|so|ok(?:ay)?|please|can you|could you|would you|und|aber|bitte"
    r"|also|kannst du|können sie)[\s,]+){0,4}"
)
"""What leads in to it."""
_LEFT: Final = (
    r"(?:[\s,]+(?:please|then|again|exactly|really|bitte|denn|genau|noch ?mal)){0,2}\W{0,5}$"
)
"""What it may be left with."""

_IN_FORM: Final = lazy_regex(
    rf"{_LED}(?:(?:make|put|show|give|say|write|tell|me|it|that|this|them|all|mach|fass|sag|gib|mir"
    r"|es|das)\s){0,6}"
    r"(?:(?:as|in|into|als|in form) (?:an? |eine[rs]? )?(?:(?P<table>table|tabelle)"
    r"|(?P<list>list|bullet points|liste|aufzählung|stichpunkten))"
    r"|(?P<short>shorter|briefly|in short|in brief|in (?:a|one|a single) sentence|kürzer"
    r"|kurz(?: gesagt| und knapp)?|in (?:einem|einen) satz(?: zusammen)?)"
    rf"|(?P<report>longer|in more detail|in detail|länger|ausführlicher|im detail)){_LEFT}"
)

_SAID: Final = (
    r"(?:sentences?|passages?|quot(?:e|ation)s?|(?:exact )?words|wording|sources?|citations?"
    r"|evidence|references?)"
)
_FOR_IT: Final = r"(?: (?:for|of|behind) (?:that|this|it))"
_GESAGT: Final = r"(?:satz|sätze|(?:text)?stellen?|quellen?|belege?|zitate?|wortlaut|nachweise?)"
_OURS: Final = r"(?:deine?|ihre?|eure?)"
_OF_IT: Final = lazy_regex(
    rf"{_LED}(?:"
    # On what it rests. A river has a source too, and a house a passage: "the source?" may be it.
    r"who (?:says|said|claims) (?:so|that|this)|says who|according to whom"
    r"|where (?:did|do) you (?:get|have|find|read|take|know) (?:that|this|it)(?: from)?"
    r"|how (?:do|can|would) you know(?: (?:that|this|it))?|where does it say (?:so|that|this)"
    rf"|(?:show|give|quote|read|tell|cite)(?: me)? (?:(?:the|your|that|this|an?|any)\s)?{_SAID}"
    rf"{_FOR_IT}?|(?:prove|quote|cite|show me) (?:that|this|it)"
    rf"|(?:(?:what|which) (?:is|are) )?(?:(?:your|any) {_SAID}{_FOR_IT}?"
    rf"|(?:(?:the|an?) )?{_SAID}{_FOR_IT}|sources|citations|references)"
    r"|wer (?:sagt|behauptet) (?:das|so ?etwas|sowas)|wo steht das|wie kommst du darauf"
    r"|woher (?:hast du|haben sie|weißt du|wissen sie|weiß man) das"
    r"|(?:zeige?|nenne?|gib|zitiere?|zeigen sie|nennen sie)(?: mir)? "
    rf"(?:(?:den|die|das|{_OURS}[nr]?|eine[nr]?) )?(?:genaue[nr]? )?{_GESAGT}(?: dafür)?"
    rf"|(?:(?:was|wer|welche[rs]?) (?:ist|sind) )?(?:{_OURS} {_GESAGT}(?: dafür)?|{_GESAGT} dafür)"
    r"|quellen|belege"
    # How sure it is.
    r"|how (?:sure|certain|confident) (?:are you|is (?:that|this|the answer))"
    r"(?: (?:of|about) (?:that|this|it))?|how reliable is (?:the|that|your) answer"
    r"|are you (?:(?:really|quite|very|absolutely|that) )?(?:sure|certain|confident)"
    r"(?: (?:of|about) (?:that|this|it))?|is that (?:really )?(?:certain|true|correct|right)"
    r"|wie sicher (?:ist (?:das|die antwort)|bist du(?: dir)?|sind sie(?: sich)?)"
    r"|(?:bist du(?: dir)?|sind sie(?: sich)?)(?: (?:da|wirklich|ganz))? sicher"
    r"|ist das (?:wirklich )?(?:wahr|richtig|belegt)|stimmt das"
    rf"){_LEFT}"
)
_ONLY_POLITE: Final = lazy_regex(
    r"(?i)^\W{0,5}(?:(?:"
    # What nobody looks up: thanks, greetings and goodbyes.
    r"(?P<only>thanks?(?: you)?|thx|bye(?:[ -]?bye)?|good ?bye|hello|hi|hey|danke|dankeschön"
    r"|dank (?:je|u)(?: wel)?|bedankt|tschüss?|auf wiedersehen|hallo|guten (?:tag|morgen|abend)"
    r"|merci|au revoir|bonjour|gracias|hola|adi[oó]s|hasta luego|grazie|ciao|arrivederci"
    r"|obrigad[oa]|olá|tchau|ありがとう(?:ございます|ございました)?|谢谢(?:你|您)?|再见|你好"
    r"|こんにちは|さようなら)"
    r"|ok(?:ay)?|very|much|great|good|perfect|fine|nice|cool|cheers|alright|i see|got it|understood"
    r"|many|so|a lot|again|then|for (?:your|the|all) help|see you(?: later)?|good night"
    r"|that(?: is|['’]?s) (?:all|great|good|perfect|fine|clear|(?:very )?helpful)"
    r"|vielen|dank|schön|super|gut|prima|alles|klar|verstanden|sehr|bis (?:bald|dann|später)"
    r"|das (?:war|ist) alles|beaucoup|mille|muchas|tante|muito)\b\W{0,5}){1,6}$"
)


def form_asked(text: str) -> AnswerForm | None:
    """Return the form in which ``text`` asks for the last answer again, if that is all it asks."""
    wanted = _IN_FORM.match(text)
    return next((form for form in AnswerForm if wanted and wanted[form.value]), None)


def asks_again(text: str) -> bool:
    """Return whether ``text`` asks for the last answer alone, in a form or with its grounds."""
    return form_asked(text) is not None or asks_on_what(text)


def asks_on_what(text: str) -> bool:
    """Return whether ``text`` asks on what the last answer rests, or how sure it is, alone."""
    return _OF_IT.match(text) is not None


def asks_nothing(text: str, *, follows: bool = True) -> bool:
    """Return whether ``text`` only thanks, greets or takes leave, or says that it was understood.

    Where it ``follows`` nothing, a word of assent alone may as well be looked up: "Nice", "super".
    """
    found = _ONLY_POLITE.match(text)
    return found is not None and (follows or found["only"] is not None)
