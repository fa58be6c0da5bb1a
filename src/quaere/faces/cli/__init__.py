"""The `quaere` command."""
