"""No snippet of the source documents is without its test: the committed list of blocks against the tests."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

PLACE = Path(__file__).parent
BLOCKS: dict[str, dict[str, str]] = tomllib.loads((PLACE / "checklist.toml").read_text(encoding="utf-8"))
COUNTS = {
    "framework_complete": 38,
    "framework_module": 23,
    "jax_ppo_training": 13,
    "rllib_pipeline": 13,
    "therapy_tianshou": 9,
}
"""Code blocks of each document."""
VARIANTS = {"rllib_pipeline": {"test_configs_default_ppo_yaml_with_the_knowledge_graph"}}
"""Tests of what a snippet promises and this version does not have."""


def names_in(module: str) -> set[str]:
    """The names of the test functions of a file."""
    tree = ast.parse((PLACE / module).read_text(encoding="utf-8"))
    return {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_block_is_in_the_list():
    assert {document: len(blocks) for document, blocks in BLOCKS.items()} == COUNTS


@pytest.mark.parametrize("document", COUNTS)
def test_every_block_has_its_test(document):
    own, named = names_in(f"test_{document}.py"), set[str]()
    for heading, entry in BLOCKS[document].items():
        language, _, test = entry.partition(": ")
        assert language in ("python", "bash", "yaml", "text", "mermaid"), heading
        if test.startswith("none: "):
            assert language in ("text", "mermaid"), f"{heading}: a block that can run has a test"
        elif "::" in test:
            module, _, name = test.partition("::")
            assert name in names_in(module), heading
        else:
            assert test not in named, f"{heading}: one test for each block"
            named.add(test)
    assert own == named | VARIANTS.get(document, set())
