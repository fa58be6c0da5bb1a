"""The one place where a process owns what its runs share, and every run is put together."""
