"""Pages of the interfaces in framework/scree, made by Doxygen where it is installed."""

import pathlib
import shutil
import subprocess

PLACE = "<!-- the interfaces by Doxygen -->"
SETTINGS = """
PROJECT_NAME = scree
PROJECT_BRIEF = "interfaces for plugins and programs"
INPUT = {source}
INPUT_FILTER = "python3 {root}/framework/docs/tools/for_doxygen.py"
STRIP_FROM_PATH = {root}/framework
STRIP_FROM_INC_PATH = {root}/framework
RECURSIVE = YES
FILE_PATTERNS = *.hpp *.h
OUTPUT_DIRECTORY = {out}
HTML_OUTPUT = .
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = SCREE_API= SCREE_HD=
ALIASES = "source=\\par Source^^" "where=\\par Where^^"
VERBATIM_HEADERS = NO
GENERATE_LATEX = NO
HAVE_DOT = NO
CLASS_GRAPH = NO
SEARCHENGINE = YES
SERVER_BASED_SEARCH = NO
HTML_TIMESTAMP = NO
QUIET = YES
WARNINGS = NO
WARN_IF_INCOMPLETE_DOC = NO
"""


def link(folder):
    """Links the pages from developers/interfaces.md, or says how to get them."""
    page = pathlib.Path(folder) / "developers/interfaces.md"
    if (pathlib.Path(folder) / "api").exists():
        told = "**[All classes and functions](../api/annotated.html)**, by Doxygen."
    else:
        told = "With Doxygen (`apt-get install doxygen`), `./scree docs` makes pages of all classes and functions here."
    page.write_text(page.read_text(encoding="utf-8").replace(PLACE, told), encoding="utf-8")


def add(root, folder):
    """Writes the pages into the folder of the site's pages."""
    if shutil.which("doxygen"):
        out = pathlib.Path(folder) / "api"
        out.mkdir(exist_ok=True)
        settings = SETTINGS.format(source=root / "framework/scree", root=root, out=out)
        subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    link(folder)
