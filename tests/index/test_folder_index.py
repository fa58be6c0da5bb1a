from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from tests.contracts.search_provider import DOCUMENTS, SearchProviderContract
from tests.index.folders import SOURCES, write

from quaere.domain.question import Query
from quaere.domain.source import Page
from quaere.errors import FolderIndexError, UsageError
from quaere.index.folder_index import FolderProvider
from quaere.index.scan import resolve_roots
from quaere.ports.read import Body
from quaere.ports.search import Preparable, SearchProvider, TermStatistics

pytestmark = pytest.mark.anyio


def heard(done: int, total: int, passages: int) -> None:
    """Take no notice of progress."""


def make(docs: Path, cache: Path, read: Callable[[Path], Body] = SOURCES.read) -> FolderProvider:
    return FolderProvider(
        [docs], cache=cache, read=read, extractor=SOURCES.extractor, chunk=SOURCES.chunk
    )


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    files = {
        f"{n}.md": f"# {title}\n\n{text}\n" for n, (title, text) in enumerate(DOCUMENTS.items())
    }
    return write(tmp_path / "docs", files)


class TestFolderProvider(SearchProviderContract):
    @pytest.fixture
    async def provider(self, docs: Path, tmp_path: Path) -> SearchProvider:
        provider = make(docs, tmp_path / "cache")
        assert await provider.prepare(heard) == []
        return provider

    @pytest.fixture
    async def unavailable(self, docs: Path, tmp_path: Path) -> SearchProvider:
        return make(docs, tmp_path / "cache")


async def test_a_hit_carries_the_stored_passage(docs: Path, tmp_path: Path) -> None:
    provider = make(docs, tmp_path / "cache")
    await provider.prepare(heard)
    (hit,) = await provider.search(Query(text="Who built the harbour in 1871?"), limit=1)
    assert hit.passage is not None
    assert hit.url == (docs / "2.md").as_uri()
    assert hit.score > 0
    assert hit.snippet in hit.passage.text
    assert not hit.passage.provided
    assert hit.passage.locator == "lines 1-3"
    page = provider.page(hit.url, hit.passage.content_hash)
    assert page is not None
    assert page.content_hash == hit.passage.content_hash
    assert page.text[hit.passage.start : hit.passage.end] == hit.passage.text
    assert provider.page(hit.url, "0" * 64) is None


async def test_it_says_how_common_a_word_is(docs: Path, tmp_path: Path) -> None:
    provider = make(docs, tmp_path / "cache")
    assert provider.document_share("lichen") == 0.0
    await provider.prepare(heard)
    assert provider.document_share("Lichens") == pytest.approx(2 / 6)
    assert provider.document_share("Vessel Bay") == pytest.approx(2 / 6)
    assert provider.document_share("quokka") == 0.0
    assert provider.document_share("?") == 0.0
    assert provider.document_share("the") > 0.5


async def test_it_says_how_far_the_index_has_come(docs: Path, tmp_path: Path) -> None:
    (docs / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    provider = make(docs, tmp_path / "cache")
    assert provider.counts() is None
    await provider.prepare(heard)
    assert provider.counts() == (len(DOCUMENTS) + 1, 1)
    database = next((tmp_path / "cache").rglob("catalogue.db"))
    for path in database.parent.glob("catalogue.db*"):
        path.write_bytes(b"no database " * 1000)
    with pytest.raises(FolderIndexError, match="Refresh it"):
        make(docs, tmp_path / "cache").counts()


async def test_it_keeps_the_ports(docs: Path, tmp_path: Path) -> None:
    provider = make(docs, tmp_path / "cache")
    assert isinstance(provider, Preparable)
    assert isinstance(provider, TermStatistics)
    assert provider.roots == resolve_roots([docs])


async def test_progress_is_told_in_the_loop(docs: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int, int]] = []
    loop = asyncio.get_running_loop()

    def progress(*figures: int) -> None:
        assert asyncio.get_running_loop() is loop
        told.append((figures[0], figures[1], figures[2]))

    await make(docs, tmp_path / "cache").prepare(progress)
    assert told[-1] == (5, 5, 5)


