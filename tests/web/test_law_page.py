"""The law page: every paragraph, section and pay table can be shown, found and reached by its address."""

import re
from html import unescape

import pytest

from pitboss.law.cite import Cite
from pitboss.law.coverage import coverage, covered, not_counted
from pitboss.law.index import paragraphs
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.money import show_dollars
from pitboss.reports.offer import row_title
from pitboss.web.render import block
from pitboss.web.views import law
from pitboss.web.views.law_tables import paragraph_tables


def shown(**address: str) -> str:
    return block("law.html", "main", law.law_page(**address))


def table_text(cite: Cite) -> str:
    return "\n".join("\t".join(row) for table in paragraph_tables(cite) for row in table.rows)


def test_what_people_type_is_escaped() -> None:
    evil = '"><script>alert(1)</script>'
    assert "<script" not in shown(query=evil) + shown(cite=evil) + shown(chapter_name=evil)


def test_every_paragraph_can_be_shown() -> None:
    for section in {cite.section_cite for cite in paragraphs()}:
        text = unescape(shown(cite=str(section)))
        for cite in law.within(section):
            found = covered(cite)
            assert found.paragraph.does in text
            assert f"law-{found.status}" in text
            for item in (*found.places, *found.tests, *(note.text for note in law.own_notes(cite))):
                assert item in text, cite


def test_every_section_is_in_the_contents_and_shows_its_paragraphs() -> None:
    count = 0
    for name in CHAPTERS:
        for section in chapter(name).sections:
            text = shown(cite=str(section.cite))
            assert f'href="/law?cite={section.cite}" aria-current' in text
            for cite in law.within(section.cite):
                assert f'id="{cite}"' in text
                count += 1
    assert count == len(paragraphs()) + len(not_counted())


@pytest.mark.parametrize("name", CHAPTERS)
def test_pay_tables_stand_at_their_paragraph_as_printed(name: str) -> None:
    for table in chapter(name).paytables:
        text = table_text(table.cite)
        for row, odds in table.rows.items():
            hand, pays = re.escape(row_title(row, table)), re.escape(str(odds))
            assert re.search(rf"^{hand}\t(.*\t)?{pays}(\t|$)", text, re.M), (table.key, row)
    for entry in chapter(name).figures:
        assert f"{entry.value:,}" in table_text(entry.cite)
    for spec in chapter(name).meters:
        assert all(show_dollars(seed) in table_text(spec.cite) for seed in spec.seed.values())


def test_search_needs_every_word() -> None:
    found = law.find("envy bonus")
    assert found
    assert set(found) <= set(law.find("envy")) & set(law.find("bonus"))
    assert Cite.parse("649a.12(e)(5)") in law.find("ENVY")
    assert law.find("") == law.find("no such words anywhere") == ()
    assert f"{len(law.find('envy'))} paragraphs" in shown(query="envy")


def test_an_address_leads_to_its_paragraph_or_the_nearest() -> None:
    assert law.nearest("§ 649a.11(c)(3)") == Cite.parse("649a.11(c)(3)")
    assert law.nearest("649a.2(a)(9)(z)") == Cite.parse("649a.2(a)")
    assert law.nearest("999a.1") is None
    assert 'id="649a.2(a)" tabindex="-1" data-chosen' in shown(cite="649a.2(a)(9)")
    assert "The nearest paragraph is 649a.2(a)." in shown(cite="649a.2(a)(9)")
    assert 'id="649a.2(a)"' in shown(query="649a.2(a)")
    assert "There is no paragraph" in shown(cite="1234")


def test_coverage_figures() -> None:
    text, counts = shown(), coverage()
    for row in (*counts.values(), {name: sum(each[name] for each in counts.values()) for name in counts["649a"]}):
        cells = "".join(f'<td class="num">{value}</td>' for value in row.values())
        assert cells in text
