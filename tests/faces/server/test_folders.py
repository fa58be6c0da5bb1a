"""Folders over HTTP."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import frames_of, served

from quaere.domain.access import Right
from quaere.runtime.settings import Access

NOTE = b"# The lock\n\nThe lock at Sket was dug by Bram Holt in 1802.\n"


def uploaded(client: httpx.Client, folder: str, **files: bytes) -> httpx.Response:
    parts = [("files", (name.replace("_", "."), data)) for name, data in files.items()]
    return client.post(f"/v1/folders/{folder}/files", files=parts)


@pytest.fixture
def folder(client: httpx.Client) -> Generator[str]:
    made = client.post("/v1/folders", json={"name": "Locks"})
    assert made.status_code == 201
    yield made.json()["id"]
    client.delete(f"/v1/folders/{made.json()['id']}")


def test_a_folder_is_filled_indexed_and_asked(client: httpx.Client, folder: str) -> None:
    taken = uploaded(client, folder, lock_md=NOTE, bad_txt=bytes(range(256)) * 8)
    assert taken.status_code == 201, taken.text
    assert [file["path"] for file in taken.json()["files"]] == ["lock.md"]
    (refused,) = taken.json()["refused"]
    assert (refused["name"], refused["status"]) == ("bad.txt", "unsupported")
    stream = client.post(f"/v1/folders/{folder}/index", headers={"Accept": "text/event-stream"})
    frames = frames_of(stream.text)
    assert frames[-1].event == "done"
    assert '"finished":true' in frames[-1].data
    (file,) = client.get(f"/v1/folders/{folder}/files").json()["files"]
    assert (file["path"], file["status"]) == ("lock.md", "ok")
    answer = client.post(
        "/run", json={"question": "Who dug the lock at Sket?", "folders": [folder]}
    ).json()
    assert "Bram Holt" in answer["summary"]
    assert answer["sources"][0]["location"].startswith(f"folder:{folder}/lock.md")


def test_a_file_is_read_as_text_and_holds_the_quote_of_a_citation_r2_5(
    client: httpx.Client, folder: str
) -> None:
    page = (
        b"<script>alert(1)</script><h1>The lock</h1><p>The lock at Sket leaks a bucket a day.</p>"
    )
    uploaded(
        client, folder, lock_md=NOTE, leak_html=page, boats_csv=b"boat,tons\nEel,12\nPike,40\n"
    )
    run = client.post("/run", json={"question": "Who dug the lock at Sket?", "folders": [folder]})
    state = client.get(f"/v1/runs/{run.json()['run_id']}").json()
    assert state["request"]["folders"] == [folder]
    report = client.get(f"/v1/runs/{run.json()['run_id']}/report").json()
    (citation,) = report["citations"]
    told = client.get(f"/v1/folders/{folder}/files/lock.md")
    assert citation["quote"]["text"] in told.text
    assert told.headers["etag"] == f'"{citation["content_hash"]}"'
    hostile = client.get(f"/v1/folders/{folder}/files/leak.html")
    assert "leaks a bucket" in hostile.text
    assert "<script" not in hostile.text
    for answer in (told, hostile):
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-disposition"].startswith("inline; filename*=UTF-8''")
    itself = client.get(f"/v1/folders/{folder}/files/leak.html", params={"original": True})
    assert itself.content == page
    assert itself.headers["content-type"] == "application/octet-stream"
    assert itself.headers["content-disposition"] == 'attachment; filename="leak.html"'
    assert itself.headers["x-content-type-options"] == "nosniff"
    table = f"/v1/folders/{folder}/files/boats.csv"
    assert "Pike" in client.get(table).text
    record = client.get(table, params={"place": "row=1"}).text
    assert "Eel" in record
    assert "Pike" not in record


def test_names_are_read_as_browsers_write_them(client: httpx.Client, folder: str) -> None:
    sent = ["the %22old%22 lock.md", "one%0D%0Atwo.md", "100%25 %0a done.md", "%222F..%22.md"]
    body = b"".join(
        b"--x\r\n"
        b'Content-Disposition: form-data; name="files"; filename="' + name.encode() + b'"\r\n'
        b"Content-Type: text/markdown\r\n\r\n" + NOTE + b"\r\n"
        for name in sent
    )
    told = client.post(
        f"/v1/folders/{folder}/files",
        content=body + b"--x--\r\n",
        headers={"Content-Type": "multipart/form-data; boundary=x"},
    )
    kept = [each["path"] for each in told.json()["files"]]
    assert kept == ["the _old_ lock.md", "one two.md", "100%25 %0a done.md", "_2F.._.md"]


def test_only_files_that_are_listed_are_read_as_text(client: httpx.Client, home: Path) -> None:
    (home / "docs" / ".secret.md").write_text("# Hidden\n", "utf-8")
    (home / "beside.md").write_text("# Beside\n", "utf-8")
    (home / "docs" / "out.md").symlink_to(home / "beside.md")
    (home / "docs" / "empty.md").write_bytes(b"")
    whole = "/v1/folders/docs/files"
    for path in (".secret.md", "out.md", "..%2fbeside.md", "none.md", "a%00b"):
        for form in ("", "?original=true"):
            assert client.get(f"{whole}/{path}{form}").status_code in {404, 405}
    assert client.get(f"{whole}/tides.md").text.startswith("# Tides")
    empty = client.get(f"{whole}/empty.md")
    assert empty.status_code == 422
    assert str(home) not in empty.text
    for name in ("out.md", "empty.md", ".secret.md"):
        (home / "docs" / name).unlink()


def test_no_answer_names_a_path_of_the_server(
    client: httpx.Client, folder: str, home: Path
) -> None:
    uploaded(client, folder, torn_pdf=b"%PDF-1.7 and no more")
    told = [
        client.post(f"/v1/folders/{folder}/index"),
        client.get(f"/v1/folders/{folder}/files"),
        client.get("/v1/folders"),
        uploaded(client, folder, empty_md=b""),
        uploaded(client, folder, bomb_docx=b"PK\x03\x04word/document"),
    ]
    assert [each.status_code for each in told] == [200, 200, 200, 422, 422]
    assert "torn.pdf" in told[0].text
    assert not [each.text for each in told if str(home) in each.text]


def test_the_operators_folder_is_listed_and_not_changed(client: httpx.Client) -> None:
    (docs,) = [one for one in client.get("/v1/folders").json()["folders"] if one["read_only"]]
    assert docs["id"] == "docs"
    assert uploaded(client, "docs", x_md=NOTE).status_code == 403
    assert client.delete("/v1/folders/docs").status_code == 403
    assert client.delete("/v1/folders/docs/files/tides.md").status_code == 403
    assert client.post("/v1/folders/docs/index").json()["finished"] is True


@pytest.mark.parametrize("name", ["%2e%2e", "..%2f..%2fetc", "none", "a%00b", "x" * 300])
def test_path_like_names_lead_nowhere(client: httpx.Client, folder: str, name: str) -> None:
    for path in (f"/v1/folders/{name}/files", f"/v1/folders/{name}x"):
        assert client.get(path).status_code in {404, 405, 421, 422}
    gone = client.delete(f"/v1/folders/{folder}/files/{name}")
    assert gone.status_code in {404, 405}
    asked = client.post("/run", json={"question": "Who?", "folders": [f"../{name}"]})
    assert asked.status_code in {404, 422}


def test_a_file_and_a_folder_are_deleted(client: httpx.Client, folder: str) -> None:
    uploaded(client, folder, lock_md=NOTE)
    gone = f"/v1/folders/{folder}/files/lock.md"
    assert [client.delete(gone).status_code for _ in range(2)] == [204, 404]
    assert client.get(f"/v1/folders/{folder}/files").json()["total"] == 0
    whole = f"/v1/folders/{folder}"
    assert [client.delete(whole).status_code for _ in range(2)] == [204, 404]


def test_an_upload_that_is_too_large_is_refused_before_it_is_kept(client: httpx.Client) -> None:
    made = client.post("/v1/folders", json={"name": "large"}).json()["id"]
    large = uploaded(client, made, large_txt=b"words " * 9_000_000)
    assert large.status_code == 413
    assert client.get(f"/v1/folders/{made}/files").json()["total"] == 0


def test_folders_need_their_scope_and_are_their_owners_alone(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, auth=Access.KEYS)
    secrets = [issued(settings, "ann"), issued(settings, "ben")]
    secrets.append(issued(settings, "ann", scopes={Right.READ}))
    with served(settings, workers=0) as url, ExitStack() as exits:
        own, other, reader = (exits.enter_context(client_of(url, each)) for each in secrets)
        made = own.post("/v1/folders", json={"name": "x"}).json()["id"]
        uploaded(own, made, lock_md=NOTE)
        paths = {"": "GET", "/files": "GET", "/files/lock.md": "DELETE", "/index": "POST"}
        for path, method in paths.items():
            whole = f"/v1/folders/{made}{path}"
            assert other.request(method, whole).status_code == 404
            assert httpx.request(method, f"{url}{whole}").status_code == 401
            if method != "GET":
                assert reader.request(method, whole).status_code == 403
        text = f"/v1/folders/{made}/files/lock.md"
        for form in (text, f"{text}?original=true"):
            assert [each.get(form).status_code for each in (own, reader, other)] == [200, 200, 404]
        asked = {"question": "Who?", "folders": [made]}
        assert other.post("/v1/runs", json=asked).status_code == 404
        looked = {"query": "lock", "folders": [made]}
        assert other.post("/search", json=looked).status_code == 404
        assert reader.post("/v1/folders", json={"name": "x"}).status_code == 403
        assert own.get(f"/v1/folders/{made}/files").json()["total"] == 1
