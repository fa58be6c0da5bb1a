"""A small fictional bay: the pages that the reports of ``tests/audit/reports`` cite."""

from __future__ import annotations

from pathlib import Path

from tests.misbehaving.server import Behaviour, Site, answer, page, redirect
from tests.read.documents import pdf

REPORTS = Path(__file__).parent / "reports"
LAMP = "The lamp of the east light burned rape oil until 1911. Then it was changed to paraffin.\n"


def html(title: str, *paragraphs: str, head: str = "") -> bytes:
    """Return a page of ``paragraphs``."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head>'
        f"<body><article><h1>{title}</h1>{body}</article></body></html>"
    ).encode()


EAST = html(
    "The east light",
    "The east light of Vessel Bay was first lit on 3 May 1874, after eleven ships had been lost. "
    "It was built by the engineer Ada Fennick and stands on Cormorant Rock, 2 km from the shore.",
    "The tower of the east light is 24 metres tall. Its lamp burned rape oil until 1911, when it "
    "was changed to paraffin. It was always painted red, so that it could be told from the chalk.",
)
LIGHTS = html(
    "Lights of the bay",
    "Two lights mark the bay. The east light was first lit on 3 May 1874 and stands on Cormorant "
    "Rock, 2 km from the shore.",
    "The west light was first lit in 1902. The west light is 19 metres tall. Its keeper for thirty "
    "years was Tom Sallow, who also rang the bell in fog.",
)
LEDGER = pdf(
    [
        ["Ledger of the harbour office", "Coal for the winter came to 77 crowns."],
        ["The harbour office paid 412 crowns for the lens of the west light."],
    ],
    title="Ledger",
)
ROUTES: dict[str, Behaviour] = {
    "/east": page(EAST),
    "/lights": page(LIGHTS),
    "/moved": redirect("/lights"),
    "/ledger.pdf": answer(LEDGER, "Content-Type: application/pdf"),
    "/gone": answer(b"", status=404),
    "/inward": redirect("http://10.0.0.1/"),
}


def report(name: str, site: Site) -> str:
    """Return the sample report ``name``, its addresses leading to ``site``."""
    text = (REPORTS / f"{name}.md").read_text("utf-8")
    return text.replace("http://site.test", site.url)
