"""``python -m pitboss.web`` is ``pitboss serve``."""

import sys

from pitboss.cli import main

if __name__ == "__main__":
    sys.argv[1:1] = ["serve"]
    main()
