"""Functions of PDFium for what is asked about thousands of letters, one by one."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import PYFUNCTYPE, c_void_p, cast

from pypdfium2 import raw


def direct(name: str, answers: type, *takes: type) -> Callable[..., int]:
    """Return the function ``name`` of PDFium, which takes handles and addresses as numbers.

    That is two to three times as fast as with the types of the library. No other thread is let on
    meanwhile: PDFium may be used by one alone.

    Args:
        name: As PDFium calls it.
        answers: The type of what it returns, of `ctypes`.
        takes: The types of its arguments.
    """
    return PYFUNCTYPE(answers, *takes)(cast(getattr(raw, name), c_void_p).value or 0)


def handle(of: object) -> int:
    """Return what the library holds, such as ``PdfPage.raw``, as a number."""
    return cast(of, c_void_p).value or 0  # pyright: ignore[reportArgumentType] - a pointer
