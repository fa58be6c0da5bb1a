"""Dutch."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred

_COUNTED = """
    twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien
    zeventien achttien negentien
"""
_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"


def _joined(ten: str, one: str) -> str:
    return f"{one}{'ën' if one.endswith('e') else 'en'}{ten}"


LANGUAGE = Language(
    code="nl",
    name="Dutch",
    stemmer="dutch",
    common=("het", "een", "van"),
    frame=Frame(
        yes="Ja",
        no="Nee",
        nothing="De bronnen zeggen niets dat de vraag beantwoordt.",
        incomplete="Wat gevonden is, dekt niet elk deel van de vraag.",
        doubtful="Het is niet zeker dat dit de vraag beantwoordt.",
        near="Niets hiervan beantwoordt de vraag; het komt er het dichtst bij.",
        limited="Het zoeken was beperkt; het antwoord berust op onvolledige informatie.",
        cut_short="Het onderzoek is voortijdig beëindigd; er kan meer te vinden zijn.",
        unanswered="Niet beantwoord door wat gevonden is",
        uncertain="Niet zeker volgens de bronnen",
        not_found="Niet gevonden",
        found_in_part="Alleen gedeeltelijk gevonden",
        nothing_on="niets over",
        disagree="De bronnen spreken elkaar tegen{about}: “{one}” tegenover “{other}”.",
        says_both="Eén bron zegt beide: “{one}” en “{other}”.",
        differs="anders verwoord",
        partly="deels onderbouwd",
        contradicted="tegengesproken",
        not_judged="niet beoordeeld",
        quoted="geciteerd",
        supported="onderbouwd",
        no_claim="geen bewering",
        by_words="op grond van de woorden",
        by_model="door een model",
        by_entailment="door een entailmentmodel",
        headings=Headings(
            report="Verslag",
            short="Kort antwoord",
            detail="In detail",
            general="In het algemeen",
            findings="Bevindingen",
            agreement="Overeenstemming en tegenspraak",
            look="Waar u kunt kijken",
            limits="Grenzen",
            open="Wat open blijft",
            ended="Hoe het zoeken eindigde",
            checked="Wat is nagegaan",
            warnings="Waarschuwingen",
            method="Werkwijze",
            queries="Zoekvragen",
            loops="Rondes",
            calls="Modelaanroepen",
            evidence="Bewijs, het beste eerst",
            sources="Bronnen",
            finding="Bevinding",
            verdict="Oordeel",
            citations="Citaten",
            sentence="Zin",
            left_out="Weggelaten uit het antwoord",
            part="Deel van de vraag",
            supported_by="Gesteund door",
            contradicted_by="Tegengesproken door",
            origins="Onafhankelijke herkomsten",
            agreed="Overeenstemming",
            conflicts="Tegenspraak",
            one_source="Eén bron",
            another="Een andere",
            difference="Verschil",
            answered="Beantwoord",
            in_part="Gedeeltelijk beantwoord",
            unanswered="Open",
        ),
    ),
    stop_words=listed(
        """
        aan aangaande al alle alles als alsof ander andere ben bent bij bijna binnen boven buiten
        daar daardoor daarom dan dat de deze die dit doch doen door dus een echter eens elk elke en
        enige er ertussen gaat geen geweest haar had hadden heb hebben heeft hem hen het hier hij
        hoe hoeveel hun ieder iedere iemand iets ik in is ja je jij jullie kan kon konden kunnen
        maar me mee meer men met mij mijn moet moeten mogen mag na naar naast niet niets noch nog nu
        of om omdat onder ons onze ook op over per reeds sinds tegen ten ter terwijl te tijdens toch
        toe tot tussen u uit uw van vanaf veel verder via voor waar waarin waarom wanneer want waren
        was wat we wel welk welke werd werden wie wiens wij wil word worden wordt zal ze zelf zich
        zij zijn zo zoals zonder zou zouden zulke
        """
    ),
    light=listed(
        """
        bevindt bevinden ligt liggen lag staat staan stond bestaat bestaan geeft geven maakt laat
        komt komen gaat gaan houdt blijft bedraagt telt ongeveer circa tamelijk mensen persoon
        personen aantal hoeveelheid manier ding geval deel totaal tegenwoordig nodig
        """
    ),
    asks={
        "number": r"hoeveel\b|hoe (?:lang|oud|hoog|groot|ver|vaak|diep|breed|zwaar|duur)\b",
        "reason": r"waarom\b|hoezo\b|om welke reden\b",
        "definition": r"wat (?:is|zijn|betekent)\b",
        "date": r"(?:sinds )?wanneer\b|in welk jaar\b|op welke dag\b",
        "place": r"waar(?:heen|vandaan)?\b",
        "person": r"(?:van |door |met )?wie(?:ns)?\b",
        "which": r"welke?\b",
        "comparison": r"vergelijk\b",
        "list": r"noem\b|som\b",
        "manner": r"hoe\b",
        "statement": r"wat\b|waar[a-z]+\b",
    },
    nouns={
        "person": "architect auteur burgemeester dichter directeur ingenieur koning kunstenaar "
        "oprichter persoon schilder schrijver uitvinder",
        "place": "dorp eiland gemeente land plaats plein provincie regio rivier stad straat",
        "date": "datum dag eeuw jaar maand",
        "number": "aantal afstand diepte duur gewicht hoogte lengte oppervlakte prijs",
    },
    lists=r"\bwelke (?:\w+ ){1,2}(?:biedt|heeft|hebben|is|zijn|telt|omvat)\b|\balle\b|\bnoem\b",
    joins="en",
    either=choice("of"),
    claims=(
        (
            r"^\W*(?:is|zijn|was|waren|heeft|werd)\s+(?P<a>[^,]+?)\s+(?P<about>\w+er|meer|minder)\s+"
            r"(?:\w+\s+)?dan\s+(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    earlier=r"\b(?:eerder|eerst\w*|ouder|oudst\w*|voor|vroeger)\b",
    later=r"\b(?:later|laatst\w*|jonger|jongst\w*|nieuwer|na)\b",
    than=r"\b(?P<degree>\w+er|meer)\s+dan\b",
    less=r"\b(?:minder|kleiner|korter|lager|lichter|goedkoper)\b",
    more=r"\b(?:meer|groter|langer|hoger|dieper|zwaarder|breder|duurder)\b",
    born=r"\bgebo(?:ren|orte)|\bouder\b|\bjonger\b",
    died=r"\b(?:overle(?:ed|den)|stierf|gestorven|dood)\b",
    life=("geboren", "overleden"),
    denies=r"\b(?:niet|geen|nooit|niemand|nergens|noch|zonder|verboden|gesloten)\b",
    wide=r"\b(?:alle|elke?|ieder\w*|altijd|hele|volledig)\b",
    narrow=r"\b(?:sommige|enkele|veel|meeste|meerdere|soms|vaak|bijna|deel|helft|weinig"
    r"|tot)\b",
    reserved=r"\b(?:zou(?:den)?|misschien|waarschijnlijk|mogelijk|vermoedelijk|wellicht"
    r"|blijkbaar|naar verluidt|gepland)\b",
    because=r"\b(?:omdat|want|doordat|wegens|daarom|dankzij|zodat)\b",
    defines=r"\b(?:is|zijn|was|waren|betekent) (?:een|de|het)\b",
    placed=r"\b(?:aan|bij|in|naar|op|te|uit|van|vanuit|tussen)(?: de| het)?\s*$",
    weekdays=r"\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(?:en|s)?\b",
    which_day=r"\bwelke dag(?:en)?\b",
    months=(
        *(r"jan(?:uari|\.)", r"feb(?:ruari|\.)", r"maart", r"apr(?:il|\.)", r"mei", r"juni"),
        *(r"juli", r"aug(?:ustus|\.)", r"sept?(?:ember|\.)", r"okt(?:ober|\.)"),
        *(r"nov(?:ember|\.)", r"dec(?:ember|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="een") | {"honderd": 100, "duizend": 1000},
    units={"km": "kilometer", "m": "meter", "cm": "centimeter", "kg": "kilo(?:gram)?"}
    | {"yr": "ja(?:ar|ren)", "min": "minu(?:ut|ten)", "h": "u(?:ur|ren)", "d": "dag(?:en)?"}
    | {"EUR": "euro", "%": "procent"}
    | {"l": "liter", "t": "ton(?:nen)?", "ha": "hectaren?", "g": "gram"},
    related=(
        "geopend opening opende begon",
        "open gesloten geopend",
        "opgericht oprichter oprichtster oprichting stichtte gesticht",
        "ontwerp ontwierp ontworpen architect ingenieur",
        "gebouwd bouwde bouw",
        "geboren geboorte",
        "overleed overleden stierf",
        "toegestaan toegelaten verboden",
        "leidt leider directeur geleid",
        "staat hangt ligt gevestigd bevindt",
        "kost prijs",
    ),
)
