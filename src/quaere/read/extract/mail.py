"""Mail: what a letter says, and what is attached to it; mailboxes, and pages that browsers saved.

A letter is a page, and so is each document that is attached; a mailbox (mbox) has many letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import chain, islice, pairwise
from typing import NamedTuple, cast
from urllib.parse import quote, urljoin

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.html import HtmlExtractor
from quaere.read.extract.mail_alternatives import said_by_page
from quaere.read.extract.markdown import TextExtractor
from quaere.read.extract.office import growth
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.formats import Format, extractor_for, sniff_body
from quaere.text.clean import clean_line, decode

MAX_DEPTH = 4
"""Letters within each other that are read."""
MAX_ATTACHED = 200
"""Documents attached to one letter that are read."""
_GROWTH_BYTES, _GROWTH_PER_BYTE = 5_000_000, 10
"""By which the archives attached in a file may grow, and so much for each byte of it, until
no more are unpacked: fifty small ones could take as long as fifty of the largest documents."""
_MAX_PARTS_DEEP = 100
"""Parts within each other; a mail program writes some five."""
_MAX_HEADER_CHARS = 10_000
"""Of a header that are decoded: of more, in ever more words, that takes ever longer for each."""
_TOLD = 3

_SHOWN = ("From", "To", "Cc", "Date")
_PLAIN, _HTML, _LETTER, _INVITATION = "text/plain", "text/html", "message/rfc822", "text/calendar"
_EXTRACTORS = {_PLAIN: TextExtractor, _HTML: HtmlExtractor}
_DOCUMENTS = frozenset(
    str(kind)
    for kind in Format
    if kind is Format.CSV
    or (kind is not Format.UNSUPPORTED and (kind.reading.magic or kind.reading.inside))
)
"""Types of what is a document, though it has no name: scanners send such."""
_NO_DOCUMENTS = re.compile(
    r"(?:image|audio|video|font)/|application/(?:pgp-|x-pkcs7-|pkcs7-|ms-tnef)"
)
"""Types of what is attached and not looked into: pictures, signatures and keys."""
_HEADER = re.compile(rb"(?:\xef\xbb\xbf|From [^\n]*\n)?[A-Za-z][\w-]*:[ \t]*[^\n]*\n")
_BEGINS = re.compile(
    rb"^From [^\n]{0,300}?\d:\d\d[^\n]{0,60}\n(?=[A-Za-z][\w-]{0,60}:)", re.MULTILINE
)
"""The line above each letter of a mailbox: it ends with a time, unlike one of a letter itself."""
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


class MailExtractor:
    """Reads a letter and what is attached to it; pictures are named and not read."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the page of the letter, called by its subject, and those of what is attached.

        They have the fragment ``attachment=N`` and say in what letter they are.

        Raises:
            ReadError: ``empty`` when the letter says nothing, ``broken`` when it is nested too
                deep; at the end, why something attached could not be read.
        """
        if not _HEADER.match(body.data):
            yield from TextExtractor().extract(body)
            return
        letters = _Letters(body, Format.MAIL)
        yield from letters.pages(letters.parsed(body.data))
        letters.close()


class MboxExtractor:
    """Reads mailboxes; a letter has the fragment ``message=N``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the pages of each letter, see `MailExtractor`.

        Raises:
            ReadError: ``empty`` when no letter says anything; at the end, why some could not be
                read.
        """
        starts = [(found.start(), found.end()) for found in _BEGINS.finditer(body.data)]
        if not starts:
            yield from MailExtractor().extract(body)
            return
        letters = _Letters(body, Format.MBOX)
        size = len(body.data)
        for number, ((_, begin), (end, _)) in enumerate(pairwise([*starts, (size, size)]), 1):
            data = _QUOTED.sub(rb"\1", body.data[begin:end])
            try:
                yield from letters.pages(letters.parsed(data), f"message={number}")
            except ReadError as error:
                if error.status != ReadStatus.EMPTY:
                    letters.problems.append(error)
        letters.close()


class _Attached(NamedTuple):
    """What is attached to a letter."""

    name: str
    part: Message
    place: str
    """The fragment that tells where in the file it is."""
    outer: str
    """What the letter is called."""
    day: str
    """Of the letter."""
    depth: int
    """The letters in which it is."""

    @property
    def is_letter(self) -> bool:
        return self.part.get_content_type() == _LETTER

    @property
    def is_no_document(self) -> bool:
        return _NO_DOCUMENTS.match(self.part.get_content_type()) is not None

    @property
    def may_hold_letters(self) -> bool:
        """Whether a letter in it is not yet nested too deep to be read."""
        return self.depth < MAX_DEPTH


class _Letters:
    """Makes the pages of the letters in ``body``."""

    def __init__(self, body: Body, kind: Format) -> None:
        self._body, self._kind = body, kind
        self._is_empty = True
        self._growth_left = _GROWTH_BYTES + _GROWTH_PER_BYTE * len(body.data)
        self.problems: list[ReadError] = []

    def parsed(self, data: bytes) -> Message:
        """Return the letter ``data``.

        Raises:
            ReadError: ``broken`` when it is nested too deep.
        """
        try:
            message = message_from_bytes(data)
        except RecursionError as error:
            raise broken(self._body, "is nested too deep") from error
        if _is_deeper(message, _MAX_PARTS_DEEP):
            raise broken(self._body, "is nested too deep")
        return message

    def close(self) -> None:
        """Report what could not be read.

        Raises:
            ReadError: ``empty`` when nothing was, else with the status of the first problem.
        """
        if self.problems:
            told = "; ".join(each.message for each in self.problems[:_TOLD])
            more = "; ..." if len(self.problems) > _TOLD else ""
            message = f"{name_of(self._body)} was read but for a part: {told}{more}"
            raise ReadError(message, status=self.problems[0].status)
        if self._is_empty:
            raise empty(self._body)

    def pages(
        self, message: Message, place: str = "", *, outer: str = "", depth: int = 1
    ) -> Iterator[Page]:
        """Yield the page of ``message`` and those of what is attached to it.

        Args:
            message: A letter.
            place: The fragment that tells where in the file it is.
            outer: The subject of the letter to which it is attached.
            depth: The letters in which it is, itself among them.

        Raises:
            ReadError: ``empty`` when it says nothing and nothing is attached.
        """
        subject = _told(message, "Subject")
        attached = list(islice(_attached_to(message), MAX_ATTACHED))
        text = _letter(self._body, message, subject, [name for name, _ in attached])
        title = subject or self._named_without_subject(message)
        if text:
            self._is_empty = False
            yield make_page(
                self._body,
                self._kind,
                text,
                title=f"{title} in {outer}" if outer else subject,
                fragment=place,
                marks=_mark(place),
                author=_told(message, "From"),
                published=_day(message),
            )
        elif not attached:
            raise empty(self._body)
        for number, (name, part) in enumerate(attached, 1):
            inside = f"{place}&attachment={number}".removeprefix("&")
            found = _Attached(name, part, inside, title, _day(message), depth)
            yield from self._readable(found)

    def _named_without_subject(self, message: Message) -> str:
        """Return what to call a letter without a subject."""
        return _told(message, "From") or name_of(self._body)

    def _readable(self, attached: _Attached) -> Iterator[Page]:
        """Yield what can be read of what is ``attached``; why that is not all is a problem."""
        try:
            yield from self._pages_of(attached)
        except ReadError as error:
            if error.status != ReadStatus.EMPTY:
                self.problems.append(error)
        except (MemoryError, RecursionError):
            why = "needs more memory to read than is allowed"
            self.problems.append(_too_large(attached.name, why))

    def _pages_of(self, attached: _Attached) -> Iterator[Page]:
        """Yield the pages of a letter or a document that is attached."""
        if not attached.is_letter:
            yield from self._document(attached)
        elif attached.may_hold_letters:
            yield from self._letter_in(attached, _inner(attached.part))

    def _letter_in(self, attached: _Attached, message: Message | None) -> Iterator[Page]:
        """Yield the pages of the letter that something ``attached`` holds."""
        if message is not None:
            place, outer, depth = attached.place, attached.outer, attached.depth
            yield from self.pages(message, place, outer=outer, depth=depth + 1)

    def _document(self, attached: _Attached) -> Iterator[Page]:
        """Yield the pages of a document that is attached; of none where it is of no use here."""
        body = self._body_of(attached)
        kind = sniff_body(body)
        if kind is Format.UNSUPPORTED or attached.is_no_document:
            return
        if kind not in {Format.MAIL, Format.MBOX}:
            if kind.reading.unpacks:
                self._unpack(attached.name, body.data)
            for page in extractor_for(kind).extract(body):
                self._is_empty = False
                yield self._placed(page, attached)
        elif attached.may_hold_letters:
            yield from self._letter_in(attached, self.parsed(body.data))

    def _unpack(self, name: str, data: bytes) -> None:
        """Count the archive ``data`` among those that are unpacked.

        Raises:
            ReadError: ``too_large`` when those before it have grown by as much as they may.
        """
        if self._growth_left <= 0:
            raise _too_large(name, "was left out: what is attached unpacks to too much")
        self._growth_left -= growth(data)

    def _body_of(self, attached: _Attached) -> Body:
        """Return the document that is attached, called by its name, next to this file."""
        return self._body.model_copy(
            update={
                "data": _bytes(attached.part),
                "url": urljoin(self._body.url, quote(attached.name.replace("/", "_"))),
                "content_type": _declared(attached.part),
            }
        )

    def _placed(self, page: Page, attached: _Attached) -> Page:
        """Return ``page`` of a document that is attached as one of this file."""
        name = attached.name
        _, _, record = page.url.partition("#")
        title = name if name.startswith(page.title) else page.title
        named = title if title.startswith(name) else f"{title} ({name})"
        return page.model_copy(
            update={
                "url": f"{self._body.url}#{attached.place}{'&' if record else ''}{record}",
                "title": clean_line(f"{named} in {attached.outer}"),
                "published": page.published or attached.day,
            }
        )


def _too_large(name: str, why: str) -> ReadError:
    return ReadError(f"{name} {why}; save it by itself", status=ReadStatus.TOO_LARGE)


def _letter(body: Body, message: Message, subject: str, attached: Sequence[str]) -> str:
    """Return the text of a letter with its head; empty when it has neither words nor a subject."""
    words = _words(body, message)
    if not subject and not words:
        return ""
    head = [f"{name}: {told}" for name in _SHOWN if (told := _told(message, name))]
    names = f"Attachments: {', '.join(attached)}" if attached else ""
    blocks = [f"# {subject}" if subject else "", "\n".join(head), words, names]
    return "\n\n".join(filter(None, blocks))


def _mark(place: str) -> Iterator[Mark]:
    """Yield the mark of the letter in a mailbox that is at ``place``."""
    noun, _, number = place.partition("&")[0].partition("=")
    if noun == "message":
        yield Mark(start=0, label=f"{noun} {number}")


def _told(message: Message, name: str) -> str:
    """Return a header on one line, decoded where that can be done."""
    return _decoded(str(message.get(name, "")))


def _decoded(raw: str) -> str:
    raw = raw[:_MAX_HEADER_CHARS]
    try:
        return clean_line(str(make_header(decode_header(raw))))
    except (MessageError, LookupError, ValueError):
        return clean_line(raw)


def _day(message: Message) -> str:
    """Return the day of the message; empty where its head names none."""
    try:
        return parsedate_to_datetime(_told(message, "Date")).date().isoformat()
    except (ValueError, OverflowError):
        return ""


def _parts(message: Message) -> Sequence[Message]:
    """Return the parts that ``message`` consists of; of a single one, none."""
    if not message.is_multipart():  # else it would be decoded by whatever codec it names
        return ()
    return cast("Sequence[Message]", message.get_payload())


def _is_deeper(message: Message, depth: int) -> bool:
    """Whether the parts of ``message`` are more than ``depth`` within each other."""
    level = [message]
    for _ in range(depth):
        level = [part for each in level for part in _parts(each)]
    return bool(level)


def _inner(part: Message) -> Message | None:
    """Return the letter that ``part`` holds."""
    return next(iter(_parts(part)), None)


def _bytes(part: Message) -> bytes:
    held = part.get_payload(decode=True)
    return held if isinstance(held, bytes) else b""


def _declared(part: Message) -> str:
    return f"{part.get_content_type()}; charset={part.get_content_charset('')}"


def _words(body: Body, part: Message) -> str:
    """Return what ``part`` says itself.

    Of alternatives the plain one is taken as far as the page says the same, and of parts that
    belong together the first: it is a page, and the others are its pictures.
    """
    kind = part.get_content_type()
    if kind == _LETTER or _name(part):
        return ""
    parts = _parts(part)
    if not parts:
        return _text(body, part, kind)
    if kind == "multipart/alternative":
        return _best_of(body, parts)
    told = filter(None, (_words(body, each) for each in parts))
    return next(told, "") if kind == "multipart/related" else "\n\n".join(told)


def _best_of(body: Body, alternatives: Sequence[Message]) -> str:
    """Return what the plain one of ``alternatives`` says that a page says as well, or the page."""
    page = next((each for part in alternatives for each in _pages_in(part)), None)
    plain, others = list[Message](), list[Message]()
    for each in alternatives:
        (plain if each.get_content_type() == _PLAIN else others).append(each)
    own = (_words(body, each) for each in plain)
    html = "" if page is None else decode(_bytes(page), _declared(page))
    compared = (said_by_page(words, html) if html else words for words in own)
    told = chain(compared, (_words(body, each) for each in others))
    return next((words for words in told if words), "")


def _pages_in(part: Message) -> Iterator[Message]:
    """Yield the web pages that ``part`` shows."""
    if part.get_content_type() == _HTML and not _name(part):
        yield part
    for each in _parts(part):
        yield from _pages_in(each)


def _text(body: Body, part: Message, kind: str) -> str:
    """Return the text of a single part; empty where it has none."""
    if kind not in _EXTRACTORS:
        return ""
    inner = Body(data=_bytes(part), url=body.url, content_type=_declared(part))
    try:
        return next(_EXTRACTORS[kind]().extract(inner)).text.strip()
    except ReadError:
        return ""


def _attached_to(message: Message) -> Iterator[tuple[str, Message]]:
    """Yield what is attached to ``message`` with its name, the same thing once.

    A scanner sends a letter that is nothing but the document.
    """
    seen = set[bytes]()
    for name, part in _named([message]):
        if (data := _bytes(part)) not in seen or not data:
            seen.add(data)
            yield name, part


def _named(parts: Sequence[Message]) -> Iterator[tuple[str, Message]]:
    for part in parts:
        if name := _name(part):
            yield name, part
        else:
            yield from _named(_parts(part))


def _name(part: Message) -> str:
    """Return the name of what is attached; empty for what belongs to the message itself.

    Some programs do not say that a document is attached, and name it alone.
    """
    kind = part.get_content_type()
    if kind.startswith("multipart/") or _is_shown_within(part, kind):
        return ""
    return _file_name(part) or _name_for(part, kind)


def _file_name(part: Message) -> str:
    """Return the name of the file that ``part`` is; empty where it has none that can be read."""
    try:
        return _decoded(part.get_filename(""))
    except ValueError:  # no codec goes by the name of its character set
        return ""


def _is_shown_within(part: Message, kind: str) -> bool:
    """Whether ``part`` is text or a picture of the message itself."""
    is_shown = kind in _EXTRACTORS or kind.startswith("image/")
    return is_shown and part.get_content_disposition() != "attachment"


def _name_for(part: Message, kind: str) -> str:
    """Return a name for a part without one; empty where it is none that is attached."""
    if kind == _LETTER:
        inner = _inner(part)
        return (_told(inner, "Subject") if inner else "") or "unnamed"
    if part.get_content_disposition() == "attachment" or kind in _DOCUMENTS:
        return "unnamed"
    return "invitation.ics" if kind == _INVITATION else ""
