from __future__ import annotations

from collections.abc import Mapping

import pytest

from quaere.read.extract.style_sheets import MAX_RULES, StyleSheets, declarations, keys_of
from quaere.text.markup import parse_html

PAGE = """<html><body><ul class="list"><li class="item new" id="first" lang="de-AT"
data-kinds="tall wide" title="">Heron</li></ul></body></html>"""


def declared(sheet: str, *, in_any_state: bool = False) -> Mapping[str, str]:
    """Return the colours that ``sheet`` gives the item of the page."""
    root = parse_html(PAGE)
    keys = keys_of(root)
    sheets = StyleSheets(keys, frozenset[str]().union(*keys.values()))
    sheets.add(sheet, frozenset({"color", "background"}))
    (item,) = root.iter("li")
    told = sheets.declared_for(item, in_any_state=in_any_state)
    return {name: each.value for name, each in told.items()}


@pytest.mark.parametrize(
    "selector",
    [
        *("li", "LI", "*", ".item", "#first", "li.item.new#first", "ul li", "ul > li", ".list>li"),
        *("body li", "html > body > ul > li", "[title]", "li[title='']", '[lang="de-AT"]'),
        *("[lang|=de]", "[lang|='de-AT']", "[data-kinds~=wide]", "[data-kinds~='tall']"),
        *("[data-kinds^=tall]", "[data-kinds$=wide]", "[data-kinds*='l w']", "p, li"),
    ],
)
def test_what_a_selector_asks_is_there(selector: str) -> None:
    assert declared(f"{selector} {{color: red}}") == {"color": "red"}


@pytest.mark.parametrize(
    "selector",
    [
        *("p", ".Item", "#item", ".first", "li.item.old", "li li", "body > li", "ul > ul > li"),
        *("[alt]", "[title=a]", "[lang|=d]", "[lang|=AT]", "[lang=de]", "[data-kinds~=tal]"),
        *("[data-kinds^=wide]", "[data-kinds$=tall]", "[data-kinds*=high]", "li:hover", "li + li"),
        *("[title^='']", "[title$='']", "[title*='']", "[lang='de-at' i]", ""),
    ],
)
def test_what_a_selector_asks_is_not_there(selector: str) -> None:
    assert declared(f"{selector} {{color: red}}") == {}


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("li", "li"),
        ("*", "li"),
        ("html body ul li", ".item"),
        ("ul li", "body ul li"),
        (".item.new", "#first"),
        ("li[title]", ".item[title]"),
        (".item", ".item.new"),
        ("li.item", "li[title].item"),
    ],
)
def test_the_rule_that_asks_more_counts_and_of_two_that_ask_as_much_the_later_one(
    weaker: str, stronger: str
) -> None:
    sheet = f"{weaker} {{color: red}} {stronger} {{color: blue}}"
    assert declared(sheet) == {"color": "blue"}
    if weaker != stronger:
        sheet = f"{stronger} {{color: blue}} {weaker} {{color: red}}"
        assert declared(sheet) == {"color": "blue"}
    assert declared(f"{weaker} {{color: red !important}} {sheet}") == {"color": "red"}


def test_rules_for_a_state_count_where_any_state_does() -> None:
    sheet = ".item {color: red} .item:hover {color: blue} .item::before {color: green}"
    assert declared(sheet) == {"color": "red"}
    assert declared(sheet, in_any_state=True) == {"color": "blue"}


def test_rules_beyond_the_most_of_a_page_are_not_looked_at() -> None:
    many = "p{color:red}" * (MAX_RULES - 1)
    assert declared(f"{many}li{{color:blue}}") == {"color": "blue"}
    assert declared(f"{many}p{{color:red}}li{{color:blue}}") == {}


def test_what_a_block_declares() -> None:
    told = declarations(r"Color : RED; ; back/* ; */ground: a  b ! Important; c\6flor: x; none")
    assert {name: tuple(each) for name, each in told.items()} == {
        "color": ("x", False),
        "background": ("a b", True),
    }
