from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import SecretStr

from quaere.errors import ModelError, ModelRejected, ModelTimeout
from quaere.models.failures import MAX_DETAIL, ModelUnusable, Refusals, failure
from quaere.models.vendors import ModelAccess, ModelSpec

KEY = "sk-moth-0123456789"
SPEC = ModelSpec.parse("openai:moth-1")


@dataclass
class Answered:
    status_code: int = 0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class VendorError(Exception):
    """What a client may raise: what it knows stands on itself or on its response."""

    def __init__(self, message: str = "", **known: object) -> None:
        super().__init__(message)
        for name, value in known.items():
            setattr(self, name, value)


class ReadTimeout(Exception):
    pass


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def judged(error: Exception) -> ModelError:
    return failure(error, SPEC, ModelAccess(api_key=SecretStr(KEY)))


@pytest.mark.parametrize(
    "error",
    [
        VendorError(status_code=503),
        VendorError(code=503),
        VendorError(response=Answered(503)),
        VendorError(status=503, code="UNAVAILABLE"),
        caused(VendorError("wrapped"), VendorError(status_code=503)),
        caused(VendorError("wrapped"), caused(VendorError("again"), VendorError(code=503))),
    ],
)
def test_the_status_is_found_wherever_it_stands(error: Exception) -> None:
    found = judged(error)
    assert type(found) is ModelError
    assert "503" in found.message


@pytest.mark.parametrize(
    "error",
    [ReadTimeout("slow"), caused(VendorError("wrapped"), ReadTimeout()), TimeoutError()],
)
def test_time_that_ran_out_is_told(error: Exception) -> None:
    assert type(judged(error)) is ModelTimeout


@pytest.mark.parametrize("error", [ConnectionError("refused"), KeyError("choices"), ValueError()])
def test_what_has_no_status_may_pass(error: Exception) -> None:
    found = judged(error)
    assert type(found) is ModelError
    assert found.retryable


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, ("openai:moth-1", "no temperature here")),
        (401, ("OPENAI_API_KEY",)),
        (402, ("credit",)),
        (403, ("access",)),
        (404, ("'moth-1'", "https://api.openai.com/v1")),
        (413, ("openai:moth-1",)),
        (422, ("openai:moth-1",)),
    ],
)
def test_a_rejection_says_what_to_do(status: int, words: tuple[str, ...]) -> None:
    found = judged(VendorError("no temperature here", status_code=status))
    assert isinstance(found, ModelRejected)
    assert all(word in found.message for word in words)
    assert isinstance(found, ModelUnusable) == (status in {401, 402, 403, 404})


@pytest.mark.parametrize(
    "error",
    [
        VendorError("insufficient_quota: check your plan", status_code=429),
        VendorError("You exceeded your quota", status_code=429, code="insufficient_quota"),
        caused(ValueError("?"), VendorError("No.", status_code=429, code="insufficient_quota")),
    ],
)
def test_an_account_without_credit_is_not_asked_again(error: Exception) -> None:
    found = judged(error)
    assert isinstance(found, ModelRejected)
    assert "credit" in found.message


def test_an_answer_of_the_model_that_is_no_json_may_be_better_next_time() -> None:
    found = judged(VendorError("{'code': 'json_validate_failed'}", status_code=400))
    assert type(found) is ModelError


def test_an_error_in_the_middle_of_a_stream_may_pass() -> None:
    """Its status is that of the stream, 200."""
    found = judged(VendorError("Overloaded", status_code=200))
    assert type(found) is ModelError


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("0.5", 0.5), ("nan", None), ("-1", None), ("soon", None), ("", None)],
)
def test_the_wait_is_a_sane_number_or_none(header: str, seconds: float | None) -> None:
    error = VendorError(status_code=429, response=Answered(429, {"retry-after": header}))
    assert judged(error).retry_after == seconds


def test_the_wait_may_be_given_as_the_time_of_its_end() -> None:
    def wait_until(moment: datetime) -> float | None:
        told = {"retry-after": format_datetime(moment, usegmt=True)}
        return judged(VendorError(status_code=429, response=Answered(429, told))).retry_after

    now = datetime.now(UTC)
    assert wait_until(now + timedelta(seconds=40)) == pytest.approx(40, abs=5)
    assert wait_until(now - timedelta(hours=1)) == 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "350"}, 0.35),
        ({"retry-after-ms": "350", "retry-after": "1"}, 0.35),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "tomorrow"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "2.5s",
            },
            2.5,
        ),
    ],
)
def test_the_limit_that_is_used_up_says_how_long_to_wait(
    headers: dict[str, str], seconds: float | None
) -> None:
    error = VendorError(status_code=429, response=Answered(429, headers))
    expected = None if seconds is None else pytest.approx(seconds)
    assert judged(error).retry_after == expected