async def test_the_loop_goes_on_while_it_prepares_and_searches(tmp_path: Path) -> None:
    rows = "".join(f"n{n},quokka lives at place {n} by the shore\n" for n in range(3000))
    docs = write(tmp_path / "docs", {"t.csv": f"name,text\n{rows}"})
    provider = make(docs, tmp_path / "cache")
    gaps: list[float] = []

    async def watch() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    watcher = asyncio.create_task(watch())
    await provider.prepare(heard)
    await provider.search(Query(text="quokka place shore", titles=("n7",)), limit=50)
    watcher.cancel()
    # The machine may take the processor away, but not many times in a row.
    assert sorted(gaps)[-len(gaps) // 100] < 0.05


def test_a_missing_folder_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no file or folder"):
        make(tmp_path / "nothing", tmp_path / "cache")


async def test_an_index_that_cannot_be_written_is_a_typed_error(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands here")
    with pytest.raises(FolderIndexError):
        await make(docs, tmp_path / "cache").prepare(heard)


async def test_a_hung_file_does_not_hold_up_cancelling(docs: Path, tmp_path: Path) -> None:
    """R0.13: what was read by then can be searched."""
    release = Event()

    def read(path: Path) -> Body:
        if path.name == "3.md":
            release.wait(20)
        return SOURCES.read(path)

    provider = make(docs, tmp_path / "cache", read)
    task = asyncio.create_task(provider.prepare(heard))
    await asyncio.sleep(0.3)
    begun = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - begun < 5
    titles: list[str] = []
    while len(titles) < 2 and time.monotonic() - begun < 15:
        await asyncio.sleep(0.05)
        hits = await provider.search(Query(text="lantern moth lichen"), limit=5)
        titles = [hit.title for hit in hits]
    assert titles == ["Lantern moth", "Salt lichen"]
    release.set()


HANG = """
import asyncio, sys, threading, time
from pathlib import Path
from tests.index.folders import SOURCES
from tests.index.test_folder_index import heard, make

def read(path):
    print("reading", flush=True)
    time.sleep(60)

async def main():
    provider = make(Path(sys.argv[1]), Path(sys.argv[2]), read)
    try:
        await asyncio.wait_for(provider.prepare(heard), 0.3)
    except TimeoutError:
        print("cancelled", flush=True)

asyncio.run(main())
"""


def test_a_hung_file_does_not_hold_up_the_exit(docs: Path, tmp_path: Path) -> None:
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", HANG, str(docs), str(tmp_path / "cache")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[-1] == "cancelled"
    assert time.monotonic() - begun < 30


async def test_what_an_extractor_raises_reaches_nobody(docs: Path, tmp_path: Path) -> None:
    class Failing:
        def extract(self, body: Body) -> Iterator[Page]:
            raise ZeroDivisionError(body.url)

    provider = FolderProvider(
        [docs],
        cache=tmp_path / "cache",
        read=SOURCES.read,
        extractor=Failing(),
        chunk=SOURCES.chunk,
    )
    warnings = await provider.prepare(heard)
    assert ["ZeroDivisionError" in each.message for each in warnings] == [True] * 5 + [False]
    assert "none of 5 files could be read" in warnings[-1].message
    assert await provider.search(Query(text="moth"), limit=5) == []


READABLE = (
    "What can be read is Markdown, reStructuredText, HTML, PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, "
    "EPUB, RTF, CSV, JSON, XML, notebooks, subtitles, calendars, mail (EML, mbox) and plain text."
)


@pytest.mark.parametrize(
    ("torn", "read", "message"),
    [
        (
            0,
            0,
            f"There is nothing to read in {{}}. {READABLE}",
        ),
        (1, 0, "There is nothing to read in {}: its only file could not be read."),
        (2, 0, "There is nothing to read in {}: none of 2 files could be read."),
        (1, 1, None),
    ],
)
async def test_folders_without_anything_to_read_are_told_of_and_why(
    tmp_path: Path, torn: int, read: int, message: str | None
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(torn):
        (docs / f"torn-{number}.pdf").write_bytes(b"%PDF-1.7 and no more")
    for number in range(read):
        (docs / f"{number}.md").write_text("# Wicks\n\nThey are trimmed at night.\n")
    warnings = await make(docs, tmp_path / "cache").prepare(heard)
    told = [each.message for each in warnings if each.kind == "empty"]
    assert told == ([message.format(docs)] if message else [])


@pytest.mark.parametrize("rows", [150, 3000])
async def test_a_passage_inside_a_table_brings_its_head(tmp_path: Path, rows: int) -> None:
    """The head of a table too long to look through stays unknown: no other row is taken for it."""
    wall = "of the outer harbour wall, seen from the mole"
    body = "".join(f"| Lamp {n} {wall} | Tamsin Wray the {n}th |\n" for n in range(rows))
    docs = write(tmp_path / "docs", {"lamps.md": f"| Lamp | Keeper |\n|---|---|\n{body}"})
    provider = make(docs, tmp_path / "cache")
    await provider.prepare(heard)
    (hit,) = await provider.search(Query(text=f"Tamsin {rows - 20}th"), limit=1)
    assert hit.passage is not None
    assert f"Lamp {rows - 20} " in hit.passage.text
    assert hit.passage.table_head == ("| Lamp | Keeper |" if rows == 150 else "")


async def test_a_passage_is_found_by_the_headings_over_it(tmp_path: Path) -> None:
    """A setting is often named by its heading alone, and the next passage begins below it."""
    filler = "".join(f"The {n}th lamp of the wall burns oil. " for n in range(40))
    text = (
        f"# Lamps\n\n## Wicks\n\n### Trimming\n\n{filler}\n\nTwice a night.\n\n## Oil\n\n{filler}"
    )
    provider = make(write(tmp_path / "docs", {"lamps.md": text}), tmp_path / "cache")
    await provider.prepare(heard)
    hits = await provider.search(Query(text="trimming of wicks"), limit=9)
    passages = [hit.passage for hit in hits if hit.passage]
    assert {each.headings for each in passages if each.text.startswith("The")} == {
        "## Wicks\n### Trimming"
    }


async def test_a_passage_inside_a_list_is_found_by_its_lead_in_and_brings_it(
    tmp_path: Path,
) -> None:
    items = "".join(f"- Lamp {n} of the outer wall, which burns oil.\n" for n in range(90))
    docs = write(tmp_path / "docs", {"lamps.md": f"The following need no wick:\n\n{items}"})
    provider = make(docs, tmp_path / "cache")
    await provider.prepare(heard)
    hits = await provider.search(Query(text="Which lamps need no wick?"), limit=9)
    passages = [hit.passage for hit in hits if hit.passage]
    assert {each.lead_in for each in passages if each.start} == {"The following need no wick:"}


async def test_a_passage_says_who_wrote_its_page_and_when(tmp_path: Path) -> None:
    text = "---\nauthor: Ida Krell\ndate: 2024-05-17\n---\n# Tides\n\nThe tide turns at six.\n"
    provider = make(write(tmp_path / "docs", {"tides.md": text}), tmp_path / "cache")
    await provider.prepare(heard)
    (hit,) = await provider.search(Query(text="When does the tide turn?"), limit=1)
    assert hit.passage is not None
    assert (hit.passage.author, hit.passage.published) == ("Ida Krell", "2024-05-17")
