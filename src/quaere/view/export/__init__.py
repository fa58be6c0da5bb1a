"""Forms in which a report leaves the engine as a document."""