@pytest.mark.parametrize(
    ("words", "header", "told"),
    [
        ("Error code: 429 - Slow down", "7", "failed with status 429: Slow down"),
        (
            "Slow down (status code: 429)",
            "3600",
            "failed with status 429 and asks for a wait of 3,600 s: Slow down",
        ),
    ],
)
def test_a_status_is_told_once_and_a_long_wait_with_it(words: str, header: str, told: str) -> None:
    answered = Answered(429, {"retry-after": header})
    assert judged(VendorError(words, status_code=429, response=answered)).message.endswith(told)


def test_google_says_in_the_body_how_long_to_wait() -> None:
    error = VendorError("429 {'details': [{'retryDelay': '34.5s'}]}", code=429)
    assert judged(error).retry_after == 34.5
    error = VendorError("429 {'details': [{'retryDelay': '250ms'}]}", code=429)
    assert judged(error).retry_after == 0.25


def test_a_key_is_blotted_out_and_long_words_are_cut() -> None:
    found = judged(VendorError(f"{KEY}\n{'moth ' * 1_000}{KEY}", status_code=500))
    assert KEY not in found.message
    assert "\n" not in found.message
    assert len(found.message) < MAX_DETAIL + 100


def test_a_chain_that_bites_its_tail_ends() -> None:
    first, second = VendorError("first"), VendorError("second")
    first.__cause__, second.__cause__ = second, first
    assert type(judged(first)) is ModelError


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError({"code": "insufficient_quota", "message": "No."}), "no credit left"),
        (VendorError("No.", code="insufficient_quota"), "no credit left"),
        (
            ValueError({"message": "This model's maximum context length is 8192"}),
            "rejected this request",
        ),
        (ValueError({"code": "invalid_api_key"}), "OPENAI_API_KEY"),
        (caused(ValueError("?"), ValueError({"code": "model_not_found"})), "no model"),
    ],
)
def test_an_error_in_a_body_that_says_all_is_well_counts_by_its_words(
    error: Exception, words: str
) -> None:
    found = judged(error)
    assert isinstance(found, ModelRejected)
    assert words in found.message


def test_an_error_in_a_body_without_known_words_may_pass() -> None:
    assert judged(ValueError("rate limited")).retryable
    assert judged(VendorError("maximum context length", status_code=503)).retryable


def test_the_password_in_a_base_url_is_not_told() -> None:
    access = ModelAccess(base_url="http://bob:hunter2@127.0.0.1:8000/v1")
    found = failure(VendorError("gone", status_code=404), SPEC, access)
    assert "http://127.0.0.1:8000/v1" in found.message
    assert "hunter2" not in found.message


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (399, ModelError),
        (400, ModelRejected),
        (408, ModelError),
        (409, ModelError),
        (425, ModelError),
        (429, ModelError),
        (451, ModelRejected),
        (499, ModelRejected),
        (500, ModelError),
        (599, ModelError),
    ],
)
def test_what_the_request_is_to_blame_for_is_not_tried_again(
    status: int, kind: type[ModelError]
) -> None:
    assert type(judged(VendorError("no", status_code=status))) is kind


@pytest.mark.parametrize("number", [99, 600, 7, "503", None])
def test_a_number_that_is_no_status_counts_for_nothing(number: object) -> None:
    found = judged(VendorError("no", code=number))
    assert "could not be reached, disconnected or answered in another format: no" in found.message


def test_the_bounds_of_a_status_are_statuses() -> None:
    assert "status 100" in judged(VendorError("no", code=100)).message
    assert "status 503" in judged(VendorError("no", status_code=7, code=503)).message


def test_our_own_limit_on_what_is_read_is_told_as_such() -> None:
    limit = ModelRejected("more than 5 MB.")
    found = judged(caused(VendorError("wrapped", status_code=500), limit))
    assert type(found) is ModelRejected
    assert found.message == "openai:moth-1 is not read: more than 5 MB."


