from __future__ import annotations

from collections import Counter

from quaere.domain.report import RunWarning
from quaere.index.scan import Listing
from quaere.index.warnings import MAX_WARNINGS, describe


def test_nothing_wrong_is_no_warning() -> None:
    assert describe(Listing(), []) == []


def test_each_path_that_failed_is_named_once_in_order() -> None:
    listing = Listing(refused=[("/b", "closed"), ("/a", "no file")])
    assert describe(listing, [("/c", "is empty"), ("/b", "closed")]) == [
        RunWarning(kind="index", message="no file", subject="/a"),
        RunWarning(kind="index", message="closed", subject="/b"),
        RunWarning(kind="index", message="is empty", subject="/c"),
    ]


def test_binaries_are_one_warning() -> None:
    binaries = Counter({".png": 30, ".zip": 2, **{f".x{n}": 1 for n in range(10)}})
    (warning,) = describe(Listing(binaries=binaries), [])
    assert warning.message.startswith("42 files of kinds without readable text were left out: ")
    assert "30 .png, 2 .zip" in warning.message
    assert warning.message.endswith(", ...")
    (warning,) = describe(Listing(binaries=Counter({".png": 1})), [])
    assert warning.message == "1 file of a kind without readable text was left out: 1 .png"


def test_links_out_are_one_warning() -> None:
    (warning,) = describe(Listing(links_out=2), [])
    assert warning.message == "2 links that lead out of the folders were not followed"
    (warning,) = describe(Listing(links_out=1), [])
    assert warning.message == "1 link that leads out of the folders was not followed"


def test_thousands_of_warnings_are_cut_and_counted() -> None:
    failures = [(f"/{n:05}", "is empty") for n in range(MAX_WARNINGS + 7)]
    warnings = describe(Listing(), failures)
    assert len(warnings) == MAX_WARNINGS + 1
    assert warnings[-1].message == "7 more files could not be read"


def test_names_that_are_no_text_are_shown_as_far_as_they_are() -> None:
    (warning,) = describe(Listing(), [("/caf\udce9", "caf\udce9 is empty")])
    assert (warning.subject, warning.message) == ("/caf?", "caf? is empty")
