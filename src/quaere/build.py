"""From settings to a working engine. This is the one place that names concrete adapters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from quaere.errors import UsageError
from quaere.read.extractor import SafeExtractor
from quaere.read.files import read_file
from quaere.read.local import LocalReader
from quaere.read.passages import PassageCutter
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.search.providers.folder import FolderProvider
from quaere.settings import Settings

if TYPE_CHECKING:
    from quaere.engine import Engine


def build_engine(settings: Settings, *, docs: Sequence[Path] = ()) -> Engine:
    """Return an engine over ``docs``, or over the folders that ``settings`` name.

    Raises:
        UsageError: when there is nothing to search, or a folder does not exist.
    """
    # A second of imports that indexing alone can do without.
    from quaere.engine import Engine  # noqa: PLC0415

    folder = build_folder(settings, docs)
    reasoner = ExtractiveReasoner(folder)
    return Engine(
        providers=(folder,),
        reasoner=reasoner,
        reader=LocalReader(partial(read_file, max_bytes=settings.max_file_bytes), SafeExtractor()),
        cutter=PassageCutter(),
    )


def build_folder(settings: Settings, docs: Sequence[Path] = ()) -> FolderProvider:
    """Return the provider that searches ``docs``, or the folders that ``settings`` name.

    Raises:
        UsageError: when there is nothing to search, or a folder does not exist.
    """
    roots = docs or settings.docs
    if not roots:
        raise UsageError("There is nothing to search. Give --docs PATH, or set QUAERE_DOCS.")
    return FolderProvider(
        roots,
        cache=settings.cache_dir or Path(platformdirs.user_cache_dir("quaere")),
        read=partial(read_file, max_bytes=settings.max_file_bytes),
        extractor=SafeExtractor(),
        cut=PassageCutter(),
    )
