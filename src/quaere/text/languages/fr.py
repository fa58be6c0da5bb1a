"""French."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred
from quaere.text.languages.phrases import Account, Reasons
from quaere.text.languages.wordings import Days, Following, Labels, Rules, excepting, forms

_COUNTED = """
    deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
    dix-huit dix-neuf
"""
_TENS = "vingt trente quarante cinquante soixante septante huitante nonante"
"""The last three as in Belgium and Switzerland."""


def _joined(ten: str, one: str) -> str:
    return f"{ten} et {one}" if one.startswith("un") else f"{ten}-{one}"


def _by_twenties(counted: dict[str, int]) -> dict[str, int]:
    """Return the words that reckon from sixty and from eighty on: "soixante-dix"."""
    first = {word: value for word, value in counted.items() if value < 20}
    eighties = first | {"un": 1, "une": 1}
    return {
        "soixante et onze": 71,
        "quatre-vingts": 80,
        "quatre-vingt": 80,
        **{f"soixante-{word}": 60 + value for word, value in first.items() if value > 9},
        **{f"quatre-vingt-{word}": 80 + value for word, value in eighties.items()},
    }


_NUMBERS = under_hundred(_COUNTED, _TENS, _joined, ones="un une")

LANGUAGE = Language(
    code="fr",
    name="French",
    stemmer="french",
    spelling=r"[çœèêùû]|eau|aux$|tion$",
    common=("les", "est", "une"),
    frame=Frame(
        yes="Oui",
        no="Non",
        nothing="Les sources ne disent rien qui réponde à la question.",
        nothing_asked="Ce n'est pas une question : rien n'a été recherché.",
        incomplete="Les éléments trouvés ne couvrent pas toute la question.",
        doubtful="Il n'est pas certain que cela réponde à la question.",
        near="Rien de cela ne répond à la question ; c'est ce qui s'en approche le plus.",
        limited="La recherche était limitée ; la réponse repose sur des informations partielles.",
        cut_short="La recherche a été écourtée ; il reste peut-être des choses à trouver.",
        unanswered="Sans réponse dans ce qui a été trouvé",
        uncertain="Incertain d'après les sources",
        not_found="Introuvable",
        found_in_part="Trouvé seulement en partie",
        nothing_on="rien sur",
        disagree="Les sources se contredisent{about} : « {one} » contre « {other} ».",
        says_both="Une même source dit les deux : « {one} » et « {other} ».",
        colon=" : ",
        differs="formulé autrement",
        partly="étayé en partie",
        contradicted="contredit",
        not_judged="non évalué",
        quoted="cité",
        supported="étayé",
        no_claim="pas une affirmation",
        by_words="par les mots",
        by_model="par un modèle",
        by_entailment="par un modèle d'implication",
        reasons=Reasons(
            word_for_word="la source le dit mot pour mot",
            has_words="la source contient ses mots, ses chiffres et ses noms",
            no_claim="elle n'affirme rien qu'une source pourrait dire",
            in_part="une partie seulement se trouve dans les sources citées",
            otherwise="les sources citées disent autre chose",
            not_found="cela ne se trouve pas dans les sources citées",
            found="cela se trouve dans les sources citées",
            lost="ce à quoi elle renvoie a été écarté",
            unfounded="une conclusion qu'aucune source ne tire à elle seule",
            too_many_sources="elle cite plus de sources que cette réponse ne peut en avoir",
            too_long="la réponse était déjà assez longue",
            unshown="rien de ce qu'elle cite ne peut être montré",
            not_in="absent des sources citées : {missing}",
            unknown="cite des éléments qui n'existent pas : {numbers}",
            empty="ne dit rien de vérifiable",
            foreign="dans une autre langue que les sources citées",
            lengthy="trop longue pour être comparée",
            uncited="ne cite aucun élément",
            misquoted="une citation ne se trouve pas dans la source citée",
            unquoted="cite un élément sans citation",
            denies="nie ce que la source affirme",
            affirms="affirme ce que la source nie",
            denies_alone="nie quelque chose là où la source ne nie rien",
            opposite="dit le contraire de la source",
            figure="la source donne là un autre chiffre",
            replaced="la source a là un autre mot",
            compares="compare dans le sens inverse de la source",
            uncompared="la source ne les compare pas ainsi",
            order="donne un autre ordre que la source",
            misplaced="la source donne ce chiffre pour autre chose",
            labelled="la source le dit d'autre chose",
            exchanged="échange ce que la source dit de l'un et de l'autre",
            narrowed="le dit de moins de choses que la source",
            reserved="la source le dit avec une réserve",
            strengthened="le dit plus fortement que la source",
            unexplained="donne une cause que la source ne donne pas",
            left_open="laisse ouvert ce que la source exige",
            widened="le dit de plus de choses que la source",
            choice="a « et » là où la source a « ou », ou l'inverse",
            scope="change la condition ou le temps que donne la source",
            against="« {one} » contre « {other} »",
        ),
        account=Account(
            group="\u202f",
            joint=" ; ",
            why="{verdict} : {reason}",
            alternatively=", ou le dit autrement",
            sufficient="des éléments ont été trouvés pour chaque partie de la question",
            nothing_new="la recherche n'apportait rien de nouveau",
            loops_over="le nombre maximal de boucles était atteint",
            budget_used="le budget était épuisé",
            time_up="le temps était écoulé",
            degraded="la recherche a échoué trop souvent",
            cancelled="il a été demandé de conclure",
            failed="une erreur a mis fin à la recherche",
            stopped="Raison de la fin : {reason} ({code}).",
            ended="Fin de la recherche : {reason}.",
            not_answered="Sans réponse",
            summary="{status} : {sentences:phrase|phrases}, {citations:source citée|sources "
            "citées}, confiance {confidence}.",
            checks="Phrases écrites : {written} ; étayées telles quelles : {supported}, "
            "corrigées : {repaired}, signalées : {marked}, écartées : {dropped}.",
            not_checked="Chaque phrase a été comparée aux mots qu'elle cite. Il n'a pas été "
            "vérifié si ces mots sont vrais, ni ce que disent les sources qui n'ont "
            "pas été lues.",
            shown="Parmi les phrases montrées : {listed}.",
            nothing_found="Rien de ce qui a été trouvé n'y répond.",
            see="Aucune phrase à part ; voir {markers}.",
            not_rested="Des éléments ont été trouvés, mais la réponse ne s'appuie pas dessus.",
            question="La question",
            evidence="élément {number}",
            went="Déroulement",
            coverage="Couverture",
            missing="Ce qui manque",
            checking="Vérifications",
            cost="Coût",
            plan="Plan",
            sentences="Phrases",
            status="État",
            sureness="Confiance : {confidence} ; couverture : {coverage}",
            loops_of="Boucles : {count} sur {most} au plus",
            queries_of="Requêtes : {count} sur {most} au plus",
            opened="{sources} ; pages ouvertes : {count} sur {most} au plus",
            took="Coût : {seconds} s, {calls}",
            run="Exécution : {run}",
            understood="La question telle qu'elle a été comprise : {question}",
            profile="Profil : {profile} ; raisonnement : {reasoner}",
            unnamed="non indiqué",
            given="Sujet confié à une recherche : {topic}",
            refused="Sujet refusé, car il en répète un autre : {topic}",
            spent="profil {profile} · {loops:boucle|boucles} · {queries:requête|requêtes} · "
            "{sources} · {seconds} s",
            tokens="{tokens:jeton|jetons}",
            sources="sources trouvées : {found}, lues : {read}, illisibles : {refused}",
            read_in="{seconds} s ; {sources}",
            calls="{calls:appel au modèle|appels au modèle}, {tokens}, {cost}",
            about="environ {tokens}",
            unpriced="prix inconnu",
            priced_in_part="{cost} et {unknown} à un prix inconnu",
            under="moins de {cost}",
            weaker="Fonctionnement réduit ({step}) : {reason}",
            unused="Le modèle indiqué n'a pas été utilisé partout : {reasons}.",
            more="et {count} de plus ; --format full montre tout",
            query_heads=("Boucle", "Requête", "Intention", "Résultats", "Nouveaux", "Erreur"),
            loop_heads=(
                "Boucle",
                "Sources trouvées",
                "Sources lues",
                "Couverture",
                "Confiance",
                "Temps",
            ),
            call_heads=("Étape", "Modèle", "Jetons", "Coût", "Temps", "Erreur"),
            evidence_heads=("N°", "Source", "Parts de la note", "Note"),
            unknown="inconnu",
            contents="Sommaire",
            back="Retour à l'endroit où {number} est cité",
            read="lu le {time}",
            abstract="résumé",
            full_text="texte intégral",
            number="nombre",
            date="date",
            negation="négation",
            opposite="contraire",
            judged="jugé ainsi",
            page="page {at}",
            pages="pages {at}",
            slide="diapositive {at}",
            slides="diapositives {at}",
            cell="cellule {at}",
            cells="cellules {at}",
            line="ligne {at}",
            lines="lignes {at}",
            row="rangée {at}",
            rows="rangées {at}",
            record="entrée {at}",
            records="entrées {at}",
            item="élément {at}",
            items="éléments {at}",
            message="message {at}",
            messages="messages {at}",
            date_for="{thing} : la date",
            figure_for="{thing} : le chiffre",
            place_for="{thing} : le lieu",
            told_of="{thing} : ce qu'en disent les sources",
            unread="La langue des sources ({others}) n'est pas celle de la question ({own}) : "
            "sans modèle, les réponses ne sont trouvées que dans des sources rédigées "
            "dans la langue de la question",
        ),
        headings=Headings(
            report="Rapport",
            short="Réponse courte",
            detail="En détail",
            general="En général",
            findings="Constats",
            agreement="Accords et contradictions",
            look="Où chercher",
            limits="Limites",
            open="Ce qui reste ouvert",
            ended="Comment la recherche a pris fin",
            checked="Ce qui a été vérifié",
            warnings="Avertissements",
            method="Méthode",
            queries="Requêtes",
            loops="Boucles",
            calls="Appels au modèle",
            evidence="Preuves, les meilleures d’abord",
            sources="Sources",
            finding="Constat",
            verdict="Verdict",
            citations="Citations",
            sentence="Phrase",
            left_out="Écarté de la réponse",
            part="Partie de la question",
            supported_by="Appuyée par",
            contradicted_by="Contredite par",
            origins="Origines indépendantes",
            agreed="Accords",
            conflicts="Contradictions",
            one_source="Une source",
            another="Une autre",
            difference="Différence",
            answered="Répondu",
            in_part="Répondu en partie",
            unanswered="Sans réponse",
        ),
    ),
    stop_words=listed(
        """
        a afin ai ainsi alors après as au aucun aucune aujourd'hui auquel aussi autre autres aux
        avait avaient avant avec avez avoir avons bien c car ce ceci cela celle celles celui ces cet
        cette ceux chaque chez combien comme comment contre d dans de depuis des donc dont du elle
        elles en encore entre es est et étaient était étant été être eu eux faire fait faut fut
        furent hors il ils j je jusqu l la laquelle le lequel les lesquels leur leurs lors lui m ma
        mais me même mêmes mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas
        pendant peu peut peuvent plus plusieurs pour pourquoi puis qu quand que quel quelle quelles
        quels qui quoi s sa sans se sera ses seulement si sien son sont sous sur t ta te tes toi ton
        tous tout toute toutes très tu un une vers vos votre vous y à là il-y-a a-t-il est-ce est-il
        est-elle sont-ils sont-elles peut-on doit doivent dois devons devez puis-je dois-je pouvons
        pouvez peux faut-il doit-on ici
        """
    ),
    elision=r"(?:jusqu|lorsqu|puisqu|quelqu|qu|[cdjlmnst])'",
    light=listed(
        """
        trouve trouvent situé située existe existent reste restent compte comptent donne donnent
        met mettent vient viennent va vont prend prennent permet environ plutôt assez gens personne
        personnes nombre quantité manière façon chose cas partie total actuellement aujourd'hui
        besoin nécessaire nécessite
        aller entrer monter descendre passer
        """
    ),
    opposites="""
