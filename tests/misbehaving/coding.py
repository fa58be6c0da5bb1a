"""Content codings, applied."""

from __future__ import annotations

import gzip
import pkgutil
import sys
import zlib
from collections.abc import Callable
from typing import cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Encode = Callable[[bytes], bytes]


def raw_deflate(data: bytes) -> bytes:
    squeeze = zlib.compressobj(wbits=-15)
    return squeeze.compress(data) + squeeze.flush()


def wide_zstd(data: bytes) -> bytes:
    """Zstandard with a window of 128 MB, which decoders need not have."""
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 27}
    return zstd.ZstdCompressor(options=options).compress(data)


ENCODE: dict[str, Encode] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": cast("Encode", pkgutil.resolve_name("brotli:compress")),
    "zstd": zstd.compress,
}
