"""Facts that reports of companies tell alike: on the cover page, in signatures, of the staff."""
