"""Demonstrations: single rounds, and a whole pit with a played shift."""
