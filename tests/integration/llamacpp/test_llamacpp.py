"""A server that makes a grammar of every schema, and a model that is real, tiny and untuned."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.integration.llamacpp.server import CONTEXT_TOKENS, llama_server
from tests.reason.llm.test_contracts import CONTRACTS

from quaere import run_research
from quaere.domain.model import Message, ModelRequest, Role
from quaere.domain.report import AnswerStatus, Support
from quaere.errors import ModelRejected
from quaere.models import LangChainModel, ModelAccess, ModelSpec, open_model
from quaere.models.meter import Meter, MeteredModel, prompt_tokens
from quaere.reason.llm.contracts import Output, narrowed

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

NAME = "llamacpp:gemma3-270m"
NOTES = {
    "lamp.md": "# The lamp of Skarholm\n\nThe lamp of Skarholm was lit in 1911 by Ada Brook.\n",
    "ferry.md": "# The ferry\n\nThe ferry to Skarholm sails from Vessel Quay every second day.\n",
    "moth.md": "# Moths\n\nThe lantern moth of Skarholm lays its eggs on sea rocket in June.\n",
}
QUESTIONS = (
    "Who lit the lamp of Skarholm first?",
    "From where does the ferry to Skarholm sail?",
    "On what does the lantern moth lay its eggs?",
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with llama_server(tmp_path_factory.mktemp("llamacpp")) as url:
        yield url


def note(text: str) -> None:
    """Tell whoever looks on, by `pytest -rP`."""
    sys.stdout.write(f"{text}\n")


def model(url: str) -> LangChainModel:
    return open_model(ModelSpec.parse(NAME), ModelAccess(base_url=url, timeout_s=300))


def said(text: str, contract: type[Output] | None = None, *, most: int = 8) -> ModelRequest:
    return ModelRequest(
        step="plan",
        messages=(Message(role=Role.USER, content=text),),
        output=narrowed(contract, 5) if contract else None,
        max_output_tokens=most,
    )


@pytest.mark.parametrize("contract", CONTRACTS)
async def test_the_server_makes_a_grammar_of_every_contract(
    url: str, contract: type[Output]
) -> None:
    opened = model(url)
    completion = await opened.complete(said("Go on.", contract))
    assert completion.text.lstrip().startswith("{")
    await opened.aclose()


async def test_the_server_says_how_much_room_it_has(url: str) -> None:
    opened = model(url)
    opened.learn()
    assert opened.context_tokens == CONTEXT_TOKENS
    unasked = model(url)
    with pytest.raises(ModelRejected):
        await unasked.complete(said("moth " * CONTEXT_TOKENS))
    assert unasked.context_tokens == CONTEXT_TOKENS
    await unasked.aclose()


async def test_after_a_call_the_estimate_comes_near_what_the_server_counts(url: str) -> None:
    meter = Meter()
    meter.open(1_000_000, None)
    opened = model(url)
    metered = MeteredModel(opened, meter)
    text = "\n".join(NOTES.values()) * 4
    await metered.complete(said(text, CONTRACTS[-1]))
    for contract in (CONTRACTS[0], CONTRACTS[-1]):
        request = said(text, contract)
        estimated = prompt_tokens(request, opened.traits) * meter.ratio(NAME)
        counted = (await metered.complete(request)).usage.prompt_tokens
        note(f"estimated {estimated:.0f} tokens, the server counts {counted}")
        assert estimated == pytest.approx(counted, rel=0.15)
    await opened.aclose()


@pytest.mark.parametrize("question", QUESTIONS)
async def test_a_question_is_answered_from_end_to_end(
    url: str, tmp_path: Path, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_MODEL_BASE_URL", url)
    monkeypatch.setenv("QUAERE_MODEL_TIMEOUT_S", "300")
    for name, text in NOTES.items():
        (tmp_path / name).write_text(text)
    report = await run_research(
        question,
        docs=[tmp_path],
        model=NAME,
        max_execution_time_s=600,
        answer_words=60,
    )
    for told in (report.answer, *report.degradations, *report.calls):
        note(str(told))
    assert report.status is not AnswerStatus.NO_EVIDENCE
    assert all(
        sentence.support.holds or sentence.support is Support.PARTLY
        for sentence in report.sentences
    )
    assert not any("rejected" in call.error for call in report.calls)
    assert all(call.attempt == 1 for call in report.calls), "a repair loop"
