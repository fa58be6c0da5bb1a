from __future__ import annotations

import pytest
from tests.timing import cpu_s

from quaere.read.extract.unseen import drop_hidden
from quaere.text.markup import html_of, parse_html

SEEN = "<p>The bridge was opened in 1931, and carries two lanes and a footpath to the island.</p>"


def left(inside: str, sheet: str = "", head: str = "") -> str:
    """Return the page with this ``sheet`` and something ``inside``, without what is not shown."""
    head = f"<head>{head}<style>{sheet}</style></head>" if sheet or head else ""
    root = parse_html(f"<html>{head}<body><main>{SEEN}{inside}</main></body></html>")
    drop_hidden(root)
    return html_of(root).partition("</style>")[2] or html_of(root)


@pytest.mark.parametrize(
    "sheet",
    [
        ".x{display:none}",
        "#i { color: red; display : none !important }",
        ".y, p.x[data-a='1'] { visibility: hidden }",
        "main .x{display:none}",
        "body > main > .x{display:none}",
        "@import url(a;b); @media screen { .x{display:none} }",
        "@layer a { @supports (display: grid) { .x{display:none} } }",
        ".x{display:/* a } */none}",
        r".x{d\69splay:non\65 }",
        '.y{content:"}"} .x{display:none}',
        "<!-- .x{position:absolute; left:-9999px} -->",
        ".x{display:block} .x{display:none}",
        ".x{display:none} p{display:block}",
        ".x{visibility:hidden} .x{display:block}",
        ".x{color:transparent}",
    ],
)
def test_what_a_style_sheet_hides_is_not_shown(sheet: str) -> None:
    shown = left('<p class="a x" id="i" data-a="1">SECRET</p>After', sheet)
    assert "SECRET" not in shown
    assert "1931" in shown
    assert "After" in shown


@pytest.mark.parametrize(
    "sheet",
    [
        ".x{display:none} .x{display:block}",
        ".x{display:none} #i{display:block}",
        ".x{display:none} .x{display:inline!important} #i{display:none}",
        "@media print{.x{display:none}}",
        "@media (max-width: 600px){.x{display:none}}",
        ".x:hover{display:none}",
        "h1 + .x{display:none}",
        ".xy, .X{display:none}",
        "ul .x, ul > .x, main > ul > .x{display:none}",
        "@keyframes a { from { display: none } }",
        ".x{display:none",
        "}}{ {display:none}",
        ".x{color:transparent; background-clip:text}",
        ".x{font-size:12px; left:-20px; overflow:hidden; height:10px}",
        ".x{overflow:hidden; height:auto; max-width:none}",
        ".x{color:inherit; background:inherit}",
        "html{font-size:100px} .x{font-size:.14rem}",
    ],
)
def test_what_a_reader_may_see_stays(sheet: str) -> None:
    assert "TOLD" in left('<p class="x" id="i">TOLD</p>', sheet)


@pytest.mark.parametrize(
    "sheet",
    [
        ".x{display:none} .x.active{display:block}",
        ".x{display:none} .open .x{display:block}",
        ".x{display:none} input:checked ~ .x{display:block}",
        ".x{display:none} .x:target, #other{display:block}",
        ".x{display:none} .x:first-child{display:block}",
        ".x{max-height:0; overflow:hidden} .open > .x{max-height:40em}",
        ".x{max-height:0; overflow:hidden; transition:max-height .2s}",
        ".x{display:none} @media (min-width:600px){.x{display:block}}",
        ".x{color:#fff} @media (min-width:600px){.x{background:#012}}",
        ":root{background:#111} .x{color:#fff}",
    ],
)
def test_what_a_reader_can_open_or_sees_in_another_window_stays(sheet: str) -> None:
    assert "TOLD" in left('<p class="x" id="i">TOLD</p>', sheet)


@pytest.mark.parametrize(
    "sheet",
    [
        ".x{display:none} .x::before{display:block}",
        ".x{display:none} .open .x p{display:block}",
        ".x.y{display:none} .x{display:block}",
        ".x{display:none} @media print{.x{display:block}}",
        ".x{display:none!important} .x:hover{display:block}",
    ],
)
def test_what_no_state_of_the_page_shows_is_not_shown(sheet: str) -> None:
    assert "SECRET" not in left('<p class="x y" id="i">SECRET</p>', sheet)


@pytest.mark.parametrize(
    "inside",
    [
        '<a role="tab" aria-controls="b c">Two</a><div id="c" style="display:none">TOLD</div>',
        '<button aria-expanded="false" aria-controls="c">?</button><div id="c" hidden>TOLD</div>',
        '<div role="tabpanel" hidden>TOLD</div>',
        '<div hidden="until-found">TOLD</div>',
    ],
)
def test_what_a_control_of_the_page_opens_stays(inside: str) -> None:
    assert "TOLD" in left(inside)


@pytest.mark.parametrize(
    "inside",
    [
        '<td style="font-size:0px"><div style="font-size:13px">TOLD</div></td>',
        '<ul style="font-size:0"><li><b style="font:bold 1rem serif">TOLD</b></li></ul>',
        '<div style="visibility:hidden"><p style="visibility:visible">TOLD</p></div>',
        '<div style="color:transparent"><p style="color:#222">TOLD</p></div>',
        '<div class="pale"><p style="background:#222">TOLD</p></div>',
    ],
)
def test_what_is_shown_again_within_what_is_hidden_stays(inside: str) -> None:
    assert "TOLD" in left(inside, ".pale{color:#fff}")