@pytest.mark.parametrize("more", [0, 1])
def test_the_words_of_a_vendor_are_quoted_up_to_their_limit(more: int) -> None:
    found = judged(VendorError("x" * (MAX_DETAIL + more), status_code=500)).message
    words = found.partition("500: ")[2]
    assert len(words) == MAX_DETAIL
    assert words.endswith("…") is bool(more)


def test_an_error_without_words_is_told_by_its_kind() -> None:
    assert judged(ConnectionResetError()).message.endswith(
        "in another format: ConnectionResetError"
    )
    assert failure(ValueError("no"), SPEC, ModelAccess()).message.endswith(": no")


def test_the_wait_is_asked_for_anywhere_on_the_chain_and_headers_come_first() -> None:
    answered = Answered(429, {"retry-after": "7"})
    inner = VendorError("{'retryDelay': '34s'}", response=answered)
    assert judged(caused(VendorError("wrapped"), inner)).retry_after == 7
    assert judged(VendorError("later", status_code=429)).retry_after is None
    long = VendorError(status_code=429, response=Answered(429, {"retry-after": "9" * 10}))
    assert judged(long).retry_after is None


def test_a_cause_counts_before_what_was_being_handled() -> None:
    error = VendorError("wrapped")
    error.__context__, error.__cause__ = VendorError(code=502), VendorError(code=503)
    assert "503" in judged(error).message
    error.__cause__ = None
    assert "502" in judged(error).message


def test_what_to_do_about_an_unknown_model_is_the_vendor_s_own_advice() -> None:
    error = VendorError("gone", status_code=404)
    ollama = failure(error, ModelSpec.parse("ollama:moth"), ModelAccess())
    assert "fetch it with `ollama pull`" in ollama.message
    assert "check its name and the base URL" in judged(error).message
    keyless = ModelSpec.parse("compatible:moth")
    refused = failure(VendorError("no", status_code=401), keyless, ModelAccess())
    assert "check the key that it was given" in refused.message


def test_a_model_that_refused_for_good_is_told_once_and_not_asked_again() -> None:
    refusals = Refusals()
    refusals.note("a:1", ModelError("it may pass"))
    refusals.check("a:1")
    refusals.note("a:1", ModelUnusable("no key"))
    refusals.note("a:1", ModelUnusable("no credit"))
    refusals.note("a:2", ModelUnusable("no access"))
    assert refusals.drain() == ("no key", "no access")
    assert refusals.drain() == ()
    with pytest.raises(ModelUnusable, match="a:1 is not asked again: no key"):
        refusals.check("a:1")
    refusals.check("a:3")


def test_why_a_connection_was_not_made_is_told_without_the_key() -> None:
    class ConnectError(Exception):
        pass

    said = judged(ConnectError(f"no route to {KEY}")).message
    assert "could not be reached at" in said
    assert "(no route to ***)" in said
    assert KEY not in said


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name not known"), "there is no such host"),
        (
            socket.gaierror(socket.EAI_AGAIN, "Try again"),
            "the name of its host could not be looked up",
        ),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "network is unreachable"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "connection refused"),
    ],
)
def test_why_a_connection_was_not_made_is_told_in_words(cause: OSError, said: str) -> None:
    class ConnectError(Exception):
        pass

    raised = ConnectError(str(cause))
    raised.__cause__ = cause
    message = judged(raised).message
    assert f"({said})" in message
    assert "Errno" not in message


def test_a_certificate_of_an_unknown_issuer_is_told_from_a_server_that_is_not_there() -> None:
    class ConnectError(Exception):
        pass

    cause = ssl.SSLCertVerificationError(1, "certificate verify failed")
    cause.verify_message = "unable to get local issuer certificate"
    raised = ConnectError(str(cause))
    raised.__cause__ = cause
    message = judged(raised).message
    assert "(its certificate is not trusted: unable to get local issuer certificate)" in message
    assert "SSL_CERT_FILE" in message


@pytest.mark.parametrize(
    ("model", "base_url", "advice"),
    [
        ("openai:moth", "", "check the network connection"),
        ("openai:moth", "https://proxy.example/v1", "whether its server is running"),
        ("ollama:moth", "", "whether its server is running"),
    ],
)
def test_what_to_look_at_depends_on_whose_server_it_is(
    model: str, base_url: str, advice: str
) -> None:
    class ConnectError(Exception):
        pass

    found = failure(ConnectError("?"), ModelSpec.parse(model), ModelAccess(base_url=base_url))
    assert advice in found.message
