from __future__ import annotations

import gzip
import os
import socket
from pathlib import Path

import pytest

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.reader import read_file


def status_of(path: Path, **options: int) -> str:
    with pytest.raises(ReadError) as caught:
        read_file(path, **options)
    assert path.name[:100] in caught.value.message
    return caught.value.status


def test_a_file_becomes_a_body_under_its_url(tmp_path: Path) -> None:
    path = tmp_path / "Tide tables ü#1.txt"
    path.write_bytes(b"High water at six")
    os.utime(path, (0, 86_400))
    expected = Body(
        data=b"High water at six",
        url=path.as_uri(),
        retrieved_at="1970-01-02T00:00:00+00:00",
    )
    assert read_file(path) == expected
    assert "%20" in expected.url
    assert "%23" in expected.url


def test_links_to_files_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("words")
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert read_file(tmp_path / "link.txt").data == b"words"


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    assert status_of(tmp_path / "gone.txt") == ReadStatus.NOT_FOUND
    assert status_of(tmp_path / "gone" / "deeper.txt") == ReadStatus.NOT_FOUND


def test_a_dangling_link_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to("gone.txt")
    assert status_of(tmp_path / "link.txt") == ReadStatus.NOT_FOUND


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert status_of(tmp_path / "a") == ReadStatus.REFUSED


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()
    assert status_of(tmp_path / "empty.md") == ReadStatus.EMPTY


def test_a_file_over_the_limit_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 1001)
    assert status_of(path, max_bytes=1000) == ReadStatus.TOO_LARGE
    assert len(read_file(path, max_bytes=1001).data) == 1001


def test_a_file_that_grows_while_it_is_read_is_too_large() -> None:
    # Files under /proc say they hold nothing and then hold something.
    path = Path("/proc/self/maps")
    if not path.exists():
        pytest.skip("no /proc here")
    assert status_of(path, max_bytes=10) == ReadStatus.TOO_LARGE


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert status_of(tmp_path) == ReadStatus.REFUSED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert status_of(tmp_path / "pipe.txt") == ReadStatus.REFUSED


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_devices_and_sockets_are_refused(tmp_path: Path) -> None:
    assert status_of(Path("/dev/zero")) == ReadStatus.REFUSED
    with socket.socket(socket.AF_UNIX) as listener:
        path = tmp_path / "s"
        try:
            listener.bind(str(path))
        except OSError:
            pytest.skip("the path is too long for a socket")
        assert status_of(path) == ReadStatus.REFUSED


@pytest.mark.skipif(os.geteuid() == 0, reason="everything may be read by root")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("words")
    path.chmod(0)
    assert status_of(path) == ReadStatus.REFUSED


def test_odd_paths_are_typed_errors(tmp_path: Path) -> None:
    assert status_of(tmp_path / ("n" * 5000)) == ReadStatus.NOT_FOUND
    with pytest.raises(ReadError):
        read_file(Path("nul\0byte"))


def test_a_compressed_file_is_read_as_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "tides.txt.gz"
    path.write_bytes(gzip.compress(b"High water ") + gzip.compress(b"at six"))
    assert read_file(path).data == b"High water at six"


def test_a_file_that_unpacks_to_more_than_is_allowed_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"a" * 5_000_000))
    assert status_of(path, max_bytes=1_000_000) == ReadStatus.TOO_LARGE


def test_half_a_compressed_file_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "half.txt.gz"
    path.write_bytes(gzip.compress(os.urandom(5_000))[:-100])
    assert status_of(path) == ReadStatus.BROKEN


def test_a_name_alone_unpacks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt.gz"
    path.write_bytes(b"High water at six")
    assert read_file(path).data == b"High water at six"
