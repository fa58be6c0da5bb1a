r"""Reads every URL of an SSRF corpus inside a network of its own, and counts what leaked.

    CORPORA=../shared/corpora
    SSRF_LAB_LOG=lab.jsonl python $CORPORA/tools/ssrf_lab.py run --dns $CORPORA/ssrf_urls.tsv -- \
        python bench/ssrf.py $CORPORA/ssrf_urls.tsv --json ssrf.json

The lab needs root on Linux: in it every address is loopback, and each connection is logged. Each
URL is read on its own and as the target of a redirect from a public page. A row fails when anything
was connected to that must not be, or when a page that is to be read was not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import TypedDict, cast
from urllib.parse import quote

from quaere.errors import ReadError
from quaere.read.fetch import Fetcher, FetchLimits
from quaere.read.guard import ReadPolicy

WEB_PORTS = frozenset({8000, 8080, 8443})
"""The corpus takes these for web ports; here an operator lists them."""
RESOLVER_CONTROL = ("127.0.0.1", 5399)
REDIRECTOR = "http://redir.test/r/302?to="
LIMITS = FetchLimits(deadline_s=3.0)
SETTLE_S = 0.02
LAST_SETTLE_S = 0.6
"""The lab logs a connection without a request after 0.4 s."""
PUBLIC_BY_NUMBER = frozenset({"168.63.129.16"})
"""Not to be reached, though the standard library, which judges here, calls it global."""


class Connection(TypedDict):
    """A line of the lab's log."""

    ip: str
    port: int
    req: str


class Row(TypedDict):
    """What is used of a row of the corpus."""

    id: str
    url: str
    oracle: str


class Failure(TypedDict):
    """A row that did not end as it should."""

    id: str
    url: str
    way: str
    why: str


class Figures(TypedDict):
    """What came out."""

    rows: int
    reads: int
    leaked: int
    wrongly_refused: int
    statuses: dict[str, int]
    failures: list[Failure]


@dataclass(slots=True)
class Log:
    """The lab's log, read as it grows."""

    path: Path
    offset: int = 0

    def fresh(self) -> list[Connection]:
        """Return the connections logged since the last call."""
        with self.path.open(encoding="utf-8") as file:
            file.seek(self.offset)
            lines = file.readlines()
            self.offset = file.tell()
        return [cast("Connection", json.loads(line)) for line in lines]


def load_rows(path: Path) -> list[Row]:
    """Return the rows of the corpus; its URLs are escaped as in JSON."""
    head, *lines = path.read_text("utf-8").rstrip("\n").split("\n")
    columns = head.split("\t")
    rows: list[Row] = []
    for line in lines:
        cells = dict(zip(columns, line.split("\t"), strict=False))
        url = cast("str", json.loads(f'"{cells["url"]}"'))
        rows.append(Row(id=cells["id"], url=url, oracle=cells["oracle"]))
    return rows


def is_public(address: str) -> bool:
    """Whether the standard library calls ``address`` global, IPv4 inside IPv6 counted as IPv4."""
    parsed: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or parsed.sixtofour or parsed
    return parsed.is_global and not parsed.is_multicast and address not in PUBLIC_BY_NUMBER


def fault(row: Row, way: str, status: str, connections: Sequence[Connection]) -> str:
    """Return what is wrong with a reading under the oracle of its row; empty if nothing."""
    inward = [seen["ip"] for seen in connections if not is_public(seen["ip"])]
    if inward:
        return f"connected to {inward[0]}"
    if any("authorization:" in seen["req"].lower() for seen in connections):
        return "sent credentials"
    if row["oracle"] == "must_refuse" and way == "direct" and connections:
        return f"connected to {connections[0]['ip']}"
    if row["oracle"] == "must_allow" and (status == "refused" or not connections):
        return "refused"
    return ""


async def read(fetcher: Fetcher, url: str) -> str:
    """Return how the reading of ``url`` ended."""
    try:
        await fetcher.fetch(url)
    except ReadError as error:
        return error.status
    return "ok"


async def measure(rows: Sequence[Row], log: Log) -> Figures:
    """Read every row both ways."""
    statuses: Counter[str] = Counter()
    failures: list[Failure] = []
    control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for row in rows:
        for way, prefix in (("direct", ""), ("redirect", REDIRECTOR)):
            control.sendto(b"RESET", RESOLVER_CONTROL)
            url = prefix + quote(row["url"], safe="") if prefix else row["url"]
            fetcher = Fetcher(ReadPolicy(extra_ports=WEB_PORTS), LIMITS)
            status = await read(fetcher, url)
            await fetcher.aclose()
            await asyncio.sleep(SETTLE_S)
            statuses[f"{row['oracle']} {way} {status}"] += 1
            if why := fault(row, way, status, log.fresh()):
                failures.append(Failure(id=row["id"], url=row["url"], way=way, why=why))
    await asyncio.sleep(LAST_SETTLE_S)
    for late in log.fresh():
        why = f"a late connection to {late['ip']}"
        failures.append(Failure(id="", url="", way="", why=why))
    return Figures(
        rows=len(rows),
        reads=2 * len(rows),
        leaked=sum(failure["why"] != "refused" for failure in failures),
        wrongly_refused=sum(failure["why"] == "refused" for failure in failures),
        statuses=dict(sorted(statuses.items())),
        failures=failures,
    )


def main() -> None:
    """Measure and write the figures; exit with 1 when a row failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    log = os.environ.get("SSRF_LAB_LOG")
    if not log:
        parser.error("this runs inside the lab only; see the top of this file")
    figures = asyncio.run(measure(load_rows(options.corpus), Log(Path(log))))
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")
    print(text)
    sys.exit(bool(figures["failures"]))


if __name__ == "__main__":
    main()
