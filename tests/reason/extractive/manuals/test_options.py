"""The option of a manual by what is said under it, and what is said under an option."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.options import find_option

DIVER: Text = (
    "diver",
    (
        "OPTIONS\n"
        "       -d, --deep\n"
        "           Look below the keel rather than beside it. Slow in cold water.\n\n"
        "       -E, --echo-limit number\n"
        "           The count of echoes after which a dive is given up. The default value is 4.\n\n"
        "       -e, --ebb\n"
        "           Wait for the ebb. This is the default.\n\n"
        "       nolamp\n"
        "           do not complain if the lamp of the diver is missing\n\n"
        "       Spare lamps\n"
        "           Kept by the harbour master in a dry box.\n\n"
        "       When all is done, the log is written.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which option of diver looks below the keel?", "-d, --deep"),
        ("What flag makes diver wait for the ebb?", "-e, --ebb"),
        ("How do I tell diver not to complain if the lamp is missing?", "nolamp"),
        ("What does -E mean in diver?", "-E, --echo-limit number"),
        ("What does -e do in diver?", "-e, --ebb"),
        ("What does nolamp mean?", "nolamp"),
        ("What does --deep do in diver?", "-d, --deep"),
        ("What does number mean in diver?", None),
        ("Which option waits for the ebb?", "-e, --ebb"),
        ("Which variable looks below the keel?", None),
        ("Which option is kept by the harbour master in a dry box?", None),
        ("Which option of diver paints the hull?", None),
        ("What does --deep cost in diver?", None),
        ("Which keel is below the diver?", None),
        ("How do I write the log when all is done?", None),
    ],
)
def test_an_option_is_found_by_what_it_does_or_by_its_key(question: str, name: str | None) -> None:
    found = find_option(question, pool(DIVER))
    assert (found.name if found else None) == name


def test_a_key_of_two_programs_is_meant_of_the_one_that_the_page_is_about() -> None:
    sloop: Text = ("sloop", "OPTIONS\n       -e\n           Sail as the diver waits.\n")
    for pages in ((DIVER, sloop), (sloop, DIVER)):
        found = find_option("What does -e do in diver?", pool(*pages))
        assert found is not None
        assert found.name == "-e, --ebb"


@pytest.mark.parametrize(
    ("question", "is_asked", "is_means"),
    [
        ("Which option of diver looks below the keel?", True, False),
        ("How do I tell diver not to complain if the lamp is missing?", False, True),
        ("What does nolamp mean?", False, False),
    ],
)
def test_an_option_is_asked_for_or_is_a_means_or_is_asked_about(
    question: str, *, is_asked: bool, is_means: bool
) -> None:
    found = find_option(question, pool(DIVER))
    assert found is not None
    assert (found.is_asked, found.is_means) == (is_asked, is_means)


def test_the_option_is_the_answer_and_is_told_with_what_it_does() -> None:
    (said,) = answer("Which option of diver looks below the keel?", DIVER)
    assert said.direct is not None
    assert (said.direct.kind, said.direct.text) == (DirectKind.NAME, "-d, --deep")
    assert said.text == "-d, --deep: Look below the keel rather than beside it."
    assert said.quotes[0].text.startswith("-d, --deep\n")


def test_what_a_key_means_is_told_without_its_name_again() -> None:
    (said,) = answer("What does nolamp mean?", DIVER)
    assert said.direct is not None
    assert said.direct.text == "nolamp: do not complain if the lamp of the diver is missing"


def test_the_sentence_that_says_it_is_quoted_from_below_its_label() -> None:
    (said,) = answer("Which option of diver is slow in cold water?", DIVER)
    assert said.text == "-d, --deep: Slow in cold water."
    assert said.quotes[0].text == "Slow in cold water."


BAIL: Text = (
    "bail",
    (
        "OPTIONS\n"
        "       -w\n"
        "           Normally bail does not empty the bilge below the boards of the hull.\n"
        "           Boards are lifted. Specify -w to have it emptied as well. Use -w with care.\n\n"
        "       -q\n"
        "           Do not ring the bell of the hull. With -q nothing is rung.\n"
    ),
)


def test_what_an_option_does_follows_what_is_not_done_without_it() -> None:
    said = answer("How do I empty the bilge below the boards with bail?", BAIL)
    assert [each.text for each in said] == [
        "-w: Normally bail does not empty the bilge below the boards of the hull.",
        "Specify -w to have it emptied as well.",
    ]


def test_what_is_asked_not_to_be_done_needs_no_more() -> None:
    (said,) = answer("How do I make bail not ring the bell of the hull?", BAIL)
    assert said.text == "-q: Do not ring the bell of the hull."


HAUL: Text = (
    "haul",
    (
        "OPTIONS\n"
        "       --list-nets\n"
        "           Show a list of the nets of the last haul, with the first net of the boat.\n\n"
        "       -n, --net\n"
        "           Show one net of the boat. Without a name that of the last haul is taken. Wet.\n"
    ),
)


def test_an_option_with_a_rival_is_told_without_certainty() -> None:
    question = "How do I show the nets of the last haul of the boat?"
    (said, *_) = answer(question, HAUL)
    assert said.direct is not None
    assert said.direct.confidence < 0.6
    (alone, *_) = answer("How do I show a list with the first net of the haul?", HAUL)
    assert alone.direct is not None
    assert alone.direct.confidence >= 0.6


@pytest.mark.parametrize(
    "question",
    [
        "flag for the ebb in diver, to wait",
        "option to wait for the ebb in diver",
        "what's the switch to make diver wait for the ebb",
        "is there an option to wait for the ebb in diver?",
    ],
)
def test_an_option_is_asked_for_in_haste(question: str) -> None:
    found = find_option(question, pool(DIVER))
    assert found is not None
    assert (found.name, found.is_asked, found.has_rival) == ("-e, --ebb", True, False)


def test_the_only_option_that_says_half_of_it_is_told_though_not_surely() -> None:
    found = find_option("how do i get diver to look under the barnacled keel", pool(DIVER))
    assert found is not None
    assert (found.name, found.has_rival) == ("-d, --deep", True)
    assert find_option("how do i get diver to paint the barnacled keel", pool(DIVER)) is None


def test_a_command_that_does_it_goes_before_an_option_with_a_rival() -> None:
    page: Text = (
        "haul",
        (
            "# haul drop\n\nUsage: haul drop [OPTIONS]\n\n"
            "  Drop old nets; those that are marked stay.\n\n"
            "Options:\n  --age AGE         Age in hours, days or weeks.\n"
            "  --max-weight KG   Drop the oldest nets until the rest weighs so much.\n"
        ),
    )
    option = find_option("How do I drop old nets?", pool(page))
    assert option is not None
    assert option.has_rival
    (said, *_) = answer("How do I drop old nets?", page)
    assert said.text == "Usage: haul drop [OPTIONS]"


NOTES: Text = (
    "diver",
    (
        "OPTIONS\n"
        "       --no-log\n"
        "           Do not note the air that a dive takes.\n\n"
        "       --echo\n"
        "           Sound the keel.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "is_doubted"),
    [
        ("How do I note the air that a dive takes?", True),
        ("How do I not note the air that a dive takes?", False),
    ],
)
def test_an_option_by_which_something_is_not_done_is_not_how_one_does_it(
    question: str, *, is_doubted: bool
) -> None:
    found = find_option(question, pool(NOTES))
    assert found is not None
    assert found.has_rival is is_doubted


HEADED: Text = (
    "kelp",
    (
        "# kelp\n\n## Options\n\n### `--no-warnings`\n\nSilence all warnings of the pump.\n\n"
        "### `-q`, `--quiet`\n\nPrint no tides. Errors are printed.\n\n### Tides\n\n"
        "Silence of the sea.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which option silences warnings of the pump?", "--no-warnings"),
        ("Which option prints no tides?", "-q, --quiet"),
        ("What does --no-warnings do?", "--no-warnings"),
        ("Which option silences the sea?", None),
    ],
)
def test_an_option_may_head_the_section_that_tells_of_it(question: str, name: str | None) -> None:
    found = find_option(question, pool(HEADED))
    assert (found.name if found else None) == name


LIMITS: Text = (
    "reel",
    (
        "reel\n\nOptions:\n  --max-price USD  Highest price of all ropes that are bought.\n"
        "  --slow           Winds the rope slowly.\n\n"
        "Usage: reel show [OPTIONS]\n\nShow the price of all ropes that are bought.\n"
    ),
)


def test_an_option_that_is_named_max_limits_and_goes_before_a_command_that_does_not() -> None:
    first = answer("How do I limit the price of the ropes that are bought?", LIMITS)[0]
    assert first.text.startswith("--max-price USD")


def test_no_option_is_a_command() -> None:
    text = "-t, --tide\n    Print the tides of the harbour when the gate is closed.\n"
    asked = "Which {} prints the tides of the harbour?"
    found = find_option(asked.format("option"), pool(("hask", text)))
    assert found is not None
    assert find_option(asked.format("command"), pool(("hask", text))) is None


BOATS: Text = (
    "tow(1)",
    (
        "The options are:\n\n"
        "     -r\t     Copies entire fleets.  Note that it is slow.\n\n"
        "     -T\t     Copies no names of a fleet.\n\n"
        "     -d, --deep\n             Note that a fleet is slow when it is towed.\n\n"
        "     --spare=ROPE\n             When a fleet is towed deep, spare the ropes.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How do I copy a whole fleet with tow?", "-r"),  # a tab is before what is said of it
        ("How do I tow a fleet deep?", "-d, --deep"),  # so called, where others speak of it
    ],
)
def test_the_option_whose_name_says_it_goes_first(question: str, name: str) -> None:
    found = find_option(question, pool(BOATS))
    assert found is not None
    assert found.name == name
