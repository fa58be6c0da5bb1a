"""The folder index: what is in the folders, its text, and the terms to find it by."""
