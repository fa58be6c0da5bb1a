"""What plug-ins name in tests: two that are of the kind, and one that is not."""

from __future__ import annotations

apple = "an apple"
pear = "a pear"
stone = 1
