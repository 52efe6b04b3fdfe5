"""The HTTP interface: what a screen, a script or another program may ask the pit."""
