"""A true sentence and its false twin, for each kind of rule that looks at aligned statements."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.verify.support import weigh

MUSEUM = (
    "The museum is closed on Mondays. Adults pay 8 euros, students 5 euros. The painting of the "
    "fishermen was given to the museum by Clara Bohn in 1963. Jonah Reed leased the shop to the "
    "Harvey brothers. Nearly all rooms are heated. The parser converts YAML to JSON."
)
API = (
    "Uploads are limited to 25 MB, downloads to 200 MB. The option --quiet hides warnings but not "
    "errors. Results are sorted by date unless --rank is given. Administrators can see private "
    "notes; editors cannot. Houses may not be higher than two floors. Halvik lies 40 km north of "
    "the capital. Blood pressure did not change in either group."
)
CANAL = (
    "The canal has 19 locks, seven more than the Arden Canal. Version 4 starts twice as fast as "
    "version 3. Few visitors come in winter. Every response carries an ETag. Anglers need a "
    "permit; walkers do not. Women dug the lower basin."
)
BRIDGE = (
    "Die Stadt verpachtete den Kiosk an Familie Roth. Einige Bretter sind morsch. Die Sanierung "
    "soll angeblich zwei Jahre dauern. Erwachsene zahlen 1 Euro Maut, Kinder zahlen nichts."
)
FERME = (
    "La ferme des Aulnes produit 900 litres de lait par jour, 200 de plus que la ferme du Pont. "
    "Rose Ferrand a vendu le tracteur à Paul Gros. Quelques chèvres sont malades. Un litre de lait "
    "coûte 1,20 euro, un fromage 4 euros."
)

PAIRS = [
    ("Admission is 5 euros for students.", "Admission is 8 euros for students.", MUSEUM),
    ("The museum is not open on Mondays.", "The museum is open on Mondays.", MUSEUM),
    (
        "Clara Bohn gave the museum the painting of the fishermen.",
        "The museum gave Clara Bohn the painting of the fishermen.",
        MUSEUM,
    ),
    (
        "The Harvey brothers leased the shop from Jonah Reed.",
        "Jonah Reed leased the shop from the Harvey brothers.",
        MUSEUM,
    ),
    ("Almost every room is heated.", "Every room is heated.", MUSEUM),
    (
        "YAML is converted to JSON by the parser.",
        "JSON is converted to YAML by the parser.",
        MUSEUM,
    ),
    ("Uploads may have up to 25 MB.", "Uploads may have up to 200 MB.", API),
    ("Errors are shown even with --quiet.", "Errors are hidden with --quiet.", API),
    (
        "With --rank results are not sorted by date.",
        "With --rank results are sorted by date.",
        API,
    ),
    ("Editors can't see private notes.", "Editors can see private notes.", API),
    ("Houses can have two floors at most.", "Houses can have three floors at most.", API),
    (
        "Blood pressure remained the same in both groups.",
        "Blood pressure rose in both groups.",
        API,
    ),
    ("The Arden Canal has twelve locks.", "The Arden Canal has 26 locks.", CANAL),
    ("Version 4 starts faster than version 3.", "Version 3 starts faster than version 4.", CANAL),
    ("Few people visit in winter.", "Many people visit in winter.", CANAL),
    ("All responses have an ETag.", "Only some responses have an ETag.", CANAL),
    ("Walkers need no permit.", "Walkers need a permit.", CANAL),
    ("The lower basin was dug by women.", "The lower basin was not dug by women.", CANAL),
    (
        "Familie Roth pachtete den Kiosk von der Stadt.",
        "Die Stadt pachtete den Kiosk von Familie Roth.",
        BRIDGE,
    ),
    ("Manche Bretter sind morsch.", "Alle Bretter sind morsch.", BRIDGE),
    (
        "Die Sanierung dauert angeblich zwei Jahre.",
        "Die Sanierung dauert zwei Jahre.",
        BRIDGE,
    ),
    ("Kinder zahlen keine Maut.", "Kinder zahlen 1 Euro Maut.", BRIDGE),
    (
        "Paul Gros a acheté le tracteur à Rose Ferrand.",
        "Rose Ferrand a acheté le tracteur à Paul Gros.",
        FERME,
    ),
    ("Plusieurs chèvres sont malades.", "Toutes les chèvres sont malades.", FERME),
    ("Le prix d'un fromage est de 4 euros.", "Le prix d'un fromage est de 1,20 euro.", FERME),
    (
        "La ferme du Pont produit moins de lait que celle des Aulnes.",
        "La ferme du Pont produit plus de lait que celle des Aulnes.",
        FERME,
    ),
    (
        "La ferme produit chaque jour 900 l de lait.",
        "La ferme produit chaque jour 900 kg de lait.",
        FERME,
    ),
]


@pytest.mark.parametrize(("true", "false", "source"), PAIRS)
def test_a_false_twin_is_told_from_a_true_sentence(true: str, false: str, source: str) -> None:
    held, refused = (weigh(text, [passage(source)]) for text in (true, false))
    assert not refused.support.holds, refused
    assert (held.probability or 0) > (refused.probability or 0)


@pytest.mark.parametrize(("true", "source"), [(true, source) for true, _, source in PAIRS])
def test_what_a_source_says_in_other_words_is_not_contradicted(true: str, source: str) -> None:
    assert not weigh(true, [passage(source)]).opposed


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("The theme of the show is sung by Inner Circle.", "Inner Circle sing the show's theme."),
        ("Lin became a Marshal in 1955.", "After 1949 Lin rose. Lin was named Marshal in 1955."),
        ("Logs are deleted after two weeks.", "Logs are kept for 14 days and then deleted."),
        ("It got the picture in the sixties.", "It was given the picture in 1963."),
    ],
)
def test_a_true_sentence_does_not_clash_with_the_lines_around(said: str, source: str) -> None:
    found = weigh(said, [passage(source)])
    assert not found.opposed
    assert "exchanges" not in found.note
    assert "another" not in found.note
