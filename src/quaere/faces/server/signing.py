"""What browsers keep for the service, and links to shared reports: signed, so that they hold."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from pydantic import Field

from quaere.domain.value import Value
from quaere.errors import StoreUnavailable, cause_of
from quaere.runtime.settings import Settings

SESSION_S = 30 * 86_400
SIGNED_IN_S = 12 * 3_600
"""How long a user stays signed in whom an issuer may shut out meanwhile."""
_SECRET_CHARS = 64
"""Of the secret that is made here."""
WAY_S = 600
"""How long signing in at the issuer may take."""


class Way(Value):
    """What a browser keeps on its way to the issuer and back."""

    state: str = Field(default_factory=lambda: secrets.token_urlsafe(24))
    nonce: str = Field(default_factory=lambda: secrets.token_urlsafe(24))
    verifier: str = Field(default_factory=lambda: secrets.token_urlsafe(48))
    back: str = "/"
    """Where in the page it goes on."""


class Signer:
    """Signs what browsers keep for us: sessions, and links to shared reports."""

    def __init__(self, secret: str) -> None:
        """Sign with ``secret``."""
        self._sessions = URLSafeTimedSerializer(secret, salt="session")
        self._links = URLSafeSerializer(secret, salt="share")
        self._users = URLSafeTimedSerializer(secret, salt="user")
        self._ways = URLSafeTimedSerializer(secret, salt="way")

    def session(self, key: str) -> str:
        """Return the cookie of a session by the key of that id."""
        return self._sessions.dumps(key)

    def key_of(self, cookie: str) -> str | None:
        """Return the id of the key that a session was begun with; None when it is not valid."""
        return _text(lambda: self._sessions.loads(cookie, max_age=SESSION_S))

    def signed_in(self, user: str) -> str:
        """Return the cookie of a session of a user whom the issuer has signed in."""
        return self._users.dumps(user)

    def user_of(self, cookie: str) -> str | None:
        """Return the user who has signed in; None when the cookie is not valid."""
        return _text(lambda: self._users.loads(cookie, max_age=SIGNED_IN_S))

    def login_cookie(self, way: str) -> str:
        """Return the cookie of a browser that goes to the issuer."""
        return self._ways.dumps(way)

    def way_of(self, cookie: str) -> str | None:
        """Return what that cookie was made of; None when it is not valid."""
        return _text(lambda: self._ways.loads(cookie, max_age=WAY_S))

    def link(self, nonce: str) -> str:
        """Return what the link to a shared report ends with."""
        return self._links.dumps(nonce)

    def nonce_of(self, link: str) -> str | None:
        """Return what a link was made for; None when it is not valid."""
        return _text(lambda: self._links.loads(link))


def _text(load: Callable[[], object]) -> str | None:
    try:
        loaded = load()
    except BadSignature:
        return None
    return loaded if isinstance(loaded, str) else None


def signer(settings: Settings) -> Signer:
    """Return the signer of the settings, or by a secret in the data folder, made on first use.

    Reads a file: not for the event loop.

    Raises:
        StoreUnavailable: when the secret can be neither read nor written.
    """
    if settings.secret_key:
        return Signer(settings.secret_key.get_secret_value())
    return Signer(_kept_secret(settings.data_folder / "server.secret"))


def _kept_secret(path: Path) -> str:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            made = path.with_suffix(f".{secrets.token_hex(4)}")
            made.touch(mode=0o600)
            made.write_text(secrets.token_hex(_SECRET_CHARS // 2), "utf-8")
            try:
                path.hardlink_to(made)  # two servers that begin at once agree on one
            except FileExistsError:
                pass
            finally:
                made.unlink()
        kept = path.read_text("utf-8")
    except OSError as error:
        raise StoreUnavailable(
            f"Cannot keep the secret of the service at {str(path)!r}: {cause_of(error)}. Set "
            "QUAERE_SECRET_KEY, or name another folder with QUAERE_DATA_DIR."
        ) from error
    if len(kept) < _SECRET_CHARS:  # as a copy leaves it for which the disk was too full
        raise StoreUnavailable(
            f"The secret of the service at {str(path)!r} is cut short, so that it can be guessed. "
            "Delete the file: a new one is made, and all browsers are signed out."
        )
    return kept
