"""The one place where evidence becomes text.

Reasoners emit sentences and ids; here the ids become markers and the numbered list under them.
Everything that came from a source is made inert on its way (``quaere.synthesize.inert``), so that
every ``[n]`` in an answer is one of its citations and resolves. Addresses lead to what was read, or
to nothing: a page must not send a reader elsewhere, unless it is an address that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import filterfalse

from quaere.domain.evidence import Evidence
from quaere.domain.report import (
    AnswerStatus,
    CheckedBy,
    Citation,
    Degradation,
    Direct,
    Opens,
    Quote,
    Sentence,
    Support,
    claims_in,
)
from quaere.domain.source import Passage
from quaere.domain.url import part_of, pmid_of, source_type
from quaere.domain.value import Value
from quaere.domain.verdict import StopReason
from quaere.synthesize.inert import (
    above_code,
    address,
    block,
    inline,
    plain,
    standing,
    stands_in,
    visible,
)
from quaere.synthesize.layout import PARAGRAPH, SAID, Layout, apart
from quaere.synthesize.wording import (
    MAX_TITLE_CHARS,
    found_and_left,
    location,
    locator_of,
    mark_of,
    shown_title,
    unjudged,
)
from quaere.text.inline import outside_code
from quaere.text.languages.language import ENGLISH_FRAME, frame, outcomes
from quaere.text.lazy_regex import lazy_regex
from quaere.text.no_claim import is_about_passages, subject
from quaere.text.numbers import numbers
from quaere.text.sanitize import hosts_in, without_links
from quaere.text.similarity import containment

FENCE = "```"
"""The line before a block of code and the one after it."""
AKIN = 0.6
"""Share of a gap's words from which a sentence on what the passages leave open says the same."""
MAX_GAPS = 3
"""Gaps that an answer ends with; all are listed under it."""
MAX_QUOTE_CHARS = 1_500
"""Quotes of one passage are shown as one stretch up to this length; beyond it, the first alone."""

_OWN_DOCUMENT = "file:"
"""The scheme of the user's own documents."""
# List and heading marks left over from the page a sentence was cut from.
_LEAD = lazy_regex(r"^(?:[-+*•#>|–—]+\s+)+")
# References to the notes of its page, after a sentence's full stop.
_NOTES = lazy_regex(r"(?<=[.!?…。！？\"”])(?:\s?\[\d{1,3}\])+\s*$")
# Gaps that only say how an item ended, as the reasoner without a model names them.
_OUTCOME = lazy_regex(rf"{outcomes()}|Not answered: ")
_END = lazy_regex(r"[.!?…。！？]+$")
_CLOSE = lazy_regex(r"[.!?…。！？]+$|[:：]$")
_LABEL = lazy_regex(r"\*\*[^*]{1,60}[^*.!?…。！？]\*\*(?:\s*\([^()]{1,40}\))?")
# Questions whose answer may be an address, in the languages in which they are likely to be asked.
_ASKS_FOR_ADDRESS = lazy_regex(
    r"(?i)\b(?:ur[il]s?|web ?(?:sites?|pages?|address\w*)|home ?pages?|sites?|links? (?:to|for)"
    r"|domains?|hostnames?|endpoints?|e-?mails?|address(?:es)? (?:of|for)|on-?line|downloads?"
    r"|repositor\w+|adress\w*|enlaces?|sitios?|dominios?|direcci\w+|liens?|courriel)\b"
    r"|网址|网站|链接|サイト|адрес|сайт|رابط"
)


class Written(Value):
    """A sentence as an answer shows it: of the answer itself, or about the run."""

    text: str
    """With its markers."""
    sentence: Sentence
    appended: str
    """What it adds to the answer: ``text`` in its form, after what parts it from the one before."""


class Composition(Value):
    """An answer, the sentences in it, and its numbered citations."""

    written: tuple[Written, ...]
    """All that the answer says, in its order."""
    sentences: tuple[Sentence, ...] = ()
    """The sentences shown, inert, citing only what is in ``citations``; none about the run."""
    dropped: tuple[Sentence, ...] = ()
    """Those that were left out, inert."""
    citations: tuple[Citation, ...] = ()
    status: AnswerStatus

    @property
    def answer(self) -> str:
        """All that is written, as one text in the form that was asked for."""
        return "".join(each.appended for each in self.written)


