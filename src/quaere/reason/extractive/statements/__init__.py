"""Financial statements: figures by line and year, and what is made of them."""
