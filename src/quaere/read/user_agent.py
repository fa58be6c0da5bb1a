"""What the project calls itself when it asks a server for something."""

from __future__ import annotations

from quaere.version import __version__

PRODUCT = "Quaere"
"""The product token, by which robots.txt addresses it (RFC 9309, 2.2.1)."""

USER_AGENT = f"{PRODUCT}/{__version__} (research assistant; acts for one person's question)"
