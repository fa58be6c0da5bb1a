"""``quaere search``: Run one query and list the results.

``quaere fetch``: Read one page or file and print its text.
``quaere providers``: List the search services and the settings they need.
``quaere index``: Build or refresh the index of folders and files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from quaere.domain.events import IndexProgress, WarningRaised
from quaere.domain.report import RunWarning
from quaere.domain.source import Page, Passage
from quaere.domain.url import url2pathname
from quaere.domain.value import Outside, Value
from quaere.errors import ReadError, UsageError, named
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import Watcher, watching
from quaere.faces.cli.groups import question_of
from quaere.faces.cli.options import add_commands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.tables import folded, table
from quaere.faces.cli.terminal import complain, emit
from quaere.ports.search import Preparable
from quaere.search.fanout import prepare
from quaere.synthesize.inert import visible
from quaere.synthesize.wording import counted

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.runtime.search import FoundHit, Listing, SearchResult


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    add_commands(app, search=search, fetch=fetch, providers=providers, index=index)


def search(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="QUERY",
            help="What to search for, with or without quotes; - for standard input.",
        ),
    ],
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", "-n", min=1, max=1000, metavar="N", help="Number of results to show."
        ),
    ] = 10,
    form: options.Form = ShortFormat.TEXT,
    quiet: options.Quiet = False,
) -> None:
    """Run one query and list the results.

    Folders and search services are searched in parallel, and their results are merged into one
    list. Providers that failed are named on standard error; the exit code is 1 when all of them
    failed.
    """
    query = question_of(words)
    with watching(f"searching {query}", quiet=quiet) as watcher:
        from quaere.faces.cli.output import json
        from quaere.faces.cli.running import in_app, settle

        result = in_app(
            settle(),
            lambda app: app.search(
                query,
                docs=docs or (),
                providers=provider or (),
                limit=limit,
                told=watcher.show,
            ),
        )
    _complain_of(result)
    emit(json(result) if form is ShortFormat.JSON else folded(hits_told(result)))
    raise typer.Exit(ExitCode.ERROR if result.all_failed else ExitCode.ANSWERED)


def _complain_of(result: SearchResult) -> None:
    """Name what failed on standard error; what went wrong in indexing was shown as it occurred."""
    for failure in result.failures:
        complain(named(failure.provider, failure.message))
    for warning in result.warnings:
        if warning.kind == "search":
            complain(warning.message)


def hits_told(result: SearchResult) -> str:
    """Return ``result`` as text that is safe to print on a terminal."""
    if not result.hits:
        return "" if result.all_failed else "No results.\n"
    return "\n".join(_hit_told(hit) for hit in result.hits)


def _hit_told(hit: FoundHit) -> str:
    seen = ", ".join(f"{each.provider} {each.rank}" for each in hit.seen)
    facts = (part for part in (seen, hit.kind, hit.published) if part)
    lines = (hit.url, " · ".join(facts), hit.snippet)
    indented = "".join(f"    {visible(line)}\n" for line in lines if line)
    return f"{hit.rank:>2}  {visible(hit.title) or '(no title)'}\n{indented}"


class Stretch(Value):
    """The location of a passage in the text."""

    id: str
    start: int
    end: int
    locator: str


class Fetched(Value):
    """A page that was read."""

    url: Outside
    """As requested."""
    final_url: Outside
    status: str
    title: Outside
    content_type: str
    published: Outside
    author: Outside
    language: Outside
    retrieved_at: str
    characters: int
    passages: tuple[Stretch, ...]
    text: Outside


def fetch(
    target: Annotated[str, typer.Argument(metavar="URL", help="A web page or a local file.")],
    *,
    form: options.Form = ShortFormat.TEXT,
) -> None:
    """Read one page or file and print its text.

    The page is checked, fetched and reduced to its text exactly as in a run. If it must not be read
    or contains no text, the reason is printed and the exit code is 1. QUAERE_READ_HOSTS,
    QUAERE_READ_PORTS and QUAERE_READ_NETWORKS allow more than the public web.
    """
    from quaere.faces.cli.output import json
    from quaere.faces.cli.running import in_app, settle

    settings = settle()
    url, path = _located(target)
    try:
        fetched = in_app(settings, lambda app: _read(app, url, path))
    except ReadError as error:
        raise ReadError(f"{error.status}: {error.message}", status=error.status) from error
    emit(json(fetched) if form is ShortFormat.JSON else page_told(fetched))


def _located(target: str) -> tuple[str, Path | None]:
    """Return the URL of ``target``, and its path when it is a file on this machine.

    Raises:
        UsageError: when it is neither a URL nor a file.
    """
    if target.lower().startswith("file:"):
        return target, _path_of(target)
    if "://" in target:
        return target, None
    path = Path(target)
    try:
        is_file, is_folder, is_there = path.is_file(), path.is_dir(), path.exists()
    except (OSError, ValueError):  # the name is too long, or the folder is not accessible
        is_file = is_folder = is_there = False
    if is_folder and target:
        raise UsageError(f"{target[:200]!r} is a folder; name a file in it.")
    if is_there and not is_file and target:
        raise UsageError(f"{target[:200]!r} is a pipe or a device; save what it gives as a file.")
    if not is_file:
        raise UsageError(
            f"There is no file {target[:200]!r}. The URL of a web page begins with https://."
        )
    return path.absolute().as_uri(), path


def _path_of(url: str) -> Path:
    try:
        return Path(url2pathname(urlsplit(url).path))
    except ValueError as error:
        raise UsageError(f"Invalid URL {url!r}.") from error


async def _read(app: App, url: str, path: Path | None) -> Fetched:
    page, passages = await app.fetch(url, [path] if path else [])
    return _fetched(url, page, passages)


def _fetched(url: str, page: Page, passages: Sequence[Passage]) -> Fetched:
    return Fetched(
        url=url,
        final_url=page.url,
        status=page.status,
        title=page.title,
        content_type=page.content_type,
        published=page.published,
        author=page.author,
        language=page.language,
        retrieved_at=page.retrieved_at,
        characters=len(page.text),
        passages=tuple(
            Stretch(id=cut.id, start=cut.start, end=cut.end, locator=cut.locator)
            for cut in passages
        ),
        text=page.text,
    )


def page_told(fetched: Fetched) -> str:
    """Return ``fetched`` as text that is safe to print on a terminal: metadata, then the text."""
    size = (
        f"{counted(fetched.characters, 'character')}, {counted(len(fetched.passages), 'passage')}"
    )
    facts = {
        "Title": fetched.title,
        "URL": fetched.final_url,
        "Requested": fetched.url if fetched.url != fetched.final_url else "",
        "Status": fetched.status,
        "Type": fetched.content_type,
        "Published": fetched.published,
        "Author": fetched.author,
        "Language": fetched.language,
        "Text": size,
    }
    lines = [f"{name:10} {visible(fact)}" for name, fact in facts.items() if fact]
    return "\n".join([*lines, "", *map(_inert_line, fetched.text.splitlines())]) + "\n"


def _inert_line(line: str) -> str:
    """Return ``line`` made safe to print, with its indentation, which tables and code need."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + visible(line)


