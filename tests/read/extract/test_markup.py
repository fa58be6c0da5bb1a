from __future__ import annotations

import pytest

from quaere.read.extract.blocks import render
from quaere.read.extract.markup import drop, local_name, parse_html, parse_xml


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
@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_what_is_not_sound_xml_is_a_value_error(text: str, codec: str) -> None:
    with pytest.raises(ValueError, match="it "):
        parse_xml(text.encode(codec))


def test_an_external_file_is_not_opened() -> None:
    root = parse_xml(b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>words</a>')
    assert root.text == "words"


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
