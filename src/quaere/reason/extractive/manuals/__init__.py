"""What manuals, guides and logs of changes say in ways of their own: options, defaults, lists."""
