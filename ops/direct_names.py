"""Names of all distributions that pyproject.toml asks for, as one alternative of a regular expression.

For ops/try-versions.
"""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"].values()
requirements = [*project["dependencies"], *(one for extra in extras for one in extra)]
print("|".join(sorted({re.split(r"[\s\[<>=!~;]", one, maxsplit=1)[0] for one in requirements} - {"tailrace"})))
