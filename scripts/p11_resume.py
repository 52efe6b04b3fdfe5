"""P11: a round that was interrupted goes on in the same phase, with the same cards and stakes.

    python scripts/p11_resume.py

For every game, the dealer's process kills itself in each phase that the game has. A fresh process finds the same table,
with the same cards in hands and in the sealed deck, to the last bit, and plays the round to its end; the deck that is
then revealed keeps its promise.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.driver import DEVICE_NAMES, GAME_NAMES

from pitboss.cards import parse_cards
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.table.source import check_deal
from pitboss.table.state import Phase
from scripts.common import Figures, arguments, available, ledger
from scripts.dying import Suicide, fingerprint, judge, prepare, run, wanted

COMMON = (Phase.CUTTING, Phase.WAGERING, Phase.DEALING, Phase.DECIDING, Phase.REVEALING, Phase.SETTLING,
          Phase.COLLECTING, Phase.SHUFFLING)  # fmt: skip
ALSO = {
    "three-card-poker": (Phase.COUNTING, Phase.STUB),
    "four-card-poker": (Phase.COUNTING, Phase.STUB),
    "four-card-frenzy": (Phase.STUB,),
    "lunar-poker": (Phase.LOCKED, Phase.DRAWING, Phase.DECK_COUNT),
}
STEPS_AT_MOST = 400


def measure(databases: tuple[str, ...], devices: int = len(DEVICE_NAMES)) -> Figures:
    figures = Figures("P11: resuming after a kill in each phase")
    for database in available(databases, figures):
        kills = revealed = 0
        phases = set()
        for game in GAME_NAMES:
            for dealing in DEVICE_NAMES[:devices]:
                for phase in (*COMMON, *ALSO[game]):
                    if phase == Phase.CUTTING and dealing == "hand":
                        continue  # a shuffler is used: only the first, preshuffled cards are cut
                    name = f"{database} {game} {dealing} {phase}"
                    wrong, shown = resume(database, game, dealing, phase)
                    figures.violations += [f"{name}: {sentence}" for sentence in wrong]
                    kills, revealed = kills + 1, revealed + shown
                    phases.add(phase)
        figures.add(f"{database}: kills", kills)
        figures.add(f"{database}: different phases", len(phases))
        figures.add(f"{database}: decks revealed and checked afterwards", revealed)
    return figures


def resume(database: str, game: str, dealing: str, phase: Phase) -> tuple[list[str], int]:
    """Kill in a phase, compare, and play the round to its end; gives the faults and the decks that were checked."""
    with ledger(database) as (url, anchor):
        prepare(url, anchor, game, dealing)
        with Store(url, anchor) as store:
            _leave(Pit(store), phase)
        told = run(url, anchor, "life-1", suicide=Suicide(phase=phase))
        wrong = judge(url, anchor, told)
        with Store(url, anchor) as store:
            pit = Pit(store)
            table = pit.table("t1")
            if table.phase != phase:
                wrong.append(f"it goes on in {table.phase}")
            if told.state != fingerprint(pit):
                wrong.append("the table or the sealed deck is another")
            wrong += _play_on(pit)
            with store.reading() as reading:
                promises = reading.events("t1", kinds=["deck.revealed"])
        for event in promises:
            data = event.data
            wrong += [
                str(finding)
                for finding in check_deal(
                    data["commitment"],
                    parse_cards(data["cards"]),
                    bytes.fromhex(data["salt"]),
                    data["cuts"],
                    parse_cards(data["left_deck"]),
                )
            ]
    return wrong, len(promises)


def _leave(pit: Pit, phase: Phase) -> None:
    """One step out of the phase in which the table stands, so that the dealer comes to it again."""
    for number in range(STEPS_AT_MOST):
        table = pit.table("t1")
        if table.phase != phase:
            return
        who, body = wanted(pit, table)
        pit.act("t1", body, who, f"before-{number:06}")


def _play_on(pit: Pit) -> list[str]:
    """To the end of a round that began no later than now."""
    rounds = pit.table("t1").rounds + (pit.table("t1").play is None)
    for number in range(STEPS_AT_MOST):
        table = pit.table("t1")
        if table.rounds >= rounds and table.play is None:
            return []
        who, body = wanted(pit, table)
        reply = pit.act("t1", body, who, f"after-{number:06}")
        if not reply.accepted:
            return [f"{body} was refused: {reply.text}"]
    return ["the round never ended"]


if __name__ == "__main__":
    given = arguments(__doc__, devices=(3, 1))
    sys.exit(measure(given.databases, given.devices).show())
