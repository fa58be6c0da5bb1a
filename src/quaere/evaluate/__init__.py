"""Pure decisions about the evidence: how far it reaches, and whether to go on."""
