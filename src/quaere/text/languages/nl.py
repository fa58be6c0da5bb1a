"""Dutch."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred
from quaere.text.languages.phrases import Account, Reasons
from quaere.text.languages.wordings import Days, Following, Labels, Rules, excepting, forms

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
    spelling=r"ij|aa|uu|oo|oe[gkl]|sch$|(?:heid|heden|ing|schap)(?:en)?$",
    common=("het", "een", "van"),
    frame=Frame(
        yes="Ja",
        no="Nee",
        nothing="De bronnen zeggen niets dat de vraag beantwoordt.",
        nothing_asked="Dat is geen vraag, dus er is niets gezocht.",
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
        reasons=Reasons(
            word_for_word="de bron zegt het woordelijk",
            has_words="de bron bevat de woorden, cijfers en namen ervan",
            no_claim="de zin zegt niets wat een bron zou kunnen zeggen",
            in_part="slechts een deel ervan staat in de genoemde bronnen",
            otherwise="de genoemde bronnen zeggen iets anders",
            not_found="het staat niet in de genoemde bronnen",
            found="het staat in de genoemde bronnen",
            lost="dat waarnaar de zin verwijst, is weggelaten",
            unfounded="een conclusie die geen enkele bron op zichzelf trekt",
            too_many_sources="de zin noemt meer bronnen dan dit antwoord mag hebben",
            too_long="het antwoord was daarvoor al lang genoeg",
            unshown="niets van wat de zin als bron noemt, kan getoond worden",
            not_in="niet in de genoemde bronnen: {missing}",
            unknown="noemt bewijs dat niet bestaat: {numbers}",
            empty="zegt niets wat gecontroleerd kan worden",
            foreign="in een andere taal dan de genoemde bronnen",
            lengthy="te lang om te vergelijken",
            uncited="noemt geen bewijs",
            misquoted="een citaat staat niet in de genoemde bron",
            unquoted="noemt bewijs zonder citaat",
            denies="ontkent wat de bron bevestigt",
            affirms="bevestigt wat de bron ontkent",
            denies_alone="ontkent iets waar de bron niets ontkent",
            opposite="zegt het tegendeel van de bron",
            figure="de bron noemt daar een ander getal",
            replaced="de bron heeft daar een ander woord",
            compares="vergelijkt andersom dan de bron",
            uncompared="de bron vergelijkt ze niet zo",
            order="noemt een andere volgorde dan de bron",
            misplaced="de bron noemt dit getal bij iets anders",
            labelled="de bron zegt dit van iets anders",
            exchanged="verwisselt wat de bron van het een en van het ander zegt",
            narrowed="zegt het van minder dan de bron",
            reserved="de bron zegt het met een voorbehoud",
            strengthened="zegt het sterker dan de bron",
            unexplained="noemt een oorzaak die de bron niet noemt",
            left_open="laat open wat de bron eist",
            widened="zegt het van meer dan de bron",
            choice="heeft “en” waar de bron “of” heeft, of omgekeerd",
            scope="verandert de voorwaarde of de tijd die de bron noemt",
            against="“{one}” tegenover “{other}”",
        ),
        account=Account(
            alternatively=", of zegt het anders",
            sufficient="voor elk deel van de vraag is bewijs gevonden",
            nothing_new="het zoeken leverde niets nieuws op",
            loops_over="het maximale aantal rondes was bereikt",
            budget_used="het budget was op",
            time_up="de tijd was om",
            degraded="het zoeken mislukte te vaak",
            cancelled="er werd gevraagd om af te ronden",
            failed="een fout maakte een eind aan het zoeken",
            stopped="Reden van het einde: {reason} ({code}).",
            ended="Einde van het zoeken: {reason}.",
            not_answered="Niet beantwoord",
            summary="{status}: {sentences:zin|zinnen} met {citations:bron|bronnen}, zekerheid "
            "{confidence}.",
            checks="Geschreven zinnen: {written}; onderbouwd zoals ze waren: {supported}, "
            "verbeterd: {repaired}, gemarkeerd: {marked}, weggelaten: {dropped}.",
            not_checked="Elke zin is vergeleken met de woorden die hij citeert. Of die woorden "
            "waar zijn en wat niet gelezen bronnen zeggen, is niet gecontroleerd.",
            shown="Van de getoonde zinnen: {listed}.",
            nothing_found="Er is niets gevonden dat dit beantwoordt.",
            see="Geen eigen zin; zie {markers}.",
            not_rested="Er is bewijs gevonden, maar het antwoord berust er niet op.",
            question="De vraag",
            evidence="bewijs {number}",
            went="Hoe het verliep",
            coverage="Dekking",
            missing="Wat ontbreekt",
            checking="Controle",
            cost="Kosten",
            plan="Plan",
            sentences="Zinnen",
            status="Stand",
            sureness="Zekerheid: {confidence}; dekking: {coverage}",
            loops_of="Rondes: {count} van hoogstens {most}",
            queries_of="Zoekvragen: {count} van hoogstens {most}",
            opened="{sources}; geopende pagina's: {count} van hoogstens {most}",
            took="Kosten: {seconds} s, {calls}",
            run="Uitvoering: {run}",
            understood="De vraag zoals die is opgevat: {question}",
            profile="Profiel: {profile}; redenering: {reasoner}",
            unnamed="niet genoemd",
            given="Aan een onderzoek gegeven onderwerp: {topic}",
            refused="Geweigerd onderwerp, omdat het een ander herhaalt: {topic}",
            spent="profiel {profile} · {loops:ronde|rondes} · {queries:zoekvraag|zoekvragen} "
            "· {sources} · {seconds} s",
            tokens="{tokens:token|tokens}",
            sources="{found:bron|bronnen} gevonden, {read} gelezen, {refused} onleesbaar",
            read_in="{seconds} s; {sources}",
            calls="{calls:modelaanroep|modelaanroepen}, {tokens}, {cost}",
            about="ongeveer {tokens}",
            unpriced="prijs onbekend",
            priced_in_part="{cost} en {unknown} tegen onbekende prijs",
            under="minder dan {cost}",
            weaker="Beperkt uitgevoerd ({step}): {reason}",
            unused="Het genoemde model is niet overal gebruikt: {reasons}.",
            more="en nog {count}; --format full toont alles",
            query_heads=("Ronde", "Zoekvraag", "Bedoeling", "Treffers", "Nieuw", "Fout"),
            loop_heads=(
                "Ronde",
                "Bronnen gevonden",
                "Bronnen gelezen",
                "Dekking",
                "Zekerheid",
                "Tijd",
            ),
            call_heads=("Stap", "Model", "Tokens", "Kosten", "Tijd", "Fout"),
            evidence_heads=("Nr.", "Bron", "Delen van de score", "Score"),
            unknown="onbekend",
            contents="Inhoud",
            back="Terug naar waar {number} geciteerd wordt",
            read="gelezen {time}",
            abstract="samenvatting",
            full_text="volledige tekst",
            number="getal",
            date="datum",
            negation="ontkenning",
            opposite="tegendeel",
            judged="zo beoordeeld",
            page="pagina {at}",
            pages="pagina's {at}",
            slide="dia {at}",
            slides="dia's {at}",
            cell="cel {at}",
            cells="cellen {at}",
            line="regel {at}",
            lines="regels {at}",
            row="rij {at}",
            rows="rijen {at}",
            record="item {at}",
            records="items {at}",
            item="onderdeel {at}",
            items="onderdelen {at}",
            message="bericht {at}",
            messages="berichten {at}",
            date_for="De datum voor {thing}",
            figure_for="Het getal voor {thing}",
            place_for="De plaats voor {thing}",
            told_of="Wat de bronnen over {thing} zeggen",
            unread="De taal van de bronnen ({others}) is een andere dan die van de vraag "
            "({own}): zonder model worden antwoorden alleen gevonden in bronnen in de "
            "taal van de vraag",
        ),
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
        zij zijn zo zoals zonder zou zouden zulke s t kun kunt hoef hoeft hoeven
        """
    ),
    light=listed(
        """
        bevindt bevinden ligt liggen lag staat staan stond bestaat bestaan geeft geven maakt laat
        komt komen gaat gaan houdt blijft bedraagt telt ongeveer circa tamelijk mensen persoon
        personen aantal hoeveelheid manier ding geval deel totaal tegenwoordig nodig
        betreden
        """
    ),
    opposites="""
stijgen stijgt steeg toename verhoging | dalen daalt daalde afname verlaging
goedgekeurd aangenomen | afgekeurd verworpen afgewezen
openen opent geopend open | sluiten sluit gesloten dicht
beginnen begint begin start | eindigen eindigt einde
kopen kocht gekocht | verkopen verkocht
winnen won gewonnen winst | verliezen verloor verloren verlies
betaald bezoldigd | onbetaald onbezoldigd gratis
verplicht | vrijwillig facultatief
maximaal maximum hoogste | minimaal minimum laagste
openbaar | privé
eerste | laatste
meerderheid | minderheid
""",
    vague=listed(
        """
        heet heten heette noemt noemen noemde genoemd luidt naam namen begrip soort type
        """
    ),
    asks={
        "number": r"hoeveel\b(?: tijd)?|wat kost\w*"
        r"|hoe (?:lang|oud|hoog|groot|ver|vaak|diep|breed|zwaar|duur)\b",
        "reason": r"waarom\b|hoezo\b|om welke reden\b",
        "definition": r"wat (?:is|zijn|betekent)\b",
        "date": r"(?:sinds )?wanneer\b|hoe laat\b|in welk jaar\b|op welke dag\b",
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
        "number": "aantal afstand bedrag breedte diepte duur gewicht hoogte huur lengte "
        "oppervlakte prijs temperatuur",
        "name": "taal partij ploeg team club bedrijf organisatie groep film boek lied roman "
        "serie aflevering begrip type soort vak dier plant materiaal rol titel beroep "
        "school universiteit ziekte kleur naam",
    },
    price=r"(?:hoeveel|wat) kost(?:en|te)?\b|hoe duur\b",
    from_to=(r"van", r"naar|tot"),
    many=r"hoeveel (?=\w+(?:en|s)\b)",
    measured={
        "old": r"hoe oud\b",
        "heavy": r"hoe zwaar\b",
        "deep": r"hoe (?:breed|diep|hoog)\b",
        "long": r"hoe (?:lang|ver)\b",
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
    often=(
        r"\bhoe (?:vaak|dikwijls)\b",
        (
            r"\b(?:keer|maal|\w+maal|elke?|iedere?|alle|nooit|altijd|(?:dagelijks|"
            r"wekelijks|maandelijks|jaarlijks)\w*|om de|per (?:minuut|uur|dag|week|"
            r"maand|jaar))\b"
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
    denies=r"\b(?:niet|geen|nooit|niemand|nergens|noch|zonder|verboden|gesloten"
    r"|dicht(?! (?:aan|bij|op))|vrijgesteld)\b",
    wide=r"\b(?:alle|elke?|ieder\w*|altijd|hele|volledig)\b",
    narrow=r"\b(?:sommige|enkele|veel|meeste|meerdere|soms|vaak|bijna|deel|helft|weinig"
    r"|tot)\b",
    only=r"\b(?:alleen|uitsluitend|slechts|enkel)\b",
    until=r"\btot (?:hoe laat|wanneer)\b",
    reserved=r"\b(?:zou(?:den)?|misschien|waarschijnlijk|mogelijk|vermoedelijk|wellicht"
    r"|blijkbaar|naar verluidt|gepland)\b",
    because=r"\b(?:omdat|want|doordat|wegens|daarom|dankzij|zodat)\b",
    so=r"(?:Daarom|Daardoor|Dus|Om die reden)\b",
    defines=(
        r"\b(?:is|zijn|was|waren|betekent) (?:een|de|het)\b"
        r"|\b(?:noemt|verstaat) men\b|\b(?:wordt|worden) .*\bverstaan\b"
        r"|\b(?:dient|dienen) (?:om|voor|als)\b|\bbestaat (?:erin|uit)\b"
    ),
    located=(
        r"\b(?:aan|achter|bij|binnen|boven|buiten|in|naar|naast|onder|op|tegenover|te|tot|tussen|uit"
        r"|vanaf|vanuit|voor)\s(?!\d)|\b(?:hier|daar|thuis|online|beneden|buiten)\b"
    ),
    placed=r"\b(?:aan|bij|in|naar|op|te|uit|van|vanuit|tussen)(?: de| het)?\s*$",
    following=Following(
        neuter="het",
        stand_ins="die|dat",
        lead_in=r"(?:en|maar|dan)(?: hoe zit het met| wat is er met)?|hoe zit het met",
        is_verb_first=True,
        last=r"(?:ge|be|ver|op|toe)\w+|open|dicht",
        articles=r"de|het|een",
        prepositions=r"voor|met|zonder|op|in|aan|bij|van|naar|na|tot|vanaf|sinds|om|tijdens|over|onder",
        pronouns=r"hij|zij|ze|hem|het(?= (?:ge|ont|be|ver|op)\w+\Z)|het(?=\Z)",
    ),
    points_back=(
        r"(?:Hij|Zij|Ze|Zijn|Haar|Hun|Het(?= (?:is|was|heeft|had|werd|wordt|staat|ligt"
        r"|telt|kost|duurt|bestaat|biedt|weegt|hangt|bevat)\b)"
        r"(?! (?:is|was) (?:verboden|toegestaan|mogelijk|nodig)))\b"
    ),
    verbs=(
        r"is|zijn|was|waren|werd|werden|wordt|worden|heeft|hebben|had|hadden|kan|kunnen|mag"
        r"|mogen|moet|moeten|staat|ligt|telt|kost|duurt|bestaat|biedt|weegt|opent"
    ),
    without=r"\bzonder\b",
    but=r"\b(?:maar)\b",
    infinitive=r"\bte \w+n\W*$",
    ors=r"of|noch",
    one=r"een|één",
    by=r"door",
    moment=(
        r"binnen|na|voor|vóór|tot|vanaf|uiterlijk|sinds",
        r"voor|vóór|na|later|eerder|ervoor|daarna|van tevoren|vooraf",
        r"\bwerd(?:en)?\b",
    ),
    rules=Rules(
        must=r"\b(?:moet\w*|dient|dienen|verplicht\w*|nodig|noodzakelijk\w*|vereist\w*"
        r"|hoe(?:f|ft|ven)|\w*plicht)\b",
        need_not=r"\b(?:vrijwillige?|optione(?:el|le)|facultatie(?:f|ve)|vrijblijvende?"
        r"|overbodige?|onnodige?)\b",
        may=r"\b(?:mag|mogen|kan|kun|kunnen|toegestaan|toegelaten|geoorloofd|mogelijk"
        r"|welkom)\b",
        may_not=r"\b(?:verboden|\w*verbod|onmogelijk|uitgesloten)\b",
        paid=r"\b(?:kost(?:en|te)?|beta(?:al|alt|ald|len)|toeslag|exclusief|apart)\b",
        free=r"\b(?:gratis|koste?loo?s|kosteloze|vrije? (?:toegang|entree)|(?:toegang"
        r"|entree) (?:is )?vrij|zonder (?:extra |bij)?kosten|inbegrepen|inclusief)\b",
    ),
    labels=Labels(
        place=(r"waar\b", r"plaats|locatie|waar|zaal"),
        date=(r"wanneer\b|op welke (?:dag|datum)\b", r"datum|dag|wanneer"),
        held=r"\b(?:vond\w*|vindt|plaats\w*|gehouden|plaatsvinden)\b",
    ),
    days=Days(
        names=forms("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag", r"(?:en|s)?"),
        asked=r"\bwelke dag(?:en)?\b",
        through="tot(?: en met)?|t/m",
        groups=("weekend(?:s|en)?", "doordeweeks|door de week", "dagelijks|elke dag|alle dagen"),
        but=excepting("behalve", "uitgezonderd", "met uitzondering"),
        open=r"\b(?:open|opent|geopend)\b",
        closed=r"\bgesloten\b|\bsluitingsdag",
    ),
    before_year=r"(?P<plainly>jaar|anno)|in|sinds|rond|omstreeks",
    decade=r"jaren\s{year}",
    months=(
        *(r"jan(?:uari|\.)", r"feb(?:ruari|\.)", r"maart", r"apr(?:il|\.)", r"mei", r"juni"),
        *(r"juli", r"aug(?:ustus|\.)", r"sept?(?:ember|\.)", r"okt(?:ober|\.)"),
        *(r"nov(?:ember|\.)", r"dec(?:ember|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="een") | {"honderd": 100, "duizend": 1000},
    joint=r"(?:en|ën)?\s?",
    units={"km": "kilometer", "m": "meter", "cm": "centimeter", "kg": "kilo(?:gram)?"}
    | {"s": "seconden?", "wk": "weken|week", "mo": "maand(?:en)?"}
    | {"yr": "ja(?:ar|ren)", "min": "minu(?:ut|ten)", "h": "u(?:ur|ren)", "d": "dag(?:en)?"}
    | {"EUR": "euro", "%": "procent"}
    | {"l": "liter", "t": "ton(?:nen)?", "ha": "hectaren?", "g": "gram"},
    plurals=(
        "kind kinderen",
        "lid leden",
        "stad steden",
        "schip schepen",
        "ei eieren",
        "lied liederen",
    ),
    related=(
        "gewicht weegt wegen woog zwaar zwaarder",
        "hoogte hoog hoger",
        "lengte lang langer",
        "breedte breed breder",
        "diepte diep dieper",
        "duur duurt duren",
        "afstand bereik ver verder",
        "inhoud volume",
        "prijs duurder goedkoper",
        "aanwezig aanwezigen deelgenomen deelnemers bijgewoond",
        "voorzitter voorzitster voorgezeten",
        "gebruiken gebruik gebruikt",
        "reserveren reservering",
        "betreden toegang binnen",
        "geopend opening opende begon",
        (
            "open geopend opent openen opening openingstijden"
            " | gesloten sluit sluiten sluiting dicht openingstijden"
        ),
        "opgericht oprichter oprichtster oprichting stichtte gesticht",
        "ontwerp ontwierp ontworpen architect ingenieur",
        "gebouwd bouwde bouw",
        "geboren geboorte",
        "overleed overleden stierf",
        "toegestaan toegelaten verboden",
        "leidt leider leiding directeur geleid",
        "staat hangt ligt gevestigd bevindt",
        "omvat bevat inbegrepen inclusief",
        "kost kosten prijs tarief kaartje toegang entree betaal betaalt betalen",
    ),
)
