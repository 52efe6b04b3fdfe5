"""The law as objects: wagers, pay tables with their dates, and notes on what the text leaves open."""

from pitboss import law

chapter = law.chapter("649a")
print(chapter, [wager.title for wager in chapter.wagers][:3])
for table in chapter.paytables:
    if table.wager == "pair_plus":
        print(table.letter, table.cite, table.period, {row: str(odds) for row, odds in table.rows.items()})
print(chapter.notes[0].cite, len(law.paragraphs()), law.Cite.parse("649a.11(c)(3)").parent)
