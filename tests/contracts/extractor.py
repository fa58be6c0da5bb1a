"""What every ``Extractor`` does.

An extractor's tests subclass `ExtractorContract` and give it an ``extractor`` and a ``body`` that
the extractor reads and that holds `FACT`.
"""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.chunker import PassageChunker
from quaere.text.clean import clean_text

FACT = "The ferry from Ostrow to Pell takes forty minutes and carries eleven cars."

_TRIES = settings(
    max_examples=40,
    deadline=None,
    # Extractors and bodies are values: nothing of one example is left for the next.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)


def outcome(extractor: Extractor, body: Body) -> tuple[list[Page], ReadError | None]:
    """Return the pages that came before a ``ReadError``, and it."""
    pages: list[Page] = []
    try:
        pages.extend(extractor.extract(body))
    except ReadError as error:
        return pages, error
    return pages, None


class ExtractorContract:
    """The behaviour that callers of any extractor rely on."""

    @pytest.fixture
    def extractor(self) -> Extractor:
        raise NotImplementedError

    @pytest.fixture
    def body(self) -> Body:
        raise NotImplementedError

    def test_the_words_come_out(self, extractor: Extractor, body: Body) -> None:
        assert any(FACT in page.text for page in extractor.extract(body))

    def test_pages_say_where_and_when_they_come_from(
        self, extractor: Extractor, body: Body
    ) -> None:
        for page in extractor.extract(body):
            assert page.url.partition("#")[0] == body.url
            assert page.retrieved_at == body.retrieved_at
            assert page.status is ReadStatus.OK
            assert "/" in page.content_type
            assert page.title.strip()

    def test_urls_tell_records_apart(self, extractor: Extractor, body: Body) -> None:
        urls = [page.url for page in extractor.extract(body)]
        assert len(urls) == len(set(urls))

    def test_text_is_clean(self, extractor: Extractor, body: Body) -> None:
        for page in extractor.extract(body):
            assert page.text.strip()
            assert clean_text(page.text) == page.text
            assert clean_text(page.title) == page.title
            assert "\n" not in page.title

    def test_marks_rise_inside_the_text(self, extractor: Extractor, body: Body) -> None:
        for page in extractor.extract(body):
            starts = [mark.start for mark in page.marks]
            assert all(a <= b for a, b in itertools.pairwise(starts))
            assert all(start <= len(page.text) for start in starts)
            assert all(mark.label for mark in page.marks)

    def test_passages_are_exact_stretches(self, extractor: Extractor, body: Body) -> None:
        for page in extractor.extract(body):
            passages = PassageChunker()(page)
            assert passages
            assert all(page.text[p.start : p.end] == p.text for p in passages)

    def test_the_same_body_gives_the_same_pages(self, extractor: Extractor, body: Body) -> None:
        assert list(extractor.extract(body)) == list(extractor.extract(body))

    def test_nothing_is_empty(self, extractor: Extractor, body: Body) -> None:
        pages, error = outcome(extractor, body.model_copy(update={"data": b""}))
        assert not pages
        assert error is not None
        assert error.status in {ReadStatus.EMPTY, ReadStatus.BROKEN, ReadStatus.UNSUPPORTED}

    def test_half_a_body_is_text_or_a_typed_error(self, extractor: Extractor, body: Body) -> None:
        for share in (0.05, 0.3, 0.6, 0.9, 0.99):
            half = body.model_copy(update={"data": body.data[: int(len(body.data) * share)]})
            self._ends_well(extractor, half)

    def test_a_body_may_end_after_any_line(self, extractor: Extractor, body: Body) -> None:
        for line in re.finditer(rb"\n", body.data):
            self._ends_well(extractor, body.model_copy(update={"data": body.data[: line.start()]}))

    @_TRIES
    @given(noise=st.binary(max_size=300), at=st.floats(0, 1), keep=st.booleans())
    def test_noise_is_text_or_a_typed_error(
        self, extractor: Extractor, body: Body, noise: bytes, at: float, keep: bool
    ) -> None:
        place = int(len(body.data) * at)
        rest = body.data[place + (0 if keep else len(noise)) :]
        self._ends_well(
            extractor, body.model_copy(update={"data": body.data[:place] + noise + rest})
        )

    @_TRIES
    @given(data=st.binary(max_size=300))
    def test_any_bytes_are_text_or_a_typed_error(
        self, extractor: Extractor, body: Body, data: bytes
    ) -> None:
        self._ends_well(extractor, body.model_copy(update={"data": data}))

    def _ends_well(self, extractor: Extractor, body: Body) -> None:
        pages, error = outcome(extractor, body)
        assert pages or error
        assert all(clean_text(page.text) == page.text for page in pages)
        assert all(clean_text(page.title) == page.title for page in pages)
        if error:
            assert error.status in set(ReadStatus)
            assert error.message
