"""Countries that a text names, by their names or by what their people and things are called."""

from __future__ import annotations

import re
from typing import Final

_NATIONS: Final = """
    Afghanistan: Afghan; Albania: Albanian; Algeria: Algerian; Angola: Angolan
    Argentina: Argentine, Argentinian; Armenia: Armenian; Australia: Australian; Austria: Austrian
    Azerbaijan: Azerbaijani; Bangladesh: Bangladeshi; Belarus: Belarusian; Belgium: Belgian
    Bolivia: Bolivian; Bosnia: Bosnian; Brazil: Brazilian; Bulgaria: Bulgarian; Cambodia: Cambodian
    Cameroon: Cameroonian; Canada: Canadian; Chile: Chilean; China: Chinese; Colombia: Colombian
    Croatia: Croatian; Cuba: Cuban; Cyprus: Cypriot; Czech Republic: Czech, Czechoslovak
    Denmark: Danish, Dane; Ecuador: Ecuadorian; Egypt: Egyptian; Estonia: Estonian
    Ethiopia: Ethiopian; Finland: Finnish, Finn; France: French, Frenchman; Georgia: Georgian
    Germany: German; Ghana: Ghanaian; Greece: Greek; Hungary: Hungarian; Iceland: Icelandic
    India: Indian; Indonesia: Indonesian; Iran: Iranian, Persian; Iraq: Iraqi; Ireland: Irish
    Israel: Israeli; Italy: Italian; Jamaica: Jamaican; Japan: Japanese; Kazakhstan: Kazakh
    Kenya: Kenyan; Latvia: Latvian; Lebanon: Lebanese; Lithuania: Lithuanian; Malaysia: Malaysian
    Mexico: Mexican; Mongolia: Mongolian; Morocco: Moroccan; Nepal: Nepalese, Nepali
    Netherlands: Dutch; New Zealand: New Zealander; Nigeria: Nigerian; North Korea: North Korean
    Norway: Norwegian; Pakistan: Pakistani; Peru: Peruvian; Philippines: Filipino, Philippine
    Poland: Polish; Portugal: Portuguese; Romania: Romanian; Russia: Russian, Soviet
    Saudi Arabia: Saudi; Serbia: Serbian, Yugoslav; Singapore: Singaporean; Slovakia: Slovak
    Slovenia: Slovene, Slovenian; South Africa: South African; South Korea: South Korean, Korean
    Spain: Spanish, Spaniard; Sri Lanka: Sri Lankan; Sweden: Swedish, Swede
    Switzerland: Swiss; Syria: Syrian; Taiwan: Taiwanese; Thailand: Thai; Tunisia: Tunisian
    Turkey: Turkish; Ukraine: Ukrainian; Uruguay: Uruguayan; Venezuela: Venezuelan
    Vietnam: Vietnamese; Zimbabwe: Zimbabwean
    United Kingdom: British, English, Scottish, Welsh, England, Scotland, Wales, UK, Briton
    United States: American, US, USA, U.S., United States of America
"""


def _spellings() -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in re.split(r"[;\n]", _NATIONS):
        country, _, others = entry.strip().partition(": ")
        if country:
            found |= dict.fromkeys([country, *others.split(", ")], country)
    return found


_COUNTRIES: Final = _spellings()
_NAMED: Final = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(_COUNTRIES, key=len, reverse=True)))})(?!\w)"
)


def nations(text: str) -> tuple[str, ...]:
    """Return the countries that ``text`` names, in its order, each once under its English name."""
    return tuple(dict.fromkeys(_COUNTRIES[found[0]] for found in _NAMED.finditer(text)))
