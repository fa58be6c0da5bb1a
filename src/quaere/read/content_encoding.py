"""Undoes a content coding piece by piece, so that a bomb goes off a few kilobytes at a time."""

from __future__ import annotations

import pkgutil
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol, cast

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.text import zstd

PIECE_BYTES = 65_536
ACCEPT_ENCODING = "gzip, deflate, br, zstd"

_MAX_MEMBERS = 64
"""Gzip members or zstd frames in a row; a million empty ones take time and yield nothing."""
_ZSTD_WINDOW_LOG = 23  # RFC 9659, 3: the content coding needs no window of more than 8 MB
_GZIP = 31  # zlib's "window bits" for a gzip header
_RAW = -15


class _Codec(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _BrotliDecompressor(Protocol):
    def process(self, data: bytes, output_buffer_limit: int) -> bytes: ...
    def is_finished(self) -> bool: ...


# The library carries no types.
_new_brotli = cast("Callable[[], _BrotliDecompressor]", pkgutil.resolve_name("brotli:Decompressor"))
_BrotliError = cast("type[Exception]", pkgutil.resolve_name("brotli:error"))


class Decoder:
    """Decodes one body: ``feed`` its bytes in order, then ``finish``."""

    def __init__(self, make: Callable[[], _Codec], magic: bytes = b"") -> None:
        """Decode with what ``make`` returns, anew for each member that begins with ``magic``."""
        self._make = make
        self._magic = magic
        self._codec = make()
        self._members = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what ``data`` decodes to, in pieces of some ``PIECE_BYTES``.

        What follows the end of the coded data is left out, as browsers do.

        Raises:
            ReadError: ``broken`` when ``data`` is not in the declared coding.
        """
        self._members = self._members or 1
        while not self._codec.eof or self._goes_on(data):
            try:
                piece = self._codec.decompress(data, PIECE_BYTES)
            except (zlib.error, _BrotliError, zstd.ZstdError) as error:
                raise _broken("is not in the content coding that its server declares") from error
            if piece:
                yield piece
            data = self._codec.unused_data if self._codec.eof else b""
            if not self._codec.eof and self._codec.needs_input:
                return

    def finish(self) -> None:
        """Check that the body was whole.

        Raises:
            ReadError: ``broken`` when its end is missing.
        """
        if self._members and not self._codec.eof:
            raise _broken("ends half-way")

    def _goes_on(self, data: bytes) -> bool:
        """Begin with the next member if there is one."""
        if not self._magic or not data.startswith(self._magic):
            return False
        self._members += 1
        if self._members > _MAX_MEMBERS:
            raise _broken("is compressed in too many pieces")
        self._codec = self._make()
        return True


def decoder(content_encoding: str) -> Decoder | None:
    """Return what undoes ``content_encoding``; ``None`` when there is nothing to undo.

    Raises:
        ReadError: ``unsupported`` for a coding that was not asked for, and for several at once.
    """
    codings = [name.strip().lower() for name in content_encoding.split(",")]
    codings = [name for name in codings if name not in ("", "identity")]
    if not codings:
        return None
    make = _DECODERS.get(codings[0])
    if make is None or len(codings) > 1:
        message = f"The body has the unsupported content coding {content_encoding:.60}."
        raise ReadError(message, status=ReadStatus.UNSUPPORTED)
    return make()


class _Zlib:
    def __init__(self, window_bits: int | None = None) -> None:
        """Without ``window_bits`` the first byte tells raw deflate from zlib: servers send both."""
        self._inflate = zlib.decompressobj(window_bits) if window_bits else None
        self.needs_input = True
        self.eof = False
        self.unused_data = b""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        if self._inflate is None:
            # RFC 1950, 2.2: the low half of the first byte is 8.
            self._inflate = zlib.decompressobj(15 if data[:1] and data[0] & 15 == 8 else _RAW)
        piece = self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)
        self.eof, self.unused_data = self._inflate.eof, self._inflate.unused_data
        self.needs_input = not self._inflate.unconsumed_tail and len(piece) < max_length
        return piece


class _Brotli:
    unused_data = b""

    def __init__(self) -> None:
        self._decompressor = _new_brotli()
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._decompressor.is_finished()

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        piece = self._decompressor.process(data, output_buffer_limit=max_length)
        # It would accept more input while it still holds output back; a short piece is the last.
        self.needs_input = len(piece) < max_length
        return piece


def _zstd() -> _Codec:
    return zstd.ZstdDecompressor(
        options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
    )


def _broken(what: str) -> ReadError:
    return ReadError(f"The body {what}.", status=ReadStatus.BROKEN)


def gzip_decoder() -> Decoder:
    """Return what undoes gzip, of several members one after the other as well (RFC 1952, 2.2)."""
    return Decoder(lambda: _Zlib(_GZIP), magic=b"\x1f\x8b")


_DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": gzip_decoder,
    "x-gzip": gzip_decoder,
    "deflate": lambda: Decoder(_Zlib),
    "br": lambda: Decoder(_Brotli),
    "zstd": lambda: Decoder(_zstd, magic=b"\x28\xb5\x2f\xfd"),
}
