tmp:
