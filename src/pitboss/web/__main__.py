"""``python -m pitboss.web --db URL --port N``."""

import argparse

from pitboss.findings import UnreadableError
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.selfcheck import ACCEPTABLE
from pitboss.web.server import HOST, PORT, serve

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m pitboss.web")
    parser.add_argument("--db", default=None, help="sqlite:///path or postgresql://...")
    parser.add_argument("--host", default=HOST)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--accept", action="append", choices=sorted(ACCEPTABLE), default=[], help="a known change")
    given = parser.parse_args()
    try:
        serve(given.db, given.host, given.port, demo=given.demo, accept=given.accept)
    except (LedgerError, UnreadableError) as refused:
        parser.exit(2, f"pitboss: {refused}\n")
