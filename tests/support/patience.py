"""How long tests wait for what has to come. Nobody waits that long where it comes.

It is for a machine with too much to do.
"""

from typing import Final

LONG_SECONDS: Final = 240
LONG_MS: Final = LONG_SECONDS * 1000
