from __future__ import annotations

import pytest
from tests.lint_words import Finding, Rule, findings, load

RULES = load()


def found(source: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.words) for finding in findings(source, RULES)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('text = "A replay asks nobody."\n', [(1, "asks nobody")]),
        ('def f():\n    """Say how to mend it."""\n', [(2, "mend")]),
        ('"""Return what is\n\nat\nwork now."""\n', [(3, "at work")]),
        ("x = 1  # it met a bug\n", [(1, "met a bug")]),
        ("# the run met a\n# bug again\n", [(1, "met a bug")]),
        ("# nothing\n\nx = 1\n# it met\n# a bug\n", [(4, "met a bug")]),
        ('text = f"{name} is no name of a run"\n', [(1, "is no"), (1, "no name of a")]),
    ],
)
def test_dialect_is_found_with_its_line(source: str, expected: list[tuple[int, str]]) -> None:
    assert sorted(found(source)) == sorted(expected)


@pytest.mark.parametrize(
    "source",
    [
        "mend = 1\n",
        '"""There is no network."""\n',
        '"""It is no longer needed."""\n',
        '"""At workshops, amendments."""\n',
        "# it met\n\n# a bug\n",
    ],
)
def test_names_and_plain_english_pass(source: str) -> None:
    assert found(source) == []


def test_a_finding_says_what_to_write() -> None:
    (rule,) = [rule for rule in RULES if rule.pattern.search("asks nobody")]
    assert list(findings('"asks nobody"', [rule])) == [
        Finding(line=1, words="asks nobody", suggestion="makes no requests")
    ]


def test_every_rule_offers_words() -> None:
    assert all(isinstance(rule, Rule) and rule.suggestion.strip() for rule in RULES)