def providers(*, form: options.Form = ShortFormat.TEXT) -> None:
    """List the search services and the settings they need.

    A star marks the services that are used by default. The settings are environment variables;
    their values are not shown, except for the host of a base URL.
    """
    from quaere.faces.cli.output import json
    from quaere.faces.cli.running import settle
    from quaere.runtime.resources import Resources
    from quaere.runtime.search import listed_providers

    settings = settle()
    listing = listed_providers(Resources(settings))
    emit(json(listing) if form is ShortFormat.JSON else providers_told(listing))


def providers_told(listing: Listing) -> str:
    """Return ``listing`` as a table for a person."""
    rows = [
        (
            f"{each.name}{' *' if each.default else ''}",
            "ready" if each.ready else f"needs {', '.join(each.missing)}",
            ", ".join(each.kinds),
            each.host,
            each.description,
        )
        for each in listing.providers
    ]
    return table(rows)


class Broken(Value):
    """A file that could not be read."""

    path: str
    reason: str


class Summary(Value):
    """The outcome of a refresh."""

    files: int
    """Files of a known format, including the broken ones."""
    passages: int
    broken: tuple[Broken, ...]
    notes: tuple[str, ...]
    """What else was skipped."""
    seconds: float


def index(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Files and folders to index.")
    ],
    *,
    form: options.Form = ShortFormat.TEXT,
    quiet: options.Quiet = False,
) -> None:
    """Build or refresh the index of folders and files.

    Only new, changed and deleted files take time. Files that cannot be read are listed with the
    reason and are not an error; the exit code is 1 when nothing could be indexed.
    """
    title = f"indexing {', '.join(map(str, paths))}"
    with watching(title, quiet=quiet) as watcher:
        from quaere.faces.cli.running import in_app, settle

        summary = in_app(settle(), lambda app: refresh(app.resources.folder(paths), watcher))
    if form is ShortFormat.JSON:
        emit(f"{summary.model_dump_json(indent=2)}\n")
    else:
        emit(index_told(summary))
    raise typer.Exit(ExitCode.ANSWERED if summary.passages else ExitCode.ERROR)


async def refresh(provider: Preparable, watcher: Watcher) -> Summary:
    """Prepare ``provider`` while ``watcher`` shows its progress, and return a summary."""
    started = monotonic()
    indexing: IndexProgress | None = None
    broken: list[Broken] = []
    notes: list[str] = []
    async for event in prepare(provider, "folder", math.inf):
        watcher.show(event)
        match event:
            case IndexProgress():
                indexing = event
            case WarningRaised(warning=RunWarning(subject="", message=message)):
                notes.append(message)
            case WarningRaised(warning=RunWarning(subject=subject, message=message)):
                broken.append(Broken(path=subject, reason=message))
            case _:
                pass
    return Summary(
        files=indexing.total if indexing else 0,
        passages=indexing.passages if indexing else 0,
        broken=tuple(broken),
        notes=tuple(notes),
        seconds=round(monotonic() - started, 3),
    )


def index_told(summary: Summary) -> str:
    """Return ``summary`` as lines for a person."""
    counts = (
        counted(summary.files, "file"),
        counted(summary.passages, "passage"),
        f"{len(summary.broken):,} broken",
        f"{summary.seconds:.1f} s",
    )
    lines = [", ".join(counts)]
    lines += [f"  broken: {visible(b.path)}: {visible(b.reason)}" for b in summary.broken]
    lines += [f"  note: {visible(note)}" for note in summary.notes]
    return "\n".join(lines) + "\n"
