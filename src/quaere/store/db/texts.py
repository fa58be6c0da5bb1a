"""Page texts as they are stored: once each, compressed, by content hash."""

from __future__ import annotations

import hashlib
import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LEVEL = 10


def text_hash(text: str) -> str:
    """Return the SHA-256 of ``text`` in hex, its key in the table ``pages``."""
    return hashlib.sha256(_encoded(text)).hexdigest()


def packed(text: str) -> bytes:
    """Return ``text`` compressed, in one zstd frame."""
    return zstd.compress(_encoded(text), _LEVEL)


def unpacked(body: bytes) -> str:
    """Return the exact text in ``body``.

    Raises:
        ZstdError: when it was not made by `packed`.
    """
    return zstd.decompress(body).decode("utf-8", "surrogatepass")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
