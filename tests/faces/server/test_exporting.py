"""A report as a download: in which form, under which name, as which type of media."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest
from tests.synthesize.drafts import unanswered

from quaere.domain.report import Report
from quaere.faces.server.exporting import ExportForm, answers, exported

pytestmark = pytest.mark.anyio

REPORT = unanswered().model_copy(update={"run_id": "0123456789abcdef"})


async def test_json_is_the_report_itself_and_no_download() -> None:
    told = await exported(REPORT, ExportForm.JSON)
    assert told.media_type == "application/json"
    assert Report.model_validate_json(bytes(told.body)) == REPORT
    assert "content-disposition" not in told.headers


@pytest.mark.parametrize(
    ("form", "media_type", "begins"),
    [
        (ExportForm.MARKDOWN, "text/markdown; charset=utf-8", b"#"),
        (ExportForm.HTML, "text/html; charset=utf-8", b"<!"),
        (ExportForm.BIBTEX, None, b""),
        (ExportForm.RIS, None, b""),
        (ExportForm.DOCX, None, b"PK"),
    ],
)
async def test_a_file_is_named_by_its_run_and_form(
    form: ExportForm, media_type: str | None, begins: bytes
) -> None:
    told = await exported(REPORT, form)
    assert told.headers["content-disposition"] == (f'attachment; filename="quaere-01234567.{form}"')
    assert media_type in (None, told.media_type)
    assert told.media_type
    assert bytes(told.body).startswith(begins)
    documented = cast("Mapping[str, object]", answers()[200]["content"])
    assert told.media_type.partition(";")[0] in documented


async def test_the_name_of_a_file_has_no_letters_that_a_header_cannot_carry() -> None:
    report = REPORT.model_copy(update={"run_id": "mühle-塔-1"})
    told = await exported(report, ExportForm.MARKDOWN)
    assert told.headers["content-disposition"] == 'attachment; filename="quaere-m?hle-?-.md"'


def test_a_form_that_nobody_brings_is_none() -> None:
    with pytest.raises(ValueError, match="scroll"):
        ExportForm("scroll")
    assert ExportForm("md") is ExportForm.MARKDOWN
