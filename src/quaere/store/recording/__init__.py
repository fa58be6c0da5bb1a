"""Answers of services, kept to replay a run (cassette) or to resume it (journal)."""
