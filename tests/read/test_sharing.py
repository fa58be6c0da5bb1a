"""Pages that several researchers of one run open."""

from __future__ import annotations

import asyncio

import pytest
from tests.graphs.world import Desk, url_of

from quaere.domain.source import Hit
from quaere.errors import ReadError
from quaere.resilience.once import SharedReader

pytestmark = pytest.mark.anyio


def hit(url: str) -> Hit:
    return Hit(url=url, title="", provider="p", rank=0)


async def test_a_page_is_opened_once_however_its_address_is_spelt() -> None:
    desk = Desk()
    shared = SharedReader(desk)
    spellings = [url_of("Hask"), url_of("Hask") + "#market", url_of("Hask")]
    pages = await asyncio.gather(*(shared.read(hit(url)) for url in spellings))
    assert {page.title for page in pages} == {"Hask"}
    assert len(desk.opened) == len({hit(url).url.partition("#")[0] for url in spellings})


async def test_a_page_that_could_not_be_opened_is_tried_again() -> None:
    desk = Desk()
    shared = SharedReader(desk)
    for _ in range(2):
        with pytest.raises(ReadError, match="gone"):
            await shared.read(hit("https://shelf.test/nowhere"))
    assert len(desk.opened) == 2