@pytest.mark.parametrize(
    "inside",
    [
        '<div style="font-size:0">SECRET<p style="font-size:13px">TOLD</p>SECRET</div>',
        '<div style="font-size:0"><i style="font-size:1em">SECRET</i></div>TOLD',
        '<div style="display:none;font-size:0"><p style="font-size:13px">SECRET</p></div>TOLD',
        '<div hidden style="font-size:0"><p style="font-size:13px">SECRET</p></div>TOLD',
        '<div style="visibility:hidden">SECRET<b>SECRET</b>SECRET</div>TOLD',
    ],
)
def test_the_rest_of_what_is_hidden_is_not_shown(inside: str) -> None:
    shown = left(inside)
    assert "SECRET" not in shown
    assert "TOLD" in shown


def test_what_holds_without_scripts_alone_hides_nothing() -> None:
    head = "<noscript><style>.x{display:none}</style></noscript>"
    assert "TOLD" in left('<p class="x">TOLD</p>', "p{margin:0}", head)


@pytest.mark.parametrize(
    "style",
    [
        "display:/*a*/none",
        "font-size:1px",
        "font-size:.1em",
        "font: italic 1px/1 serif",
        "position:absolute; left:-999px",
        "left:-200vw",
        "margin-left:-9999px",
        "transform:translateX(-9999px)",
        "transform:scale(0)",
        "clip:rect(0,0,0,0)",
        "clip-path:inset(50%)",
        "max-height:0;overflow:hidden",
        "color:white;background:#FFF",
        "color:#123456;background-color:#123456",
        "color:rgba(0, 0, 0, 0)",
        "content-visibility:hidden",
        "visibility:collapse",
        "position:fixed;bottom:-9999px",
        "position:absolute;inset:-9999px auto auto",
        "translate:0 -200vh",
        "scale:0",
        "height:0;overflow:clip",
        "color:hsl(0 0% 0% / 0)",
        "color:hsl(0, 0%, 100%);background:white",
    ],
)
def test_what_its_own_style_hides_is_not_shown(style: str) -> None:
    assert "SECRET" not in left(f'<p style="{style}">SECRET</p>')


@pytest.mark.parametrize(
    "style",
    [
        *("opacity:0", "font-size:0.8em", "height:0", "font:12px serif"),
        "overflow:hidden;width:auto",
        "inset:0 auto",
        "translate:-50% -50%",
        "scale:0.9",
        "color:hsl(200 50% 30%);background:white",
        "color:#fff;background:#036",
        "max-width:0;overflow:hidden;text-overflow:ellipsis",
    ],
)
def test_what_its_own_style_shows_stays(style: str) -> None:
    assert "TOLD" in left(f'<p style="{style}">TOLD</p>')


@pytest.mark.parametrize("name", ["dialog", "noframes", "noembed", "template"])
def test_what_a_browser_shows_to_nobody_is_not_shown(name: str) -> None:
    assert "SECRET" not in left(f"<{name}><p>SECRET</p></{name}>")
    assert "TOLD" in left("<dialog open><p>TOLD</p></dialog>")
    opened = (
        '<button aria-expanded="false" aria-controls="d">?</button><dialog id="d">TOLD</dialog>'
    )
    assert "TOLD" in left(opened)


@pytest.mark.parametrize("piece", ["-9", "-9999px ", " ", "9", "hsl(", "0 "])
def test_long_values_of_a_style_take_no_time(piece: str) -> None:
    value = piece * (100_000 // len(piece))
    sheet = "".join(f".x{{{name}:{value}x}}" for name in ("inset", "translate", "scale", "color"))
    assert cpu_s(lambda: left('<p class="x">TOLD</p>', sheet), enough_s=1) <= 1


def test_white_on_white_is_not_shown() -> None:
    assert "SECRET" not in left('<p style="color:#FFFFFF">SECRET</p>')
    assert "SECRET" not in left('<p><font color="white">SECRET</font></p>')
    assert "SECRET" not in left('<p class="x">SECRET</p>', ".x{color:rgb(255, 255, 255)}")


@pytest.mark.parametrize(
    ("inside", "sheet", "head"),
    [
        ('<table bgcolor="#003366"><tr><td style="color:white">TOLD</td></tr></table>', "", ""),
        ('<div style="background:url(a.png)"><p style="color:white">TOLD</p></div>', "", ""),
        ('<p style="color:white">TOLD</p>', "main{background:navy}", ""),
        (
            '<p style="color:white;background:rgba(255,255,255,.1)">TOLD</p>',
            "main{background:#012}",
            "",
        ),
        (
            '<div class="x"><img src="a"><p style="color:white">TOLD</p></div>',
            ".x{position:relative}",
            "",
        ),
        ('<p style="color:white">TOLD</p>', "", '<link rel="stylesheet" href="a.css">'),
    ],
)
def test_white_on_another_ground_stays(inside: str, sheet: str, head: str) -> None:
    assert "TOLD" in left(inside, sheet, head)


def test_a_page_that_a_script_shows_stays_whole() -> None:
    inside = '<div class="app"><p>TOLD</p>' + "<p>and told of the ferry as well</p>" * 9 + "</div>"
    assert "TOLD" in left(inside, ".app{display:none}")


def test_a_style_sheet_of_many_rules_is_read_in_time() -> None:
    sheet = "".join(f"div div div .x{n} div{{display:none}}" for n in range(5_000))
    assert "TOLD" in left("<div>" * 200 + "TOLD" + "</div>" * 200, sheet + "/*" * 100_000)
