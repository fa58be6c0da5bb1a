from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.contracts.chat_model import PLAIN
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer

from quaere.errors import SettingsError
from quaere.models import VENDORS, ModelAccess, ModelSpec, open_model

KEYED = [name for name, vendor in VENDORS.items() if vendor.key_variable]


@pytest.mark.parametrize("vendor", KEYED)
def test_a_missing_key_is_named(vendor: str) -> None:
    """R2.3: clear errors before anything is asked."""
    with pytest.raises(SettingsError) as raised:
        open_model(ModelSpec.parse(f"{vendor}:moth"), ModelAccess())
    assert VENDORS[vendor].key_variable in raised.value.message


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_anthropic", None)
    with pytest.raises(SettingsError) as raised:
        open_model(ModelSpec.parse("anthropic:moth"), ModelAccess(api_key=SecretStr("k")))
    assert "pip install 'quaere[anthropic]'" in raised.value.message


def test_a_missing_base_url_is_asked_for() -> None:
    with pytest.raises(SettingsError, match="base URL"):
        open_model(ModelSpec.parse("compatible:moth"), ModelAccess())


@pytest.mark.parametrize("name", ["ollama:moth", "llamacpp:moth"])
def test_a_server_of_ones_own_needs_no_key(name: str) -> None:
    assert open_model(ModelSpec.parse(name), ModelAccess()).name == name


@pytest.mark.parametrize("vendor", ["openai", "deepseek"])
def test_a_proxy_in_the_environment_is_heeded_without_a_warning(vendor: str) -> None:
    """In a process of its own: the warning comes once in each."""
    code = (
        "import logging; logging.basicConfig(level=logging.INFO)\n"
        "from pydantic import SecretStr\n"
        "from quaere.models import ModelAccess, ModelSpec\n"
        "from quaere.models.client import make\n"
        f"make(ModelSpec.parse('{vendor}:moth'), ModelAccess(api_key=SecretStr('k')))\n"
    )
    proxied = {**os.environ, "HTTPS_PROXY": "http://127.0.0.1:9"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=proxied, capture_output=True, text=True, check=True
    )
    assert "proxy" not in run.stderr


@pytest.mark.anyio
async def test_space_around_a_key_is_not_sent() -> None:
    async with ModelServer(ChatCompletions()) as server:
        key = SecretStr(" sk-moth-1\n")
        access = ModelAccess(base_url=f"{server.base_url}/v1", api_key=key)
        model = open_model(ModelSpec.parse("compatible:moth"), access)
        await model.complete(PLAIN)
        await model.aclose()
    assert server.calls[0].headers["authorization"] == "Bearer sk-moth-1"


@pytest.mark.parametrize("key", ["sk-moth\n1", "sk moth", "sk-motte-\u00e9"])
@pytest.mark.parametrize(
    ("name", "variable"),
    [("openai:gpt-4.1", "OPENAI_API_KEY"), ("llamacpp:moth", "QUAERE_MODEL_API_KEY")],
)
def test_a_key_that_cannot_be_sent_is_told_at_once(name: str, variable: str, key: str) -> None:
    with pytest.raises(SettingsError, match=variable) as refused:
        open_model(ModelSpec.parse(name), ModelAccess(api_key=SecretStr(key)))
    assert key not in refused.value.message


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    """In a process of its own: they are read once in each."""
    code = (
        "from quaere.models import ModelAccess, ModelSpec\n"
        "from quaere.models.client import make\n"
        "from quaere.models.failures import ModelUnusable\n"
        "try:\n"
        "    make(ModelSpec.parse('llamacpp:moth'), ModelAccess())\n"
        "except ModelUnusable as error:\n"
        "    print(error.message)\n"
    )
    trusting = {**os.environ, "SSL_CERT_FILE": str(tmp_path / "none.pem")}
    run = subprocess.run(
        [sys.executable, "-c", code], env=trusting, capture_output=True, text=True, check=True
    )
    assert "that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read: No such file" in run.stdout
