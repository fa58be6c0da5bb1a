"""Users whom an issuer signs in by OpenID Connect, in a browser and by the tokens of programs.

As OpenID Connect Core 1.0 has it: the code flow with PKCE (RFC 7636), keys by discovery, and
tokens that are signed with a key of the issuer's, for this service, and not expired.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, cast
from urllib.parse import parse_qsl, quote_plus, urlencode

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key, KeySet
from joserfc.jwt import JWTClaimsRegistry
from pydantic import BaseModel, Field, JsonValue, ValidationError

from quaere.domain.trace import Owner
from quaere.errors import SearchError, SearchRejected, SettingsError
from quaere.faces.server.errors import Refused, invalid
from quaere.faces.server.signing import Way
from quaere.read.api_client import ApiClient
from quaere.resilience.once import Once
from quaere.resilience.thread import computed
from quaere.runtime.settings import Settings

logger = logging.getLogger(__name__)

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
"""Signatures by a private key alone: anyone who checks one by a shared secret could make it."""
LEEWAY_S = 60
"""How far the clocks of the issuer and of this machine may be apart."""
KEYS_S = 3_600.0
"""How long keys of the issuer are used before they are asked for again."""
RENEWED_S = 30.0
"""A token by an unknown key has them asked for again, but no more often than this."""
KEPT_S = 86_400.0
"""How long they are good while the issuer cannot be asked for them again."""
SCOPE = "openid profile"
_NOT_VALID = (JoseError, ValueError, TypeError)
"""What joserfc raises for a token; a TypeError for one whose head is a list."""

BASIC = "client_secret_basic"
"""The service proves itself by HTTP Basic, as every issuer takes it that names no other way."""
WebAddress = Annotated[str, Field(pattern=r"^https?://")]


class Discovered(BaseModel):
    """What the service needs of an issuer's discovery document."""

    issuer: str
    authorization_endpoint: WebAddress
    token_endpoint: WebAddress
    jwks_uri: WebAddress
    token_endpoint_auth_methods_supported: tuple[str, ...] = (BASIC,)


class Published(BaseModel):
    """A set of keys, as an issuer publishes it."""

    keys: tuple[JsonValue, ...]


