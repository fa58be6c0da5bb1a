"""The parts of any office document, and what all kinds of these have in common.

Such a document is an archive of XML, of which only what holds text is unpacked. The sizes that a
ZIP archive declares are not trusted, and damage elsewhere (pictures, settings) does not matter.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import NamedTuple

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.grids import all_heads, is_amount, is_labelled
from quaere.read.extract.page import About, broken, name_of
from quaere.text.markup import Element, local_name, parse_xml

MAX_PART_BYTES = 50_000_000
"""Of one part, unpacked; a novel's takes some 5 MB."""
MAX_BYTES = 200_000_000
"""Of all parts that are read, unpacked."""

_CORE = "docProps/core.xml"
_ENCRYPTED_FLAG = 0x1
_BREAKS = re.compile(r"\n{3,}")


class Link(NamedTuple):
    """Where one part of an Office document names another."""

    kind: str
    """As "slide" or "chart"."""
    name: str
    """Of the other part."""


class Parts:
    """The parts of an open archive, each unpacked when it is asked for."""

    def __init__(self, body: Body, archive: zipfile.ZipFile, program: str) -> None:
        self._body, self._archive, self._program = body, archive, program
        self._left = MAX_BYTES

    @property
    def names(self) -> Sequence[str]:
        """The names of all parts."""
        return self._archive.namelist()

    def root(self, name: str) -> Element | None:
        """Return the root of a part; None when the document has no such part.

        Raises:
            ReadError: as `data` does.
            ValueError: when it is not well-formed.
        """
        data = self.data(name)
        return None if data is None else parse_xml(data)

    def data(self, name: str) -> bytes | None:
        """Return a part as it is; None when the document has no such part.

        Raises:
            ReadError: ``encrypted``, or ``too_large`` when it, or all parts together, unpack to
                more than they may.
        """
        try:
            info = self._archive.getinfo(name)
        except KeyError:
            return None
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise self.locked()
        most = min(MAX_PART_BYTES, self._left)
        with self._archive.open(info) as file:
            data = file.read(most + 1)
        if max(len(data), info.file_size) > most:
            limit = MAX_PART_BYTES if most == MAX_PART_BYTES else MAX_BYTES
            message = f"{name_of(self._body)} unpacks to more than {limit / 1e6:.0f} MB; split it"
            raise ReadError(message, status=ReadStatus.TOO_LARGE)
        self._left -= len(data)
        return data

    def main(self, name: str) -> Element:
        """Return the root of a part without which there is no document.

        Raises:
            ReadError: as `root` does; ``broken`` where there is none.
            ValueError: when it is not well-formed.
        """
        root = self.root(name)
        if root is None:
            raise self.lacking(name)
        return root

    def lacking(self, what: str) -> ReadError:
        """Return the error for a document in which ``what`` is missing."""
        return broken(self._body, damaged(f"it lacks {what}", self._program))

    def locked(self) -> ReadError:
        """Return the error for a document that cannot be read without a password."""
        message = f"{name_of(self._body)} is locked with a password; save it without one"
        return ReadError(message, status=ReadStatus.ENCRYPTED)

    def links(self, name: str) -> Mapping[str, Link]:
        """Return the parts of an Office document that the part ``name`` names, by its ids of them.

        Raises:
            ReadError, ValueError: as `root` does.
        """
        folder, file = posixpath.split(name)
        root = self.root(f"{folder}/_rels/{file}.rels")
        return {
            attribute(each, "Id"): Link(
                attribute(each, "Type").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, attribute(each, "Target")))[1:],
            )
            for each in (root.iter("{*}Relationship") if root is not None else ())
        }

    def about(self) -> tuple[str, About]:
        """Return the title of an Office document, and what else it tells about itself.

        Raises:
            ReadError: as `root` does.
            ValueError: when that is not well-formed.
        """
        root = self.root(_CORE)
        told = {local_name(field): field.text or "" for field in (() if root is None else root)}
        about = About(
            author=told.get("creator", ""),
            published=(told.get("modified") or told.get("created") or "")[:10],
            language=told.get("language", "")[:2],
        )
        return told.get("title", ""), about


