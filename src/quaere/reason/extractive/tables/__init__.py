"""Tables of any kind: which cell, row or column of one answers a question."""
