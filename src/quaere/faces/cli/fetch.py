"""``quaere fetch``: Read one page or file and print its text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit
from urllib.request import url2pathname

import typer

from quaere.domain.source import Page, Passage
from quaere.domain.value import Outside, Value
from quaere.errors import ReadError, UsageError
from quaere.faces.cli import options
from quaere.faces.cli.follow import importing
from quaere.faces.cli.help_text import PlainCommand
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.synthesize.inert import visible
from quaere.view.layout import counted

if TYPE_CHECKING:
    from quaere.runtime.app import App


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


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("fetch", cls=PlainCommand, no_args_is_help=True)(fetch)


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
    with importing():
        from quaere.faces.cli.environment import in_app, settle
        from quaere.faces.cli.output import json

    settings = settle()
    url, path = _located(target)
    try:
        fetched = in_app(settings, lambda app: _read(app, url, path))
    except ReadError as error:
        raise ReadError(f"{error.status}: {error.message}", status=error.status) from error
    emit(json(fetched) if form is ShortFormat.JSON else told(fetched))


def _located(target: str) -> tuple[str, Path | None]:
    """Return the URL of ``target``, and its path when it is a file on this machine.

    Raises:
        UsageError: when it is neither a URL nor a file.
    """
    if target.lower().startswith("file:"):
        try:
            return target, Path(url2pathname(urlsplit(target).path))
        except ValueError as error:
            raise UsageError(f"Invalid URL {target!r}.") from error
    if "://" in target:
        return target, None
    path = Path(target)
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except (OSError, ValueError):  # the name is too long, or the folder is not accessible
        is_file = is_folder = False
    if is_folder and target:
        raise UsageError(f"{target[:200]!r} is a folder; name a file in it.")
    if not is_file:
        raise UsageError(
            f"There is no file {target[:200]!r}. The URL of a web page begins with https://."
        )
    return path.absolute().as_uri(), path


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


def told(fetched: Fetched) -> str:
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
    return "\n".join([*lines, "", *map(_line, fetched.text.splitlines())]) + "\n"


def _line(line: str) -> str:
    """Return ``line`` made safe to print, with its indentation, which tables and code need."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + visible(line)
