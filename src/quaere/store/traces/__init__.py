"""The book of record: kept runs with their events, pages and evidence."""
