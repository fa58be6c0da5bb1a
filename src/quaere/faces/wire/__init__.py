"""The events of a run in the forms that clients read: pure functions, a file for each form.

Every form is a fold over the one log: the same events make the same frames, so that a client which
comes back is shown what it missed by going over the log again. Joined, the text of every form is
the answer of the report.
"""
