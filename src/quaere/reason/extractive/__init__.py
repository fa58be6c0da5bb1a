"""The reasoner without a model: reads, plans, ticks and writes from the words of the sources."""
