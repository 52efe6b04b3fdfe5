"""Simulation at scale: compiled rounds whose outcome codes equal the scalar rules'. Needs the extra ``simulate``."""
