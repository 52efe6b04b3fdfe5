"""Who may do what: one table for every act of every job function. What is not in it is denied."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pitboss.findings import Finding, refusal
from pitboss.table.roles import Role

_D = Role.DEALER
_F = Role.FLOORPERSON
_M = Role.PIT_MANAGER
_C = Role.CASHIER
_P = Role.PLAYER
_A = Role.AUDITOR
_X = Role.ADMINISTRATOR

EVERYONE: Final = frozenset({_D, _F, _M, _C, _P, _A, _X})
"""Everyone who can log in. ``Role.SYSTEM``, the software itself, stands in no row of the table."""

_STEPS = """
    open_shaker shake shuffle cut no_more_bets count_chips deal roll stub lock_decisions draw reveal settle discard
    count_deck
"""
UNATTENDED: Final = frozenset(f"table.{step}" for step in _STEPS.split())
"""What the software does at a table that runs by itself (``ruling.unattended``), and nowhere else: steps of the round
that are a dealer's at other tables, and nothing that a player does or anybody supervises."""

_ACTS: Mapping[frozenset[Role], str] = {
    # Who deals
    frozenset({_D}): """
        table.inspect_cards table.spread_cards table.wash_cards table.shuffle table.cut table.spread_idle
        table.no_more_bets table.count_chips table.deal table.roll table.correct_throw table.stub
        table.lock_decisions table.draw table.reveal table.turn_up table.settle table.discard table.count_deck
    """,
    frozenset({_D, _P}): """
        table.player_inspected table.sit table.leave table.take_box table.release_box table.wager table.withdraw
        table.shake table.decide table.declare table.concede
    """,
    # Who supervises
    frozenset({_D, _F, _M}): """
        table.receive_decks table.open_shaker table.irregularity table.cover_device table.correct_card
    """,
    frozenset({_F, _M}): """
        table.close_table table.verify_inspection table.order_recut table.order_shuffle table.change_decks
        table.return_wager table.validate table.complete_paperwork table.abandon table.change_method table.repair_device
        table.rule_choice school.set-exam school.read-class
    """,
    frozenset({_M}): "table.open_table table.change_limits meter.open meter.propose",
    frozenset({_C, _F, _M}): "table.buy_in table.cash_out table.repay table.fill table.credit",
    # The house
    frozenset({_D, _F, _M, _C, _A, _X}): "account.confirm",
    frozenset({_M, _X}): "property.propose",
    frozenset({_X}): "account.create account.disable account.enable account.reset account.set-role",
    frozenset({_A, _X}): "account.list audit.verify audit.export audit.acknowledge",
    frozenset({_F, _M, _A, _X}): "consent.give audit.read incident.acknowledge",
    frozenset({_D, _F, _M, _A, _X}): "consent.read consent.refuse",
    frozenset({_D, _F, _M, _C, _A}): "balances.read",
    EVERYONE: "session.use meters.read tables.read events.read state.read",
}

ALLOWED: Final[Mapping[str, frozenset[Role]]] = MappingProxyType(
    {act: roles for roles, acts in _ACTS.items() for act in acts.split()}
)
"""From the name of a permission to the job functions that have it."""


@dataclass(frozen=True)
class TwoPeople:
    """An act that one person proposes and that takes effect when a second, different person consents."""

    first: str
    """The permission with which it is proposed."""
    second: frozenset[Role]
    """Whose consent counts."""
    why: str
    """What the first person reads, as the beginning of a sentence."""


def _two(first: str, second: set[Role], why: str) -> TwoPeople:
    return TwoPeople(first, frozenset(second), why)


TWO_PEOPLE: Final[Mapping[str, TwoPeople]] = MappingProxyType(
    {
        "meter.change": _two("meter.propose", {_F, _M, _X}, "A change of a meter"),
        # The outcome is known, so it could be the reason to void the round or to take a player's wagers.
        "table.void-revealed": _two("table.irregularity", {_M}, "To void a round whose dealer's cards were revealed"),
        "table.abandon-revealed": _two("table.abandon", {_M}, "To take wagers after the dealer's cards were revealed"),
        # The hand lies open, so it could be the reason to let a wager stand that the hand did not allow.
        "table.choice-stands": _two("table.rule_choice", {_F, _M}, "To let a choice stand that the hand did not allow"),
        # The count of the day has been made, and chips and drop have gone to the cage.
        "table.reopen": _two("table.open_table", {_F, _M, _X}, "To reopen a table closed in this gaming day"),
        # What the law's own data does not say is paid, and by a table that one person alone would choose.
        "table.open-differing": _two(
            "table.open_table", {_M, _A, _X}, "To open a table that pays otherwise than the law's own data"
        ),
        # Players took their seats under the limits on the sign.
        "table.limits-seated": _two("table.change_limits", {_F, _M}, "A change of limits while players are seated"),
        # What a fill or a table limit can be, wherever and by whomsoever it is brought or set.
        "property.bounds": _two("property.propose", {_M, _A, _X}, "A change of the property's bounds"),
        # An account that could be somebody's second person: new, with a new password, with a new role, or let in again.
        "account.enable": _two("account.enable", {_M, _A, _X}, "An account whose job function may give consent"),
        # Its holder has changed the password, and says so; the other knows that nobody else holds the account.
        "account.confirm": _two("account.confirm", {_M, _X}, "An account that is no longer in its maker's hands"),
    }
)
"""Every act that needs two people. Neither may be the other, nor an account that the other made, reset or gave its
role, nor one made by such an account, unless its holder was confirmed since (``ledger.consent``)."""

