"""What every ``Human`` does.

Tests of an implementation subclass `HumanContract` and give it a ``human`` who replies to every
inquiry with `REPLIES` of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.ports.human import Human

CLARIFICATION = Inquiry(kind=InquiryKind.CLARIFICATION, text="Which Mercury, planet or metal?")
TOPICS = Inquiry(
    kind=InquiryKind.TOPICS,
    text="Compare the two harbours.",
    topics=("the harbour of Vessel Bay", "the harbour of Tarn"),
)
REPLIES: Mapping[InquiryKind, Reply] = MappingProxyType(
    {
        InquiryKind.CLARIFICATION: Reply(text="the planet"),
        InquiryKind.TOPICS: Reply(topics=("the harbour of Tarn",)),
    }
)


class HumanContract:
    """The behaviour that a run relies on."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    async def human(self) -> Human:
        raise NotImplementedError

    async def test_each_inquiry_is_given_the_reply_to_it(self, human: Human) -> None:
        assert await human.ask(TOPICS) == REPLIES[InquiryKind.TOPICS]
        assert await human.ask(CLARIFICATION) == REPLIES[InquiryKind.CLARIFICATION]
