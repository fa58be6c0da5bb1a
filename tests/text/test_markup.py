from __future__ import annotations

import pytest

from quaere.read.extract.html_text import render
from quaere.text.markup import (
    drop,
    drop_all,
    elements,
    html_of,
    local_name,
    number,
    parse_html,
    parse_xml,
    texts,
)


def test_names_come_without_their_namespace() -> None:
    root = parse_xml(b"<a xmlns='urn:x'><!-- c --><b/></a>")
    assert [local_name(element) for element in root.iter()] == ["a", "", "b"]


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>',
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p.dtd"> %p;]><a/>',
        "<a>",
        "",
        "<a>\x01</a>",
        "<a>" * 100_000,
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-32"])
def test_what_is_not_sound_xml_is_a_value_error(text: str, codec: str) -> None:
    with pytest.raises(ValueError, match="it "):
        parse_xml(text.encode(codec))


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_document_type_without_entities_is_read_in_every_encoding(codec: str) -> None:
    text = '<!DOCTYPE a SYSTEM "b"><a>&amp; ENTITY</a>'
    assert parse_xml(text.encode(codec)).text == "& ENTITY"


@pytest.mark.parametrize("written", ["<+ACE-ENTITY", "<+ACEARQBOAFQ-ITY"])
@pytest.mark.parametrize("entity", ['b "b"', '% p "p"'])
def test_entities_are_found_in_an_encoding_that_hides_the_word(written: str, entity: str) -> None:
    declared = f'<?xml version="1.0" encoding="UTF-7"?><!DOCTYPE a [{written} {entity}>]><a c="d"/>'
    with pytest.raises(ValueError, match="it declares entities"):
        parse_xml(declared.encode())


TWICE = '<b xml:id="x"/><b xml:id="x"/>'


def test_an_id_may_be_there_twice_but_nothing_else_may_be_wrong() -> None:
    assert len(parse_xml(f"<a>{TWICE}</a>".encode())) == 2
    for text in (f"<a>{TWICE}", f"<a>{TWICE}</b>", f"<a>{TWICE}{'<a>' * 300}{'</a>' * 301}"):
        with pytest.raises(ValueError, match="it is not well-formed"):
            parse_xml(text.encode())


@pytest.mark.parametrize("inner", ["words", f"words{TWICE}"])
def test_an_external_file_is_not_opened(inner: str) -> None:
    root = parse_xml(f'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>{inner}</a>'.encode())
    assert root.text == "words"


@pytest.mark.parametrize(
    "sign", ["\ufffe", "\uffff", "&#1;", "&#x1F;", "&#0;", "&#xFFFE;", "&#011;"]
)
def test_what_was_read_as_html_can_be_moved(sign: str) -> None:
    root = parse_html(f"<p>a{sign}<b>gone</b>{sign}c &#38; &#x26; &#10;d</p>")
    drop(next(root.iter("b")))
    assert render(root) == "ac & & d"


def test_elements_texts_and_numbers_are_found_by_their_paths() -> None:
    root = parse_html("<body><p>one <a>two</a></p><p hidden>three</p></body>")
    assert [local_name(element) for element in elements("//*[@hidden] | //a")(root)] == ["a", "p"]
    assert texts("//p//text()[not(ancestor::a)]")(root) == ["one ", "three"]
    assert number("count(//p)")(root) == 2


def test_all_of_some_names_go_and_the_text_behind_them_stays() -> None:
    root = parse_html("<body>a<svg><p>b</p></svg>c<script>d</script>e</body>")
    drop_all(root, ("svg", "script"))
    assert html_of(root) == "<html><body>ace</body></html>"


def test_anything_is_html_of_some_kind() -> None:
    assert render(parse_html("just words")) == "just words"
    with pytest.raises(ValueError, match="it "):
        parse_html("")


def test_what_stands_behind_a_dropped_element_stays() -> None:
    root = parse_html("<p>a<b>1</b>c<i>2</i>d</p>")
    for element in [*root.iter("b"), *root.iter("i")]:
        drop(element)
    assert render(root) == "acd"
    drop(root)  # a root has nowhere to go from
    assert render(root) == "acd"
