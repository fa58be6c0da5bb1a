"""Two things set side by side: which is more, and how they differ."""
