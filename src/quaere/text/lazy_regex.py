"""Regular expressions that are compiled when they are first used.

Most are for one kind of question or sentence, and there are hundreds: compiling all of them takes
a twentieth of a second of every cold command, which uses a third of them.
"""

from __future__ import annotations

import re
from typing import cast

_NAMES = (
    *("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "scanner"),
    *("flags", "groups", "groupindex"),
)


class _Lazy:
    """A pattern that is compiled when it is first used."""

    def __init__(self, expression: str, flags: int) -> None:
        self.pattern = expression  # others are put together from it
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _NAMES:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        # As attributes of its own, its methods are called as fast as those of the pattern.
        self.__dict__.update({each: getattr(compiled, each) for each in _NAMES})
        return self.__dict__[name]


def lazy_regex(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Return what ``re.compile`` returns, made when it is first used.

    For patterns that a module keeps. It cannot be given to functions of ``re``, such as ``re.sub``:
    they want the pattern itself. An ``expression`` that is not valid raises ``re.error`` at its
    first use.
    """
    return cast("re.Pattern[str]", _Lazy(expression, flags))
