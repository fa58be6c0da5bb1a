"""Answers of services, kept to play a run again (cassette) or to go on with it (journal)."""
