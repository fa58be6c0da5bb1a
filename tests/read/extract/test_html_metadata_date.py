from __future__ import annotations

import pkgutil
from functools import _lru_cache_wrapper
from typing import cast

import pytest
from tests.read.documents import LOREM, web_page
from tests.timing import cpu_s

from quaere.read.extract.html_metadata import published
from quaere.text.markup import parse_html

_languages = cast(
    "_lru_cache_wrapper[object]",
    pkgutil.resolve_name("htmldate.extractors:get_external_parser"),
)


def when(html: str, url: str | None = None) -> str:
    return published(parse_html(html), html, url)


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2024-05-06T07:08:09Z">',
        '<script type="application/ld+json">{"datePublished": "2024-05-06"}</script>',
    ],
)
def test_metadata_come_before_what_the_text_says(head: str) -> None:
    assert when(web_page(f"<p>3 May 2019</p><p>{LOREM}</p>", head=head)) == "2024-05-06"


def test_an_address_tells_the_date() -> None:
    page = web_page(f"<p>{LOREM}</p>")
    assert when(page, "https://gazette.test/2023/11/09/ferry") == "2023-11-09"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("5 mai 2021", "2021-05-05"),
        ("27 de Abr de 2022", "2022-04-27"),
        ("3 de marzo de 2020", "2020-03-03"),
        ("1º gennaio 2019", "2019-01-01"),
        ("opublikowano: 7 kwietnia 2021", "2021-04-07"),
        ("12 мая 2018 г.", "2018-05-12"),
        ("9. september 2017", "2017-09-09"),
        ("30 augustus 2016", "2016-08-30"),
    ],
)
def test_months_are_read_in_many_languages(written: str, date: str) -> None:
    assert when(web_page(f'<p class="date">{written}</p><p>{LOREM}</p>')) == date
    assert when(web_page(f"<p>Ferry<br>{written}</p><p>{LOREM}</p>")) == date


def test_the_earliest_date_that_stands_alone_is_it() -> None:
    page = web_page(f"<p>10. September 2017</p><p>{LOREM}</p><p>4. October 2018</p>")
    assert when(page) == "2017-09-10"


def test_a_date_in_a_long_paragraph_is_found() -> None:
    assert when(web_page(f"<p>{LOREM} seen on 27.1.2022 at noon {LOREM}</p>")) == "2022-01-27"


def test_a_year_alone_dates_no_page() -> None:
    assert not when(web_page(f"<p>{LOREM}</p><footer>Copyright 2019 The Gazette</footer>"))


def test_the_page_is_left_as_it_is() -> None:
    html = web_page("<p>Ferry 3 de marzo de 2020<svg><text>5</text></svg></p>")
    root = parse_html(html)
    published(root, html, None)
    assert "3 de marzo de 2020" in "".join(part.text or "" for part in root.iter("p"))
    assert root.find(".//svg") is not None


def test_no_languages_are_loaded_to_find_a_date() -> None:
    asked = _languages.cache_info()
    when(web_page(f'<p class="date">22 Sep,2021 1632hrs IST</p><p>{LOREM}</p>'))
    assert _languages.cache_info() == asked


@pytest.mark.parametrize("part", ["1 ", "1 de ", "12/", "3. mayo ", "2020-", "1" + " " * 50])
def test_a_megabyte_of_half_dates_takes_little_time(part: str) -> None:
    html = f"<p>{part * (300_000 // len(part))}</p>"
    assert cpu_s(lambda: when(html), enough_s=5) <= 5


def test_a_date_that_stands_alone_counts_before_one_in_a_sentence() -> None:
    told = f"On 3 May 2019 the ferry was launched before a crowd. {LOREM}"
    page = web_page(f"<p>{told}</p><div>Posted on 8 May 2020</div><p>{LOREM}</p>")
    assert when(page) == "2020-05-08"


@pytest.mark.parametrize(
    "names",
    [
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "sty lut mar kwi maja cze lip sie wrz października lis grudnia",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    ],
    ids=["Spanish", "Italian", "Polish", "Russian"],
)
def test_every_month_of_a_language_has_its_number(names: str) -> None:
    page = "<p>Ferry<br>{}</p><p>{}</p>"
    dates = [when(web_page(page.format(f"9 {name} 2020", LOREM))) for name in names.split()]
    assert dates == [f"2020-{month:02}-09" for month in range(1, 13)]
