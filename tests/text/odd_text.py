"""Text of every kind, for properties that must hold whatever the text is."""

from __future__ import annotations

from hypothesis import strategies as st

ANYTHING = st.text(st.one_of(st.characters(), st.characters(categories=["Cs"])))
"""Every code point, lone surrogates included."""

_PIECES = [
    *"aZé9.,;:!?'’\"“”«»()[]-–—&/$€%#*|_ \n\t\f\r",
    *"東アのกéßİ½²ﬁ\u00ad\u200d\u0301\ud800\x00\u2028",
    *["The", " Of ", "St. ", "Mr. ", "U.S. ", "etc. ", "No. ", "J. ", " of ", " and ", "'s ", "I "],
    *[
        "1,000",
        "3.5 million",
        "20 %",
        "$5bn",
        "one hundred",
        "1990s",
        "19th century",
        "1,00",
        "1.2.3",
    ],
    *["1 May 2004", "May 1, ", "2004-05", "2004-05-01", "44 BC", "in May", "(1500)", "9/11", "B52"],
    *["\n\n", "\n- ", "\n# ", "\n| ", "\n1. ", "...", ". . .", "。", "[1]", " is a "],
]
WRITTEN = st.lists(st.sampled_from(_PIECES), max_size=24).map("".join)
"""What looks like writing, where the rules have something to decide."""

TEXTS = st.one_of(WRITTEN, ANYTHING)
