"""The stubs describe the compiled modules: the same names, the same parameters, nothing left out."""

from __future__ import annotations

import ast
import importlib
import re
from types import ModuleType
from typing import Any

import pytest

# What exists for the type checker only.
TYPES_OF_THE_STUB = {"BuildInfo", "ExpertColumns", "MatchFields", "ObservationField"}


@pytest.fixture(scope="module", params=["_engine", "_engine_dev"])
def module(request) -> ModuleType:
    if request.param == "_engine":
        return importlib.import_module("jimbot._engine")
    return pytest.importorskip("jimbot._engine_dev", reason="only in development builds, not in wheels")


@pytest.fixture(scope="module")
def stub(root, module) -> ast.Module:
    path = (root / "src").joinpath(*module.__name__.split(".")).with_suffix(".pyi")
    return ast.parse(path.read_text(encoding="utf-8"))


def functions_of(nodes: list[ast.stmt]) -> dict[str, list[str]]:
    """Parameter names by function."""
    return {
        node.name: [argument.arg for argument in node.args.args]
        for node in nodes
        if isinstance(node, ast.FunctionDef)
    }


def classes_of(stub: ast.Module) -> dict[str, ast.ClassDef]:
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    return {name: node for name, node in classes.items() if name not in TYPES_OF_THE_STUB}


def parameters_of(function: Any) -> list[str]:
    """Parameter names of a bound function, from the signatures it carries: one for each type it takes."""
    found: list[list[str]] = []
    for signature, _, _ in function.__nb_signature__:
        plain = re.sub(r"ndarray\[[^\]]*\]", "object", signature)
        tree = ast.parse(re.sub(r"\\\\\d+", "object", plain) + ": ...")
        assert isinstance(tree.body[0], ast.FunctionDef)
        found.append(functions_of(tree.body)[tree.body[0].name])
    first, *others = found
    assert all(each == first for each in others)
    return first


def test_names_are_the_same(stub, module):
    variables = {
        node.target.id
        for node in stub.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    described = variables | set(functions_of(stub.body)) | set(classes_of(stub))
    assert described == {name for name in dir(module) if not name.startswith("__")}


def test_functions_have_the_same_parameters(stub, module):
    for name, parameters in functions_of(stub.body).items():
        assert parameters_of(getattr(module, name)) == parameters, name


def test_classes_have_the_same_members(stub, module):
    for name, node in classes_of(stub).items():
        bound = getattr(module, name)
        functions = functions_of(node.body)
        assert set(functions) - {"__init__"} == {
            member for member in dir(bound) if not member.startswith("__")
        }, name
        for member, parameters in functions.items():
            attribute = getattr(bound, member)
            if not isinstance(attribute, property):
                assert parameters_of(attribute) == parameters, f"{name}.{member}"
