"""A folder about islands that do not exist, in the formats that people keep notes in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

FILES: Mapping[str, str | bytes] = MappingProxyType(
    {
        "people/jonna-askew.md": """\
# Jonna Askew

Jonna Askew kept the light at Skarra Point for thirty-one years. She wrote down the weather every
evening and gave her notebooks to the school.

She was born on Little Fenn in 1868, the daughter of a net maker.
""",
        "people/pell-hadrian.md": """\
# Pell Hadrian

Pell Hadrian was an engineer from Tolvane. He built bridges first and lighthouses later, and never
learned to swim.

Hadrian died in 1911 in the village of Ostrey, where a street bears his name.
""",
        "places/skarra-point.html": """\
<!doctype html><html><head><title>Skarra Point Lighthouse</title></head><body>
<nav><a href="/">Home</a> <a href="/map">Map</a></nav>
<article><h1>Skarra Point Lighthouse</h1>
<p>The lighthouse at Skarra Point was designed by Pell Hadrian and lit for the first time on 3 May
1884. Its tower is 38 metres high and built of grey granite.</p>
<p>Since 1987 the light has worked without a keeper.</p></article>
<footer>Islands Heritage Board</footer></body></html>
""",
        "places/little-fenn.txt": """\
Little Fenn is the southernmost of the islands. Forty people live there all year round.

Peat was cut on Little Fenn until 1962. The pits have since filled with water.
""",
        "places/tolvane.md": """\
# Tolvane

Tolvane is the largest town of the islands, with a covered market and two breweries. Its harbour
freezes in hard winters.
""",
        "places/ostrey.md": """\
# Ostrey

Ostrey lies on the lee side of Great Fenn. Its church has a wooden bell tower.
""",
        "ferries.csv": """\
name,launched,length in metres,berths
Merganser,1974,62,140
Dotterel,1991,48,96
Whimbrel,2003,55,120
""",
        "letters.jsonl": """\
{"title": "Letter of 1899", "text": "Mister Hadrian complains that the granite came late."}
{"title": "Letter of 1902", "text": "The school thanks Miss Askew for eleven notebooks."}
{"title": "Letter of 1903", "text": "Half a character: \\ud800. The rest of the letter is lost."}
""",
        "birds.json": '{"title": "Birds", "text": "Terns breed on the skerries off Little Fenn."}',
        "weather.tsv": "year\\tfirst frost\n1901\\t2 November\n1902\\t19 October\n",
        "recipes/kelp.md": """\
# Kelp bread

Dry the kelp for two days, grind it, and mix one part of it with nine parts of rye flour.
""",
        "recipes/herring.md": """\
# Pickled herring

Soak the herring overnight. Boil vinegar with sugar and juniper, and let it cool.
""",
        "history/ferries.md": """\
# Ferries

The first steam ferry between the islands ran in 1879. The Merganser has carried cars since 1974;
the Dotterel replaced her on Sundays.
""",
        "history/peat.md": """\
# Peat

Peat from the southern islands was burnt in the breweries of Tolvane. It gave the beer its smoke.
""",
        "broken/torn.pdf": b"%PDF-1.7 and nothing after that",
        "broken/empty.md": b"",
        "broken/noise.docx": bytes(range(256)) * 8,
    }
)
BROKEN = ("torn.pdf", "empty.md", "noise.docx")


def write(folder: Path) -> Path:
    """Write the files under ``folder``, all of one age, and return it."""
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (1_900_000_000, 1_900_000_000))
    return folder