class Draft:
    """An answer in the making, for a reader who follows it sentence by sentence.

    A passage gets its number when a sentence first cites it and keeps it.
    """

    def __init__(
        self, evidence: Iterable[Evidence], passages: Iterable[Passage], *, asked: str = ""
    ) -> None:
        """Begin an answer.

        Args:
            evidence: The pool that the sentences cite, in any order.
            passages: The text of the evidence, in any order.
            asked: The question. Sentences lose addresses whose hosts neither it names nor was
                read, unless it asks for an address.
        """
        self._passages = {passage.id: passage for passage in passages}
        self._hosts = hosts_in("\n".join([asked, *(p.url for p in self._passages.values())]))
        self._hosts_of: dict[str, frozenset[str]] = {}
        self._led = _ASKS_FOR_ADDRESS.search(asked) is not None
        self._evidence = {entry.id: entry for entry in evidence if entry.passage in self._passages}
        self._cited: dict[str, int] = {}
        self._quotes: dict[str, list[Quote]] = {}
        self._texts: list[str] = []
        self._lead = ""
        self._proof: list[str] = []
        self._sentences: list[Sentence] = []
        self._dropped: list[Sentence] = []

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What was taken so far: inert, and citing only what can be shown."""
        return tuple(self._sentences)

    def add(self, sentence: Sentence) -> str:
        """Take the next sentence and return it as the answer shows it.

        An id that is not in the evidence, or whose passage holds none of the sentence's quotes,
        is not cited; a claim that is left without a citation is marked. Empty when there is
        nothing to show.
        """
        if not shown_text(sentence):
            return ""
        if _leads_in(sentence):  # a colon leaves no place for a marker
            sentence = sentence.model_copy(update={"evidence": (), "quotes": ()})
        cited, quotes = self._shown(sentence.evidence, sentence.quotes)
        shown = self._settled(sentence, cited, quotes)
        direct = self._direct(sentence.direct)
        shown = shown.model_copy(update={"direct": direct})
        text = marked(shown, self._numbers(cited))
        self._proof.append(text)
        if direct is not None and direct.precedes:
            passages = {number: passage for passage, number in self._cited.items()}
            self._lead = opening_sentence(
                direct, self._numbers(passages[n] for n in direct.evidence)
            )
            text = f"{self._lead} {text}"
        self._sentences.append(shown)
        self._texts.append(text)
        return text

    def leave_out(self, sentence: Sentence) -> None:
        """List ``sentence`` apart: it was written and did not pass."""
        text = shown_text(sentence)
        if text:
            self._dropped.append(
                sentence.model_copy(update={"text": _unled(text, sentence.opens, self._hosts)})
            )

    def finish(
        self,
        *,
        limited: bool = False,
        gaps: Sequence[str] | None = None,
        truncated: bool = False,
        layout: Layout = PARAGRAPH,
    ) -> Composition:
        """Return the answer of the sentences taken so far.

        Args:
            limited: Whether to begin by saying that the search was limited.
            gaps: What is missing, with which it ends (see ``missing``); None where nothing is.
            truncated: Whether to say at the very end that the research was cut short.
            layout: The form of the answer.
        """
        claims = claims_in(self._sentences)
        if not claims:
            before, after = notices(limited=limited, truncated=truncated)
            said = (*before, frame().nothing, *after)
            return Composition(
                written=tuple(map(_notice, said, apart(" ", said))),
                dropped=tuple(self._dropped),
                status=AnswerStatus.NO_EVIDENCE,
            )
        open_ = () if gaps is None else missing(gaps, self._sentences)
        before, after = notices(limited=limited, open_=open_, truncated=truncated)
        doubtful = is_doubtful(claims)
        return Composition(
            written=tuple(self._between(before, after, layout)),
            sentences=self.sentences,
            dropped=tuple(self._dropped),
            citations=self.citations(),
            status=AnswerStatus.INSUFFICIENT
            if gaps is not None or doubtful
            else AnswerStatus.ANSWERED,
        )

    def _between(
        self, before: Sequence[str], after: Sequence[str], layout: Layout
    ) -> Iterator[Written]:
        """Yield the answer between notices about the run, set apart where it has several lines."""
        pieces = self._laid_out(layout)
        gap = "\n\n" if any("\n" in piece for piece in pieces) else layout.gap
        yield from map(_notice, before, apart(gap, before))
        pieces[0] = f"{gap if before else ''}{pieces[0]}"
        for text, sentence, piece in zip(self._texts, self._sentences, pieces, strict=True):
            yield Written(text=text, sentence=sentence, appended=piece)
        yield from (_notice(text, f"{gap}{text}") for text in after)

    def _laid_out(self, layout: Layout) -> list[str]:
        """Return what each sentence adds; a direct answer precedes a list or a table."""
        opens_block = self._sentences[0].opens not in {None, Opens.PARAGRAPH}
        if not (self._lead and (layout.is_itemized or opens_block)):
            return layout.body(self._sentences, self._texts)
        first, *others = layout.body(self._sentences, self._proof)
        gap = "\n\n" if opens_block else layout.gap
        return [f"{self._lead}{gap}{first}", *others]

    def citations(self) -> tuple[Citation, ...]:
        """Return the numbered list of what was cited so far."""
        return tuple(
            _citation(number, self._evidence[entry], self._passages[passage], self._quotes[passage])
            for number, (passage, entry) in enumerate(self._cited.items(), start=1)
        )

    def _shown(
        self, evidence: Iterable[int], quotes: Iterable[Quote]
    ) -> tuple[list[str], list[Quote]]:
        """Return the passages and the quotes in them that can be shown, all now cited."""
        standing = [quote for quote in quotes if self._stands(quote)]
        cited = self._cite(evidence, {quote.passage for quote in standing})
        kept = [quote for quote in standing if quote.passage in cited]
        for quote in kept:
            self._quotes.setdefault(quote.passage, []).append(quote)
        return cited, kept

    def _direct(self, direct: Direct | None) -> Direct | None:
        """Return ``direct`` inert, citing what can be shown; None where that is nothing."""
        if direct is None:
            return None
        cited, quotes = self._shown(direct.evidence, direct.quotes)
        own = self._is_own(cited, direct.text)
        form = standing if own else inline
        text = above_code(direct.text, lambda said: _said(said, form))
        if not cited or not text:
            return None
        evidence = tuple(self._cited[passage] for passage in cited)
        return direct.model_copy(
            update={
                "own_words": own,
                "text": text if self._led or own else without_links(text, self._known(cited)),
                "evidence": evidence,
                "quotes": tuple(quotes),
            }
        )

    def _numbers(self, passages: Iterable[str]) -> list[int]:
        order = list(self._cited)
        return [order.index(passage) + 1 for passage in passages]

    def _stands(self, quote: Quote) -> bool:
        passage = self._passages.get(quote.passage)
        if passage is None or not quote.text or quote.start < passage.start:
            return False
        return _stretch(passage, quote.start, quote.end) == quote.text

    def _cite(self, numbers: Iterable[int], quoted: set[str]) -> list[str]:
        """Return the ``quoted`` passages of the evidence ``numbers``, all now cited."""
        cited: list[str] = []
        for number in numbers:
            entry = self._evidence.get(number)
            if entry is not None and entry.passage in quoted:
                self._cited.setdefault(entry.passage, number)
                cited.append(entry.passage)
        return list(dict.fromkeys(cited))

    def _is_own(self, cited: Sequence[str], text: str) -> bool:
        """Return whether all passages ``cited`` are the user's own, and one holds ``text``."""
        own = [self._passages[key] for key in cited]
        are_own = all(passage.url.startswith(_OWN_DOCUMENT) for passage in own)
        return are_own and any(stands_in(text, passage.text) for passage in own)

    def _known(self, cited: Sequence[str]) -> frozenset[str]:
        """Return the hosts that may be named: those of the sources, and what the user's own name.

        The latter of those of their documents that are ``cited``.
        """
        own = (self._passages[key] for key in cited)
        named = [self._named(each) for each in own if each.url.startswith(_OWN_DOCUMENT)]
        return self._hosts.union(*named)

    def _named(self, own: Passage) -> frozenset[str]:
        """Return the hosts that a passage names, which are looked for once in a long table."""
        if own.id not in self._hosts_of:
            self._hosts_of[own.id] = hosts_in(own.text)
        return self._hosts_of[own.id]

    def _settled(self, sentence: Sentence, cited: list[str], quotes: list[Quote]) -> Sentence:
        """Return ``sentence`` as it is shown, with the citations it keeps, in doubt without any.

        It is inert, but for what the user's own documents say.
        """
        own = self._is_own(cited, sentence.text)
        sentence = sentence.model_copy(update={"own_words": own})
        text = shown_text(sentence)
        is_shown = self._led or own
        kept = {
            "text": text if is_shown else _unled(text, sentence.opens, self._known(cited)),
            "evidence": tuple(self._cited[passage] for passage in cited),
            "quotes": tuple(quotes),
        }
        if not cited and sentence.support.holds:
            doubt = {
                "support": Support.NOT_JUDGED,
                "reason": ENGLISH_FRAME.reasons.unshown,
            }
            return sentence.model_copy(update=kept | doubt)
        return sentence.model_copy(update=kept)


