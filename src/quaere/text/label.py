"""Short texts that a model wrote to name something, made safe to show, send and search for."""

from __future__ import annotations

import re

MIN_RUN, MIN_SWITCHES = 16, 4
"""A key is a long run of letters and digits that changes between the two again and again. Hashes
look so too; names, numbers of trials and genes, formulas and DOIs don't."""

_JOINERS = "\u200c\u200d"  # Persian, Indic scripts and emoji are misspelt without them
_IMAGE = re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)?|\[[^\]\n]*\])?")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)?")
_TAG = re.compile(r"<[^>\n]*>?")
_ADDRESS = re.compile(
    r"(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|(?:javascript|data|mailto|vbscript):(?=\S))\S*"
)
_HOST = re.compile(
    r"\b(?:(?i:www)\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}\b"
    r"(?:(?::\d{1,5})?/\S*)?"
)
_FILE = re.compile(r"\.(?:cfg|csv|docx?|html?|java|js|json|md|pdf|pl|py|rs|sh|toml|txt|xml|ya?ml)$")
_RUN = re.compile(rf"[A-Za-z0-9]{{{MIN_RUN},}}")
_SWITCH = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_ROUND = str.maketrans("[]{}`", "()()'")


def label(text: str, known: str = "") -> str:
    """Return ``text`` as one line that leads nowhere and gives nothing away.

    Images, tags and addresses go, links keep their text, the name of a host becomes a word without
    its domain, and words that look like keys go. What ``known`` holds stays: the question may
    speak of a host or a key.
    """
    flat = "".join(char if char.isprintable() or char in _JOINERS else " " for char in text)
    flat = _LINK.sub(r"\1", _IMAGE.sub(" ", flat))
    flat = _ADDRESS.sub(lambda m: m[0] if m[0] in known else " ", _TAG.sub(" ", flat))
    flat = _HOST.sub(lambda m: m[0] if m[0] in known or _FILE.search(m[0]) else _word(m[0]), flat)
    kept = (word for word in flat.split() if word in known or not keys(word))
    return " ".join(kept).translate(_ROUND)


def keys(text: str) -> list[str]:
    """Return what looks like a key or another secret in ``text``."""
    return [run for run in _RUN.findall(text) if len(_SWITCH.findall(run)) >= MIN_SWITCHES]


def _word(host: str) -> str:
    """Return the name in a host: "example" for "www.example.com/start"."""
    name = re.split(r"[:/]", host, maxsplit=1)[0].rpartition(".")[0]
    return name.removeprefix("www.").replace(".", " ")
