"""Runs the command line as `python -m irontide_play`."""

from irontide_play.entry import main

if __name__ == "__main__":
    main()
