"""What brings submitted runs to workers: the database itself, or NATS JetStream."""
