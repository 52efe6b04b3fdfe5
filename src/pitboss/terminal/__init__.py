"""How things look on a terminal: the only room that knows about colours and columns."""
