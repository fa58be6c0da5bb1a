from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.index.folders import write

from quaere.domain.report import RunWarning
from quaere.errors import UsageError
from quaere.index.scan import MAX_WARNINGS, Listing, describe, resolve_roots, scan


def names(root: Path, *roots: Path) -> list[str]:
    listing = scan(resolve_roots([root, *roots]))
    return [str(Path(file.path).relative_to(root.resolve())) for file in listing.files]


def test_files_come_in_order_with_their_size(tmp_path: Path) -> None:
    write(tmp_path, {"b/z.md": "four", "b/a.txt": "", "a.md": "x", "c.html": "y"})
    listing = scan(resolve_roots([tmp_path]))
    assert names(tmp_path) == ["a.md", "b/a.txt", "b/z.md", "c.html"]
    assert [file.size for file in listing.files] == [1, 0, 4, 1]
    assert listing.files[0].mtime_ns == (tmp_path / "a.md").stat().st_mtime_ns


def test_hidden_and_tool_folders_are_left_out(tmp_path: Path) -> None:
    kept = {"a.md": "x", "docs/b.md": "x"}
    left_out = [".git/c.md", ".venv/d.md", "node_modules/e.md", "docs/__pycache__/f.md", ".g.md"]
    left_out += ["~$lease.docx", "docs/.~lock.h.odt#"]
    write(tmp_path, {**kept, **dict.fromkeys(left_out, "x")})
    assert names(tmp_path) == sorted(kept)


def test_a_hidden_folder_can_be_a_root(tmp_path: Path) -> None:
    write(tmp_path, {".notes/a.md": "x", "b.md": "x"})
    assert names(tmp_path, tmp_path / ".notes") == ["b.md", ".notes/a.md"]


def test_one_folder_can_be_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "cache/b.md": "x", "cache2/c.md": "x"})
    roots = resolve_roots([tmp_path])
    listing = scan(roots, without=roots[0] / "cache")
    assert [Path(file.path).name for file in listing.files] == ["a.md", "c.md"]
    assert len(scan(roots, without=roots[0]).files) == 3


def test_a_root_can_be_a_file_of_any_kind(tmp_path: Path) -> None:
    write(tmp_path, {"a.png": "x", "b.md": "x"})
    root = resolve_roots([tmp_path / "a.png"])
    assert [Path(file.path).name for file in scan(root).files] == ["a.png"]


def test_overlapping_roots_give_each_file_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "sub/b.md": "x"})
    assert names(tmp_path, tmp_path / "sub", tmp_path / "sub/b.md") == ["a.md", "sub/b.md"]


def test_binaries_are_counted_by_suffix(tmp_path: Path) -> None:
    write(tmp_path, {"a.png": "", "b.PNG": "", "c.zip": "", "d.md": "", "e.so": "", "so": ""})
    assert scan(resolve_roots([tmp_path])).binaries == Counter({".png": 2, ".zip": 1, ".so": 1})
    assert names(tmp_path) == ["d.md", "so"]


def test_links_are_not_followed_out_of_the_folders(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.md": "x"})
    outside = write(tmp_path / "outside", {"secret.md": "x"})
    (docs / "out").symlink_to(outside)
    (docs / "secret.md").symlink_to(outside / "secret.md")
    (docs / "nowhere").symlink_to(tmp_path / "nothing")
    (docs / "loop").symlink_to(docs)
    (docs / "again.md").symlink_to(docs / "a.md")
    listing = scan(resolve_roots([docs]))
    assert [Path(file.path).name for file in listing.files] == ["a.md"]
    assert listing.links_out == 3
    assert not listing.refused


def test_a_root_can_be_a_link(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.md": "x"})
    (tmp_path / "link").symlink_to(docs)
    assert resolve_roots([tmp_path / "link", docs]) == (docs.resolve(),)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_what_is_no_file_is_refused_unopened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    listing = scan(resolve_roots([tmp_path]))
    assert listing.refused == [(str(tmp_path.resolve() / "pipe.md"), "not a regular file")]


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_listed_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "closed/b.md": "x"})
    (tmp_path / "closed").chmod(0)
    listing = scan(resolve_roots([tmp_path]))
    (tmp_path / "closed").chmod(0o700)
    assert [Path(file.path).name for file in listing.files] == ["a.md"]
    assert listing.refused == [(str(tmp_path.resolve() / "closed"), "Permission denied")]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_no_text_are_listed(tmp_path: Path) -> None:
    write(tmp_path, {"caf\udce9.md": "x", "日本.md": "y"})
    assert names(tmp_path) == ["caf\udce9.md", "日本.md"]


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "b.md": "x"})
    answers = iter([False, False, True])
    assert len(scan(resolve_roots([tmp_path]), stopped=lambda: next(answers)).files) == 1


