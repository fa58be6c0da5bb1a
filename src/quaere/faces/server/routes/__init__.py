"""The endpoints, a topic a file."""
