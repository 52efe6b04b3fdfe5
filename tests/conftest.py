"""Shared fixtures, and the record of which test proves which paragraph."""
