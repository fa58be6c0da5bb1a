"""What a question mentions: things, and descriptions that stand for something it does not name."""

from __future__ import annotations

import re

from quaere.text.names import names
from quaere.text.tokens import Token, is_stop_word, tokenize, words

_LINKED = re.compile(
    r"(?P<whole>\b(?:the|a|an)\s+(?P<noun>(?:[\w'’-]+\s+){0,4}?[\w'’-]+)\s+"
    r"(?:of|that|who|which|whose|where|in|for|with|behind|by|from)\s+(?P<rest>[^,;?]+))"
)
_OWNED = re.compile(r"(?P<owner>.+?)(?:['’]s|s['’])\s+(?P<noun>[a-z][\w-]*(?:[\s-][a-z][\w-]*)?)")
_ASKS = re.compile(
    r"(?i)\s+(?:(?:in|at|by|of|on|for|to)\s+)?(?:what|which\s+[A-Z\w]+\s+(?:city|county|state|country|year|film|song|play|team))\b"
)
_TAIL = re.compile(
    r"\s+(?:born|die|died|live|lives|lived|located|made|win|won|start|end|begin|take|takes|place|is"
    r"|are|was|were|do|does|did|has|have|had|in|at|for|to|of|from|by|after|with|on|and|who|which"
    r"|where|when|that|named|called|as|a|an|the)$"
)
_COMMAND = re.compile(
    r"(?i)(?:research\w*|analy[sz]e|summari[sz]e|conduct|investigate|discuss|describe|explain"
    r"|compare|evaluate|assess|include|conclude|focus|provide|write|draft|prepare|please|suggest"
    r"|propose|outline|examine|explore|identify|consider|possible|list|name|tell|give|show|find"
    r"|suppose|imagine|examples?|would|could|also)"
)
_VERBAL = re.compile(r"[a-z]+(?:ing|ed|ly)")
MAX_THING = 40
"""Characters of what may be called a thing; longer runs are clauses, not things."""
LONGEST = 2000
"""Characters of a question in which descriptions are looked for."""
_TRIM = ' \t\n,;:.?!"“”„«»'


def links(question: str) -> tuple[str, ...]:
    """Return the descriptions that stand for something unnamed, the innermost first.

    In "When was the founder of Orbis's mother born" these are "the founder of Orbis" and so on:
    each must be resolved before the next.
    """
    text = " ".join(question.split()).strip(_TRIM)[:LONGEST]
    found = [_trimmed(m["whole"]) for m in _linked(text)]
    owned = [_trimmed(m.group()) for m in _owned(text)]
    described = [phrase for phrase in found + owned if _describes(phrase)]
    return tuple(sorted(dict.fromkeys(described), key=lambda phrase: (len(phrase), phrase)))


def _trimmed(phrase: str) -> str:
    """Return ``phrase`` without the verb of the sentence around it and words that lead nowhere."""
    phrase = _ASKS.split(phrase)[0]
    while (shorter := _TAIL.sub("", phrase.rstrip(_TRIM))) != phrase:
        phrase = shorter
    return phrase.strip(_TRIM)


def _linked(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    at = 0
    while (match := _LINKED.search(text, at)) is not None:
        found.append(match)
        at = match.end("noun")
    return found


def _owned(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for name in names(text):
        match = _OWNED.match(text, name.start)
        if match is not None and match.end("owner") <= name.end + 2:
            found.append(match)
    return found


def _describes(phrase: str) -> bool:
    """Whether ``phrase`` names something outright and says something of it in plain words."""
    plain = [t for t in tokenize(phrase) if t.text[:1].islower() and not is_stop_word(t.text)]
    return bool(plain) and bool(names(phrase)) and len(words(phrase)) > 2


def things(question: str) -> tuple[str, ...]:
    """Return what ``question`` speaks of: its names, then runs of words that carry meaning.

    Runs of several words come before single ones; words that only say what to do are left out.
    """
    named = [name.text for name in names(question) if not _COMMAND.fullmatch(name.text)]
    runs = [run for run in _runs(question) if run not in named]
    runs.sort(key=lambda run: " " not in run and run.isascii())
    return tuple(dict.fromkeys([*named, *runs]))


def _runs(text: str) -> list[str]:
    """Return the stretches of ``text`` between stop words, names, commands and punctuation."""
    stretches: list[tuple[int, int]] = []
    for token in _telling(text):
        start, end = stretches[-1] if stretches else (0, -1)
        if token.start < end or (stretches and text[end : token.start] in {"", " ", "-"}):
            stretches[-1] = start, token.end
        else:
            stretches.append((token.start, token.end))
    found = (text[start:end] for start, end in stretches)
    return [run for run in found if 1 < len(run) <= MAX_THING and not _VERBAL.fullmatch(run)]


def _telling(text: str) -> list[Token]:
    """Return the words of ``text`` that are no stop words, commands or parts of names."""
    inside = bytearray(len(text))
    for name in names(text):
        if not _COMMAND.fullmatch(name.text):
            inside[name.start : name.end] = b"\1" * (name.end - name.start)
    return [
        token
        for token in tokenize(text)
        if not (inside[token.start] or is_stop_word(token.text) or _COMMAND.fullmatch(token.text))
    ]
