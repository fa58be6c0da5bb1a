"""The long form of a report on paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from quaere.errors import UsageError
from quaere.view.export.document import Document
from quaere.view.export.html import html


def pdf(document: Document) -> bytes:
    """Return ``document`` as the bytes of a PDF. Nothing is fetched for it.

    Raises:
        UsageError: when the library, or what it needs of the system, is not installed.
    """
    try:
        from weasyprint import HTML  # noqa: PLC0415 - an extra, and half a second
    except (ImportError, OSError) as error:  # it loads pango when it is imported
        raise UsageError(
            "PDF needs an extra, pip install 'quaere[pdf]', and the library pango of the system "
            "(on Debian: libpango-1.0-0 and libpangoft2-1.0-0)."
        ) from error
    page = HTML(string=html(document, paper=True), url_fetcher=_refuse)
    write = cast("Callable[[], bytes]", page.write_pdf)  # with no target it returns the file
    return write()


def _refuse(url: str, *_: object, **__: object) -> object:
    """Fetch nothing: the page has all that it needs."""
    del url
    raise ValueError("a report fetches nothing")
