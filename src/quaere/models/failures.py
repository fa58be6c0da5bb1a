"""Turns whatever a vendor's client raises into our own errors, by what it looks like.

The clients are built on four HTTP libraries and wrap one another's errors, so that the status and
the headers may be anywhere on the chain of causes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from socket import EAI_NONAME, gaierror
from ssl import SSLCertVerificationError
from typing import cast

from quaere.errors import (
    ModelError,
    ModelRejected,
    ModelTimeout,
    ModelUnreachable,
    QuaereError,
)
from quaere.models.vendors import ModelAccess, ModelSpec
from quaere.resilience.retry_after import seconds_until
from quaere.text.lazy_regex import lazy_regex


class ModelUnusable(ModelRejected):
    """A service refuses a model, not a request: a bad key, no access, no credit, no such model."""


def is_unusable(error: QuaereError) -> bool:
    """Return whether ``error`` says that its model answers nobody who is set up like this.

    It goes by the name of the error: a recording gives the errors of adapters back by name alone.
    """
    return error.type == "model_unusable"


class Refusals:
    """The models that refused a run for good, each with what to do about it."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}
        self._untold: list[str] = []

    def check(self, model: str) -> None:
        """Let ``model`` be asked.

        Raises:
            ModelUnusable: when it is known to refuse.
        """
        if reason := self._reasons.get(model):
            raise ModelUnusable(f"{model} is not asked again: {reason}")

    def note(self, model: str, error: QuaereError) -> None:
        """Record that ``model`` raised ``error``, if that says that it always will."""
        if is_unusable(error) and model not in self._reasons:
            self._reasons[model] = error.message
            self._untold.append(error.message)

    def drain(self) -> tuple[str, ...]:
        """Return what refusals came since the last time, each model's once."""
        untold = tuple(self._untold)
        self._untold.clear()
        return untold


LONG_S = 60.0
"""A wait is told if it is as long: within a run nobody waits for it."""
MAX_DETAIL = 300
"""Characters of a vendor's own words that a message may quote."""

_OUT_OF_CREDIT = lazy_regex(
    r"insufficient_quota|insufficient balance|credit balance", re.IGNORECASE
)
_WORDS: Sequence[tuple[re.Pattern[str], int]] = tuple(
    (lazy_regex(words, re.IGNORECASE), status)
    for words, status in (
        (_OUT_OF_CREDIT.pattern, 402),
        (r"context_length_exceeded|maximum context length|context window", 400),
        (r"invalid_api_key|incorrect api key|invalid api key", 401),
        (r"model_not_found", 404),
    )
)
"""The status that an error means which came without one, in a body that says 200."""
_NO_SUCH_MODEL = lazy_regex(r"invalid model name|not a valid model|model_not_found", re.IGNORECASE)
"""A gateway's 400 for a name that it does not know: LiteLLM's, OpenRouter's, and OpenAI's code."""
_UNLUCKY = lazy_regex(r"json_validate_failed", re.IGNORECASE)
"""Groq's 400 for an answer of the model that is not JSON: nothing is wrong with the request."""
_PASSING = frozenset({408, 409, 425, 429})
_AMOUNT = r"\d{1,9}(?:\.\d{1,9})?"
_UNITS: Mapping[str, float] = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "us": 1e-6}
_PART = lazy_regex(rf"({_AMOUNT})(ms|us|[hms])")
_DURATION = lazy_regex(rf"(?:{_AMOUNT}(?:ms|us|[hms])){{1,5}}")
_DELAY = lazy_regex(r"""['"]retryDelay['"]:\s*['"]([\d.hmsu]{1,40})['"]""")
"""Google says in the body how long to wait."""
_LIMITED = ("requests", "tokens")
"""What OpenAI, and who does as it does, limits and has headers on."""
_USER = lazy_regex(r"://[^/?#]*@")
"""Name and password in a URL."""
_STATUS = lazy_regex(r"^Error code: \d{3} - | \(status code: \d{3}\)$")
"""The status as clients put it around a vendor's words."""
_SPACE = lazy_regex(r"[\s\x00-\x1f\x7f]+")