def _unled(text: str, opens: Opens | None, hosts: frozenset[str]) -> str:
    """Return the ``text`` of a sentence without what leads to other ``hosts``."""
    inside = partial(without_links, hosts=hosts, code=True)
    if opens is Opens.CODE:
        return inside(text)
    return outside_code(text, partial(without_links, hosts=hosts), inside)


def is_limited(stop_reason: StopReason, degradations: Iterable[Degradation]) -> bool:
    """Return whether searching, not merely some step, ran in a weaker way than asked for."""
    return stop_reason is StopReason.DEGRADED or any(d.step == "search" for d in degradations)


def opening_sentence(direct: Direct, numbers: Iterable[int]) -> str:
    """Return ``direct`` with the markers of ``numbers``, as the sentence that leads an answer."""
    found, left = found_and_left(direct.text)
    said = Sentence(text=found, own_words=direct.own_words, support=Support.NOT_A_CLAIM)
    shown = marked(said, numbers)
    if not left:
        return shown
    rest = marked(Sentence(text=left, support=Support.NOT_A_CLAIM), ())
    return f"{shown.removesuffix(frame().stop)}; {rest}"


def statement(text: str) -> str:
    """Return a sentence's ``text`` as an answer shows it, before markers: inert and on one line.

    Bullets before it and note numbers after it are left out. Empty when it holds no letter or
    figure.
    """
    return _said(text, inline)


