"""``python -m jimbot``: the same as the ``jimbot`` command."""

from jimbot.cli import main

if __name__ == "__main__":
    main()