augmenter augmente augmenté augmentation hausse | diminuer diminue diminué diminution baisse
approuver approuvé approuvée accepter accepté adopté adoptée | rejeter rejeté rejetée refuser refusé
ouvrir ouvert ouverte ouvre | fermer fermé fermée ferme
commencer commence début | finir terminer termine fin
acheter acheté | vendre vendu
gagner gagné victoire | perdre perdu défaite
rémunéré rémunérée payant payante | bénévole bénévoles gratuit gratuite
obligatoire obligatoires | facultatif facultative facultatifs facultatives
maximum maximal | minimum minimal
public publique | privé privée
premier première | dernier dernière
majorité | minorité
""",
    vague=listed(
        """
        nomme nommé nommée appelle appelé appelée terme type genre sorte
        """
    ),
    asks={
        "number": r"combien\b(?: de temps)?|quelle? est l[ae'] ?(?:hauteur|longueur|prix|taille)\b",
        "reason": r"pourquoi\b|pour quelle raison\b",
        "definition": r"qu['’]est[- ]ce qu(?:e |['’])|c['’]est quoi\b|que signifie\b",
        "date": r"(?:depuis )?quand\b|quelle heure\b|jusqu['’]à (?:quelle heure|quand)\b"
        r"|(?:en quelle année|à quelle date)\b",
        "place": r"(?:d['’])?où\b",
        "person": r"(?:à |de |par )?qui\b",
        "which": r"(?:l[ea]s?|de)?quel(?:le)?s?\b",
        "comparison": r"compare[zr]?\b",
        "list": r"(?:cite|énumère|liste)[zr]?\b",
        "manner": r"comment\b",
        "statement": r"qu['’]|que\b|quoi\b",
    },
    nouns={
        "person": "architecte artiste auteur écrivain fondat inventeur ingénieur maire maître "
        "peintre personne poète reine roi directeur directrice",
        "place": "commune endroit fleuve île lieu pays place quartier région rivière rue ville "
        "village",
        "date": "an année date jour mois siècle",
        "number": "altitude capacité distance durée hauteur largeur longueur loyer montant nombre "
        "poids population prix profondeur superficie taille tarif température",
        "name": "langue parti équipe club entreprise société organisation groupe film livre "
        "chanson roman série épisode type genre sorte terme matière animal plante "
        "matériau rôle titre métier profession école université maladie couleur nom",
    },
    yes_no=r"^\W*est[- ]ce qu(?!i\b)|^(?!\W*(?:\w+\s){0,3}(?:où|quand|comment|combien|pourquoi|qu))"
    r".*-(?:t-)?(?:ils?|elles?|on)\b",
    price=r"combien (?:coût\w+|pai\w+|pay\w+)\b|quel est le (?:prix|tarif)\b",
    from_to=(r"de|du", r"à|a"),
    many=r"combien d(?:e\b(?! temps)|['’])",
    measured={
        "old": r"quel âge\b",
        "heavy": r"quel(?: est (?:le|son))? poids\b|combien pès\w+",
        "deep": r"quelle(?: est (?:la|sa))? (?:hauteur|largeur|longueur|profondeur)\b",
        "long": r"combien de temps\b",
    },
    lists=r"\bquel(?:le)?s (?:sont|étaient)\b|\btous les\b|\btoutes les\b",
    joins="et",
    either=choice("ou"),
    claims=(
        (
            r"^\W*(?:est-ce que )?(?P<a>.+?)\s+(?:est|sont|était)(?:-(?:il|elle)s?)?\s+"
            r"(?P<about>(?:plus|moins)\s+\w+)\s+que\s+(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    often=(
        r"\b(?:(?:à|avec) quelle fréquence|tous les combien)\b",
        (
            r"\b(?:fois|tous les|toutes les|chaque|jamais|toujours|(?:quotidien|"
            r"hebdomadaire|mensuel|annuel|trimestriel)\w*|par (?:minute|heure|jour|"
            r"semaine|mois|an))\b"
        ),
    ),
    earlier=r"\bpremi\w+\b|\bplus (?:ancien|vieux|vieille|âgé|tôt)\w*|\bavant\b|\bd'abord\b",
    later=r"\bderni\w+\b|\bplus (?:récent|jeune|tard)\w*|\baprès\b",
    than=r"\b(?P<degree>(?:plus|moins)(?:\s+(?:de\s+|d['’])?[^\W\d_]+)?)\s+qu(?:e\b|['’])",
    less=r"\bmoins\b|\bplus (?:petit|court|bas|léger|étroit)\w*",
    more=r"\bplus (?:grand|long|haut|profond|lourd|large|cher)\w*|\bplus de\b|\bplus$",
    born=r"\bn(?:é|ée|és|ées|aquit|aissance)\b",
    died=r"\b(?:mort|morte|mourut|décès|décédée?)\b",
    life=("né", "mort"),
    denies=r"\b(?:ne|n['’]\w+|pas|aucune?|jamais|rien|sans|ni|interdite?s?|interdiction|défense|fermée?s?|exemptée?s?|exonérée?s?|dispensée?s?)\b",
    wide=r"\b(?:tou(?:s|te|tes|t)|chaque|toujours|entièrement|complètement|aucune?)\b",
    narrow=r"\b(?:quelques|certaine?s|plusieurs|beaucoup|plupart|parfois|souvent|presque"
    r"|partie|moitié|peu de|jusqu)\b",
    only=r"\b(?:seulement|uniquement|exclusivement)\b|\bn['’e]\w*\b[^.;]{0,40}\bque?\b",
    until=r"\bjusqu['’]à (?:quelle heure|quand)\b",
    reserved=r"\b(?:pourrai(?:t|ent)|peut-être|probablement|sans doute|semble\w*|serai(?:t"
    r"|ent)|aurai(?:t|ent)|éventuellement|il se peut|devrai(?:t|ent)|prévu\w*"
    r"|possible|vraisemblablement)\b",
    because=r"\b(?:parce qu|car|à cause|en raison|grâce|afin|pour que|puisqu)",
    so=r"(?:C['’]est pourquoi|Donc|Par conséquent|Pour cette raison)\b",
    defines=(
        r"\b(?:est|sont|était|désigne|signifie) (?:une?|des|les?|la|l['’])"
        r"|\bon (?:appelle|nomme|entend par|désigne)\b"
        r"|\bs['’]entend(?:ent)?\b|\b(?:consistent?|sert|servent) à\b|\bpermet(?:tent)? d"
    ),
    located=(
        r"\b(?:à|aux?|chez|contre|dans|derrière|devant|en|entre|face|près|sous|sur|vers)\s(?!\d)"
        r"|\bd(?:e |['’])(?-i:[A-ZÀ-Þ])|\b(?:rue|place|avenue|quai|ici|dehors|dedans)\b"
    ),
    placed=r"\b(?:à|au|aux|en|dans|sur|sous|chez|près de|de|du|vers)(?: la| le| les| l['’])?\s*$",
    following=Following(
        lead_in=r"(?:et|mais|alors)(?: qu['’]en est-il)?",
        articles=r"le|la|les|un|une|des",
        prepositions=r"pour|avec|sans|à|au|aux|en|dans|de|du|chez|avant|après|depuis|sur|sous|par",
        pronouns=r"lui|(?<!y a)-t-(?:il|elle)s?"
        r"|(?<!faut)(?<!-t)-(?:elle|il)s?(?! (?:possible|permis|interdit))",
        stand_ins="celui|celle|ceux|celles",
        bound=r"\b[ql]['’](?=a\b|ont\b|avait\b)|(?<![\w-])(?:elles?|ils|il(?! (?:y|faut|est)\b))\b",
    ),
    points_back=(
        r"(?:Ils?(?! (?:y a|faut|est (?:interdit|permis|possible|nécessaire|obligatoire))\b)"
        r"|Elles?|Son|Sa|Ses|Leurs?|Celui-ci|Celle-ci)\b"
    ),
    verbs=(
        r"est|sont|était|étaient|fut|furent|a|ont|avait|peut|peuvent|doit|doivent|se|compte"
        r"|comprend|dure|coûte|ouvre|appartient|possède|offre"
    ),
    without=r"\bsans\b",
    but=r"\b(?:mais)\b",
    ors=r"ou|ni",
    one=r"une?",
    by=r"par",
    moment=(
        r"dans|sous|avant|après|au plus tard|au plus tôt|d['’]ici|depuis|début|fin|au bout d['’e]",
        r"avant|après|plus tard|auparavant|suivante?s?|précédente?s?",
        r"\b(?:fut|furent|a été|ont été|a-t-(?:il|elle)|est née?)\b",
    ),
    rules=Rules(
        must=r"\b(?:doi(?:t|s|vent)|dev(?:ez|ons)|faut|faudra|obligatoires?|oblig(?:é|ée|és"
        r"|ées|ation)|nécessaires?|nécessit\w+|indispensables?|requis\w*|exigée?s?"
        r"|besoin)\b",
        need_not=r"\b(?:facultati\w+|optionnel\w*|inutiles?|superflue?s?)\b",
        may=r"\b(?:peu(?:t|x|vent)|puis|pouv(?:ez|ons)|permi[st]\w*|permett\w+|permet"
        r"|autoris\w+|admi[st]\w*|admett\w+|accept\w+|tolér\w+|droit|possibles?)\b",
        may_not=r"\b(?:interdi\w+|proscri\w+|prohib\w+|défendue?s?|défense|impossibles?)\b",
        paid=r"\b(?:coût\w+|pa(?:y|i)\w+|supplément|frais|exclu\w*|en (?:sus|plus"
        r"|supplément)|à part)\b",
        free=r"\b(?:gratuit\w*|offerte?s?|entrée libre|accès libre|sans (?:frais"
        r"|supplément)|compri(?:s|se|ses)|inclu\w*)\b",
    ),
    labels=Labels(
        place=(r"où\b", r"lieu|endroit|où|salle"),
        date=(r"quand\b|quel jour\b|à quelle date\b", r"date|jour|quand"),
        held=r"\b(?:eue?|aura|lieu|tenue?s?|tient|tiendra|déroulée?s?|déroule|déroulera)\b",
    ),
    days=Days(
        names=forms("lundi mardi mercredi jeudi vendredi samedi dimanche", r"s?"),
        asked=r"\bquels? jours?\b",
        through="au|à|jusqu['’]au",
        groups=("week-?ends?", "en semaine", "tous les jours|chaque jour"),
        but=excepting("sauf", "excepté", "hormis", r"à l['’]exception"),
        open=r"\bouv(?:ert|r)\w*",
        closed=r"\bfermée?s?\b|\bfermeture\b|\bferme (?=le)",
    ),
    before_year=r"(?P<plainly>an|année)|en|depuis|vers|jusqu['’]en",
    decade=r"années\s{year}",
    months=(
        r"janv(?:ier|\.)",
        r"févr(?:ier|\.)",
        r"mars",
        r"avr(?:il|\.)",
        r"mai",
        r"juin",
        r"juill(?:et|\.)",
        r"août",
        r"sept(?:embre|\.)",
        r"oct(?:obre|\.)",
        r"nov(?:embre|\.)",
        r"déc(?:embre|\.)",
    ),
    numbers=_NUMBERS | _by_twenties(_NUMBERS) | {"cent": 100, "cents": 100, "mille": 1000},
    joint=r"[\s-]",
    units={"km": "kilomètres?", "m": "mètres?", "cm": "centimètres?", "kg": "kilos?"}
    | {"s": "secondes?", "wk": "semaines?", "mo": "mois"}
    | {"g": "grammes?", "yr": "an(?:s|née|nées)?", "min": "minutes?", "h": "heures?"}
    | {"d": "jours?", "EUR": "euros?", "%": "pour cent", "°C": "degrés"}
    | {"l": "litres?|l", "t": "tonnes?", "ha": "hectares?"},
    related=(
        "poids pèse pèsent lourd lourde",
        "hauteur haut haute",
        "longueur long longue",
        "largeur large",
        "profondeur profond profonde",
        "durée dure durent",
        "capacité contenance contient",
        "prix cher chère coûteux coûtera",
        "présents présent présente assisté assistaient participé participants",
        "préside présidé présidait président présidente présidence",
        "utiliser utilisation usage emploi",
        "entrer entrée accès accéder",
        "réserver réservation",
        "inscrire inscription",
        "inauguré inaugurée inauguration ouvert ouverte ouverture",
        "fondé fondée fondateur fondatrice fondation fonda créé créée",
        "architecte dessina dessiné dessinée conçu conçue plans",
        "construit construite bâti bâtie bâtir édifié construction",
        (
            "ouvert ouverte ouverts ouvre ouvrir ouverture horaires"
            " | fermé fermée fermés ferme fermer fermeture horaires"
        ),
        "trouve situé située installé installée présente",
        "né née naissance naquit natif",
        "mort morte mourut décès",
        (
            "autorisé autorisés autorisée autorisées permis permise admis admise interdit "
            "interdite interdites interdits"
        ),
        "compte possède comprend",
        "dirige directeur directrice direction dirigé",
        "comprend comprennent comprises inclus incluse inclut incluent",
        "coûte coûtent prix tarif billet entrée paie paient payer",
    ),
)
