"""Zstandard: part of the standard library from Python 3.14 on, a backport before."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import (
        DecompressionParameter,
        ZstdDecompressor,
        ZstdError,
        compress,
        decompress,
    )
else:
    from backports.zstd import (
        DecompressionParameter,
        ZstdDecompressor,
        ZstdError,
        compress,
        decompress,
    )

__all__ = ["DecompressionParameter", "ZstdDecompressor", "ZstdError", "compress", "decompress"]
