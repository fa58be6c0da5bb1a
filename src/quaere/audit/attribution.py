"""What a sentence asserts, without whom it says it has it from."""

from __future__ import annotations

import re

# Who says so is the citation's to tell; a source seldom gives its own name.
_ATTRIBUTION = re.compile(
    r"(?i)(?:according to|as (?:reported|stated|noted|described) (?:by|in)|(?:laut|gemäß|nach "
    r"angaben)|selon|según|secondo|volgens) [^,.;:]{1,80}, (?=\S)"
)


def asserted(text: str) -> str:
    """Return ``text`` without "According to the Bay Almanac, " before what it asserts."""
    match = _ATTRIBUTION.match(text)
    return text[match.end() :] if match else text
