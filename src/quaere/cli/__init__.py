"""The ``quaere`` command: one file a command, imported when it is asked for."""
