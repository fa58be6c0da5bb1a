"""What the documents show is what the commands do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.every_file import page
from tests.faces.cli.conftest import BARGES, MILL

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COST = re.compile(r"^  \w+ profile · .*$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    recipe = re.search(r"quaere (ask .*)", (ROOT / "Makefile").read_text("utf-8"))
    assert recipe
    question, docs = re.findall(r'"([^"]+)"|--docs (\S+)', recipe[1])
    done = subprocess.run(
        [sys.executable, "-m", "quaere", "ask", question[0], "--docs", docs[1], "--quiet"],
        cwd=ROOT,
        env={
            "QUAERE_CACHE_DIR": str(tmp_path),
            "QUAERE_DATA_DIR": str(tmp_path),
            "PATH": "",
            "COLUMNS": "100",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    shown = re.findall(r"```\n(A run .*?)```", README, re.DOTALL)[0]
    assert COST.sub("", done.stdout) == COST.sub("", shown)


@pytest.mark.parametrize(
    "path", ["README.md", *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(path: str) -> None:
    source = ROOT / path
    for target in LINK.findall(source.read_text("utf-8")):
        assert (source.parent / target).exists(), f"{path} links to {target}"


def test_the_map_of_the_code_names_files_that_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    package = ROOT / "src" / "quaere"
    roots = [ROOT, package, *(folder for folder in package.iterdir() if folder.is_dir())]
    count, lost = 0, list[str]()
    for line in text.partition("## Every file")[0].splitlines():
        named = re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.\w+)?|[a-z_]+\.py)`", line)
        # A bare name is that of a file in a folder that its line names.
        rooms = [package / path for path in named if path.endswith("/")]
        lost += [path for path in named if not any((at / path).exists() for at in (*roots, *rooms))]
        count += len(named)
    assert count > 40
    assert not lost


def test_the_map_of_the_code_describes_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = {p.name for p in (ROOT / "src" / "quaere").iterdir() if (p / "__init__.py").exists()}
    assert rooms == set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE))


def test_the_map_of_the_code_has_every_file_with_what_it_says_of_itself() -> None:
    assert (ROOT / "docs" / "architecture.md").read_text("utf-8") == page()


EXAMPLE = re.compile(r"^```python\n(.*?)^```\n+^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = ("python", "assistants")
TEXTS = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in PAGES}
EXAMPLES = [
    pytest.param(match[1], match[2], id=f"{name}-{number}")
    for name, text in TEXTS.items()
    for number, match in enumerate(EXAMPLE.finditer(text), 1)
]


def test_every_example_in_python_says_what_it_prints() -> None:
    written = [text.count("```python") for text in TEXTS.values()]
    assert len(EXAMPLES) == sum(written)
    assert written[0] >= 8


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_an_example_in_python_prints_what_the_page_says(
    tmp_path: Path, code: str, printed: str
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "mill.md").write_text(MILL, "utf-8")
    (notes / "barges.csv").write_text(BARGES, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"QUAERE_CACHE_DIR": str(tmp_path), "QUAERE_DATA_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == (printed, 0), done.stderr


SKILL = (ROOT / "skills" / "quaere" / "SKILL.md").read_text("utf-8")


def test_the_skill_has_a_name_and_a_description_that_agents_load() -> None:
    front = re.match(r"---\nname: (\w+)\ndescription: (.+)\n---\n", SKILL)
    assert front
    assert front[1] == "quaere"
    assert 100 < len(front[2]) <= 1024


def test_the_skill_names_options_that_there_are() -> None:
    asked = SKILL.partition("## Answer a question")[2].partition("## Check a text")[0]
    for command, text in (("ask", asked), ("check", SKILL), ("search", SKILL), ("fetch", SKILL)):
        done = subprocess.run(
            [sys.executable, "-m", "quaere", command, "--help"],
            capture_output=True,
            text=True,
            check=True,
        )
        used = re.findall(rf"quaere {command} [^\n]*", text)
        assert used
        wanted = re.findall(r"--[a-z-]+", asked if command == "ask" else " ".join(used))
        assert not [option for option in wanted if option not in done.stdout]
