"""Spanish."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred

_COUNTED = """
    dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve
"""
_TENS = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_STRESSED = {"un": "ún", "dos": "dós", "tres": "trés", "seis": "séis"}


def _joined(ten: str, one: str) -> str:
    if ten == "veinte":
        return f"veinti{_STRESSED.get(one, one)}"
    return f"{ten} y {one}"


LANGUAGE = Language(
    code="es",
    name="Spanish",
    stemmer="spanish",
    common=("el", "los", "del"),
    frame=Frame(
        yes="Sí",
        no="No",
        nothing="Las fuentes no dicen nada que responda a la pregunta.",
        incomplete="Lo encontrado no cubre toda la pregunta.",
        doubtful="No es seguro que esto responda a la pregunta.",
        near="Nada de esto responde a la pregunta; es lo que más se le acerca.",
        limited="La búsqueda fue limitada; la respuesta se basa en información parcial.",
        cut_short="La investigación se interrumpió antes de tiempo; puede haber más que encontrar.",
        unanswered="Sin respuesta en lo encontrado",
        uncertain="No es seguro según las fuentes",
        not_found="No encontrado",
        found_in_part="Encontrado solo en parte",
        nothing_on="nada sobre",
        disagree="Las fuentes se contradicen{about}: «{one}» frente a «{other}».",
        says_both="Una misma fuente dice ambas cosas: «{one}» y «{other}».",
        differs="formulado de otro modo",
        partly="respaldado en parte",
        contradicted="contradicho",
        not_judged="no evaluado",
        quoted="citado",
        supported="respaldado",
        no_claim="no es una afirmación",
        by_words="por las palabras",
        by_model="por un modelo",
        by_entailment="por un modelo de implicación",
        headings=Headings(
            report="Informe",
            short="Respuesta breve",
            detail="En detalle",
            general="En general",
            findings="Resultados",
            agreement="Acuerdos y contradicciones",
            look="Dónde buscar",
            limits="Límites",
            open="Lo que queda abierto",
            ended="Cómo terminó la búsqueda",
            checked="Qué se comprobó",
            warnings="Advertencias",
            method="Método",
            queries="Consultas",
            loops="Rondas",
            calls="Llamadas al modelo",
            evidence="Pruebas, las mejores primero",
            sources="Fuentes",
            finding="Resultado",
            verdict="Veredicto",
            citations="Citas",
            sentence="Frase",
            left_out="Excluido de la respuesta",
            part="Parte de la pregunta",
            supported_by="Respaldada por",
            contradicted_by="Contradicha por",
            origins="Orígenes independientes",
            agreed="Acuerdos",
            conflicts="Contradicciones",
            one_source="Una fuente",
            another="Otra",
            difference="Diferencia",
            answered="Respondido",
            in_part="Respondido en parte",
            unanswered="Sin respuesta",
        ),
    ),
    stop_words=listed(
        """
        a al algo algún alguna algunas alguno algunos allí ante antes aquel aquella así aún aunque
        bajo bien cada casi como cómo con contra cosa cual cuál cuales cuáles cualquier cuando
        cuándo cuánta cuántas cuánto cuántos de del desde después donde dónde dos durante e el él
        ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta está estaba
        están estar estas este esto estos fue fueron ha había habían haber hace hacer hacia han
        hasta hay la las le les lo los luego más me mi mientras mis mismo mucho muy nada ni no nos
        nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues puede
        pueden puedo que qué quien quién quienes quiénes se sea según ser será si sí sido sin sino
        sobre son soy su sus también tan tanto te tenía tener tiene tienen toda todas todo todos
        tras tu tú tuvo u un una unas uno unos usted y ya yo
        """
    ),
    light=listed(
        """
        hay haya existe existen queda quedan encuentra encuentran está están estaba ubicado ubicada
        situado situada lleva llevan da dan pone ponen viene vienen va van sigue siguen permite
        resulta tuvo tenía hizo hecho suele suelen aproximadamente alrededor bastante gente persona
        personas número cantidad manera forma cosa caso parte total actualmente hoy
        necesita necesitan necesito necesario
        """
    ),
    asks={
        "number": r"cuánt[oa]s?\b|qué (?:altura|longitud|edad|tamaño|superficie|profundidad)\b",
        "reason": r"por qué\b|a qué se debe\b",
        "definition": r"qué (?:es|son|significa) (?!(?:más|menos)\b)",
        "date": r"(?:desde |hasta )?cuándo\b|en qué (?:año|fecha|día)\b",
        "place": r"(?:a |de )?(?:a|de)?dónde\b",
        "person": r"(?:a |de |con |por )?quién(?:es)?\b",
        "which": r"cuál(?:es)?\b|qué (?=\w)",
        "comparison": r"compara\b|en qué se diferencia",
        "list": r"(?:enumera|nombra|cita)\b",
        "manner": r"cómo\b",
        "statement": r"qué\b",
    },
    nouns={
        "person": "alcald arquitect artista autor directo escrito fundado ingenier invento persona "
        "pinto poeta reina rey",
        "place": "aldea barrio calle ciudad isla lugar país plaza provincia pueblo región río",
        "date": "año día fecha mes siglo",
        "number": "altura cantidad distancia duración longitud número peso población precio "
        "profundidad tamaño",
    },
    lists=r"\bqué \w+s (?:hay|tiene|tienen|son|ofrece|incluye)\b|\bcuáles (?:son|eran)\b"
    r"|\btod[oa]s l[oa]s\b",
    joins="y|e",
    either=choice("o", "u"),
    claims=(
        (
            r"^\W*(?:es|era|son|fue|está)\s+(?P<a>.+?)\s+(?P<about>(?:más|menos)\s+\w+)\s+que\s+"
            r"(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    earlier=r"\b(?:antes|primer[oa]?|más (?:antigu|viej)\w+|mayor)\b",
    later=r"\b(?:después|últim[oa]|más (?:reciente|nuev\w+|joven)|menor)\b",
    than=r"\b(?P<degree>(?:más|menos)\s+[^\W\d_]+|mayor|menor)\s+que\b",
    less=r"\b(?:menos|más (?:pequeñ|cort|baj|liger)\w+)\b",
    more=r"\b(?:más (?:grande|larg\w+|alt[oa]s?|profund\w+|pesad\w+|anch\w+|car[oa])|más)\b",
    born=r"\bnac(?:ió|ido|ida|ieron|imiento)\b",
    died=r"\b(?:murió|muert[oea]|falleci\w+)\b",
    life=("nacido", "muerto"),
    denies=r"\b(?:no|ni|nunca|jamás|ningún|ninguna?|nadie|nada|sin|prohib\w+|cerrad\w+|tampoco)\b",
    wide=r"\b(?:tod[oa]s?|cada|siempre|enter[oa]s?|completamente)\b",
    narrow=r"\b(?:algun[oa]s?|vari[oa]s|much[oa]s|mayoría|a veces|a menudo|casi|parte|mitad"
    r"|poc[oa]s|hasta)\b",
    reserved=r"\b(?:podrían?|quizás?|tal vez|probablemente|posiblemente|parece\w*|sería\w*"
    r"|supuestamente|puede que|(?:es|era|sea) (?:posible|probable)|cabe que|se prevé|planea\w*"
    r"|al parecer|previst[oa]s?|se cree)\b",
    because=r"\b(?:porque|debido a|a causa|por eso|ya que|puesto que|para)\b",
    defines=r"\b(?:es|son|era|eran|significa|designa) (?:una?s?|unos|el|la|los|las)\b",
    placed=r"\b(?:a|al|en|de|del|desde|hacia|hasta|junto a|entre|por)(?: el| la| los| las)?\s*$",
    weekdays=r"\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b",
    which_day=r"\bqué días?\b",
    months=(
        *(r"ene(?:ro|\.)", r"feb(?:rero|\.)", r"mar(?:zo|\.)", r"abr(?:il|\.)", r"may(?:o|\.)"),
        *(r"jun(?:io|\.)", r"jul(?:io|\.)", r"ago(?:sto|\.)", r"sep?t?(?:iembre|\.)"),
        *(r"oct(?:ubre|\.)", r"nov(?:iembre|\.)", r"dic(?:iembre|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="uno un una") | {"cien": 100, "mil": 1000},
    units={"km": "kilómetros?", "m": "metros?", "cm": "centímetros?", "kg": "kilos?"}
    | {"yr": "años?", "min": "minutos?", "h": "horas?", "d": "días?", "EUR": "euros?"}
    | {"mi": "millas?", "%": "por ciento"}
    | {"l": "litros?", "t": "toneladas?", "ha": "hectáreas?", "g": "gramos?"},
    related=(
        "inauguró inaugurado inaugurada inauguración abrió abierto apertura encendió",
        "abierto abierta cerrado cerrada abre cierra",
        "fundó fundado fundada fundador fundadora fundación creó",
        "proyectó diseñó diseñado arquitecto planos proyecto",
        "construyó construido construida construcción levantó obras",
        "nació nacido nacimiento natural",
        "murió muerte falleció fallecido",
        "permitido permitida permite permiten prohibido prohibida prohíbe admite",
        "dirige director directora dirigido",
        "celebra celebró lugar",
        "cuesta precio vale billete",
        "línea recorrido",
        "pescar pesca",
    ),
)
