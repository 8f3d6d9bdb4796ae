"""`make bench`: measures Tailrace against the bare libraries, on one broker and in one run.

ops/bench/run.py --help lists what can be measured. The folder of the repository goes onto the path here, so that this
works from anywhere; `python -m ops.bench` in that folder does the same.
"""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    # In the place of this folder, whose modules have names that others have too.
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    runpy.run_module("ops.bench", run_name="__main__")
