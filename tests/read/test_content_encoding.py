"""Content codings, undone a piece at a time."""

from __future__ import annotations

import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.misbehaving.coding import ENCODE, wide_zstd

from quaere.errors import ReadError
from quaere.read.content_encoding import PIECE_BYTES, decoder

TEXT = b"The lantern moth glows at dusk and feeds on salt lichen. " * 20_000


def decode(coding: str, data: bytes, step: int = 1 << 30) -> list[bytes]:
    undo = decoder(coding)
    assert undo
    pieces = [
        piece for at in range(0, len(data), step) for piece in undo.feed(data[at : at + step])
    ]
    undo.finish()
    return pieces


@pytest.mark.parametrize("coding", ENCODE)
@pytest.mark.parametrize("step", [1, 7, 4_096, 1 << 30])
def test_decodes_whatever_the_steps(coding: str, step: int) -> None:
    text = TEXT[:300_000]
    pieces = decode(coding, ENCODE[coding](text), step)
    assert b"".join(pieces) == text


@pytest.mark.parametrize("coding", ENCODE)
def test_a_bomb_comes_in_small_pieces(coding: str) -> None:
    undo = decoder(coding)
    assert undo
    pieces = undo.feed(ENCODE[coding](bytes(20_000_000)))
    # Brotli's library may go over by as much as a half.
    assert all(len(next(pieces)) <= 1.5 * PIECE_BYTES for _ in range(20))


@pytest.mark.parametrize("coding", ENCODE)
def test_a_body_that_breaks_off_is_broken(coding: str) -> None:
    data = ENCODE[coding](TEXT)
    with pytest.raises(ReadError) as caught:
        decode(coding, data[: len(data) // 2])
    assert caught.value.status == "broken"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_in_another_coding_is_broken(coding: str) -> None:
    with pytest.raises(ReadError) as caught:
        decode(coding, b"<html><body>plain</body></html>")
    assert caught.value.status == "broken"


@pytest.mark.parametrize("coding", ENCODE)
def test_an_empty_body_stays_empty(coding: str) -> None:
    assert decode(coding, b"") == []


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_members_in_a_row_are_one_body(coding: str) -> None:
    encode = ENCODE[coding]
    assert (
        b"".join(decode(coding, encode(b"salt ") + encode(b"lichen") + b"garbage"))
        == b"salt lichen"
    )


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_a_flood_of_empty_members_is_broken(coding: str) -> None:
    with pytest.raises(ReadError, match="too many pieces"):
        decode(coding, ENCODE[coding](b"") * 100_000)


@pytest.mark.parametrize("coding", ["", "identity", " Identity , "])
def test_nothing_to_undo(coding: str) -> None:
    assert decoder(coding) is None


@pytest.mark.parametrize("coding", ["gzip, gzip", "br,gzip", "compress", "x-foo", "base64"])
def test_unknown_and_nested_codings_are_unsupported(coding: str) -> None:
    with pytest.raises(ReadError) as caught:
        decoder(coding)
    assert caught.value.status == "unsupported"


def test_a_zstd_window_of_more_than_8_megabytes_is_broken() -> None:
    with pytest.raises(ReadError):
        decode("zstd", wide_zstd(TEXT * 20))


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_garbage_is_typed(data: bytes, coding: str) -> None:
    with suppress(ReadError):
        decode(coding, data)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
@pytest.mark.parametrize(("members", "is_read"), [(64, True), (65, False)])
def test_as_many_members_as_are_allowed_are_read(
    coding: str, members: int, *, is_read: bool
) -> None:
    data = ENCODE[coding](b"salt") * members
    if is_read:
        assert b"".join(decode(coding, data)) == b"salt" * members
    else:
        with pytest.raises(ReadError, match="too many pieces"):
            decode(coding, data)


def test_what_follows_the_end_of_a_body_is_left_out() -> None:
    assert b"".join(decode("deflate", ENCODE["deflate"](b"salt") + b"garbage")) == b"salt"


@pytest.mark.parametrize("window", [15, -15])
def test_deflate_is_read_with_and_without_the_header_of_zlib(window: int) -> None:
    squeeze = zlib.compressobj(wbits=window)
    data = squeeze.compress(TEXT) + squeeze.flush()
    assert b"".join(decode("deflate", data)) == TEXT
