"""Mail and web archives (MIME): who wrote what to whom and when, and the words of the message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime

from quaere.domain.source import Page
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.clean import clean_line
from quaere.read.extract.html import HtmlExtractor
from quaere.read.extract.markdown import TextExtractor
from quaere.read.extract.page import broken, empty, make_page
from quaere.read.formats import Format

_SHOWN = ("From", "To", "Cc", "Date")
_EXTRACTORS = {"text/plain": TextExtractor, "text/html": HtmlExtractor}
_HEADER = re.compile(rb"(?:\xef\xbb\xbf|From [^\n]*\n)?[A-Za-z][\w-]*:[ \t]*[^\n]*\n")


class MailExtractor:
    """Reads the head and the text of a message; of what is attached, the names alone."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``; it is called by the subject.

        Raises:
            ReadError: ``empty`` when the message says nothing, ``broken`` when it is nested too
                deep.
        """
        if not _HEADER.match(body.data):
            yield from TextExtractor().extract(body)
            return
        try:
            message = message_from_bytes(body.data)
        except RecursionError as error:
            raise broken(body, "is nested too deep") from error
        head = [f"{name}: {told}" for name in _SHOWN if (told := _told(message, name))]
        subject = _told(message, "Subject")
        words = _words(body, message)
        attached = [name for part in message.walk() if (name := _attached(part))]
        if not subject and not words:
            raise empty(body)
        blocks = [f"# {subject}" if subject else "", "\n".join(head), words]
        if attached:
            blocks.append(f"Attachments: {', '.join(attached)}")
        yield make_page(
            body,
            Format.MAIL,
            "\n\n".join(filter(None, blocks)),
            title=subject,
            author=_told(message, "From"),
            published=_day(message),
        )


def _told(message: Message, name: str) -> str:
    """Return a header on one line, decoded where that can be done."""
    return _decoded(str(message.get(name, "")))


def _decoded(raw: str) -> str:
    try:
        return clean_line(str(make_header(decode_header(raw))))
    except (MessageError, LookupError, ValueError):
        return clean_line(raw)


def _day(message: Message) -> str:
    """Return the day of the message; empty where its head names none."""
    try:
        return parsedate_to_datetime(_told(message, "Date")).date().isoformat()
    except ValueError:
        return ""


def _words(body: Body, message: Message) -> str:
    """Return the text of the message: its plain part, or else its page."""
    for kind, extractor in _EXTRACTORS.items():
        for part in message.walk():
            if part.get_content_type() != kind or _attached(part):
                continue
            held = part.get_payload(decode=True)
            declared = f"{kind}; charset={part.get_content_charset('')}"
            data = held if isinstance(held, bytes) else b""
            try:
                page = next(
                    extractor().extract(Body(data=data, url=body.url, content_type=declared))
                )
            except ReadError:
                continue
            return page.text.strip()
    return ""


def _attached(part: Message) -> str:
    """Return the name of what is attached; empty for what belongs to the message."""
    is_attached = part.get_content_disposition() == "attachment"
    return _decoded(part.get_filename("unnamed")) if is_attached else ""
