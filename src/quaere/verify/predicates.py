"""What a short sentence says to have been done, and whether its source has any word for that.

"Volunteers demolished the locks" has all words but one of "the locks have been restored by
volunteers", and that one is what it says. Verbs of little meaning are left out: a paraphrase
exchanges them freely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from quaere.text.languages.language import cached_by_language, spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import related_words
from quaere.verify.align import Word, content, stems
from quaere.verify.likeness import has_likes, is_irregular, likeness, root

_ENDING: Final = lazy_regex(r"[a-z]{3,}ed")
_NO_VERBS: Final = lazy_regex(r"(?:hundr|ind|spe|se|ne|fe|exce|proce|succe|bre|un\w+)ed")
"""End like a participle and are none, or only deny one."""
_LITTLE: Final = """
last work need show see think know call name become happen remain occur involve include concern say
tell try want leave mean require serve begin start end continue follow base relate associate connect
link describe mention report note state agree fail manage help cause lead result differ consist
contain appear seem look feel allow enable expect plan intend aim die live visit return turn change
finish complete stop run set sit lose win spend survive arrive reach measure count amount increase
"""
_BLAND: Final = frozenset(map(root, _LITTLE.split()))
_LABEL: Final = lazy_regex(r"(?i)(?:an?|the|its|his|her|their|this|these|no|of|more|most)\s+\Z")
"""Before a participle that only describes: "the damaged roof"."""


def is_unsaid(said: str, lines: Iterable[str], nearest: str) -> bool:
    """Return whether ``said`` has a verb in the past for which none of ``lines`` has a word.

    And the ``nearest`` of them another one, which ``said`` has no word for. In English alone, where
    such a verb is told by its form. Other words for it must be known, or it could not be told from
    one that a paraphrase has.
    """
    if spoken() is not None:
        return False
    verbs = [verb for verb in _verbs(said) if has_likes(verb)]
    if not verbs:
        return False
    own, near = stems([said]), stems(lines)
    return _lacks_one(near, verbs) and _lacks_one(own, _verbs(nearest))


def _lacks_one(near: frozenset[str], verbs: Iterable[str]) -> bool:
    return any(not _has_like(verb, near) for verb in verbs)


def _has_like(stem: str, near: frozenset[str]) -> bool:
    related = map(root, related_words(stem))
    return not near.isdisjoint((stem, *related)) or any(likeness(stem, w)[0] for w in near)


@cached_by_language(maxsize=256)
def _verbs(text: str) -> frozenset[str]:
    """Return the stems of the verbs in the past of ``text`` that mean something by themselves."""
    return frozenset(word.stem for word in _past(text))


def _past(text: str) -> Iterator[Word]:
    for word in content(text):
        match = re.match(r"[a-z]+", text[word.start :])
        if match is None or word.weight < 1 or word.stem in _BLAND:
            continue
        if _is_past(match[0]) and not _LABEL.search(text[: word.start]):
            yield word


def _is_past(form: str) -> bool:
    if is_irregular(form):
        return True
    return _ENDING.fullmatch(form) is not None and _NO_VERBS.fullmatch(form) is None
