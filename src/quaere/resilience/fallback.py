"""Turns to the next implementation when one fails."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.errors import QuaereError, SearchError, UsageError, named
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.text.queries import as_understood

logger = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FallbackDetails:
    """An implementation that failed and the one that is asked in its place."""

    failed: str
    following: str
    error: QuaereError


def search_failure(message: str, _: Sequence[QuaereError]) -> QuaereError:
    """Return the error for a search that nobody could do."""
    return SearchError(message)


async def fall_back(
    calls: Sequence[tuple[str, Callable[[], Awaitable[T]]]],
    failure: Callable[[str, Sequence[QuaereError]], QuaereError] = search_failure,
    passed_over: list[FallbackDetails] | None = None,
) -> T:
    """Return what the first of the named ``calls`` that does not fail returns.

    Those that fail before it are logged, and added to ``passed_over``.

    Raises:
        SearchError: or what else ``failure`` makes of a message and the causes, when all failed.
            The message names every cause, and the errors themselves are the ``ExceptionGroup`` in
            its ``__cause__``.
        UsageError: at once; the others would say the same.
    """
    causes: list[QuaereError] = []
    reasons: list[str] = []
    following = [name for name, _ in calls[1:]]
    for name, call in calls:
        try:
            return await call()
        except UsageError:
            raise
        except QuaereError as error:
            causes.append(error)
            reasons.append(named(name, error.message))
            if following:
                details = FallbackDetails(name, following.pop(0), error)
                logger.warning("%s failed, asking %s: %s", name, details.following, error.message)
                if passed_over is not None:
                    passed_over.append(details)
    if not causes:
        raise failure("no search service is configured", causes)
    message = f"all failed: {'; '.join(reasons)}"
    raise failure(message, causes) from ExceptionGroup("causes", causes)


class FallbackProvider(ForwardingProvider):
    """A provider, and others that replace it, each asked when those before it failed.

    Under whatever name they answer here, hits carry the name of the provider they came from.
    """

    def __init__(self, first: SearchProvider, others: Sequence[SearchProvider]) -> None:
        super().__init__(first)
        self.providers = (first, *others)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits of the first provider that answers, be they none.

        Those of another than the first are incomplete, and say which ones failed and why.

        Raises:
            SearchError: when none answers, with all their reasons.
        """
        failed: list[FallbackDetails] = []
        hits = await fall_back(
            [
                (p.name, partial(p.search, as_understood(query, p.kinds), limit=limit))
                for p in self.providers
            ],
            passed_over=failed,
        )
        if not failed:
            return hits
        return [hit.model_copy(update={"incomplete": _instead(failed)}) for hit in hits]


def _instead(failed: Sequence[FallbackDetails]) -> str:
    """Return who was asked instead of those that have ``failed``, and why."""
    reasons = "; ".join(details.error.message.rstrip(".") for details in failed)
    return f"{failed[-1].following} was asked instead: {reasons}."