@pytest.mark.parametrize("root", ["nothing", "file.md/below", "a\0b", "x" * 5000])
def test_a_root_that_is_not_there_is_named(tmp_path: Path, root: str) -> None:
    write(tmp_path, {"file.md": "x"})
    with pytest.raises(UsageError, match=root[:5].replace("\0", ".*")) as raised:
        resolve_roots([tmp_path, str(tmp_path / root)])
    assert "Errno" not in str(raised.value)


def test_there_must_be_a_root() -> None:
    with pytest.raises(UsageError, match="at least one"):
        resolve_roots([])


def test_nothing_wrong_is_no_warning() -> None:
    assert describe(Listing(), []) == []


def test_each_path_that_failed_is_named_once_in_order() -> None:
    listing = Listing(refused=[("/b", "closed"), ("/a", "no file")])
    assert describe(listing, [("/c", "is empty"), ("/b", "closed")]) == [
        RunWarning(kind="index", message="no file", subject="/a"),
        RunWarning(kind="index", message="closed", subject="/b"),
        RunWarning(kind="index", message="is empty", subject="/c"),
    ]


def test_binaries_are_one_warning() -> None:
    binaries = Counter({".png": 30, ".zip": 2, **{f".x{n}": 1 for n in range(10)}})
    (warning,) = describe(Listing(binaries=binaries), [])
    assert warning.message.startswith("42 files of formats without readable text were skipped: ")
    assert "30 .png, 2 .zip" in warning.message
    assert warning.message.endswith(", ...")
    (warning,) = describe(Listing(binaries=Counter({".png": 1})), [])
    assert warning.message == "1 file of a format without readable text was skipped: 1 .png"


def test_links_out_are_one_warning() -> None:
    (warning,) = describe(Listing(links_out=2), [])
    assert warning.message == "2 links lead out of the folders or to nothing, and were not followed"
    (warning,) = describe(Listing(links_out=1), [])
    assert warning.message == "1 link leads out of the folders or to nothing, and was not followed"


def test_thousands_of_warnings_are_cut_and_counted() -> None:
    failures = [(f"/{n:05}", "is empty") for n in range(MAX_WARNINGS + 7)]
    warnings = describe(Listing(), failures)
    assert len(warnings) == MAX_WARNINGS + 1
    assert warnings[-1].message == "7 more files could not be read"


def test_names_that_are_no_text_are_shown_as_far_as_they_are() -> None:
    (unread,) = describe(Listing(), [("/s.pdf", "s.pdf has no text layer")])
    assert unread.message == "has no text layer"
    (warning,) = describe(Listing(), [("/caf\udce9", "caf\udce9 is empty")])
    assert (warning.subject, warning.message) == ("/caf?", "empty")


def test_a_path_is_not_named_twice() -> None:
    failures = [
        ("/n/a b.md", "/n/a b.md is empty"),
        ("/n/c.md", "/n/c.md may not be read; leave it out"),
        ("/n/x.pdf", "x.pdf is a binary file; no"),
    ]
    told = describe(Listing(), failures)
    assert [(each.subject, each.message) for each in told] == [
        ("/n/a b.md", "empty"),
        ("/n/c.md", "may not be read; leave it out"),
        ("/n/x.pdf", "a binary file; no"),
    ]
