"""What the engine needs from the outside, as protocols.

Every implementation of a port passes the port's contract suite under ``tests/contracts``.
"""
