"""Portuguese."""

from __future__ import annotations

from quaere.text.languages.language import Frame, Headings, Language, choice, listed, under_hundred

_COUNTED = """
    dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis
    dezessete dezoito dezenove
"""
_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_ELSEWHERE = {"duas": 2, "quatorze": 14, "dezasseis": 16, "dezassete": 17, "dezanove": 19}
"""Said of what is feminine, and on either side of the Atlantic."""


def _joined(ten: str, one: str) -> str:
    return f"{ten} e {one}"


LANGUAGE = Language(
    code="pt",
    name="Portuguese",
    stemmer="portuguese",
    common=("uma", "não", "os"),
    frame=Frame(
        yes="Sim",
        no="Não",
        nothing="As fontes não dizem nada que responda à pergunta.",
        incomplete="O que foi encontrado não cobre toda a pergunta.",
        doubtful="Não é certo que isto responda à pergunta.",
        near="Nada disto responde à pergunta; é o que mais se aproxima dela.",
        limited="A pesquisa foi limitada; a resposta baseia-se em informação parcial.",
        cut_short="A pesquisa terminou antes do tempo; pode haver mais a encontrar.",
        unanswered="Sem resposta no que foi encontrado",
        uncertain="Incerto segundo as fontes",
        not_found="Não encontrado",
        found_in_part="Encontrado apenas em parte",
        nothing_on="nada sobre",
        disagree="As fontes contradizem-se{about}: “{one}” contra “{other}”.",
        says_both="A mesma fonte diz as duas coisas: “{one}” e “{other}”.",
        differs="formulado de outro modo",
        partly="apoiado em parte",
        contradicted="contrariado",
        not_judged="não avaliado",
        quoted="citado",
        supported="apoiado",
        no_claim="não é uma afirmação",
        by_words="pelas palavras",
        by_model="por um modelo",
        by_entailment="por um modelo de implicação",
        headings=Headings(
            report="Relatório",
            short="Resposta breve",
            detail="Em detalhe",
            general="Em geral",
            findings="Resultados",
            agreement="Acordos e contradições",
            look="Onde procurar",
            limits="Limites",
            open="O que fica em aberto",
            ended="Como terminou a pesquisa",
            checked="O que foi verificado",
            warnings="Avisos",
            method="Método",
            queries="Consultas",
            loops="Rondas",
            calls="Chamadas ao modelo",
            evidence="Provas, as melhores primeiro",
            sources="Fontes",
            finding="Resultado",
            verdict="Veredito",
            citations="Citações",
            sentence="Frase",
            left_out="Excluído da resposta",
            part="Parte da pergunta",
            supported_by="Apoiada por",
            contradicted_by="Contradita por",
            origins="Origens independentes",
            agreed="Acordos",
            conflicts="Contradições",
            one_source="Uma fonte",
            another="Outra",
            difference="Diferença",
            answered="Respondido",
            in_part="Respondido em parte",
            unanswered="Sem resposta",
        ),
    ),
    stop_words=listed(
        """
        a ainda algo algum alguma alguns ali antes ao aos apenas após aquela aquele aquilo as até
        cada com como contra cujo da das de dela dele deles depois desde dessa desse desta deste do
        dois dos duas durante e é ela elas ele eles em enquanto entre era eram essa essas esse esses
        esta está estão estas estava este estes eu fazer foi foram há isso isto já lhe lhes mais mas
        me mesmo meu minha muito muitos na nada não nas nem nenhum nessa nesse nesta neste no nos
        nós nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos
        perante pode podem poder por porque porquê pouco pois quais qual qualquer quando quanta
        quantas quanto quantos que quê quem se seja sem sempre ser será seu seus si sido sob sobre
        sua suas são só tal também tanto te tem têm tinha toda todas todo todos tu um uma umas uns
        você vos à às
        """
    ),
    light=listed(
        """
        há existe existem fica ficam encontra encontram situado situada resta dá dão põe vem vêm
        vai vão permite teve tinha fez feito cerca bastante gente pessoa pessoas número quantidade
        maneira forma coisa caso parte total atualmente hoje precisa precisam preciso necessário
        """
    ),
    asks={
        "number": r"quant[oa]s?\b|qual é a (?:altura|extensão|idade|profundidade)\b",
        "reason": r"por ?qu[eê]\b|por que (?:motivo|razão)\b",
        "definition": r"o que (?:é|são|significa)\b|que significa\b",
        "date": r"(?:desde |até )?quando\b|em que (?:ano|data|dia)\b",
        "place": r"(?:de |para |por )?a?onde\b",
        "person": r"(?:a |de |com |por )?quem\b",
        "which": r"qua(?:l|is)\b|que (?=\w)",
        "comparison": r"compar[ea]\b|em que difere",
        "list": r"(?:enumere|liste|cite|indique)\b",
        "manner": r"como\b",
        "statement": r"o que\b|que\b",
    },
    nouns={
        "person": "arquitet artista autor diretor engenheir escritor fundador inventor pessoa "
        "pintor poeta presidente rainha rei",
        "place": "aldeia bairro cidade ilha local lugar país praça província região rio rua vila",
        "date": "ano data dia mês século",
        "number": "altura distância duração extensão número peso população preço profundidade",
    },
    lists=r"\bquais (?:\w+ )?(?:são|eram|tem|têm)\b|\bque \w+s (?:há|tem|existem)\b"
    r"|\btod[oa]s [oa]s\b",
    joins="e",
    either=choice("ou"),
    claims=(
        (
            r"^\W*(?P<a>.+?)\s+(?:é|são|era|foi)\s+(?P<about>(?:mais|menos)\s+\w+|maior|menor)\s+"
            r"(?:do )?que\s+(?P<b>[^,?]+?)\s*\?*$"
        ),
    ),
    earlier=r"\b(?:antes|primeir[oa]|mais (?:antig|velh)\w+)\b",
    later=r"\b(?:depois|últim[oa]|mais (?:recente|nov\w+|jovem))\b",
    than=r"\b(?P<degree>(?:mais|menos)\s+[^\W\d_]+|maior|menor)\s+(?:do\s+)?que\b",
    less=r"\b(?:menos|menor|mais (?:pequen|curt|baix|leve)\w*)\b",
    more=r"\b(?:maior|mais)\b",
    born=r"\bnasc(?:eu|ido|ida|eram|imento)\b",
    died=r"\b(?:morreu|mort[oea]|falec\w+)\b",
    life=("nascido", "morto"),
    denies=r"\b(?:não|nem|nunca|jamais|nenhum\w*|ninguém|sem|proibid\w+|fechad\w+|vedad\w+|interdit\w+)\b",
    wide=r"\b(?:tod[oa]s?|cada|sempre|inteir[oa]s?|completamente)\b",
    narrow=r"\b(?:algun?s|algumas|vári[oa]s|muit[oa]s|maioria|às vezes|quase|parte|metade"
    r"|pouc[oa]s|até)\b",
    reserved=r"\b(?:poderia[m]?|poderá|talvez|provavelmente|possivelmente|parece\w*|seria[m]?"
    r"|supostamente|previst[oa]s?|acredita-se)\b",
    because=r"\b(?:porque|devido a|por causa|pois|já que|visto que|para)\b",
    defines=r"\b(?:é|são|era|eram|significa|designa) (?:uma?s?|uns|o|a|os|as)\b",
    placed=r"\b(?:a|ao|à|em|no|na|nos|nas|de|do|da|desde|para|até|junto a)\s*$",
    weekdays=r"\b(?:(?:segunda|terça|quarta|quinta|sexta)s?-feiras?|sábados?|domingos?)\b",
    which_day=r"\b(?:que|quais) dias?\b",
    months=(
        *(r"jan(?:eiro|\.)", r"fev(?:ereiro|\.)", r"março", r"abr(?:il|\.)", r"mai(?:o|\.)"),
        *(r"jun(?:ho|\.)", r"jul(?:ho|\.)", r"ago(?:sto|\.)", r"set(?:embro|\.)"),
        *(r"out(?:ubro|\.)", r"nov(?:embro|\.)", r"dez(?:embro|\.)"),
    ),
    numbers=under_hundred(_COUNTED, _TENS, _joined, ones="um uma")
    | _ELSEWHERE
    | {"cem": 100, "mil": 1000},
    units={"km": "quil[óô]metros?", "m": "metros?", "cm": "centímetros?", "kg": "quilos?"}
    | {"yr": "anos?", "min": "minutos?", "h": "horas?", "d": "dias?", "EUR": "euros?"}
    | {"%": "por cento", "l": "litros?", "t": "toneladas?", "ha": "hectares?"},
    related=(
        "inaugurou inaugurado inaugurada inauguração abriu aberto abertura aceso",
        "aberto aberta fechado fechada abre fecha",
        "fundou fundado fundada fundador fundadora fundação criou",
        "projetou projeto desenhou desenhado arquiteto engenheiro",
        "construiu construído construída construção ergueu",
        "nasceu nascido nascida nascimento natural",
        "morreu morte faleceu falecido",
        "permitido permitida permitidos permitidas proibido proibida autorizado autorizada",
        "dirige diretor diretora dirigido",
        "realiza fica situa localiza",
        "custa preço bilhete",
    ),
)
