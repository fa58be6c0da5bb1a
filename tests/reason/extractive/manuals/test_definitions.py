"""What something is, from the sentence that begins with its name."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.manuals.definitions import find_definition, lacks_subject

TALE: Text = ("Pumps", "Hask is a name that sailors know. A valve of Hask is a copper ring.")
HASK: Text = ("hask", "Use hask at night. **Hask** is a pump for tapes. It is loud.")
TERN: Text = ("boats", "Terns are sold. A tern is yet another boat.")
NAME: Text = (
    "hask-fill",
    "NAME\n       hask-fill - fill tapes with air\n\nNever hask-fill a box.\n",
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is Hask?", "**Hask** is a pump for tapes."),
        ("What's the hask pump?", None),
        ("What is hask-fill?", "hask-fill - fill tapes with air"),
        ("What is a valve of Hask?", "A valve of Hask is a copper ring."),
        ("What is the price of a new pump called Hask?", None),
        ("Who is Hask?", None),
        ("What is tape?", None),
        ("What is a tern?", "A tern is yet another boat."),
    ],
)
def test_what_is_asked_about_begins_the_line_that_defines_it(
    question: str, said: str | None
) -> None:
    found = find_definition(question, pool(TALE, HASK, NAME, TERN))
    assert (found.text if found else None) == said


def test_the_definition_leads_the_answer() -> None:
    first = answer("What is Hask?", TALE, HASK)[0]
    assert first.text == "**Hask** is a pump for tapes."
    assert first.direct is not None
    assert first.direct.confidence >= 0.6


GLOSSARY: Text = (
    "Boats",
    (
        "# Boats\n\nA tern is fast.\n\n- **Good tern.** Boats that come back.\n"
        "- **Bad tern.** Boats which are lost, and stay so. They sink.\n- Auk: a boat for one.\n"
        "- Gannet.\n\nGannets dive.\n\n"
        "- Smew. A boat for two.\n- Old grey winter tern. A boat for three.\n- Pipit.\n- Wren.\n"
    ),
)


TERMS: Text = (
    "Terms of the pier",
    (
        "Here are our terms.\n\nStern fee\n\nThe part of every trip that you pay. It is £5.\n\n"
        "Slack\n\nThe hour around the turn.\n\nA list means the tilt of a boat."
    ),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the stern fee?", "The part of every trip that you pay."),
        ("What does slack mean?", "The hour around the turn."),
        ('What does "slack" mean?', "The hour around the turn."),
        ("What is meant by a list?", "A list means the tilt of a boat."),
        ("What is the pier?", None),
        ("What does a list cost?", None),
    ],
)
def test_a_term_on_its_own_is_told_by_what_follows(question: str, said: str | None) -> None:
    found = find_definition(question, pool(TERMS))
    assert (found.text if found else None) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is a bad tern?", "**Bad tern.** Boats which are lost, and stay so."),
        ("What is an auk?", "Auk: a boat for one."),
        ("What is a gannet?", None),
        ("What is a smew?", "Smew. A boat for two."),
        ("What is an old grey winter tern?", "Old grey winter tern. A boat for three."),
        ("What is a pipit?", None),
        ("What is a wren?", None),
    ],
)
def test_an_item_that_begins_with_a_term_says_what_it_is(question: str, said: str | None) -> None:
    found = find_definition(question, pool(GLOSSARY))
    assert (found.text if found else None) == said


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("Available since Hask 2.", True),
        ("Tapes can be read without a pump, and faster than with Hask, as is told above.", True),
        ("Hask is a pump for tapes.", False),
        ("Hask: a pump for tapes.", False),
    ],
)
def test_what_something_is_begins_with_it_and_says_that_it_is_one(said: str, lacks: bool) -> None:
    (line,) = pool(("tools", said)).lines
    assert lacks_subject("What is Hask?", line) is lacks
    assert not lacks_subject("Why is Hask loud?", line)


SETTINGS: Text = (
    "tide",
    (
        "# tide\n\n| Name | Default | Meaning |\n|---|---|---|\n"
        "| `TIDE_DB` | tide.db | the file |\n"
        "| `TIDE_RETRIES` | 3 | how often a job is tried again |\n| Tern | 4 | a boat |\n"
        "| Tern | 5 | a bird |\n\n- Retries with a growing pause.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What is TIDE_DB?", "| `TIDE_DB` | tide.db | the file |"),
        ("What is TIDE_DB for?", "| `TIDE_DB` | tide.db | the file |"),
        ("What does TIDE_RETRIES do?", "| `TIDE_RETRIES` | 3 | how often a job is tried again |"),
        ("What is a tern?", None),
        ("What is the default of TIDE_DB?", None),
        ("What is name?", None),
    ],
)
def test_the_one_row_of_a_name_says_what_it_is(question: str, row: str | None) -> None:
    found = find_definition(question, pool(SETTINGS))
    assert (found and found.text) == row


def test_the_row_of_a_name_is_the_whole_answer() -> None:
    (said,) = answer("What does TIDE_RETRIES do?", SETTINGS)
    assert said.text.startswith("Name: `TIDE_RETRIES`; Default: 3")


LEXICON: Text = (
    "Glossary",
    (
        "# Glossary\n\n| Term | Meaning |\n|---|---|\n| tide | a rise of the sea |\n"
        "| reel | a wheel |\n"
    ),
)
PARTS: Text = (
    "Parts",
    (
        "# Parts\n\n| part | price |\n|---|---|\n| reel | 4 |\n| oar | 9 |\n\n# Tide\n\n"
        "It is told daily.\n"
    ),
)
ELEMENT: Text = (
    "tides.conf",
    "## <hask>\n\nThis is the top level element of the file.\n\nHask is a pump for tapes.\n",
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is a tide?", "Term: tide; Meaning: a rise of the sea"),
        ("What is a reel?", "Term: reel; Meaning: a wheel"),
        ("What is an oar?", "part: oar; price: 9"),
    ],
)
def test_a_table_of_terms_says_what_one_is_before_a_heading_or_another_table(
    question: str, text: str
) -> None:
    assert answer(question, PARTS, LEXICON)[0].text == text


def test_the_name_of_an_element_heads_what_that_is_and_not_what_is_called_so() -> None:
    assert answer("What is hask?", ELEMENT)[0].text == "Hask is a pump for tapes."


@pytest.mark.parametrize(
    "question",
    [
        "What is a fender in the Tern world?",
        "What is meant by fender in the manual?",
        "What does fender mean in the log of a tern?",
    ],
)
def test_where_a_word_is_used_is_no_part_of_it(question: str) -> None:
    text = ("tern", '"Fender" is a cushion at the side of a boat. Terns have a fender or two.')
    found = find_definition(question, pool(text))
    assert found is not None
    assert found.text.startswith('"Fender" is a cushion')


def test_what_is_told_word_by_word_is_looked_up() -> None:
    table = (
        "| verdict | meaning |\n|---|---|\n| not weighed | the scale was away |\n| light | ok |\n"
    )
    asked = 'What does it mean when a boat comes back as "not weighed"?'
    found = find_definition(asked, pool(("scale", table)))
    assert found is not None
    assert found.text == "| not weighed | the scale was away |"


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What does the DRAIN command do?", "DRAIN empties the tank"),
        ("What does the EBB signal do?", "`EBB` &mdash; stop"),
        ("What does hask do?", None),
    ],
)
def test_what_is_called_by_a_name_of_code_does_what_its_line_says(
    question: str, begins: str | None
) -> None:
    text = (
        "DRAIN empties the tank of a boat.\n\n- `EBB` &mdash; stop when the tide goes.\n\n"
        "Hask needs the newest pump. Drain pipes and hoses."
    )
    found = find_definition(question, pool(("tern", text)))
    assert (found.text.startswith(begins) if found and begins else found) == (begins and True)


def test_an_option_on_a_line_of_its_own_is_no_term() -> None:
    page = ("Nets", "# Wet nets\n--wet-nets\n\nA flag may stand on a line of its own.\n")
    assert find_definition("What are wet nets?", pool(page)) is None
