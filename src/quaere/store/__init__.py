"""What is kept while and after a run goes on."""
