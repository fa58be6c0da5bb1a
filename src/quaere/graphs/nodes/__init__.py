"""The steps of the loop, one a file. Each lets a policy or a port do the work, and tells of it.

What can be decided without the outside world is decided elsewhere, by pure functions.
"""
