"""Where the sources of an answer may come from."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Self
from urllib.parse import urlsplit

import ada_url
from pydantic import AfterValidator, Field, model_validator

from quaere.domain.value import Outside, Value

MAX_URLS = 50

_HOST = r"^[A-Za-z0-9\u00a1-\uffff][A-Za-z0-9\u00a1-\uffff.-]*$"


def web_host(url: str) -> str:
    """Return the host that ``url`` leads a browser to, in ASCII, lower case, no dot at its end.

    Empty for what is not an http or https URL. Credentials, ports, escapes, international names and
    unusual spellings of addresses are read as the fetcher of pages reads them, so that no spelling
    is one host here and another there.
    """
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    return parsed.hostname.rstrip(".") if parsed.protocol in {"http:", "https:"} else ""


def is_local_file(url: str) -> bool:
    """Return whether ``url`` names a file of this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "file" and not parts.netloc


def _canonical_host(name: str) -> str:
    host = web_host(f"https://{name}/")
    if not host:
        raise ValueError(f"{name} is not a host name")
    return host


Host = Annotated[str, Field(pattern=_HOST, max_length=253), AfterValidator(_canonical_host)]
"""A host name in ASCII and lower case; it stands for its subdomains, too."""

_TWO_LETTERS = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da "
    "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy "
    "hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg "
    "li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or "
    "os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw "
    "ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
"""ISO 639-1. Codes of three letters are not listed: there are some 8,000."""


def _known_language(code: str) -> str:
    if len(code) == 2 and code not in _TWO_LETTERS.split():  # "jp" and "cn" are countries
        raise ValueError(f"must be an ISO 639 code, such as en; there is no {code}")
    return code


Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}$"), AfterValidator(_known_language)]
"""An ISO 639 code: ``en``, ``de``, ``zh``."""


class Bound(StrEnum):
    """What sources can be narrowed by."""

    SITES = "sites"
    DATES = "dates"
    LANGUAGES = "languages"


class Sites(Value):
    """Which sites a run draws on, by host name."""

    prefer: tuple[Host, ...] = ()
    only: tuple[Host, ...] = ()
    exclude: tuple[Host, ...] = ()

    @property
    def narrow(self) -> bool:
        """Whether any site is ruled out; a preference rules none out."""
        return bool(self.only or self.exclude)


class Scope(Value):
    """Where the sources of an answer may come from; what is left out sets no bound.

    Search services that can narrow a search by themselves are told; what others bring is filtered.
    """

    urls: Annotated[tuple[Outside, ...], Field(max_length=MAX_URLS)] = ()
    """Pages to answer from. Nothing else is searched unless providers or folders are named, too."""
    sites: Sites = Sites()
    published_after: date | None = None
    """The first day on which a source may have been published."""
    published_before: date | None = None
    """The last day on which a source may have been published."""
    languages: tuple[Language, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        after, before = self.published_after, self.published_before
        if after and before and after > before:
            raise ValueError(
                f"the first day of publication, {after}, is later than the last, {before}"
            )
        return self

    @property
    def narrows(self) -> bool:
        """Whether anything but ``urls`` is asked for."""
        return self != Scope(urls=self.urls)

    @property
    def dated(self) -> bool:
        """Whether the day of publication matters."""
        return bool(self.published_after or self.published_before)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """What rules sources out, in the order of ``Bound``."""
        asked = {
            Bound.SITES: self.sites.narrow,
            Bound.DATES: self.dated,
            Bound.LANGUAGES: bool(self.languages),
        }
        return tuple(bound for bound, wanted in asked.items() if wanted)
