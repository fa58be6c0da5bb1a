"""What a question asks: its kind, its parts, its language and its slips."""
