"""Lets ``python -m quaere`` do what the ``quaere`` command does."""

from __future__ import annotations

from quaere.faces.cli.main import main

if __name__ == "__main__":
    main()
