"""Checks what was written against what was read: quotes, figures, names, words and denials."""
