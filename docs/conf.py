"""Settings of the documentation site: ``./check site`` builds it with warnings as errors."""

import re

from sphinx.application import Sphinx

import bribeproof

project = "bribeproof"
author = "The bribeproof developers"
project_copyright = "The bribeproof developers, MIT licence"
version = release = bribeproof.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["tools", "**/README.md", "_build", "gallery/*.ipynb"]
nitpicky = False

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
    "min_reported_time": 600,
    "show_signature": False,
    "reset_modules": ("matplotlib",),
    "within_subsection_order": "FileNameSortKey",
}

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's sections state the types
numpydoc_show_class_members = False

copybutton_exclude = ".linenos, .gp, .go"
html_theme = "pydata_sphinx_theme"
html_title = "bribeproof"
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
}
html_copy_source = False
html_show_sourcelink = False


def _anchors_to_targets(_: Sphinx, __: str, source: list[str]) -> None:
    """Make anchors of plain Markdown, ``<a id="x"></a>``, targets of the site, by which its links are checked."""
    source[0] = re.sub(
        r'^(\* )?<a id="([\w-]+)"></a>\n?',
        lambda found: f"{found[1]}({found[2]})=\n  " if found[1] else f"({found[2]})=\n",
        source[0],
        flags=re.M,
    )


def setup(app: Sphinx) -> None:
    """Register what the settings above cannot say."""
    app.connect("source-read", _anchors_to_targets)
