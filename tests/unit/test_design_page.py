"""The page about the design: the way of a tool output leads through functions that are there."""

import ast
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "design.md"
HEADING = "## The way of one tool output"
HOPS_MAX = 15
LINK = re.compile(r"\[`([\w.]+)`\]\(([^)]+)\)")


def hops() -> list[str]:
    _, _, after = PAGE.read_text().partition(HEADING)
    section, _, _ = after.partition("\n## ")
    return re.findall(r"^\d+\. .*$", section, re.MULTILINE)


def functions(file: Path) -> set[str]:
    """Names of the functions of a module, methods by the name of their class too."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{child.name}" for child in node.body if isinstance(child, kinds)}
    return names


def test_the_way_of_a_tool_output_has_few_hops_and_each_is_a_link() -> None:
    assert 1 < len(hops()) <= HOPS_MAX
    assert [hop for hop in hops() if not LINK.search(hop)] == []


def test_each_hop_names_a_function_that_its_file_has() -> None:
    links = [link for hop in hops() for link in LINK.findall(hop)]
    missing = [
        f"{name} in {target}"
        for name, target in links
        if not (PAGE.parent / target).exists() or name not in functions(PAGE.parent / target)
    ]
    assert missing == []