def failure(error: Exception, spec: ModelSpec, access: ModelAccess) -> ModelError:
    """Return what ``error``, raised by the client of ``spec``, is to us."""
    chain = list(_chain(error))
    for link in chain:
        if isinstance(link, ModelRejected):  # our own limit on what a service may answer
            return type(link)(f"{spec.name} is not read: {link.message}")
    status = next(filter(None, map(_status, chain)), None) or _status_in_words(chain)
    if status is None:
        if unreached := _unreached(chain, spec, access):
            return unreached
        if _ran_out_of_time(chain):
            return timeout(spec, access)
    return _told(chain, status, _detail(error, access), spec, access)


def _meant(status: int, said: str) -> int:
    """Return the status that a gateway means by ``status``, by what it says."""
    if status == 429 and _OUT_OF_CREDIT.search(said):
        return 402
    return 404 if status == 400 and _NO_SUCH_MODEL.search(said) else status


def _told(
    chain: list[BaseException],
    status: int | None,
    detail: str,
    spec: ModelSpec,
    access: ModelAccess,
) -> ModelError:
    """Return the error for what a service told, or for its silence without a ``status``."""
    if status is None:
        what = "could not be reached, disconnected or answered in another format"
        return ModelError(f"{spec.name} {what}: {detail}")
    status = _meant(status, _said(chain))
    if _may_pass(status) or _UNLUCKY.search(detail):
        wait_s = _retry_after(chain)
        asks = f" and asks for a wait of {wait_s:,.0f} s" if wait_s and wait_s >= LONG_S else ""
        words = _STATUS.sub("", detail)
        return ModelError(
            f"{spec.name} failed with status {status}{asks}: {words}", retry_after=wait_s
        )
    if reason := _WRONG.get(status):
        return ModelUnusable(reason(spec, access, detail))
    return ModelRejected(f"{spec.name} rejected this request: {detail}")


def _may_pass(status: int) -> bool:
    return not 400 <= status < 500 or status in _PASSING


_ELSEWHERE = "check the network connection."
_HERE = "check the address, and whether its server is running."
_ISSUER = "if its issuer is one of your own, name the issuer's certificate in SSL_CERT_FILE."


def _is_hosted(spec: ModelSpec, access: ModelAccess) -> bool:
    """Return whether a vendor runs the server: its address is right, and the server is not ours."""
    return not access.base_url and spec.about.base_url.startswith("https://")


def _unreached(
    chain: list[BaseException], spec: ModelSpec, access: ModelAccess
) -> ModelError | None:
    """Return the error for a connection that was not made; None where one was.

    One that is refused may be accepted after the wait of the next attempt, while the server starts
    again. Where nothing answers at all, the wait is over already.
    """
    kinds = _kinds(chain)
    where = f"{spec.name} could not be reached at {_address(spec, access)}"
    advice = _ELSEWHERE if _is_hosted(spec, access) else _HERE
    if "ConnectTimeout" in kinds:
        return ModelUnreachable(f"{where} (no response); {advice}")
    if "ConnectError" in kinds:
        if isinstance(chain[-1], SSLCertVerificationError):
            advice = _ISSUER
        return ModelError(f"{where} ({_reason(chain[-1], access)}); {advice}")
    return None


