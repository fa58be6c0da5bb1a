"""Pure decisions about what to ask: which tier, and which queries may still be asked."""