class Issuer:
    """The issuer that the settings name."""

    def __init__(self, settings: Settings) -> None:
        """Ask the issuer nothing yet.

        Raises:
            SettingsError: when a setting is missing.
        """
        if not settings.oidc_issuer or not settings.oidc_client_id:
            raise SettingsError(
                "QUAERE_AUTH=oidc needs QUAERE_OIDC_ISSUER and QUAERE_OIDC_CLIENT_ID."
            )
        self._url = settings.oidc_issuer.rstrip("/")
        self._client_id = settings.oidc_client_id
        self._secret = settings.oidc_client_secret
        self._audience = settings.oidc_audience or self._client_id
        self._clients: dict[str, ApiClient] = {}
        self._found: Discovered | None = None
        self._discovery: Once[str, Discovered] = Once()
        self._renewal: Once[str, KeySet] = Once()
        self._keys: KeySet | None = None
        self._got = self._failed = -KEPT_S
        """When the keys came, and when they last could not be asked for."""

    async def aclose(self) -> None:
        """Close every connection."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()

    async def owner_of(self, token: str) -> Owner:
        """Return the user that an access token of a program was issued for.

        Raises:
            Refused: when it is not valid, or the issuer cannot be asked for its keys.
        """
        return _owner(await self._claims(token, self._audience))

    async def way_to(self, way: Way, callback: str) -> str:
        """Return where a browser signs in; it comes back to ``callback``.

        Raises:
            Refused: when the issuer cannot be asked.
        """
        found = await self._discover()
        challenge = hashlib.sha256(way.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": callback,
            "scope": SCOPE,
            "state": way.state,
            "nonce": way.nonce,
            "code_challenge": urlsafe_b64encode(challenge).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        joint = "&" if "?" in found.authorization_endpoint else "?"
        return f"{found.authorization_endpoint}{joint}{urlencode(asked)}"

    async def came_back(self, way: Way, code: str, callback: str) -> Owner:
        """Return the user who has signed in and came back with ``code``.

        Raises:
            Refused: when the issuer does not vouch for it.
        """
        found = await self._discover()
        sent = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": callback,
            "code_verifier": way.verifier,
        }
        fields, headers = self._credentials(found)
        try:
            client = self._client(found.token_endpoint)
            told = await client.post_form({**sent, **fields}, headers=headers)
        except SearchRejected as error:
            logger.warning("a sign-in is refused: %s", error.message)
            raise invalid("The issuer refused this sign-in.") from error
        except SearchError as error:
            raise _away(error) from error
        token = cast("Mapping[str, object]", told).get("id_token") if isinstance(told, dict) else ""
        if not isinstance(token, str):
            raise invalid("The issuer returned no identity.")
        claims = await self._claims(token, self._client_id)
        if not secrets.compare_digest(str(claims.get("nonce", "")), way.nonce):
            raise invalid("The identity was issued for another sign-in.")
        return _owner(claims)

    def _credentials(self, found: Discovered) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the fields and the headers by which the issuer knows the service.

        A secret is in one of them only: issuers refuse a request that has it twice (RFC 6749,
        2.3).
        """
        fields = {"client_id": self._client_id}
        if not self._secret:
            return fields, {}
        secret = self._secret.get_secret_value()
        if BASIC not in found.token_endpoint_auth_methods_supported:
            return {**fields, "client_secret": secret}, {}
        both = ":".join(map(quote_plus, (self._client_id, secret)))
        return {}, {"Authorization": f"Basic {b64encode(both.encode()).decode()}"}

    async def _claims(self, token: str, audience: str) -> Mapping[str, object]:
        """Return what a token says that the issuer has signed for ``audience``."""
        found = await self._discover()
        keys = await self._key_set(KEYS_S)
        try:
            return _checked(token, keys, found.issuer, audience)
        except _NOT_VALID as error:
            # The issuer may have begun to sign with another key.
            renewed = await self._key_set(RENEWED_S)
            if renewed is keys:
                raise invalid("The token is not valid.") from error
        try:
            return _checked(token, renewed, found.issuer, audience)
        except _NOT_VALID as error:
            raise invalid("The token is not valid.") from error

    async def _discover(self) -> Discovered:
        return self._found or await self._discovery.get(self._url, self._read_document)

    async def _read_document(self) -> Discovered:
        told = await self._get(f"{self._url}/.well-known/openid-configuration")
        try:
            found = Discovered.model_validate(told)
        except ValidationError as error:
            raise _away(SearchError("Its discovery document is not usable.")) from error
        if found.issuer.rstrip("/") != self._url:
            raise _away(SearchError("Its discovery document names another issuer."))
        self._found = found
        return found

    async def _key_set(self, older_s: float) -> KeySet:
        """Return the keys of the issuer, asked for anew when they are older than ``older_s``.

        Nobody waits for keys but who needs others than those that are there: a token of a
        stranger's making has them asked for, and an issuer may be slow to answer.
        """
        now = time.monotonic()
        known = self._keys if now - self._got < KEPT_S else None
        if known and (now - self._got < older_s or now - self._failed < RENEWED_S):
            return known
        try:
            return await self._renewal.get(self._url, self._renewed)
        except Refused as refused:
            self._failed = time.monotonic()
            if known is None:
                raise
            logger.warning("the issuer's keys stay as they were: %s", refused.message)
            return known

    async def _renewed(self) -> KeySet:
        # By the time that keys are renewed, they may be kept elsewhere.
        found = await (self._read_document() if self._keys else self._discover())
        told = await self._get(found.jwks_uri)
        try:
            keys = await computed(lambda: _usable(told))
        except ValueError as error:
            raise _away(SearchError("Its keys are not usable.")) from error
        self._keys, self._got, self._renewal = keys, time.monotonic(), Once()
        return keys

    async def _get(self, url: str) -> object:
        try:
            return await self._client(url).get_json()
        except SearchError as error:
            raise _away(error) from error

    def _client(self, url: str) -> ApiClient:
        """Return the client for an address of the issuer, which may have a query.

        Raises:
            Refused: when it cannot be an address.
        """
        if url not in self._clients:
            place, _, query = url.partition("?")
            params = parse_qsl(query, keep_blank_values=True)
            try:
                self._clients[url] = ApiClient("The OpenID Connect issuer", place, params=params)
            except SettingsError as error:
                raise _away(SearchError(error.message)) from error
        return self._clients[url]


def _usable(told: object) -> KeySet:
    """Return those of the published keys that signatures can be checked by.

    Issuers publish others, too, for encryption or of kinds that come later; RFC 7517, 5, has those
    passed over that are not understood.

    Raises:
        ValueError: when there is none.
    """
    keys: list[Key] = []
    for each in Published.model_validate(told).keys:
        if isinstance(each, dict) and each.get("use", "sig") == "sig" and each.get("kty") != "oct":
            with suppress(JoseError, ValueError, TypeError, KeyError):
                keys.append(JWKRegistry.import_key(cast("dict[str, str | list[str]]", each)))
    if not keys:
        raise ValueError("No key checks signatures.")
    return KeySet(keys)


def _checked(token: str, keys: KeySet, issuer: str, audience: str) -> Mapping[str, object]:
    """Return the claims of a token that is valid now.

    Raises:
        JoseError: when it is not.
        ValueError, TypeError: when it is not a token.
    """
    read = jwt.decode(token, keys, algorithms=ALGORITHMS)
    registry = JWTClaimsRegistry(
        leeway=LEEWAY_S,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": audience},
        exp={"essential": True},
        sub={"essential": True},
    )
    registry.validate(read.claims)
    return read.claims


def _away(error: SearchError) -> Refused:
    return Refused(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "issuer_unavailable",
        f"Signing in does not work at the moment. {error.message}",
        headers={"Retry-After": "5"},
    )


def _owner(claims: Mapping[str, object]) -> Owner:
    """Return the user of valid claims: by their subject, the one claim that never changes."""
    subject = str(claims["sub"])
    try:
        return Owner(user=subject)
    except ValidationError as error:
        raise invalid("The issuer's user names cannot be stored.") from error
