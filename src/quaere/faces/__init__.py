"""The ways in. A face translates; what makes a run complete is in `quaere.runtime`."""
