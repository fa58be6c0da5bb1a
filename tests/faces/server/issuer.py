"""A small issuer of OpenID Connect on loopback, with keys of its own.

``python -m tests.faces.server.issuer`` prints its address and serves until its input is closed. It
goes by another name there than the service, as real ones do, and asks before it signs anybody in.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import sys
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Literal
from urllib.parse import unquote_plus, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from quaere.faces.server.serving import listen

CLIENT, SECRET = "quaere-web", "a secret: nobody may/read it"
STARTS_S = 30.0


def new_key(name: str, use: Literal["sig", "enc"] = "sig") -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": name, "use": use})


def _already() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass
class Issuer:
    """Signs in everybody who comes as ``user``."""

    url: str = ""
    user: str = "u-77"
    key: RSAKey = field(default_factory=lambda: new_key("one"))
    nonce: str | None = None
    """Put into identities in place of the one that was asked for."""
    asks: bool = False
    """Whether a browser is asked before it is signed in."""
    beside: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    """Published with the key."""
    tells: threading.Event = field(default_factory=_already)
    """Until it is set, whoever asks for the keys waits."""
    gone: bool = False
    """Whether it fails to tell them."""
    asked: list[str] = field(default_factory=list[str])
    queries: set[str] = field(default_factory=set[str])
    """Of the requests for keys and tokens."""
    document: dict[str, str | list[str]] = field(default_factory=dict[str, "str | list[str]"])
    """Told by its discovery document in the place of what is so."""
    _codes: dict[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])

    def token(self, **claims: object) -> str:
        """Return a token that is valid but for ``claims``; those that are None are left out."""
        now = int(time.time())
        said = {"iss": self.url, "aud": CLIENT, "sub": self.user, "iat": now, "exp": now + 300}
        said = {name: value for name, value in {**said, **claims}.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, said, self.key)

    async def discovery(self, _: Request) -> Response:
        self.asked.append("discovery")
        return JSONResponse(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
                **self.document,
            }
        )

    async def keys(self, request: Request) -> Response:
        self.asked.append("keys")
        self.queries.add(request.url.query)
        await asyncio.to_thread(self.tells.wait)
        if self.gone:
            return JSONResponse({}, 503)
        published = KeySet([self.key]).as_dict(private=False)["keys"]
        return JSONResponse({"keys": [*self.beside, *published]})

    async def authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        code = secrets.token_urlsafe(8)
        self._codes[code] = asked
        here = asked["redirect_uri"]
        back = f"{here}?{urlencode({'code': code, 'state': asked['state']})}"
        if not self.asks:
            return RedirectResponse(back)
        refused = f"{here}?{urlencode({'error': 'access_denied', 'state': asked['state']})}"
        return HTMLResponse(
            f'<!doctype html><title>Issuer</title><a href="{escape(back)}">Sign in</a> '
            f'<a href="{escape(refused)}">Refuse</a>'
        )

    def _knows(self, request: Request, form: FormData) -> bool:
        """Return whether the service has proved itself, in the one way that is configured."""
        if self.document.get("token_endpoint_auth_methods_supported") == ["client_secret_post"]:
            said = (form.get("client_id"), form.get("client_secret"))
            return said == (CLIENT, SECRET) and "authorization" not in request.headers
        kind, _, packed = request.headers.get("authorization", "").partition(" ")
        name, _, secret = b64decode(packed).decode().partition(":")
        said = (kind, unquote_plus(name), unquote_plus(secret))
        return said == ("Basic", CLIENT, SECRET) and "client_secret" not in form

    async def exchange(self, request: Request) -> Response:
        self.queries.add(request.url.query)
        form = await request.form()
        asked = self._codes.pop(str(form["code"]), None)
        challenge = hashlib.sha256(str(form["code_verifier"]).encode()).digest()
        if (
            asked is None
            or not self._knows(request, form)
            or form["redirect_uri"] != asked["redirect_uri"]
            or urlsafe_b64encode(challenge).decode().rstrip("=") != asked["code_challenge"]
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"id_token": self.token(nonce=self.nonce or asked["nonce"])})


@contextmanager
def issuing(name: str = "127.0.0.1", *, asks: bool = False) -> Generator[Issuer]:
    """Yield an issuer that serves under a ``name`` of this machine."""
    issuer = Issuer(asks=asks)
    app = Starlette(
        routes=[
            Route("/.well-known/openid-configuration", issuer.discovery),
            Route("/keys", issuer.keys),
            Route("/authorize", issuer.authorize),
            Route("/token", issuer.exchange, methods=["POST"]),
        ]
    )
    with listen("127.0.0.1", 0) as opened:
        opened.listen()
        issuer.url = f"http://{name}:{opened.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
        thread.start()
        try:
            yield issuer
        finally:
            server.should_exit = True
            thread.join(STARTS_S)


def main() -> None:
    with issuing("localhost", asks=True) as issuer:
        sys.stdout.write(f"{issuer.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
