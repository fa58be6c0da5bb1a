"""Keeps secrets out of what is written."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from quaere.models import VENDORS
from quaere.runtime.settings import Settings, service_settings
from quaere.search.registry import plugins
from quaere.search.services import SERVICES
from quaere.store.traces.privacy import Privacy

MIN_CHARS = 8
"""What is shorter is a placeholder for a key that a server of one's own does not ask for."""

BLOT = "***"


class Blotter:
    """Puts stars in place of all keys that are configured, and of users and passwords in URLs."""

    def __init__(self, settings: Settings) -> None:
        names = [vendor.key_variable for vendor in VENDORS.values()]
        for service in (*SERVICES, *plugins()):
            names += [*service.needs, *service.options]
        values = [*service_settings(names).values(), *settings.model_base_url.values()]
        if settings.database_url:
            values.append(settings.database_url.get_secret_value())
        secrets = {settings.model_api_key.get_secret_value(), *_secrets(values)}
        # The longest first: one may be a part of another.
        self._secrets = sorted(
            (secret for secret in secrets if len(secret) >= MIN_CHARS), key=lambda s: (-len(s), s)
        )

    def __call__(self, text: str) -> str:
        """Return ``text`` without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, BLOT)
        return text


def privacy_of(settings: Settings) -> Privacy:
    """Return what may be kept of a run."""
    return Privacy(
        pages=settings.store_pages, questions=settings.store_questions, blot=Blotter(settings)
    )


def _secrets(values: Iterable[str]) -> Iterable[str]:
    for value in values:
        if "://" not in value:
            yield value
            continue
        before, at, _ = urlsplit(value).netloc.rpartition("@")
        if at:
            yield before
            yield from before.split(":", 1)
