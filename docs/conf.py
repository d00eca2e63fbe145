"""Settings of the documentation site: ``./check site`` builds it with warnings as errors.

SOURCE_URL and DOCUMENTATION_URL are the addresses of the repository and of the site; where they are not set, no page
names one.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bribeproof

project = "bribeproof"
author = "The bribeproof developers"
project_copyright = "The bribeproof developers, MIT licence"
version = release = bribeproof.__version__

extensions = [
    "extensions.api_links",
    "extensions.citations",
    "extensions.mathml",
    "extensions.plain_markdown",
    "extensions.plain_search",
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["tools", "extensions", "**/README.md", "_build", "gallery/*.ipynb", "tutorials/*.ipynb"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 120

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": "plot_",
    "copyfile_regex": r".*\.csv",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,  # that page loads scripts from the network
    "min_reported_time": 600,
    "show_signature": False,
    "reset_modules": ("matplotlib",),
    "within_subsection_order": "FileNameSortKey",
}

templates_path = ["_templates"]
default_role = "py:obj"  # what stands between single backticks in a docstring is a name
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
maximum_signature_line_length = 88
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"

html_search_scorer = str(Path(__file__).parent / "extensions" / "search_scorer.js")
copybutton_exclude = ".linenos, .gp, .go"
html_math_renderer = "mathml"
html_css_files = ["site.css"]
html_js_files = ["any_words.js", "name_toggles.js"]
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_title = "bribeproof"
html_theme_options: dict[str, object] = {
    "logo": {"text": "bribeproof", "alt_text": "bribeproof: to the first page"},
    "navbar_align": "left",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
}
html_baseurl = os.environ.get("DOCUMENTATION_URL", "")
if source := os.environ.get("SOURCE_URL"):
    html_theme_options["icon_links"] = [{"name": "Source", "url": source, "icon": "fa-solid fa-code"}]
html_logo = html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
