"""Migrations of the database, one module for each version of its tables."""
