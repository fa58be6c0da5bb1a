"""Words of different stems that speak of the same relation or country, or are forms of one word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from quaere.text.languages.language import Language, is_english, language_in_use, speaking
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem

RELATIONS = """
spouse husband wife marry married marriage widow consort
father mother parent son daughter child children
grandfather grandmother father mother son daughter maternal paternal
sibling brother sister twin
director directed direct filmmaker
performer singer sing sang perform performed artist band recorded song album single
author wrote written write writer novel book
composer composed compose music
actor actress play played plays star starred starring portray cast role character voice
creator create created founder founded found establish established developed developer
born birthplace birth birthday native
died die death dead deceased killed
country nation nationality citizen citizenship
location located situated headquarters capital county state province region city town district
educated studied attended graduate graduated university college school student education
member belong team club league player
owner owned own parent bought acquired buy company subsidiary
label record signed
population inhabitants residents census live lives
president leader head minister governor chairman
release released published publish premiere
war battle conflict invasion conquered
weigh weighs weight heavy heavier mass
cost costs price priced fee
tall height high
deep depth
wide width
employ employs employed employees staff workforce
"""
"""One relation a line."""
OF_COMPUTERS = """
folder directory dir
whole entire
delete deletes deleted remove removes removed erase prune prunes pruned purge purges purged
extract extracts extracted unpack unpacks unpacked decompress decompresses decompressed
overwrite overwrites overwritten override overrides overridden
login logins logon logons authentication authenticate authenticated
env environment
config configuration configure configured
doc docs documentation
param params parameter parameters
arg args argument arguments
repo repository
admin administrator administrators
db database databases
app apps application applications
perms permission permissions
postgres postgresql
resume resumes resumed continue continues continued
interrupt interrupts interrupted abort aborts aborted stopped
disable disables disabled deactivate deactivates deactivated suppress suppresses suppressed
"""
"""What users and manuals call by different words, one thing or deed a line."""
EVERYDAY: Final = """
aged old elderly pensioner senior retired, alcohol beer wine drink spirits, allergic allergy
intolerance, allow permit permission, apartment flat, appeal contest challenge objection,
appointment booking reservation, apprentice trainee intern, arrive come, baggage luggage bag
suitcase belongings, ban forbidden prohibited, bequeath inherit inheritance bequest legacy, bicycle
bike cycle, bill invoice, boat ferry ship vessel sailing crossing, borrow lend loan hire rent use,
boss manager head director chair, box crate carton container, break broken damage fault faulty
defect, buy bought purchase sell sold, call ring phone telephone dial, cancel terminate withdraw,
capsize overturn tip, car vehicle, chairman chairwoman chairperson chair president, cheat cheating
plagiarism, chicken hen poultry, child children kid youngster toddler infant, clean wash wipe,
clothes garment laundry washing, collect pick fetch, committee board, compensation damages, complain
complaint, compulsory mandatory obligatory required, contract agreement, deadline latest due, delay
late overdue, depart departure leave left, deposit bond, device appliance machine, disagree dispute
disagreement, discount reduction reduced concession half, dismiss dismissal sack fire redundancy
exclude exclusion expel, doctor physician gp, dustbin bin rubbish trash garbage waste refuse,
electricity power, employee worker staff, enter entry entrance admission access, exam examination
paper test, expire expiry lapse valid end, extend extension prolong renew renewal, extra additional
surcharge supplement, fast quick, fee charge fare tariff cost price
premium, fix repair, friend guest
visitor, fuel petrol diesel gas, guarantee warranty, headteacher headmaster headmistress principal,
heating boiler radiator, helper volunteer, holiday vacation leave, hospital casualty emergency,
hotel pension guesthouse hostel lodging accommodation, hurt injured injury accident, illness sick
disease, inspect check viewing visit, instructor teacher tutor teach taught lesson course, internet
wifi broadband, job post position vacancy, landlady landlord lessor, leak drip escape, lease tenancy
rental let, leftover remaining rest unused, licence permit, lift elevator, loo toilet lavatory wc,
lorry truck van, lost missing mislaid, mark grade score, meal food lunch dinner breakfast, medicine
medication drug tablet pill, meeting assembly, money funds balance cash budget, move mover removal
relocation, mum mother dad father parent guardian, neighbour resident, noise noisy loud quiet
silence, notice warning announcement, optional voluntary, paint decorate redecorate, password
passcode, pay payment paid payable, penalty fine, pet animal, plane flight fly, poorly unwell ill
sick, post mail letter, pregnant pregnancy, probation probationary trial, pupil student, quit resign
leave, rain rainfall precipitation, raise increase rise, receipt voucher slip, refund reimburse
back, replace substitute swap,
reply answer respond, responsible charge officer run manage oversee
handle organise arrange, rule regulation, salary pay wage earnings, seat place, seller supplier
vendor
dealer, shop store, shut closed closure, sign signature signed, smoke smoking cigarette, stairs
stairwell staircase, start begin commence, steal stolen theft thief thieves robbed burglary,
subtenant lodger sublet, suggest propose, surgery operation, swap exchange change, tenant renter
lessee occupier, throw thrown discard disposal, timetable schedule, treasurer cashier, trip journey
excursion outing, uniform clothes, vaccination jab injection booster immunisation, version release
changelog, vote ballot elect elected election, yearly annual,
amend alter modify change edit adjust, begin start launch boot, bug defect error fault, character
letter, choose select specify pick, combine merge join, computer machine host, conceal hide mask
redact, conclude decide determine, crash abort fail, credential password secret token, debt
borrowing loan, display show print output, divide split, download fetch retrieve, enable activate,
examine check verify validate inspect, forbid disallow refuse prohibit, freeze hang stall, generate
create make build produce, graphical gui, halt stop terminate kill, image picture photo, lawsuit
litigation proceeding, necessary required needed mandatory, objective goal aim purpose, obsolete
deprecated outdated, pause wait sleep, permitted allowed, preserve retain keep, query question, ram
memory, rename move, risk danger threat, shareholder stockholder investor, shrink compact reduce
compress summarize, simultaneous parallel concurrent, sluggish slow, speed performance throughput,
suitable fit ready, transmit send submit, union labor labour, upgrade update, website site
"""
"""What notices, letters, manuals and reports call otherwise than users, by a form of each word."""
IRREGULAR: Final = """
bear bore born borne, become became, begin began begun, bind bound, bite bit bitten, blow blew
blown, break broke broken, bring brought, build built, buy bought, catch caught, child children,
choose chose chosen, come came, deal dealt, dig dug, draw drew drawn, drink drank drunk, drive
drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, fly
flew flown, foot feet, forbid forbade forbidden, forget forgot forgotten, freeze froze frozen, get
got gotten, give gave given, go went gone, grow grew grown, hang hung, hear heard, hide hid
hidden, hold held, keep kept, know knew known, lay laid, lead led, leave left, lend lent, lose
lost, make made, man men, mean meant, meet met, mouse mice, pay paid, ride rode ridden, ring rang
rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, shake
shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank
sunk, sit sat, sleep slept, speak spoke spoken, spend spent, stand stood, steal stole stolen,
stick stuck, strike struck, swear swore sworn, sweep swept, swim swam swum, take took taken, teach
taught, tear tore torn, tell told, think thought, throw threw thrown, tooth teeth, understand
understood, wear wore worn, win won, withdraw withdrew withdrawn, woman women, write wrote written
"""
"""Forms that no stemmer brings together."""
_COMMON = """
bear become bind bite bring build child come deal dig drink eat feel fight find foot get give go
hear hold know leave lose make man mean meet mouse ride ring run say see seek shake shine show
sing sit swear take tell think tooth understand win woman write
"""
"""Those, by their first form, whose forms don't match: with verbs such as "win" and "take" one in
twenty more questions is answered that nothing answers."""


def _read(groups: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for members in map(str.split, groups.replace("|", " ").strip().splitlines()):
        for member in members:
            found.setdefault(stem(member), {}).update(dict.fromkeys(members))
    return {term: tuple(members) for term, members in found.items()}


_FORMS_OF = _read(IRREGULAR.replace("\n", " ").replace(",", "\n"))
_TURNED = [forms for forms in IRREGULAR.split(",") if forms.split()[0] not in _COMMON.split()]
_FORMS = "\n".join(" ".join(forms.split()) for forms in _TURNED)
_RELATED = _read(RELATIONS + OF_COMPUTERS + _FORMS)
_EVERYDAY = _read("\n".join(" ".join(each.split()) for each in EVERYDAY.split(",")))


def related_words(word: str) -> tuple[str, ...]:
    """Return the words that speak of the same relation as ``word``, those of its stem left out."""
    own = stem(word)
    return tuple(other for other in _related().get(own, ()) if stem(other) != own)


def contrary_words(word: str) -> frozenset[str]:
    """Return the stems of words that are related to ``word`` and say the contrary of it.

    What closes is told where it is told what opens; of two columns, one is asked for. Nothing in
    English, where no group has two sides.
    """
    language = language_in_use()
    return frozenset() if language is None else _contrary_in(language).get(stem(word), frozenset())


@cache
def _contrary_in(language: Language) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    with speaking(language):
        for group in language.related:
            one, _, other = (
                frozenset(map(stem, s.casefold().split())) for s in group.partition("|")
            )
            for side, contrary in ((one, other), (other, one)) if other else ():
                found |= {t: found.get(t, frozenset()) | contrary - side for t in side - contrary}
    return found


def forms_of(word: str) -> frozenset[str]:
    """Return the stems of the forms of ``word`` that no stemmer brings together, its own too.

    What is payable can be paid.
    """
    own = stem(word)
    return frozenset((own, f"{own}abl", *map(stem, _FORMS_OF.get(own, ()))))


def singular(term: str) -> str:
    """Return the stem of the one for ``term``, the stem of a word for several: "child".

    Where no stemmer brings the two together; ``term`` itself elsewhere.
    """
    return _singulars(language_in_use()).get(term, term)


@cache
def _singulars(language: Language | None) -> Mapping[str, str]:
    with speaking(language):
        pairs = map(str.split, _PLURALS if language is None else language.plurals)
        return {stem(several): stem(one) for one, *others in pairs for several in others}


_PLURALS = ("child children", "man men", "woman women", "person people", "foot feet", "tooth teeth")


@cache
def past_forms() -> frozenset[str]:
    """Return the irregular English forms by which the past is told, and their participles."""
    nouns = {"child", "foot", "man", "mouse", "tooth", "woman"}
    groups = (forms.split() for forms in IRREGULAR.split(","))
    told = (forms[1:] for forms in groups if forms[0] not in nouns)
    return frozenset({"was", "were", "had", "did"}.union(*told)) - {"become", "come", "run"}


def everyday_words(word: str) -> tuple[str, ...]:
    """Return what else everyday documents call what ``word`` says; English alone.

    The senses of a word are taken together, so that it suits words that the sources lack.
    """
    return _EVERYDAY.get(stem(word), ()) if is_english() else ()


_SPELLINGS = (
    (re.compile(r"our(?=s?$|ed$|ing$|ful$|able$|ite$|ist$)"), "or"),
    (re.compile(r"(?<=[^aeiou])or(?=s?$|ed$|ing$|ful$|able$|ite$|ist$)"), "our"),
    (re.compile(r"is(?=e[sd]?$|ing$|ations?$|ers?$)"), "iz"),
    (re.compile(r"iz(?=e[sd]?$|ing$|ations?$|ers?$)"), "is"),
    (re.compile(r"(?<=[^aeiou])re(?=s?$)"), "er"),
    (re.compile(r"(?<=nt|et|ib)er(?=s?$)"), "re"),
    (re.compile(r"(?<=[cf])ence(?=s?$)"), "ense"),
    (re.compile(r"(?<=[cf])ense(?=s?$)"), "ence"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"(?<=al)og(?=s?$)"), "ogue"),
)
LONGEST, SHORTEST = 20, 5
"""Letters of a word that is spelled in two ways."""


def other_spellings(word: str) -> tuple[str, ...]:
    """Return how ``word`` may be spelled across the ocean: "licence" and "license".

    Some are not words, which no source has. English alone.
    """
    if not is_english() or not SHORTEST <= len(word) <= LONGEST or not word.isascii():
        return ()
    small = word.casefold()
    found = (pattern.sub(other, small, count=1) for pattern, other in _SPELLINGS)
    return tuple(dict.fromkeys(spelled for spelled in found if spelled != small))


def _related() -> Mapping[str, tuple[str, ...]]:
    language = language_in_use()
    return _RELATED if language is None else _related_in(language)


@cache
def _related_in(language: Language) -> Mapping[str, tuple[str, ...]]:
    with speaking(language):
        return _read("\n".join((*language.related, *language.plurals)).casefold())


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
    United Kingdom: Britain, Great Britain
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
_NAMED: Final = lazy_regex(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(_COUNTRIES, key=len, reverse=True)))})(?!\w)"
)


def nations(text: str) -> tuple[str, ...]:
    """Return the countries that ``text`` names, in its order, each once under its English name."""
    return tuple(dict.fromkeys(_COUNTRIES[found[0]] for found in _NAMED.finditer(text)))


def nation_called(name: str) -> str | None:
    """Return the country that ``name`` stands for; None where it says anything else, or more."""
    return _COUNTRIES.get(name)


@cache
def names_of_nation(nation: str) -> frozenset[str]:
    """Return how the country of the English name ``nation`` and its people may be called."""
    return frozenset(name for name, own in _COUNTRIES.items() if own == nation)


JOINING = frozenset({"de", "nl"})
SHORTEST_ENDING, LEAST_BEFORE = 4, 3
"""Letters of a word that is looked for in longer ones, at least; and those of the rest."""
_DIVIDED = lazy_regex(
    r"(?P<before>ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zurück)"
    r"(?:ge|zu)(?P<verb>\w{3,})"
)
"""A German verb that is divided by what makes its participle or its infinitive."""

_UNDIVIDED = lazy_regex(r"(?:be|ent|er|her|ont|ver|zer)\w{3}")
"""A verb whose participle has no "ge": what is "erhöht" is so by an "Erhöhung"."""
_QUALITY = lazy_regex(r"[hk]eit\Z")
"""What the stemmer takes from a joined word, and leaves with the word that it ends in."""
_VOWEL = lazy_regex(r"[aeiouyäöü]")
"""What the rest of a joined word has: a "Schwein" is not made of "Wein"."""


def is_form(held: str, term: str) -> bool:
    """Return whether ``held`` ends in ``term``, or is a participle or an infinitive of it.

    "Musikinstrumente" are instruments, a "Bahnfahrkarte" may be called a "Fahrkarte", what is
    "gespielt" is played, what is "übertragbar" can be "übertragen", what is "abgestellt" is what
    one has "abzustellen", and what is "erhöht" has had an "Erhöhung".

    Args:
        held: The stem of a word.
        term: That of another one.
    """
    if held.startswith(f"ge{term}"):
        return len(held) <= len(term) + 4
    if held in {f"{term}bar", f"{term}baar"}:
        return True
    if _UNDIVIDED.match(term) and held in {f"{_bare(term)}{end}" for end in ("", "t", "d")}:
        return True
    if (whole := _undivided(held)) != held and whole in {_bare(term), _undivided(term)}:
        return True
    return is_compound(held, term)


def is_compound(held: str, term: str) -> bool:
    """Return whether ``held`` is ``term`` with a word before it, which has a vowel."""
    term = term if held.endswith(term) else _QUALITY.sub("", term)
    before = len(held) - len(term)
    if len(term) < SHORTEST_ENDING or before < LEAST_BEFORE or not held.endswith(term):
        return False
    return _VOWEL.search(held, endpos=before) is not None


def _undivided(term: str) -> str:
    divided = _DIVIDED.fullmatch(term)
    return _bare(divided["before"] + divided["verb"]) if divided else term


def _bare(term: str) -> str:
    """Return ``term`` without the letter that a participle may end with."""
    return term.removesuffix("t")
