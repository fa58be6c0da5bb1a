"""What values of options are taken as, and which of them are usage errors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import get_args

import pytest
import typer
from typer.models import OptionInfo

from quaere.faces.cli import options


def parser_of(option: object) -> Callable[[str], object]:
    """Return what reads a value of ``option``."""
    (info,) = (each for each in get_args(option) if isinstance(each, OptionInfo))
    assert info.parser
    return info.parser


@pytest.mark.parametrize(
    ("option", "written", "taken"),
    [
        (options.Urls, "https://a.example/mill", "https://a.example/mill"),
        (options.Urls, "http://127.0.0.1:9/x", "http://127.0.0.1:9/x"),
        (options.Site, "a.example", "a.example"),
        (options.PreferSite, "a.example", "a.example"),
        (options.ExcludeSite, "a.example", "a.example"),
        (options.PublishedAfter, "2024-01-31", date(2024, 1, 31)),
        (options.PublishedBefore, "2024-12-01", date(2024, 12, 1)),
        (options.SourceLanguage, "de", "de"),
        (options.AnswerLanguage, "en", "en"),
        (options.MaxIters, "3", 3),
        (options.MaxQueries, "7", 7),
        (options.MaxSources, "8", 8),
        (options.MaxReads, "0", 0),
        (options.MaxTime, "2.5", 2.5),
        (options.MaxTokens, "0", 0),
        (options.MaxCost, "0.25", 0.25),
        (options.MaxCitations, "4", 4),
        (options.Words, "120", 120),
    ],
)
def test_what_is_written_is_taken_as_a_value_of_its_kind(
    option: object, written: str, taken: object
) -> None:
    assert parser_of(option)(written) == taken


@pytest.mark.parametrize(
    ("option", "written", "told"),
    [
        (options.Urls, "notes/mill.md", "not an http or https URL; name files and folders"),
        (options.Urls, "ftp://a.example/mill", "not an http or https URL"),
        (options.Site, "a b", "not a host name, such as example.org"),
        (options.PublishedAfter, "31.1.2024", "not a date, such as 2024-01-31"),
        (options.PublishedBefore, "2024-02-30", "not a date"),
        (options.SourceLanguage, "German", "not an ISO 639 code in lower case"),
        (options.AnswerLanguage, "DE!", "not an ISO 639 code in lower case"),
        (options.MaxIters, "0", "must be at least 1"),
        (options.MaxIters, "many", "must be a whole number"),
        (options.MaxReads, "-1", "must be at least 0"),
        (options.MaxTime, "inf", "must be a finite number"),
        (options.MaxCost, "-0.5", "must be at least 0"),
        (options.Words, "", "must be a whole number"),
    ],
)
def test_what_is_no_value_of_its_kind_is_a_usage_error(
    option: object, written: str, told: str
) -> None:
    with pytest.raises(typer.BadParameter, match=told):
        parser_of(option)(written)
