"""Which language a text is in, by its script and its smallest words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

_SAMPLE: Final = 4000
"""Characters looked at."""
_SCRIPT_LANGUAGE: Final = {
    "CYRILLIC": "ru",
    "ARABIC": "ar",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "GREEK": "el",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "SINHALA": "si",
    "THAI": "th",
    "LAO": "lo",
    "KHMER": "km",
    "MYANMAR": "my",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "ETHIOPIC": "am",
    "TIBETAN": "bo",
}
# Letters that one language of a script has and its usual one has not.
_LETTERS: Final = (
    ("CYRILLIC", "uk", "іїєґ"),
    ("CYRILLIC", "be", "ў"),
    ("CYRILLIC", "sr", "ђјљњћџ"),
    ("ARABIC", "ur", "ٹڈںےڑ"),
    ("ARABIC", "fa", "پچژگ"),
)
_SMALL_WORDS: Final = {
    language: frozenset(listed.split())
    for language, listed in {
        "en": (
            "the of and to in is was for that on with as by at from are which who what "
            "where when how why this it be has have had were did does not or an its their "
            "between about"
        ),
        "de": (
            "der die das und ist nicht ein eine einer den dem des mit von zu auf für im "
            "sich auch es an werden wurde sind wer was wie wo wann warum welche bei aus "
            "nach oder als hat war"
        ),
        "fr": (
            "le la les des et est une un du que qui dans pour pas sur au aux avec ce "
            "cette par sont il elle où quand comment pourquoi quel quelle a été plus ou "
            "ne se à de"
        ),
        "es": (
            "el la los las de y es una un del que en por para con no se al lo su como más "
            "fue son quién qué cuál dónde cuándo cómo está pero este esta entre"
        ),
        "it": (
            "il lo gli la le di e è una un del della che in per con non si al come più "
            "sono chi cosa dove quando quale perché dei delle nel nella anche è stato"
        ),
        "pt": (
            "o os as de e é uma um do da dos das que em por com não se ao como mais foi "
            "são quem qual onde quando no na nos nas pelo pela também à"
        ),
        "nl": (
            "de het een en is niet van te dat die in op met voor zijn aan er ook als bij "
            "naar uit wie wat waar wanneer hoe waarom welke werd worden door om"
        ),
        "sv": (
            "och att det som en är på av för med den till inte om ett har de var vad vem "
            "hur när från eller vid efter kan ska detta"
        ),
        "da": (
            "og at det som en er på af for med den til ikke om et har de var hvad hvem "
            "hvordan hvornår fra eller ved efter kan skal af blev"
        ),
        "no": (
            "og at det som en er på av for med den til ikke om et har de var hva hvem "
            "hvordan når fra eller ved etter kan skal ble"
        ),
        "fi": (
            "ja on ei että se hän oli ovat joka mutta kun niin tai mitä kuka missä "
            "milloin miten myös sekä ole olivat tämä"
        ),
        "pl": (
            "i w na z się nie do jest to że o jak po co od za przez był kto gdzie kiedy "
            "dlaczego który są oraz dla"
        ),
        "cs": (
            "a v se na je že z do o s to i k ve pro za by jako po kdo kde kdy jak proč "
            "který jsou byl"
        ),
        "tr": (
            "ve bir bu için ile de da ne kim nerede nasıl neden olarak daha çok en gibi "
            "olan mı mi değil sonra"
        ),
        "ro": (
            "și de la în a cu pe este nu un o din care pentru mai sunt fost cine ce unde când cum"
        ),
        "hu": ("a az és hogy nem egy is van volt meg mi ki hol mikor hogyan miért ez de csak mint"),
        "id": (
            "yang dan di dari untuk dengan ini itu pada adalah tidak dalam akan oleh "
            "siapa apa kapan bagaimana juga sebagai"
        ),
        "vi": ("và của là có không trong được cho một những với các này đã từ người khi ai gì ở"),
    }.items()
}
_LANGUAGES_OF: Final = {
    word: tuple(language for language, listed in _SMALL_WORDS.items() if word in listed)
    for word in frozenset[str]().union(*_SMALL_WORDS.values())
}
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*(?!\w)")
"""No word is next to a figure: the "K" of "K200" is not the Czech "k"."""
_UNSURE: Final = "und"


def detect(text: str) -> str:
    """Return the ISO 639-1 code of the language of ``text``, or "und" when it is not clear."""
    sample = text[:_SAMPLE]
    if sample.isascii():
        return _latin(sample)
    scripts = Counter(_script(char) for char in sample if char.isalpha())
    if not scripts:
        return _UNSURE
    letters = scripts.total()
    if scripts["HIRAGANA"] + scripts["KATAKANA"] > 0.1 * letters:
        return "ja"
    script, count = min(scripts.items(), key=lambda item: (-item[1], item[0]))
    if 2 * count < letters:
        return _UNSURE
    return _latin(sample) if script == "LATIN" else _by_script(script, sample)


def small_words_said(language: str, text: str) -> int | None:
    """Return how many different small words of ``language`` are in ``text``; None if not known."""
    known = _SMALL_WORDS.get(language)
    return None if known is None else len(known.intersection(_said(text[:_SAMPLE])))


def _said(text: str) -> list[str]:
    """Return the words of ``text``; a capital letter, such as a grade or a size, is not one."""
    return [word.lower() for word in _WORD.findall(text) if len(word) > 1 or word.islower()]


def _by_script(script: str, sample: str) -> str:
    for family, language, telling in _LETTERS:
        if family == script and not set(telling).isdisjoint(sample.lower()):
            return language
    return _SCRIPT_LANGUAGE.get(script, _UNSURE)


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0].partition("-")[0]


def _latin(sample: str) -> str:
    found = _said(sample)
    scores = Counter(language for word in found for language in _LANGUAGES_OF.get(word, ()))
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return _UNSURE
    best, most = ranked[0]
    runner_up = ranked[1][1] if len(ranked) > 1 else 0
    return _UNSURE if most == runner_up or most < 0.05 * len(found) else best
