"""The live table: commands become events, and the table is a fold over its events."""
