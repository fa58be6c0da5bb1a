"""Texts of pages as they are kept: once each, compressed, under the hash of what they say."""

from __future__ import annotations

import hashlib
import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LEVEL = 10


def text_hash(text: str) -> str:
    """Return the SHA-256 of ``text``, in hex: its name in the table ``pages``."""
    return hashlib.sha256(_encoded(text)).hexdigest()


def packed(text: str) -> bytes:
    """Return ``text`` compressed, in one zstd frame."""
    return zstd.compress(_encoded(text), _LEVEL)


def unpacked(body: bytes) -> str:
    """Return the text in ``body``, every character as it was.

    Raises:
        ZstdError: when it is not what `packed` returned.
    """
    return zstd.decompress(body).decode("utf-8", "surrogatepass")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
