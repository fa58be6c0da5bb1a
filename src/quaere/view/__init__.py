"""Pure views of runs: from events and reports to what a person is shown."""
