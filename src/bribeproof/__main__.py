"""``python -m bribeproof``: the command line."""

from bribeproof.cli import main

if __name__ == "__main__":
    main()
