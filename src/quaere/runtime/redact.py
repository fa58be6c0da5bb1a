"""Keeps secrets out of what is written, and the paths of a server out of what clients read."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from quaere.domain.team import Inquiry, Reply
from quaere.models import VENDORS
from quaere.ports.human import Human
from quaere.runtime.settings import Settings, service_settings
from quaere.search.registry import SERVICES, plugins
from quaere.store.traces.privacy import Privacy
from quaere.text.lazy_regex import lazy_regex

MIN_CHARS = 8
"""What is shorter is a placeholder for a key that a server of one's own does not ask for."""

STARS = "***"


class KeyRedactor:
    """Puts stars in place of all keys that are configured, and of users and passwords in URLs."""

    def __init__(self, settings: Settings) -> None:
        key = settings.model_api_key.get_secret_value()
        secrets = {key, *_secrets(_configured(settings))}
        written = {
            form for secret in secrets if len(secret) >= MIN_CHARS for form in _forms(secret)
        }
        # The longest first: one may be a part of another.
        self._secrets = sorted(written, key=lambda s: (-len(s), s))

    def __call__(self, text: str) -> str:
        """Return ``text`` without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, STARS)
        return text


def _configured(settings: Settings) -> Iterator[str]:
    """Yield the values of settings that are secret, or may hold a secret."""
    names = [vendor.key_variable for vendor in VENDORS.values()]
    for service in (*SERVICES, *plugins()):
        names += [*service.needs, *service.options]
    yield from service_settings(names).values()
    yield from settings.model_base_url.values()
    yield from filter(None, (settings.cache_url, settings.otlp_endpoint))
    own = (settings.database_url, settings.carrier, settings.secret_key, settings.webhook_url)
    for each in (*own, settings.webhook_secret, settings.oidc_client_secret):
        if each:
            yield each.get_secret_value()


def _forms(secret: str) -> Iterator[str]:
    """Yield ``secret`` as it is, percent-encoded, in hexadecimal and in base64.

    In base64 it is written in three ways, which depend on what precedes it; the characters that it
    shares with its neighbours are left out.
    """
    data = secret.encode("utf-8", "surrogatepass")
    yield secret
    yield from (quote(data, safe=""), quote_plus(data), data.hex(), data.hex().upper())
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(data)) * 8 // 6
        for encode in (b64encode, urlsafe_b64encode):
            packed = encode(bytes(before) + data).decode("ascii")[first:last]
            yield from (packed, quote(packed, safe=""))


def privacy_of(settings: Settings) -> Privacy:
    """Return what may be kept of a run."""
    return Privacy(
        pages=settings.store_pages, questions=settings.store_questions, redact=KeyRedactor(settings)
    )


class DiscreetHuman:
    """``inner`` without the keys that are typed into a reply."""

    def __init__(self, inner: Human, privacy: Privacy) -> None:
        self.inner = inner
        self._privacy = privacy

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Return the reply of ``inner`` to ``inquiry``; raises what it raises."""
        return self._privacy.without_keys(await self.inner.ask(inquiry))


_NAMES_SECRET = re.compile(r"(?i)pass|pwd|key|token|secret|sig|auth|cred|code")
"""What is in the name of a parameter of an address whose value is a secret."""
_WORDS = lazy_regex(r"([\w-]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))")
"""The parameters of a database that is named without an address: ``host=db password=...``."""

_PARTS = re.compile(r"[^:]*://(?P<host>[^/?#]*)[^?#]*(?:\?(?P<query>[^#]*))?")
"""Those of any address, valid or not: an error tells of one that is not."""
_ESCAPED = lazy_regex(r"\\(.)")


def _secrets(values: Iterable[str]) -> Iterable[str]:
    for value in values:
        if "://" in value:
            yield from _secrets_in_address(value)
            continue
        yield value
        for name, quoted, plain in _WORDS.findall(value):
            if _NAMES_SECRET.search(name):
                yield from (quoted or plain, _ESCAPED.sub(r"\1", quoted))


def _secrets_in_address(address: str) -> Iterable[str]:
    """Yield user and password of ``address``, and secrets among its parameters.

    Each as it is written there, and as the program that connects reads it. The usual user
    "postgres" is in "postgresql" as well, which would be told with a hole in it.
    """
    parts = _PARTS.match(address)
    if parts is None:
        return
    before, at, _ = parts["host"].rpartition("@")
    written = [before, *before.split(":", 1)] if at else []
    given = (each.partition("=") for each in (parts["query"] or "").split("&"))
    written += (value for name, _, value in given if _NAMES_SECRET.search(name))
    scheme = address.partition("://")[0]
    for secret in (each for each in written if each not in scheme):
        yield from (secret, unquote(secret), unquote_plus(secret))


class Places:
    """Puts ``folder:ID/relative/path`` in place of every path and address under known folders."""

    def __init__(self, folders: Iterable[tuple[str, Path]], parents: Iterable[Path] = ()) -> None:
        """Hide ``folders`` by id; below ``parents`` each folder is called as its id."""
        known = {each: f"folder:{name}" for name, path in folders for each in _spellings(path)}
        above = {f"{spelled}/": "folder:" for path in parents for spelled in _spellings(path)}
        self._names: Mapping[str, str] = {**known, **above}
        longest = sorted(self._names, key=len, reverse=True)
        ends = "(?=[/\"#?:;,\\s'`)\\]]|$)"
        exact = "|".join(re.escape(each) + ("" if each in above else ends) for each in longest)
        # A path inside a web address, such as https://example.org/docs, is not one of this machine.
        self._pattern = re.compile(rf"(?<![\w./%-])(?:{exact})") if longest else None

    def masked(self, text: str) -> str:
        """Return ``text``, plain or JSON, with the names of folders in place of their paths."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._names[found[0]], text)

    def folder_at(self, path: str) -> str | None:
        """Return the id of the folder that is at ``path``; None for any other place."""
        scheme, _, name = self.masked(path).partition(":")
        return name if scheme == "folder" and "/" not in name else None


def _spellings(path: Path) -> set[str]:
    """Return how ``path`` may be spelled in text, in JSON and as an address."""
    absolute = {path.absolute(), path.resolve()}
    plain = {str(each).rstrip("/\\") for each in absolute}
    quoted = {json.dumps(each, ensure_ascii=False)[1:-1] for each in plain}
    return {each for each in plain | quoted | {one.as_uri() for one in absolute} if each}
