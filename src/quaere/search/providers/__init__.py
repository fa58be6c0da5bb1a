"""Search providers, one a file."""
