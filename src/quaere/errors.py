"""Every error that Quaere raises on purpose.

    QuaereError
    ├── UsageError           the caller asked for something that cannot be done as asked
    │   ├── QuestionError    the question is empty, too long or not text
    │   ├── SettingsError    a setting or option has a value that cannot be used
    │   ├── NotFound         that owner has nothing of that id
    │   │   ├── TraceNotFound         ... as a trace
    │   │   ├── KeyNotFound           ... as an API key
    │   │   ├── ConversationNotFound  ... as a conversation
    │   │   └── FolderNotFound        ... as a folder of documents, or a file in one
    │   ├── FileRefused      an uploaded file cannot be kept: its kind, its size or its name
    │   ├── IdempotencyConflict  the key of the request was used for another request
    │   └── NotAllowed       the key of the caller does not allow it, now or later
    ├── QuotaExceeded        the caller has had its share for now; carries retry_after
    ├── SearchError          a provider could not answer (never: it found nothing)
    │   ├── SearchTimeout    ... because its time ran out
    │   ├── SearchUnreachable ... because nothing answers at its address
    │   ├── SearchRejected   ... and never will: a bad key, a bad query
    │   └── CircuitOpen      ... and was not asked, because it kept failing
    │       └── ServiceAway  ... by not being there at all
    ├── ReadError            a source could not be turned into text; carries a ReadStatus
    ├── FolderIndexError     the folder index cannot be built, opened or written
    ├── ReasonError          a reasoner gave no usable answer
    │   ├── ContractError    ... because its output broke the contract of the step
    │   ├── BudgetExceeded   ... because the call would cost more than is left
    │   └── ModelError       ... because the model could not be reached or failed
    │       ├── ModelTimeout      ... in the time it was given
    │       ├── ModelUnreachable  ... because nothing answers at its address
    │       ├── ModelRejected     ... and never will: a bad key, an unknown model, a bad request
    │       └── ModelUnavailable  ... and was not asked, because it kept failing
    ├── StoreError           the database cannot be used
    │   ├── StoreUnavailable ... now: it is locked, full or not reachable
    │   ├── SchemaError      ... because its tables are of another version
    │   └── TraceConflict    ... in that way: the trace has ended, or is another's to write
    └── RunCancelled         the run was cancelled before it had a report

``message`` says what happened and what to do; ``retryable`` says whether the same call may succeed
later.
"""

from __future__ import annotations

import re
from typing import ClassVar


class QuaereError(Exception):
    """Base of all errors of this package."""

    retryable: ClassVar[bool] = False
    recalled: bool = False
    """Whether it was raised in an earlier run and is now told from what was recorded of that."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def type(self) -> str:
        """Name on the wire, in snake case: ``search_timeout`` for ``SearchTimeout``."""
        name = type(self).__name__
        return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()

    def __reduce__(self) -> tuple[object, ...]:
        """Pass to another process as it is, whatever its class has to be made with."""
        return _unmade, (type(self), self.message), self.__dict__


def _unmade(kind: type[QuaereError], message: str) -> QuaereError:
    """Return an error that has nothing yet of what its class has to be made with."""
    return kind.__new__(kind, message)


class UsageError(QuaereError, ValueError):
    """The caller asked for something that cannot be done as asked.

    It is a ``ValueError`` since servers of others pass on the messages of those alone: LangGraph's
    says of an error that it does not know that it is an internal one.
    """


class QuestionError(UsageError):
    """The question is empty, too long or not text."""


class SettingsError(UsageError):
    """A setting or option has a value that cannot be used."""


class NotFound(UsageError):
    """There is no such thing, or it belongs to another owner: both look alike."""


class TraceNotFound(NotFound):
    """There is no such trace, or it belongs to another owner: both look alike."""


class KeyNotFound(NotFound):
    """There is no such API key, or it belongs to another owner."""


class ConversationNotFound(NotFound):
    """There is no such conversation, or it belongs to another owner."""


class FolderNotFound(NotFound):
    """There is no such folder or file, or it belongs to another owner."""


class FileRefused(UsageError):
    """An uploaded file cannot be kept; carries a `quaere.domain.source.ReadStatus`."""

    def __init__(self, message: str, *, status: str) -> None:
        super().__init__(message)
        self.status = status


class IdempotencyConflict(UsageError):
    """The key that names a request was used for another request before."""


class NotAllowed(UsageError):
    """The caller's key does not allow this, however often it is tried."""


