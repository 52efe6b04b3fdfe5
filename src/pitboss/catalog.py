"""What the house offers on a day: games, wagers and pay-table letters."""

from datetime import date
from typing import Any

from pitboss.games.registry import GAMES
from pitboss.law.model import SINGLE, in_force


def catalog(as_of: date) -> list[dict[str, Any]]:
    """Every game with its chapter, seats, wagers and letters in force, ready for JSON.

    >>> {entry["in_force"] for entry in catalog(date(2024, 6, 1))}
    {True}
    """
    entries = []
    for game in GAMES.values():
        chapter = game.chapter
        wagers = in_force(chapter.wagers, as_of)
        entries.append(
            {
                "name": game.name,
                "title": chapter.title,
                "chapter": chapter.chapter,
                "in_force": bool(wagers),
                "seats": chapter.figure("seats", as_of).value if wagers else None,
                "decisions": list(game.decisions),
                "wagers": [
                    {
                        "name": wager.name,
                        "title": wager.title,
                        "cite": str(wager.cite),
                        "optional": wager.offer == "choice",
                        "paytables": [
                            t.letter
                            for t in chapter.tables(wager.paytable, as_of)
                            if t.letter != SINGLE and not t.reading
                        ],
                        "meter": wager.meter or None,
                    }
                    for wager in wagers
                ],
                "paytables": {
                    name: [t.letter for t in chapter.tables(name, as_of)]
                    for name in dict.fromkeys(t.wager for t in in_force(chapter.paytables, as_of))
                },
            }
        )
    return entries
