"""Every kind of event that the house records beside its tables, one class each."""

from pitboss.ledger.kinds import accounts, consent, meters, school, system
from pitboss.table import kinds as of_tables

__all__ = ["accounts", "consent", "meters", "of_tables", "school", "system"]
