"""The versions of the tables, from the first one on."""
