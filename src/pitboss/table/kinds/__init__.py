"""Every kind of event that a table records, one class each."""

from pitboss.table.kinds import cards, chance, decisions, devices, house, rounds, seats, settlement, shuffling, wagers

__all__ = ["cards", "chance", "decisions", "devices", "house", "rounds", "seats", "settlement", "shuffling", "wagers"]