def _said(text: str, form: Callable[[str], str]) -> str:
    shown = _LEAD.sub("", form(_NOTES.sub("", text)))
    return shown if any(char.isalnum() for char in shown) else ""


def shown_text(sentence: Sentence) -> str:
    """Return the text of ``sentence`` as an answer shows it, before markers; possibly empty."""
    if sentence.opens is Opens.CODE:
        return block(sentence.text)
    return _said(sentence.text, standing if sentence.own_words else inline)


def _leads_in(sentence: Sentence) -> bool:
    """Return whether ``sentence`` claims nothing and ends in a colon, bold or not."""
    return not sentence.is_claim and shown_text(sentence).rstrip("*").endswith(":")


def claims_shown(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return those of ``sentences`` that claim something of which an answer shows some text."""
    return list(filter(shown_text, claims_in(sentences)))


def is_label(sentence: Sentence) -> bool:
    """Return whether ``sentence`` is a bold line of its own, with at most a bracket behind."""
    is_alone = sentence.opens is Opens.PARAGRAPH
    return is_alone and _LABEL.fullmatch(shown_text(sentence)) is not None


def _signs(sentence: Sentence, numbers: Sequence[int]) -> str:
    """Return the mark of ``sentence`` and the markers of ``numbers``."""
    mark = unjudged() if not numbers and sentence.support.holds else mark_of(sentence)
    return " ".join(filter(None, (mark, "".join(f"[{n}]" for n in numbers))))


def marked(sentence: Sentence, numbers: Iterable[int]) -> str:
    """Return ``sentence`` with its mark and the markers of ``numbers``, before its full stop.

    Taking mark and markers away again leaves ``statement(sentence.text)``, ended if it was not; a
    colon ends one that leads in, and nothing a bold label. Those of a block of code have a line of
    their own under it.
    """
    text = shown_text(sentence)
    if _leads_in(sentence):
        return text
    signs = _signs(sentence, sorted(set(numbers)))
    if sentence.opens is Opens.CODE:
        return f"{FENCE}\n{text}\n{FENCE}\n{signs}".rstrip("\n")
    end = _CLOSE.search(text)
    unended = "" if is_label(sentence) else frame().stop
    body, stop = (text[: end.start()], end[0]) if end else (text, unended)
    return " ".join(filter(None, (body, signs))) + stop


def joined(
    texts: Iterable[str],
    *,
    limited: bool = False,
    open_: Sequence[str] = (),
    truncated: bool = False,
) -> str:
    """Return sentences as one text, between what has to be said about the run itself."""
    before, after = notices(limited=limited, open_=open_, truncated=truncated)
    said = [*before, *texts, *after]
    return ("\n\n" if any("\n" in text for text in said) else " ").join(said)


def notices(
    *, limited: bool = False, open_: Sequence[str] = (), truncated: bool = False
) -> tuple[list[str], list[str]]:
    """Return what has to be said about the run itself, before and after an answer.

    Args:
        limited: Whether searching was degraded.
        open_: What is missing, in sentences.
        truncated: Whether the research was cut short.
    """
    said = frame()
    return [said.limited] * limited, [*open_, *([said.cut_short] * truncated)]


def missing(gaps: Sequence[str], sentences: Sequence[Sentence] = ()) -> tuple[str, ...]:
    """Return the sentences with which an answer that is not complete ends.

    A gap that says of the passages what they do not say is such a sentence; one with a figure may
    state anything, and is listed with those that are only named. What one of the ``sentences``
    says already is left out. Where no gap is told in words of its own, it is that not every part of
    the question is answered, or that the answer is doubtful where all of them say so.
    """
    told = _told_in_words(gaps)
    if not told:
        return (frame().doubtful if _are_doubts(gaps) else frame().incomplete,)
    fresh = _unsaid(told, sentences)[:MAX_GAPS]
    ended = [_END.sub("", gap) for gap in filter(_is_sentence, fresh)]
    named = [_END.sub("", gap) for gap in filterfalse(_is_sentence, fresh)]
    if named:
        ended.append(frame().gap(frame().unanswered, "; ".join(named)))
    return tuple(f"{each}{frame().stop}" for each in ended)


def _told_in_words(gaps: Iterable[str]) -> list[str]:
    return [gap for gap in map(statement, gaps) if gap and not _OUTCOME.match(gap)]


def _are_doubts(gaps: Sequence[str]) -> bool:
    """Return whether all ``gaps`` say that what was found is uncertain, and there are some."""
    return bool(gaps) and all(gap.startswith(frame().gap(frame().uncertain, "")) for gap in gaps)


def _is_sentence(gap: str) -> bool:
    """Return whether ``gap`` says of the passages what they do not say, and no figure."""
    return is_about_passages(gap) and not numbers(gap)


def _unsaid(gaps: Iterable[str], sentences: Iterable[Sentence]) -> list[str]:
    """Return the ``gaps`` that no sentence about the run tells."""
    said = [each.text for each in sentences if not each.is_claim]
    # "Who paid for the painting is not said. Its colour is not mentioned": the second one names
    # what it is about by what the first one says.
    silent = list(filter(is_about_passages, said))
    about = [*map(subject, said), subject(" ".join(silent))]
    return [
        gap
        for gap in gaps
        if not (_is_said(gap, about, SAID) or _is_said(gap, map(subject, silent), AKIN))
    ]


def is_doubtful(claims: Sequence[Sentence]) -> bool:
    """Return whether no source bears out any of ``claims``, and none is in a language not read."""
    return bool(claims) and not any(each.support.holds or _is_foreign(each) for each in claims)


def _is_foreign(sentence: Sentence) -> bool:
    """Return whether nobody could compare ``sentence`` with its sources, for their language."""
    unread = sentence.support is Support.NOT_JUDGED and sentence.probability is None
    return unread and sentence.by is CheckedBy.WORDS and bool(sentence.evidence)


def _is_said(gap: str, said: Iterable[frozenset[str]], least: float) -> bool:
    own = subject(gap)
    return any(containment(own, each) >= least for each in said)


def _notice(text: str, appended: str) -> Written:
    sentence = Sentence(text=text, support=Support.NOT_A_CLAIM)
    return Written(text=text, sentence=sentence, appended=appended)


def _citation(number: int, entry: Evidence, passage: Passage, quotes: list[Quote]) -> Citation:
    url = address(entry.url or passage.url)
    quote = _spanned(quotes, passage)
    locator = locator_of(entry, passage, quote)
    return Citation(
        id=number,
        evidence=entry.id,
        title=shown_title(entry, passage, url, locator),
        url=url,
        type=source_type(url),
        pmid=pmid_of(url),
        location=location(url, locator),
        quote=quote,
        locator=locator,
        retrieved_at=passage.retrieved_at,
        content_hash=passage.content_hash,
        published=visible(passage.published),
        author=plain(passage.author)[:MAX_TITLE_CHARS],
        part=part_of(passage.url, provided=passage.provided),
    )


def _stretch(passage: Passage, start: int, end: int) -> str:
    return passage.text[start - passage.start : end - passage.start]


def _spanned(quotes: list[Quote], passage: Passage) -> Quote:
    """Return the stretch of ``passage`` that holds all ``quotes``; the first one if too long."""
    start, end = min(quote.start for quote in quotes), max(quote.end for quote in quotes)
    if end - start > MAX_QUOTE_CHARS:
        return quotes[0]
    return Quote(passage=passage.id, text=_stretch(passage, start, end), start=start, end=end)
