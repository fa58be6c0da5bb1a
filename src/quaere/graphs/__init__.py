"""The graphs of a run. Only this package imports LangGraph."""