@contextmanager
def opened(body: Body, program: str) -> Generator[Parts]:
    """Open ``body`` as an archive; ``program`` is what its writer can save it again with.

    Raises:
        ReadError: ``broken`` for a damaged one, whatever of it turns out to be.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body.data)) as archive:
            yield Parts(body, archive, program)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise broken(body, damaged(str(error), program)) from error


def growth(data: bytes) -> int:
    """Return by how many bytes the parts of the archive ``data`` grow when they are unpacked.

    Pictures hardly do. No part unpacks to more than the archive says. A damaged one does not grow.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return sum(max(0, each.file_size - each.compress_size) for each in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return 0


def damaged(why: str, program: str) -> str:
    """Return what to say about a damaged document that ``program`` may be able to open."""
    return f"is damaged: {why}; download it again, or open it in {program} and save it"


def attribute(element: Element | None, name: str) -> str:
    """Return an attribute whatever its namespace: strict and transitional documents differ.

    Empty where there is none, and where there is no ``element``.
    """
    held = () if element is None else element.items()
    return next((v for k, v in held if k.rpartition("}")[2] == name), "")


_WHOLE = re.compile(r"[0-9]{1,9}")


def whole(told: str, default: int) -> int:
    """Return the number that is ``told``; the ``default`` for what is none, or is beyond all use.

    Python refuses to turn thousands of figures into a number, or such a number into text.
    """
    return int(told) if _WHOLE.fullmatch(told) else default


def linked(element: Element) -> str:
    """Return the id of what ``element`` is linked to: the attribute that is in a namespace."""
    return next((v for k, v in element.items() if k.startswith("{") and k.endswith("}id")), "")


def table_lines(told: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table with these rows of cells, the heads of several rows in one."""
    rows = [cells for cells in told if any(cells)]
    yield from map(barred, _headed(rows))


def _headed(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return ``rows`` with one row of heads, which is empty where nothing heads the others."""
    if not rows:
        return ()
    if len(rows) > 1 and is_labelled(rows[0]):
        return [["", ""], *rows]
    heads, used = all_heads(rows)
    below = rows[used:]
    return [heads, *below] if _has_amounts(below) else rows


def _has_amounts(rows: Iterable[Sequence[str]]) -> bool:
    """Whether there are amounts in ``rows``; a form, or a table of words, has none."""
    return any(is_amount(cell) for cells in rows for cell in cells[1:])


def barred(cells: Iterable[str]) -> str:
    """Return a row of a table as a line."""
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


class Line(NamedTuple):
    """A paragraph of a document."""

    text: str
    level: int | None = None
    """Of an item of a list how far it is in, from 0; None for any other."""


def blocks_of(lines: Iterable[Line]) -> Iterator[str]:
    """Yield paragraphs, and the items that follow each other as one block; none that is empty."""
    told = [line for line in lines if line.text.strip()]
    for is_list, together in groupby(told, key=lambda line: line.level is not None):
        if is_list:
            yield _listed(list(together))
        else:
            yield from (line.text.strip() for line in together)


def _listed(items: Sequence[Line]) -> str:
    """Return the ``items`` of a list, those furthest out at the margin."""
    told = [(item.level or 0, flat(item.text)) for item in items]
    outermost = min(level for level, _ in told)
    return "\n".join(f"{'  ' * (level - outermost)}- {text}" for level, text in told)


def flat(text: str) -> str:
    """Return ``text`` on one line, with single spaces."""
    return " ".join(text.split())


def trim(text: str) -> str:
    """Return ``text`` with its line breaks, two at most together, and single spaces."""
    return _BREAKS.sub("\n\n", "\n".join(map(flat, text.split("\n")))).strip()
