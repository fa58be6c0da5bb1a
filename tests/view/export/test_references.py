"""The sources of a report for programs that manage references."""

from __future__ import annotations

from tests.faces.cli import samples

from quaere.view.export.references import bibtex, keys, ris

(CITATION,) = samples.report().citations
PAPER = CITATION.model_copy(
    update={
        "title": "Mühlen am Orrin",
        "url": "https://example.org/mills",
        "author": "Tamsin Wray; Ida Holm and Per Lund",
        "published": "2024-05-17T09:00:00Z",
        "retrieved_at": "2026-01-02T03:04:05Z",
        "type": "web",
        "locator": "",
    }
)


def test_a_key_is_number_site_and_title_or_the_number_alone() -> None:
    nameless = CITATION.model_copy(update={"title": "…", "url": "", "type": "…"})
    assert keys([PAPER, nameless]) == ["src1-example-org-muhlen-am-orrin", "src1"]


def test_ris_has_a_line_for_all_that_is_known_in_its_order() -> None:
    report = samples.report().model_copy(update={"citations": (PAPER,)})
    told = [tuple(line.split("  - ")) for line in ris(report).split("\r\n") if line]
    assert told[:-2] == [
        ("TY", "ELEC"),
        ("ID", "src1-example-org-muhlen-am-orrin"),
        ("TI", "Mühlen am Orrin"),
        ("AU", "Tamsin Wray"),
        ("AU", "Ida Holm"),
        ("AU", "Per Lund"),
        ("PY", "2024"),
        ("DA", "2024/05/17"),
        ("UR", "https://example.org/mills"),
        ("Y2", "2026/01/02"),
    ]
    assert told[-2][0] == "N2"
    assert told[-1] == ("ER", "")


def test_a_source_without_a_url_is_where_its_passage_is() -> None:
    told = ris(samples.report()).split("\r\n")
    assert told[0] == "TY  - GEN"
    assert "N1  - mill.pdf, page 3" in told
    assert not any(line.startswith(("UR", "PY", "AU", "DO")) for line in told)
    assert "note = {mill.pdf, page 3}" in bibtex(samples.report())
