"""Where a list of references begins and ends in a text."""

from __future__ import annotations

from quaere.audit.reference_list import reference_list

BODY = "The mill was built in 1788 [1].\n\n"
LISTED = "## References\n\n[1] https://a.test/mill The mill\n[2] https://b.test/barge The barge"


def test_a_list_takes_up_its_heading_and_all_of_its_lines() -> None:
    found = reference_list(f"{BODY}{LISTED}")
    assert [each.label for each in found.references] == ["1", "2"]
    ((start, end),) = found.spans
    assert (start, end) == (len(BODY), len(BODY) + len(LISTED))


def test_a_reference_by_itself_takes_up_its_line_alone() -> None:
    line = "[1]: https://a.test/mill"
    found = reference_list(f"{BODY}{line}\n\nIt ground barley.")
    assert found.spans == ((len(BODY), len(BODY) + len(line)),)
