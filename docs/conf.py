"""How Sphinx builds the site: ``make docs`` calls it with ``-W``, so a warning is an error."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Importing a training library must not start anything or look for a graphics card.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

project = "jimbot"
author = "the jimbot authors"
copyright = "2026, the jimbot authors"  # noqa: A001 - the name Sphinx reads
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["_build"]
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

# Notebooks are Markdown files with code cells. They run anew in every build, and an error in a cell ends the build.
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
nb_execution_mode = "force"
nb_execution_timeout = 180
nb_execution_raise_on_error = True
nb_merge_streams = True

html_theme = "furo"
html_title = f"jimbot {release}"
html_show_sourcelink = False
html_copy_source = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False  # "np.bool_" would be read as a link; signatures have the types

copybutton_prompt_text = "$ "
