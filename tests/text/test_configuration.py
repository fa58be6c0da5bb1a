"""Settings, logs and programs as text: what each line sets, and what stands over it."""

from __future__ import annotations

import time

import pytest

from quaere.text.configuration import (
    Setting,
    are_logged,
    are_settings,
    sets,
    settings,
    without_time,
)
from quaere.text.sentences import sentences

YAML = """\
services:
  web:
    image: "harbour/web:2.1"
    ports: ["8080:9000"]
    environment:
      LOG_LEVEL: warning  # as the lamp asks
    steps:
      - name: lint
        run: make lint
  db:
    image: lampbase:16.3
"""
TOML = """\
[mail]
host = "post.harbour.example"
retries = 3

[[features]]
wishlist = false
"""
BLOCKS = """\
worker_processes 4;
events { worker_connections 1024; }
http {
    client_max_body_size 25m;
    server {
        listen 443 ssl;  # for everybody
    }
}
root_folder /srv;
"""
PROGRAM = '''\
class Cart(Basket):
    MAX_LINES: Final[int] = 200

def total(cart: Cart) -> int:
    """Return what all costs.

    The sum is in cents, and what a customer
    gives back is not in it.
    """
    return sum(cart.lines)
'''
LOG = """\
2026-01-11 05:58:40 INFO  boiler: starting, firmware 7.1.4
2026-01-11 06:20:13 WARN  pump: pressure 0.8 bar
    at pump.check (line 7)
2026-01-11 07:41:02 ERROR burner: ignition failed
"""


def told(text: str) -> dict[str, tuple[str, ...]]:
    """Return of each setting its path and value."""
    return {
        ".".join((*each.over, each.name)): (each.value,) for each in settings(text) if each.value
    }


def said(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        (YAML, "services.web.image", "harbour/web:2.1"),
        (YAML, "services.web.ports", '["8080:9000"]'),
        (YAML, "services.web.environment.LOG_LEVEL", "warning"),
        (YAML, "services.web.steps.run", "make lint"),
        (YAML, "services.db.image", "lampbase:16.3"),
        (TOML, "mail.host", "post.harbour.example"),
        (TOML, "mail.retries", "3"),
        (TOML, "features.wishlist", "false"),
        (BLOCKS, "worker_processes", "4"),
        (BLOCKS, "events", "worker_connections 1024"),
        (BLOCKS, "http.client_max_body_size", "25m"),
        (BLOCKS, "http.server.listen", "443 ssl"),
        (BLOCKS, "root_folder", "/srv"),
        (PROGRAM, "Cart.MAX_LINES", "200"),
        ("dependencies.reel: ^18.3.1\nengines.node: >=20", "engines.node", ">=20"),
        ("PasswordEntry no\nMaxTries 6", "PasswordEntry", "no"),
        ("DAYS_MAX\t99999\nUMASK\t\t022", "UMASK", "022"),
        ("export LAMP=on\nexport REEL='off'", "REEL", "off"),
    ],
)
def test_each_line_has_its_value_and_all_names_over_it(text: str, path: str, value: str) -> None:
    assert told(text)[path] == (value,)


@pytest.mark.parametrize(
    ("line", "name", "value", "in_force"),
    [
        ("keep_days = 30", "keep_days", "30", True),
        ("#keep_days = 30  # at most a year", "keep_days", "30", False),
        ("tcp-keepalive 300", "tcp-keepalive", "300", True),
        ("protected-mode yes", "protected-mode", "yes", True),
    ],
)
def test_a_setting_among_prose_is_told_with_its_place(
    line: str, name: str, value: str, in_force: bool
) -> None:
    prose = "How long the lamp is kept is set here, and in\nno other place of the harbour."
    text = f"{prose}\n{line}\nThe reel follows it."
    (found,) = settings(text)
    assert found == Setting(len(prose) + 1, name, value, (), in_force)
    assert line in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\nnote: the lamp is lit at six and the\nharbour is closed until then.",
        "Present: Ada Novak\nApologies: Bo Winter",
        "The lamp of the harbour\nhas been lit by Ada.",
        "# only a remark\n# and another one",
        "colour: red",
        "",
    ],
)
def test_prose_and_forms_are_no_settings(text: str) -> None:
    assert not are_settings(text.split("\n"))
    assert list(settings(text)) == []


@pytest.mark.parametrize(
    "line", ["see chapter 5.", "The port 80", "a = b", "well-known lamps", "# remark: on", "x == y"]
)
def test_a_line_of_prose_sets_nothing(line: str) -> None:
    assert not sets(line)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("2026-01-11 05:58:40 INFO 3 lamps lit", "INFO 3 lamps lit"),
        ("2026-01-11T05:58:40.2Z lit", "lit"),
        ("The lamp was lit at 05:58:40.", "The lamp was lit at 05:58:40."),
    ],
)
def test_what_an_entry_says_comes_after_its_time(line: str, told: str) -> None:
    assert without_time(line) == told


def test_settings_and_entries_of_a_log_are_sentences_each() -> None:
    assert said(TOML) == [line for line in TOML.split("\n") if line]
    assert said(LOG) == [line.strip() for line in LOG.split("\n") if line]


@pytest.mark.parametrize(
    ("text", "is_log"),
    [
        (LOG.strip(), True),
        ("Jan 11 05:58:40 lamp reel[7]: lit\nJan 11 05:58:41 lamp reel[7]: out", True),
        ('10.0.0.1 - - [11/Jan/2026:05:58:40 +0000] "GET /"\n' * 2, True),
        ("05:58:40 the lamp is lit\n05:59:00 the lamp is out", True),
        ("2026-01-11 05:58 the lamp was lit and\nthe reel was wound by Ada", False),
        ("On 2026-01-11 the lamp was lit.\nOn 2026-01-12 it was not.", False),
    ],
)
def test_a_log_is_told_by_the_times_its_entries_begin_with(text: str, is_log: bool) -> None:
    assert are_logged(text.strip().split("\n")) is is_log


def test_what_a_program_says_in_words_is_read_as_prose() -> None:
    assert "The sum is in cents, and what a customer\n    gives back is not in it." in said(PROGRAM)
    assert "return sum(cart.lines)" in said(PROGRAM)
    assert "MAX_LINES: Final[int] = 200" in said(PROGRAM)


@pytest.mark.parametrize(
    "piece",
    [
        "Aa",
        "AaA",
        " ",
        "\t#",
        "#",
        "a = ",
        "a: b\n",
        "  a:\n",
        "- ",
        '"""\n',
        "a {\n",
        "set ",
        "[",
        "}",
    ],
)
def test_hostile_lines_take_time_in_proportion(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    lines = text.split("\n")
    began = time.process_time()
    are_settings(lines)
    are_logged(lines)
    any(map(sets, lines))
    sum(1 for _ in settings(text))
    assert time.process_time() - began < 3
