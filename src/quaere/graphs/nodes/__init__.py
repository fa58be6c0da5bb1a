"""The steps of both graphs, a verb a file. Each calls a policy or a port, and emits its events.

What can be decided without the outside world is decided elsewhere, by pure functions.
"""
