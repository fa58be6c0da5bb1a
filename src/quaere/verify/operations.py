"""What a sentence says was reckoned, and whether a result may as well be chance.

Any two figures of a page come to some third one. So a figure counts as reckoned only where the
sentence speaks of such an operation ("in all", "more than", "left", "per"), and where the same
figures do not come to many others that it could as well be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number

_SUM: Final = lazy_regex(
    r"(?i)\b(?:total\w*|together|combined|altogether|sum|in all|all|overall|both|makes?|made"
    r"|com(?:es?|ing)|came|add(?:s|ed)?|amount(?:s|ed)?|brought|with"
    r"|zusammen|insgesamt|gesamt\w*|summe|beiden?|macht|machen|ergibt|ergeben|alle|mit"
    r"|ensemble|en tout|somme|les deux|font|fait|avec|juntos?|juntas?|suman?|ambos|ambas|con"
    r"|insieme|complessiv\w*|somma|entrambi|entrambe|tutti|tutte|ao todo|soma|somam"
    r"|totaal|samen|beide|alles|maken)\b|合计|总共|一共|共|合計|全部で|計"
)
_DIFFERENCE: Final = lazy_regex(
    r"(?i)\b(?:than|differ\w*|between|apart|gap|later|earlier|after|before|aged?|old|older|younger"
    r"|rose|fell|grew|increas\w+|decreas\w+|declin\w+|drop\w*|gain\w*|lost|lasted|kept|keeps?|more|fewer|less"
    r"|saved|ahead|reign\w*|remain\w*|left|rest|over|still|without|not|neither|took|takes?|longer"
    r"|shorter|larger|smaller|higher|lower|faster|slower|farther|cheaper|dearer|for \S+ years"
    r"|als|mehr|weniger|übrig|verbl\w+|blieb\w*|bleib\w*|stieg\w*|gestiegen|sank\w*|gesunken"
    r"|wuchs\w*|gewachsen|fiel\w*|gefallen|unterschied\w*|differenz|alt|nach|vor|zwischen|noch"
    r"|\w+er als|ohne|dauer\w*|später|früher|plus|moins|reste\w*|augment\w*|diminu\w*|baiss\w*"
    r"|écart|différence|entre|après|avant|âgée?s?|sans|dur\w+|más|menos|queda\w*|restan?|aument\w*"
    r"|disminu\w*|baj\w+|sub\w+|diferencia|después|antes|perdido|perdió|sin|più|meno|riman\w*"
    r"|restano|differenza|tra|dopo|prima|senza|mais|sobra\w*|diferença|depois|sem|meer|minder"
    r"|blijf\w*|bleef|bleven|steeg|stegen|daald\w*|verschil|tussen|ouder|jonger|hoger|lager)\b"
    r"|多|少|剩|增|减|差|比|残|増|減|より"
)
_RATIO: Final = lazy_regex(
    r"(?i)\b(?:times|ratio|twice|double[ds]?|triple[ds]?|half|per|each|every|average|third|quarter"
    r"|enough|suffic\w*|an?|\w*mal|\w*fach\w*|je|pro|jede\w*|durchschnitt\w*|hälfte|reich\w*|fois"
    r"|chaque|par|chacune?|moyenne|moitié|suffi\w*|veces|cada|por|promedio|mitad|basta\w*|volte"
    r"|ciascun\w*|ogni|media|metà|vezes|média|metade|keer|elk\w*|gemiddeld\w*|helft|genoeg)\b"
    r"|倍|每|平均|半|毎"
)
_PERCENT: Final = lazy_regex(
    r"(?i)%|\bper ?cent\b|\bshare\b|\bprozent\b|\bpour ?cent\b|\bpor ?cento?\b"
)


class Reckoning(Enum):
    """What can be reckoned, and the words with which a sentence says that it was."""

    SUM = _SUM
    DIFFERENCE = _DIFFERENCE
    RATIO = _RATIO
    PERCENT = _PERCENT

    def is_told(self, text: str) -> bool:
        """Return whether ``text`` speaks of it."""
        return self.value.search(text) is not None


MOST_BY_CHANCE: Final = 2
"""Other figures that the same reckoning may come to before it proves nothing."""


def is_telling(wanted: Number, comes_up: Callable[[Number], bool]) -> bool:
    """Return whether ``wanted`` comes up, and hardly another figure of as many digits does.

    Args:
        wanted: A figure of a sentence.
        comes_up: Whether reckoning gives a figure.
    """
    if not comes_up(wanted):
        return False
    return sum(map(comes_up, _others(wanted))) <= MOST_BY_CHANCE


def _others(number: Number) -> Iterator[Number]:
    """Yield ``number`` with another digit in one of its last two places."""
    sign, digits, exponent = number.value.as_tuple()
    if not isinstance(exponent, int):
        return
    for place in range(max(0, len(digits) - 2), len(digits)):
        for digit in range(0 if place else 1, 10):
            if digit != digits[place]:
                changed = (*digits[:place], digit, *digits[place + 1 :])
                yield Number(
                    Decimal((sign, changed, exponent)), number.unit, number.start, number.end
                )
