"""The canonical form of a URL, by which sources are told apart."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, quote_from_bytes, unquote_to_bytes, urlsplit, urlunsplit

# Parameters that say where a click came from and never which page it leads to.
_TRACKING = re.compile(
    r"(?i)utm_.*|mc_[ce]id|[gd]clid|gclsrc|[gw]braid|(fb|tt|tw|y)clid|msclkid|igshi?d?|ref_(src|url)"
    r"|_hs(enc|mi)|mkt_tok|srsltid|_g[al]|oly_(anon|enc)_id|vero_id"
)
_DEFAULT_PORT = {"http": 80, "https": 443}
_SAFE_IN_PATH = ":@!$&'()*+,;=~-._"
_SAFE_IN_QUERY = "/:@!$'()*,;~-._?"
_NO_HOST = re.compile(r"[\x00-\x20\x7f\s\\<>^`{|}\"]")
_KEPT = 1 << 11
"""URLs whose canonical form is kept: each step of a run asks for those of all its sources again."""


@lru_cache(maxsize=_KEPT)
def canonical_url(url: str) -> str:
    """Return the one spelling under which ``url`` counts as a source.

    Scheme and host in lower case; default port, user and password, dot segments and tracking
    parameters gone; parameters sorted; one spelling of escapes; no trailing slash. The fragment
    goes too, except in ``file:`` URLs, where it names a record of the file. Text that is not
    a URL comes back stripped; the function never raises.
    """
    text = url.strip()
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower().rstrip("."), parts.port
    except ValueError:
        return text
    if parts.scheme == "file":
        return parts.scheme + text[text.index(":") :]
    if not parts.scheme or not host or _NO_HOST.search(host):
        return text
    netloc = _netloc(parts.scheme, host, port)
    split = SplitResult(parts.scheme, netloc, _path(parts.path), _query(parts.query), "")
    return urlunsplit(split)


def _netloc(scheme: str, host: str, port: int | None) -> str:
    if ":" in host:  # IPv6
        host = f"[{host}]"
    return host if port in {None, _DEFAULT_PORT.get(scheme)} else f"{host}:{port}"


def _path(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/"):
        escaped = _escaped(segment, safe=_SAFE_IN_PATH)
        if escaped == "..":
            if len(kept) > 1:
                kept.pop()
        elif escaped != ".":
            kept.append(escaped)
    return "/".join(kept).rstrip("/")


def _query(query: str) -> str:
    kept: list[tuple[str, str, str]] = []
    for pair in query.replace("+", " ").split("&"):
        name, equals, value = pair.partition("=")
        name, value = (_escaped(part, safe=_SAFE_IN_QUERY) for part in (name, value))
        if pair and not _TRACKING.fullmatch(name):
            kept.append((name, value, equals))
    return "&".join(name + equals + value for name, value, equals in sorted(kept))


def _escaped(text: str, *, safe: str) -> str:
    # By bytes, so that escapes in another encoding than UTF-8 stay apart.
    return quote_from_bytes(unquote_to_bytes(text.encode("utf-8", "surrogatepass")), safe=safe)
