"""Finding sources: fan-out over providers, and the providers themselves."""
