"""R3.3: names and DNS rebinding."""

from __future__ import annotations

import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address

import pytest

from quaere.errors import ReadError
from quaere.read.guard import PUBLIC_WEB, Address, ReadPolicy
from quaere.read.transport import LookUp, Resolver

pytestmark = pytest.mark.anyio


@contextmanager
def resolver(*answers: str, policy: ReadPolicy = PUBLIC_WEB) -> Generator[Resolver]:
    def look_up(host: str, port: int) -> Sequence[Address]:
        return [ip_address(answer) for answer in answers]

    with closing(policy, look_up) as made:
        yield made


@contextmanager
def closing(policy: ReadPolicy, look_up: LookUp | None) -> Generator[Resolver]:
    made = Resolver(policy, look_up)
    try:
        yield made
    finally:
        made.close()


async def test_public_addresses_come_in_their_order_and_once() -> None:
    with resolver("93.184.216.34", "2606:2800::1", "93.184.216.34") as names:
        found = await names.addresses("example.org", 80)
    assert [str(address) for address in found] == ["93.184.216.34", "2606:2800::1"]


@pytest.mark.parametrize(
    "answers",
    [
        ("10.0.0.5",),
        ("93.184.216.34", "127.0.0.1"),
        ("169.254.169.254", "93.184.216.34"),
        ("93.184.216.34", "::1"),
        ("::ffff:10.0.0.1",),
        ("64:ff9b::7f00:1",),
        ("2002:7f00:1::",),
        ("168.63.129.16",),
    ],
)
async def test_one_bad_answer_refuses_the_name(answers: tuple[str, ...]) -> None:
    with resolver(*answers) as names, pytest.raises(ReadError) as caught:
        await names.addresses("example.org", 80)
    assert caught.value.status == "refused"


async def test_a_mapped_address_is_connected_to_as_what_it_is() -> None:
    with resolver("::ffff:93.184.216.34", "64:ff9b::5db8:d822") as names:
        found = await names.addresses("example.org", 80)
    assert [str(address) for address in found] == ["93.184.216.34", "64:ff9b::5db8:d822"]


async def test_a_listed_host_may_lead_anywhere_and_no_other_may() -> None:
    policy = ReadPolicy(extra_hosts=frozenset({"wiki.corp"}))
    with resolver("10.0.0.5", policy=policy) as names:
        assert await names.addresses("wiki.corp", 80)
        with pytest.raises(ReadError):
            await names.addresses("example.org", 80)


@pytest.mark.parametrize("host", ["a" * 64 + ".org", "\udc80", "a..b"])
async def test_a_name_that_cannot_exist_is_unknown(host: str) -> None:
    with closing(PUBLIC_WEB, None) as names, pytest.raises(ReadError) as caught:
        await names.addresses(host, 80)
    assert caught.value.status == "unknown_host"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (socket.EAI_NONAME, "unknown_host"),
        (socket.EAI_AGAIN, "unreachable"),
        (socket.EAI_FAIL, "unreachable"),
    ],
)
async def test_a_name_that_does_not_exist_differs_from_one_that_nobody_could_look_up(
    monkeypatch: pytest.MonkeyPatch, code: int, expected: str
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise socket.gaierror(code, "as the resolver of the system would say")

    monkeypatch.setattr(socket, "getaddrinfo", failing)
    with closing(PUBLIC_WEB, None) as names, pytest.raises(ReadError) as caught:
        await names.addresses("example.org", 80)
    assert caught.value.status == expected


async def test_the_system_is_asked_for_names_that_exist() -> None:
    with closing(ReadPolicy(extra_hosts=frozenset({"localhost"})), None) as names:
        found = await names.addresses("localhost", 80)
    assert ip_address("127.0.0.1") in found or ip_address("::1") in found