MOVING: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        # Between a player and the house outside the game, and between the cage and a table: one person, with a slip.
        **dict.fromkeys(("table.buy_in", "table.cash_out", "table.repay", "table.fill", "table.credit"), ()),
        # The player's own chips: the player, or the dealer who speaks for them.
        **dict.fromkeys(("table.wager", "table.withdraw", "table.leave", "table.decide"), ()),
        # What the rules of the round move: one dealer, or a floorperson for what section .11 gives them.
        **dict.fromkeys(("table.no_more_bets", "table.count_chips", "table.return_wager", "table.deal"), ()),
        **dict.fromkeys(("table.stub", "table.lock_decisions", "table.draw", "table.reveal", "table.settle"), ()),
        **dict.fromkeys(("table.shuffle", "table.discard", "table.roll", "table.complete_paperwork"), ()),
        # The same with cards that lie face down: a hand paid when it is declared, a pot conceded, a wager cut.
        **dict.fromkeys(("table.turn_up", "table.declare", "table.concede"), ()),
        "table.rule_choice": ("table.choice-stands",),
        # A round is undone, or a player's wagers are taken.
        "table.irregularity": ("table.void-revealed",),
        "table.abandon": ("table.abandon-revealed",),
        # What is paid, and how much can be wagered.
        "table.open_table": ("table.open-differing", "table.reopen"),
        "table.close_table": (),
        "table.change_limits": ("table.limits-seated",),
        "meter.open": (),
        "meter.propose": ("meter.change",),
        "property.propose": ("property.bounds",),
    }
)
"""Every act that moves chips or changes what is paid, with the acts of two people that it can be; elsewhere, and where
there is none, it takes one person."""

CONSENTING: Final = frozenset(role for act in TWO_PEOPLE.values() for role in act.second)
"""Job functions that are somebody's second person in some act."""


def may(role: Role, permission: str) -> bool:
    """Whether a job function may do an act; False for an act that nobody has listed.

    >>> may(Role.DEALER, "table.deal"), may(Role.PLAYER, "table.deal"), may(Role.ADMINISTRATOR, "table.fly")
    (True, False, False)
    """
    if role is Role.SYSTEM:
        return permission in UNATTENDED
    return role in ALLOWED.get(permission, frozenset())


def why_not(role: Role, permission: str) -> Finding:
    """The refusal to show to somebody whom ``may`` denies an act.

    >>> print(why_not(Role.PLAYER, "table.validate"))
    table.validate: A player may not do this; a floorperson or a pit manager may.
    """
    names = [_a(allowed) for allowed in Role if allowed in EVERYONE and may(allowed, permission)]
    if not names:
        sentence = "Nobody may do this: it is not in the table of permissions."
        return refusal("permission", "nobody", role, sentence, permission)
    listed = _listed(names)
    return refusal("permission", listed, role, f"{_a(role).capitalize()} may not do this; {listed} may.", permission)


def may_consent(role: Role, act: str) -> bool:
    """Whether a job function's consent counts for an act of two people.

    >>> may_consent(Role.PIT_MANAGER, "table.void-revealed"), may_consent(Role.DEALER, "table.void-revealed")
    (True, False)
    """
    return act in TWO_PEOPLE and role in TWO_PEOPLE[act].second


def second_of(act: str) -> str:
    """Whose consent an act of two people needs, as a sentence lists them.

    >>> second_of("table.limits-seated")
    'a floorperson or a pit manager'
    """
    return _listed([_a(role) for role in Role if may_consent(role, act)])


def why_no_consent(role: Role, act: str) -> Finding:
    """The refusal to somebody whose consent does not count.

    >>> print(why_no_consent(Role.DEALER, "table.limits-seated"))
    table.limits-seated: A dealer may not consent to this; a floorperson or a pit manager may.
    """
    listed = second_of(act)
    return refusal("permission", listed, role, f"{_a(role).capitalize()} may not consent to this; {listed} may.", act)


def _a(role: Role) -> str:
    if role is Role.SYSTEM:
        return "the system"
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"


def _listed(names: list[str]) -> str:
    """Names as a sentence lists them: "a", "a or b", "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
