"""The canonical form of a URL, by which sources are told apart."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

# Parameters that say where a click came from and never which page it leads to.
_TRACKING = re.compile(
    r"(?i)^(utm_.*|mc_[ce]id|[gd]clid|gclsrc|fbclid|msclkid|yclid|igshid|ref_src|_hs(enc|mi))$"
)
_DEFAULT_PORT = {"http": 80, "https": 443}
_SAFE_PATH = "/:@!$&'()*+,;=~-._"


def canonical_url(url: str) -> str:
    """Return the one spelling under which ``url`` counts as a source.

    Scheme and host in lower case, default port and tracking parameters gone, parameters sorted, no
    trailing slash. The fragment goes too, except in ``file:`` URLs, where it names a record of the
    file. Text that is no URL comes back stripped; the function never raises.
    """
    text = url.strip()
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return text
    if parts.scheme == "file":
        return text
    if not parts.scheme or not host:
        return text
    scheme = parts.scheme.lower()
    netloc = host if port in (None, _DEFAULT_PORT.get(scheme)) else f"{host}:{port}"
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = sorted((k, v) for k, v in pairs if not _TRACKING.match(k))
    query = urlencode(kept, errors="surrogatepass")
    path = quote(unquote(parts.path), safe=_SAFE_PATH, errors="surrogatepass").rstrip("/")
    return urlunsplit(SplitResult(scheme, netloc, path, query, ""))
