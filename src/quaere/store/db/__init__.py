"""The database: its connection, its schema and its migrations."""