def _reason(error: BaseException, access: ModelAccess) -> str:
    """Return why a connection was not made, in words: those of the system begin with a number."""
    if isinstance(error, ConnectionRefusedError):
        return "connection refused"
    if isinstance(error, gaierror):
        return (
            "there is no such host"
            if error.errno == EAI_NONAME
            else "the name of its host could not be looked up"
        )
    if isinstance(error, SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    said = error.strerror if isinstance(error, OSError) else None
    return said[:1].lower() + said[1:] if said else _detail(error, access)


def _ran_out_of_time(chain: list[BaseException]) -> bool:
    return any("Timeout" in kind for kind in _kinds(chain))


def _kinds(chain: list[BaseException]) -> frozenset[str]:
    return frozenset(kind.__name__ for link in chain for kind in type(link).__mro__)


def timeout(spec: ModelSpec, access: ModelAccess) -> ModelTimeout:
    """Return the error for a call that took longer than it may."""
    return ModelTimeout(f"{spec.name} did not answer in full within {access.timeout_s:g} s.")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    response: object = getattr(error, "response", None)
    candidates = (
        cast("object", getattr(error, "status_code", None)),
        cast("object", getattr(response, "status_code", None)),
        cast("object", getattr(error, "code", None)),
        cast("object", getattr(error, "status", None)),
    )
    return next((s for s in candidates if isinstance(s, int) and 100 <= s < 600), None)


def words_of(error: BaseException) -> str:
    """Return all words and codes of ``error`` and of what caused it."""
    return _said(list(_chain(error)))


def _status_in_words(chain: list[BaseException]) -> int | None:
    said = _said(chain)
    return next((status for words, status in _WORDS if words.search(said)), None)


def _said(chain: list[BaseException]) -> str:
    """Return the words and the codes of ``chain``: not every client has its code in its words."""
    return "\n".join(f"{cast('object', getattr(e, 'code', ''))} {e}" for e in chain)


def _retry_after(chain: list[BaseException]) -> float | None:
    """Return the seconds that the service asks to wait; None where it does not say."""
    for error in chain:
        headers: object = getattr(getattr(error, "response", None), "headers", None)
        if isinstance(headers, Mapping):
            asked = _asked_for(cast("Mapping[str, str]", headers))
            if asked is not None:
                return asked
        if delay := _DELAY.search(str(error)):
            return _seconds(delay[1])
    return None


def _asked_for(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of waiting that ``headers`` ask for, or after which there is room again.

    Of several limits, those that are used up count, the last one to be lifted most.
    """
    after = headers.get("retry-after", "")
    asked = (
        _seconds(f"{headers.get('retry-after-ms', '')}ms"),
        _seconds(after),
        seconds_until(after, datetime.now(UTC)),
    )
    for wait in asked:
        if wait is not None:
            return wait
    return max(_resets(headers), default=0.0) or None


def _resets(headers: Mapping[str, str]) -> Iterator[float]:
    """Yield the seconds after which each limit is lifted that is used up."""
    for kind in _LIMITED:
        if headers.get(f"x-ratelimit-remaining-{kind}") == "0":
            yield _seconds(headers.get(f"x-ratelimit-reset-{kind}", "")) or 0.0


def _seconds(written: str) -> float | None:
    """Return what ``written`` comes to: bare seconds, or units as in 6m0s, 1.5s and 20ms."""
    if re.fullmatch(_AMOUNT, written):
        return float(written)
    if not _DURATION.fullmatch(written):
        return None
    return sum(float(amount) * _UNITS[unit] for amount, unit in _PART.findall(written))


def _detail(error: BaseException, access: ModelAccess) -> str:
    """Return the words of ``error`` on one line, the key blotted out."""
    text = str(error) or type(error).__name__
    key = access.api_key.get_secret_value()
    return _shortened(text.replace(key, "***") if key else text)


def _shortened(text: str) -> str:
    text = _SPACE.sub(" ", text).strip()
    return text if len(text) <= MAX_DETAIL else f"{text[: MAX_DETAIL - 1]}…"


def _address(spec: ModelSpec, access: ModelAccess) -> str:
    return _USER.sub("://", access.base_url or spec.about.base_url)


def _key_refused(spec: ModelSpec, _access: ModelAccess, _detail: str) -> str:
    variable = spec.about.key_variable
    return f"{spec.vendor} rejected the key; check {variable or 'the key that it was given'}."


def _forbidden(spec: ModelSpec, _access: ModelAccess, detail: str) -> str:
    return f"The key may not be used for {spec.name}; ask {spec.vendor} for access: {detail}"


def _out_of_credit(spec: ModelSpec, _access: ModelAccess, detail: str) -> str:
    return f"The account at {spec.vendor} has no credit left: {detail}"


def _unknown(spec: ModelSpec, access: ModelAccess, _detail: str) -> str:
    hint = spec.about.hint or "check its name and the base URL"
    return f"There is no model {spec.model!r} at {_address(spec, access)}; {hint}."


_WRONG: Mapping[int, Callable[[ModelSpec, ModelAccess, str], str]] = {
    401: _key_refused,
    402: _out_of_credit,
    403: _forbidden,
    404: _unknown,
}
"""What is wrong with the configuration when a service answers with that status."""