class QuotaExceeded(QuaereError):
    """The caller has used up what its key allows for now; nothing was begun."""

    retryable = True

    def __init__(self, message: str, *, retry_after: float) -> None:
        """Take the message, and the seconds after which the same call may succeed."""
        super().__init__(message)
        self.retry_after = retry_after


class SearchError(QuaereError):
    """A provider could not answer; an empty result is not an error."""

    retryable = True

    def __init__(
        self, message: str, *, retry_after: float | None = None, status: int | None = None
    ) -> None:
        """Take the message, and what the provider's answer said where there was one.

        Args:
            message: What went wrong.
            retry_after: Seconds after which the provider asks to be asked again.
            status: HTTP status of the answer.
        """
        super().__init__(message)
        self.retry_after = retry_after
        self.status = status


class SearchTimeout(SearchError):
    """A provider did not answer in the time it was given."""


class SearchUnreachable(SearchError):
    """There is no connection to a provider: it is refused, or the name of its host is not known."""


class SearchRejected(SearchError):
    """A service will not answer this request however often it is made."""

    retryable = False


class CircuitOpen(SearchError):
    """A call was not made, because the calls before it kept failing."""

    retryable = False


class ServiceAway(CircuitOpen):
    """A call was not made, because there was no connection for the calls before it."""


class ReadError(QuaereError):
    """A source could not be turned into text."""

    def __init__(self, message: str, *, status: str = "broken") -> None:
        super().__init__(message)
        self.status = status


class FolderIndexError(QuaereError):
    """The folder index cannot be built, opened or written."""


class ReasonError(QuaereError):
    """A reasoner gave no usable answer."""


class ContractError(ReasonError):
    """A reasoner's output broke the contract of the step."""


class BudgetExceeded(ReasonError):
    """A call was not made, because it would cost more than the run has left."""


class ModelError(ReasonError):
    """A language model could not be reached, or failed."""

    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """Take the message, and the seconds after which the service asks to be asked again."""
        super().__init__(message)
        self.retry_after = retry_after


class ModelTimeout(ModelError):
    """A language model did not answer in the time it was given."""


class ModelUnreachable(ModelError):
    """Nothing answered at the address of a language model while it was waited for."""

    retryable = False


class ModelRejected(ModelError):
    """A service will not answer this request however often it is made."""

    retryable = False


class ModelUnavailable(ModelError):
    """A language model was not asked, because the calls before kept failing."""

    retryable = False


class StoreError(QuaereError):
    """The database cannot be used."""


class StoreUnavailable(StoreError):
    """The database is locked, full or not reachable; nothing of the change was kept."""

    retryable = True


class SchemaError(StoreError):
    """The tables of the database, or what they hold, are of another version of Quaere."""


class TraceConflict(StoreError):
    """A trace has ended, lacks an event before, or belongs to another worker by now."""


class RunCancelled(QuaereError):
    """A run was cancelled before it had a report."""


def error_of(kind: str, message: str) -> QuaereError:
    """Return the error whose `QuaereError.type` is ``kind``, as it was raised in another process.

    What else it carried is lost, and so is its class where it cannot be made of a message alone.
    """
    waiting: list[type[QuaereError]] = [QuaereError]
    while waiting:
        each = waiting.pop()
        waiting += each.__subclasses__()
        try:
            error = each(message)
        except TypeError:  # it needs more than a message
            continue
        if error.type == kind:
            return error
    return QuaereError(message)


def cause_of(error: Exception) -> str:
    """Return why the system, or a library, refused something: "Permission denied"."""
    told = error.strerror if isinstance(error, OSError) else None
    return told or str(error) or type(error).__name__


def named(who: str, reason: str) -> str:
    """Return ``reason`` with the name of who gives it in front, unless it has the name in it.

    ``who`` may be several with commas between them: then one of their names is enough.
    """
    told = reason.lower()
    is_named = any(each in told for each in who.lower().split(", "))
    return reason if is_named else f"{who}: {reason}"
