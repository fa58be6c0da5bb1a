from __future__ import annotations

import re
from unittest.mock import patch

import pytest

from quaere.text.lazy_regex import lazy_regex


def test_it_is_compiled_once_and_at_the_first_use() -> None:
    with patch("re.compile", wraps=re.compile) as compiled:
        year = lazy_regex(r"(?P<year>1\d{3})")
        assert year.pattern == r"(?P<year>1\d{3})"
        compiled.assert_not_called()
        assert year.search("in 1911") is not None
        assert year.findall("1911, 1912") == ["1911", "1912"]
        compiled.assert_called_once()


def all_of(cat: re.Pattern[str]) -> list[object]:
    return [
        *(str(cat.search("A cat")), cat.search("A cat", 3), str(cat.match("cat"))),
        *(cat.fullmatch("cats"), cat.findall("cat"), cat.sub("dog", "a cat")),
        *(match.span("word") for match in cat.finditer("Cat and cat")),
        *(cat.subn("dog", "cat, cat", count=1), cat.split("a cat b")),
        *(cat.flags, cat.groups, dict(cat.groupindex), cat.pattern),
    ]


def test_it_does_what_a_compiled_pattern_does() -> None:
    given = r"\b(?P<word>cat)\b", re.IGNORECASE
    assert all_of(lazy_regex(*given)) == all_of(re.compile(*given))


def test_what_no_pattern_has_is_refused() -> None:
    assert not hasattr(lazy_regex("a"), "__deepcopy__")
    with pytest.raises(AttributeError, match="replace"):
        getattr(lazy_regex("a"), "replace")  # noqa: B009 - no pattern has it


def test_what_is_no_pattern_is_told_at_its_first_use() -> None:
    broken = lazy_regex("(")
    with pytest.raises(re.error):
        broken.search("")
