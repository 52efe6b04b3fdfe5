"""The live table: devices, phases, commands that become events, irregularities, and the order of settlement."""

from typing import TYPE_CHECKING

from pitboss.lazy import names_of

if TYPE_CHECKING:
    from pitboss.table.command import Command, carry_out, read_command, verify
    from pitboss.table.commands import COMMANDS
    from pitboss.table.desk import MemoryDesk
    from pitboss.table.events import Entry, Event
    from pitboss.table.memory import LiveTable
    from pitboss.table.roles import Role
    from pitboss.table.source import SeededRandomness, SystemRandomness
    from pitboss.table.state import Phase, Table
else:
    __getattr__, __dir__ = names_of(
        __name__,
        {
            "command": "Command carry_out read_command verify",
            "commands": "COMMANDS",
            "desk": "MemoryDesk",
            "events": "Entry Event",
            "memory": "LiveTable",
            "roles": "Role",
            "source": "SeededRandomness SystemRandomness",
            "state": "Phase Table",
        },
    )

__all__ = [
    "COMMANDS", "Command", "Entry", "Event", "LiveTable", "MemoryDesk", "Phase", "Role", "SeededRandomness",
    "SystemRandomness", "Table", "carry_out", "read_command", "verify",
]  # fmt: skip
