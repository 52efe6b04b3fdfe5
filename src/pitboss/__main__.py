"""``python -m pitboss``: the same as the command ``pitboss``."""

from pitboss.cli import main

if __name__ == "__main__":
    main()
