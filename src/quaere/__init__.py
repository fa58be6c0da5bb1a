"""Deep research whose every sentence can be checked against the page it cites."""

__version__ = "0.1.0.dev0"
