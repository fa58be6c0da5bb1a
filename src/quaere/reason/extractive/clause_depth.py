"""How far the words of a question stand from what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quaere.text.tokens import Token, is_stop_word, terms, tokenize

_BOUNDARY = re.compile(
    r"(?i)(?:of|in|by|for|from|with|at|on|to|that|who|whom|which|whose|where|when|while|as|than)"
)
_AUXILIARY = re.compile(r"(?i)(?:is|are|was|were|do|does|did|has|have|had|can|will)")
_VAGUE = frozenset(
    ["place", "date", "year", "time", "name", "kind", "type", "sort", "number", "part"]
)
_WH_WORD = re.compile(r"(?i)(?:who|whom|whose|what|which|when|where|why|how)")


def clause_depths(question: str) -> dict[str, int]:
    """Return how far each stem of ``question`` stands from what it asks for, in clauses.

    In "When was the founder of Orbis born?" the words "founder" and "born" are near (0) and "Orbis"
    is further (1). A sentence that answers tells the near ones; those that lead to it the far ones.
    """
    tokens = tokenize(question)
    if not tokens:
        return {}
    asked = [at for at, token in enumerate(tokens) if _WH_WORD.fullmatch(token.text)]
    centre = 0 if not asked or asked[0] <= 1 else asked[-1]
    owners = _owners(question, tokens)
    found: dict[str, int] = {}
    first = centre + 1 if asked else centre
    for places in (range(first, len(tokens)), range(centre - 1, -1, -1)):
        for at, depth in _walk(question, tokens, places):
            for term in terms(tokens[at].text):
                far = depth + (at in owners)
                found[term] = min(far, found.get(term, far))
    if _ends_in_verb(tokens):
        found.update((term, 0) for term in terms(tokens[-1].text))
    return found


def _ends_in_verb(tokens: Sequence[Token]) -> bool:
    """Return whether the last word belongs to the first clause: "When did the heir of Ada die?"."""
    if len(tokens) < 4 or not any(_AUXILIARY.fullmatch(token.text) for token in tokens[1:3]):
        return False
    return tokens[-1].text[0].islower() and tokens[-2].text[0].isupper()


def _walk(question: str, tokens: Sequence[Token], places: range) -> Iterator[tuple[int, int]]:
    """Yield the places of words that tell something, each with its depth in clauses."""
    depth, before = 0, places.start
    fresh = True  # nothing told yet in this clause, so that another boundary opens none
    for at in places:
        left, right = sorted((at, before))
        parted = "," in question[tokens[left].end : tokens[right].start]
        if parted or _BOUNDARY.fullmatch(tokens[at].text):
            depth, fresh = depth + (not fresh), True
        if not is_stop_word(tokens[at].text):
            fresh = fresh and tokens[at].text.casefold() in _VAGUE
            yield at, depth
        before = at


def _owners(question: str, tokens: Sequence[Token]) -> set[int]:
    """Return the places of words in names that own what follows, as in "Ada Novak's mother"."""
    found: set[int] = set()
    owning = False
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        behind = question[token.end : token.end + 2]
        ends = token.text.endswith(("'s", "’s")) or behind in {"' ", "’ "}
        owning = token.text[0].isupper() and (owning or ends)
        if owning:
            found.add(at)
    return found
