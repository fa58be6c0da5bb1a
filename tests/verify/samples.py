"""A small fictional river valley, as passages, evidence and sentences."""

from __future__ import annotations

from hypothesis import strategies as st

from quaere.domain.evidence import Evidence, Score
from quaere.domain.report import Quote, Sentence, Support
from quaere.domain.source import Passage, passage_id

BRIDGE = (
    "The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin. "
    "It spans 312 metres and cost 2.4 million crowns. "
    "Heavy carts were not allowed on it before 1903."
)
TOWN = (
    "Velling has 18,450 inhabitants. Its market was founded by Duke Arno in 1340. "
    "About 12 % of them work in the salt mines."
)
FERRY = (
    "Before the Orrin Bridge, a ferry carried people across. "
    "The ferry sank in the storm of 1888, and nobody drowned."
)


def passage(text: str, *, title: str = "", url: str = "", start: int = 0) -> Passage:
    """Return ``text`` as a passage that begins at ``start`` of its page."""
    url = url or f"https://valley.example/{len(text)}"
    return Passage(
        id=passage_id(url, start, text),
        url=url,
        title=title,
        text=text,
        start=start,
        end=start + len(text),
        locator="page 2",
        content_hash="abc",
        retrieved_at="2026-11-02T08:00:00Z",
    )


def entry(number: int, of: Passage) -> Evidence:
    """Return ``of`` as evidence ``number``."""
    return Evidence(
        id=number, passage=of.id, url=of.url, title=of.title, score=Score(), locator=of.locator
    )


def quote(of: Passage, words: str) -> Quote:
    """Return ``words`` as they stand in ``of``."""
    place = of.start + of.text.index(words)
    return Quote(passage=of.id, text=words, start=place, end=place + len(words))


def sentence(
    text: str,
    *evidence: int,
    quotes: tuple[Quote, ...] = (),
    item: str | None = None,
    support: Support = Support.NOT_JUDGED,
) -> Sentence:
    """Return a sentence as a writer hands it over."""
    return Sentence(text=text, evidence=evidence, quotes=quotes, item=item, support=support)


ANYTHING = st.text(max_size=200) | st.text(
    alphabet=st.characters(categories=["Cs", "Cf", "Cc", "Lo", "Po", "Ps", "Pe"]), max_size=60
)
"""Text of any kind: controls, lone surrogates, right-to-left, brackets."""

SPOOFS = st.lists(
    st.sampled_from(
        [
            *(
                "[3]",
                "[99]",
                "［1］",
                "【2】",
                "[^1]",
                "&#91;4&#93;",
                "](http://evil.example)",
                "![x]",
            ),
            *(
                "[1]: javascript:alert(1)",
                "\x1b[31m",
                "\u202e",
                "\n",
                "\\",
                "`",
                "<b>",
                "<!--",
                "|",
            ),
            *(
                "*",
                "#",
                "- ",
                "1. ",
                "!",
                " ",
                "Sources:",
                "(not judged)",
                "https://evil.example",
            ),
            "Rain fell.",
        ]
    ),
    max_size=12,
).map("".join)
"""Text that pretends to be more than text."""
