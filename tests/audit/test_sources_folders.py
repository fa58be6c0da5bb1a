"""What cites nothing is looked up in folders, and told apart from what is cited."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from quaere.audit.cited_text import cited_text
from quaere.audit.sources import Finder
from quaere.domain.audit import Audit
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import Support
from quaere.domain.source import Hit
from quaere.errors import SearchError, UsageError
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions
from quaere.runtime.settings import Settings

pytestmark = pytest.mark.anyio

POOL = "# Marlow pool\n\nThe pool was built in 1934 by Edith Crane. A single swim costs £4.50.\n"
BOATS = "# Boats\n\nThe boat house rents twelve rowing boats.\n"
DRAFT = (
    "The pool was built in 1934 by Edith Crane. The boat house rents nine rowing boats. "
    "The café sells waffles. A single swim costs £4.50 [1].\n\n[1]: pool.md\n"
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "pool.md").write_text(POOL)
    (folder / "boats.md").write_text(BOATS)
    (folder / "draft.md").write_text(DRAFT)
    return folder


async def looked_up(notes: Path, text: str = DRAFT) -> Audit:
    options = CheckOptions(
        roots=(notes,),
        itself=notes / "draft.md",
        looks_up=True,
        searched=(notes,),
    )
    async with App.open(Settings(cache_dir=notes.parent / "cache")) as app:
        return await app.check(cited_text(text), options)


async def test_what_cites_nothing_is_compared_with_what_is_found(notes: Path) -> None:
    audit = await looked_up(notes)
    built, boats, waffles, swim = audit.sentences
    assert (built.verdict, built.cites, built.found) == (Support.QUOTED, (), (1,))
    assert built.place is not None
    assert built.place.text == "The pool was built in 1934 by Edith Crane."
    assert built.reason == "its source has it word for word; it cites nothing"
    assert (boats.verdict, boats.found) == (Support.CONTRADICTED, (2,))
    assert "nine" in boats.reason
    assert (waffles.verdict, waffles.found) == (Support.NOT_JUDGED, ())
    assert waffles.reason == "it cites nothing, and nothing that was found says it"
    assert (swim.verdict, swim.cites, swim.found) == (Support.QUOTED, (1,), ())


async def test_found_sources_come_after_cited_ones_and_only_where_they_are_shown(
    notes: Path,
) -> None:
    (notes / "inn.md").write_text("# Crane inn\n\nA pool table stands in the hall.\n")
    audit = await looked_up(notes)
    told = [(source.number, Path(source.url).name, source.found) for source in audit.sources]
    assert told == [(1, "pool.md", False), (2, "boats.md", True)]
    summary = audit.summary
    assert (summary.cited, summary.found, summary.sources) == (1, 1, 2)
    assert (summary.citation_precision, summary.citation_recall) == (1.0, 1 / 4)


async def test_files_that_were_looked_up_support_nothing_together_unlike_those_that_are_cited(
    notes: Path,
) -> None:
    said = "Edith Crane built the pool in 1934, and the boat house rents twelve rowing boats"
    cited = await looked_up(notes, f"{said} [1][2].\n\n[1]: pool.md\n[2]: boats.md\n")
    found = await looked_up(notes, f"{said}.\n")
    assert cited.sentences[0].verdict.holds
    assert found.sentences[0].verdict is Support.PARTLY


async def test_a_text_is_no_source_of_its_own(notes: Path) -> None:
    audit = await looked_up(notes, "The café sells waffles.\n")
    assert [source.found for source in audit.sources] == []
    assert audit.sentences[0].verdict is Support.NOT_JUDGED


async def test_without_a_folder_nothing_can_be_looked_up(tmp_path: Path) -> None:
    async with App.open(Settings(cache_dir=tmp_path)) as app:
        with pytest.raises(UsageError, match="There is no folder to search"):
            await app.check(cited_text(DRAFT), CheckOptions(looks_up=True))


class Searched:
    """A provider that tells what it was asked, and fails where it should."""

    name = "shelf"
    kinds = frozenset({SourceKind.FOLDER})

    def __init__(self, error: SearchError | None = None) -> None:
        self.asked: list[str] = []
        self.error = error

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append(query.text)
        await asyncio.sleep(0.01)
        if self.error:
            raise self.error
        return [Hit(url="file:///shelf/untold.md", title="Untold", provider=self.name, rank=0)]


async def test_only_claims_that_cite_nothing_are_searched_for() -> None:
    shelf = Searched()
    text = cited_text(
        "# Boats\n\nWho knows? The boats are painted blue every spring. They float there [1]."
        "\n\n[1]: a.md\n"
    )
    found = await Finder([shelf]).find(text.sentences, cited=(), within_s=60)
    assert shelf.asked == ["The boats are painted blue every spring."]
    assert (found.sources, found.warnings) == ([], [])


async def test_a_search_that_fails_is_told_and_leaves_the_rest_as_it_was() -> None:
    text = cited_text("The boats are painted blue every spring. They float in the outer basin.\n")
    shelf = Searched(SearchError("The index is damaged."))
    found = await Finder([shelf]).find(text.sentences, cited=(), within_s=60)
    assert [warning.message for warning in found.warnings] == ["The index is damaged."]
    assert list(found.sentences) == list(text.sentences)


async def test_what_was_not_reached_in_time_is_counted() -> None:
    text = cited_text("The boats are painted blue every spring. They float in the outer basin.\n")
    found = await Finder([Searched()]).find(text.sentences, cited=(), within_s=0)
    assert [warning.message for warning in found.warnings] == [
        "time ran out before 2 sentences were looked up"
    ]
