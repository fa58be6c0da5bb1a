"""What containers are made of: settings, secrets and services (R2.1, R2.5)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict
from tests.deployment import settings_reference
from tests.deployment.settings_reference import (
    EXAMPLE,
    NOT_PASSED_ON,
    PAGE,
    ROOT,
    sections,
)

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")

Text = str | int
Words = list[Text]


class Service(BaseModel):
    """What services of ours have; any other word is a slip of the pen."""

    model_config = ConfigDict(extra="forbid")

    image: str
    profiles: list[Literal["agent", "server", "fleet", "observe", "search"]]
    build: dict[str, str] | None = None
    command: Words = []
    entrypoint: Words = []
    environment: dict[str, Text | None] = {}
    volumes: list[str] = []
    tmpfs: list[str] = []
    ports: list[str] = []
    depends_on: list[str] | dict[str, dict[str, str]] = []
    healthcheck: dict[str, Words | Text | bool] = {}
    logging: dict[str, str | dict[str, str]] = {}
    cap_drop: list[str] = []
    security_opt: list[str] = []
    read_only: bool = False
    init: bool = False
    restart: str = ""
    stop_grace_period: str = ""
    scale: int = 1


class Compose(BaseModel):
    services: dict[str, Service]
    volumes: dict[str, None]


COMPOSE = Compose.model_validate(yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8")))
OURS = ("agent", "server", "fleet-server", "fleet-upgrade", "fleet-worker")


@pytest.mark.parametrize("name", ["page", "example", "compose"])
def test_the_reference_of_settings_is_current(name: str) -> None:
    path = {"page": PAGE, "example": EXAMPLE, "compose": ROOT / "compose.yaml"}[name]
    assert path.read_text("utf-8") == getattr(settings_reference, name)(), (
        "run python -m tests.deployment.settings_reference"
    )


def test_every_setting_is_described() -> None:
    entries = [entry for found in sections().values() for entry in found]
    assert len(entries) > 100
    assert [entry.variable for entry in entries if not entry.description.endswith(".")] == []


@pytest.mark.parametrize("name", OURS)
def test_every_setting_reaches_the_containers(name: str) -> None:
    all_of_them = {entry.variable for found in sections().values() for entry in found}
    passed = set(COMPOSE.services[name].environment)
    assert passed == all_of_them - NOT_PASSED_ON


@pytest.mark.parametrize("name", OURS)
def test_a_container_can_change_nothing_but_its_data(name: str) -> None:
    service = COMPOSE.services[name]
    assert service.read_only
    assert service.cap_drop == ["ALL"]
    assert service.security_opt == ["no-new-privileges:true"]
    mounted = [volume.rsplit(":", 1) for volume in service.volumes]
    assert [path for path, way in mounted if way != "ro"] == ["data", "cache"]


def test_every_port_is_open_on_this_machine_alone() -> None:
    published = [port for service in COMPOSE.services.values() for port in service.ports]
    assert len(published) == 4
    assert all("127.0.0.1:" in port for port in published)


def test_named_volumes_are_declared() -> None:
    used = {
        volume.partition(":")[0]
        for service in COMPOSE.services.values()
        for volume in service.volumes
        if re.match(r"[a-z]+:", volume)
    }
    assert used == set(COMPOSE.volumes)


def test_the_cache_forgets_what_was_used_least_r2_5() -> None:
    command = COMPOSE.services["redis"].command
    assert command[-4:] == [
        "--maxmemory",
        "${REDIS_MEMORY:-256mb}",
        "--maxmemory-policy",
        "allkeys-lru",
    ]
    assert COMPOSE.services["agent"].environment["QUAERE_CACHE_URL"] == "redis://redis:6379/0"


def test_the_image_ends_without_root_and_compiler_r2_1() -> None:
    *_, last = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)
    assert re.findall(r"^USER (\S+)", last, re.MULTILINE) == ["10001:10001"]
    assert "HEALTHCHECK" in last
    assert not re.search(r"apt-get|pip install|npm|nodejs", last)
    assert 'ENTRYPOINT ["entrypoint"]' in last
    assert DOCKERFILE.count("FROM ${BASE}") == 2


def entered(secrets: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the entry point of the image with the ``quaere`` of this environment."""
    return subprocess.run(
        ["/bin/sh", str(DEPLOY / "entrypoint.sh"), *words],
        env={
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "SECRETS_DIR": str(secrets),
            "QUAERE_DATA_DIR": str(secrets.parent),
            "QUAERE_CACHE_DIR": str(secrets.parent),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_secret_is_a_file(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    (secrets / "kubernetes.io").mkdir(parents=True)
    (secrets / "README.md").write_text("not a setting")
    before = entered(secrets, "providers").stdout
    assert re.search(r"^brave +needs BRAVE_API_KEY", before, re.MULTILINE)
    (secrets / "BRAVE_API_KEY").write_text("a key with 'quotes' and $money\n")
    after = entered(secrets, "providers")
    assert after.returncode == 0, after.stderr
    assert re.search(r"^brave +ready", after.stdout, re.MULTILINE)
    assert "money" not in after.stdout + after.stderr


def test_without_secrets_the_entry_point_passes_everything_on(tmp_path: Path) -> None:
    done = entered(tmp_path / "none", "--version")
    assert re.fullmatch(r"quaere \S+\n", done.stdout)


def test_the_agent_prints_json_and_nothing_else_r2_1(tmp_path: Path) -> None:
    words = [str(word) for word in COMPOSE.services["agent"].entrypoint[1:]]
    question = "Why does a run never exceed its time limit?"
    done = entered(tmp_path / "none", *words, "--docs", str(ROOT / "docs"), question)
    assert (done.returncode, done.stderr) == (0, "")
    answer = Answer.model_validate_json(done.stdout)
    assert len(answer.answer.split()) <= 80
    assert answer.citations
    assert "[1]" in answer.answer


class Cited(BaseModel, extra="forbid"):
    id: int
    title: str
    url: str


class Answer(BaseModel, extra="forbid"):
    answer: str
    citations: list[Cited]
