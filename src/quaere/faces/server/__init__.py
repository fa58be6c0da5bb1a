"""The HTTP service: it translates requests into calls of an App, and events into answers."""
