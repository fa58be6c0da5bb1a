"""Writes the fresh cases beside the development corpora, in their form.

    python bench/fresh.py ../shared/corpora FOLDER
    python bench/garbage.py FOLDER
    python bench/injection.py FOLDER/corpora

They were written without a look at single rows of the corpora, to stand for what is held back.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from pydantic import JsonValue

import fresh_garbage
import fresh_hostile
import fresh_injection
import fresh_ssrf


def write(corpora: Path, folder: Path) -> Path:
    """Write the cases below ``folder``, with the tools of ``corpora``; return where they are."""
    fresh = folder / "corpora"
    fresh.mkdir(parents=True, exist_ok=True)
    shutil.copytree(corpora / "tools", fresh / "tools", dirs_exist_ok=True)
    shutil.copy(corpora / "llm_schemas.json", fresh)
    _lines(fresh / "llm_garbage.jsonl", fresh_garbage.rows())
    _lines(fresh / "injection_pages.jsonl", fresh_injection.rows())
    table = "".join(f"{line}\n" for line in fresh_ssrf.lines())
    (fresh / "ssrf_urls.tsv").write_text(table, "utf-8")
    fresh_hostile.write(fresh / "hostile_pages")
    return fresh


def _lines(path: Path, rows: Iterable[dict[str, JsonValue]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def main() -> None:
    """Write them and say where."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpora", type=Path, help="the development corpora")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    print(write(options.corpora, options.folder))


if __name__ == "__main__":
    main()
