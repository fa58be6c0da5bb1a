from __future__ import annotations

import re
from collections.abc import Callable
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


@pytest.mark.parametrize(
    "use",
    [
        lambda p: [p.search("A cat"), p.search("A cat", 3), p.match("cat"), p.fullmatch("cats")],
        lambda p: [match.span("word") for match in p.finditer("Cat and cat")],
        lambda p: [p.sub("dog", "a cat"), p.subn("dog", "cat, cat", count=1), p.split("a cat b")],
        lambda p: (p.flags, p.groups, dict(p.groupindex), p.pattern),
    ],
)
def test_it_does_what_a_compiled_pattern_does(
    use: Callable[[re.Pattern[str]], object],
) -> None:
    given = r"\b(?P<word>cat)\b", re.IGNORECASE
    assert str(use(lazy_regex(*given))) == str(use(re.compile(*given)))


def test_what_no_pattern_has_is_refused() -> None:
    assert not hasattr(lazy_regex("a"), "__deepcopy__")
    with pytest.raises(AttributeError, match="replace"):
        lazy_regex("a").replace  # type: ignore[attr-defined] # noqa: B018


def test_what_is_no_pattern_is_told_at_its_first_use() -> None:
    broken = lazy_regex("(")
    with pytest.raises(re.error):
        broken.search("")
