"""Lists the licences of everything that the image and ``pip install`` bring along.

python deploy/licences.py > LICENCES.md     (run by ``make lock``, in the development environment)
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

LOCK = Path(__file__).with_name("requirements.txt")
HEAD = """\
# Licences of dependencies

Everything that Quaere's image holds and that its extras bring along, by `deploy/licences.py`.

| package | version | licence |
|---|---|---|"""
NAMED = {
    "tiktoken": "MIT",
}
"""Of packages whose metadata names none, as their repositories do."""


def locked() -> list[tuple[str, str]]:
    """Return name and version of every package of the lock."""
    return re.findall(r"^([\w.-]+)==([^ ;\\]+)", LOCK.read_text("utf-8"), re.MULTILINE)


def licence(name: str) -> str:
    """Return the licence of an installed package, as its metadata has it; empty for none."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return "not for this system"
    if expressions := told.get_all("License-Expression"):
        return expressions[0]
    classified = [
        each.rpartition(" :: ")[2]
        for each in told.get_all("Classifier") or []
        if each.startswith("License ::") and not each.endswith("OSI Approved")
    ]
    (text,) = told.get_all("License") or [""]
    return ", ".join(classified) or (text if "\n" not in text and len(text) < 80 else "")


def page() -> str:
    """Return the list as it should be."""
    rows = [
        f"| {name} | {version} | {NAMED.get(name) or licence(name)} |" for name, version in locked()
    ]
    return "\n".join([HEAD, *rows, ""])


if __name__ == "__main__":
    sys.stdout.write(page())
