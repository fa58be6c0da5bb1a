"""The reasoner with a language model: few calls, strict contracts, page text as data."""
