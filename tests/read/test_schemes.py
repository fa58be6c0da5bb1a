from __future__ import annotations

import pytest

from quaere.domain.source import Hit, Page
from quaere.errors import ReadError
from quaere.read.schemes import SchemeReader

pytestmark = pytest.mark.anyio


class Told:
    def __init__(self, text: str) -> None:
        self.text = text

    async def read(self, hit: Hit) -> Page:
        return Page(url=hit.url, title="", text=self.text)


def hit(url: str) -> Hit:
    return Hit(url=url, title="", provider="x", rank=0)


async def test_every_scheme_has_its_reader() -> None:
    reader = SchemeReader({"file": Told("disk"), "https": Told("web")})
    assert (await reader.read(hit("file:///a"))).text == "disk"
    assert (await reader.read(hit("HTTPS://harbour.example/"))).text == "web"


@pytest.mark.parametrize("url", ["ftp://harbour.example", "javascript:alert(1)", "", "http://[::1"])
async def test_what_nobody_reads_is_refused(url: str) -> None:
    with pytest.raises(ReadError) as caught:
        await SchemeReader({"file": Told("disk")}).read(hit(url))
    assert caught.value.status == "refused"
