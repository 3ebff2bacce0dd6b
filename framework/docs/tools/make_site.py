#!/usr/bin/env python3
"""Builds the site from the pages of the repository, with MkDocs and its Material theme.

    make_site.py --out build/site            build it
    make_site.py --serve [ADDRESS]           show it at http://localhost:8000

Pages link to each other, to plugins and to examples as files of the repository. Here they are gathered in one folder,
and their links are turned into those of the site. Files that a page links to, such as scenes, come along.
"""

import argparse
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import interfaces
import links

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parents[1]
PROBE = "import mkdocs; from mkdocs.utils import get_theme_names; assert 'material' in get_theme_names()"
KATEX = pathlib.Path("/usr/share/javascript/katex")  # Debian: libjs-katex
SINGLE = {
    "README.md": "about.md", "CONTRIBUTING.md": "developers/contributing.md", "CHANGELOG.md": "changelog.md",
    "LICENSE": "files/LICENSE.txt", "framework/README.md": "developers/framework.md",
    "cuda/README.md": "developers/cuda.md",
    "plugins/README.md": "methods/index.md", "examples/README.md": "examples/index.md",
}


def is_built(folder):
    """Whether a folder of the repository, as its parts, lies in what a build or a run has left."""
    return any(part in ("build", "out") or part.startswith("build-") for part in folder.parts)


def page_name(file):
    """Name in the site of a page at this path below its folder: of its folders, and of the file unless it is the README."""
    parts = list(file.parent.parts)
    if file.name != "README.md" or not parts:
        parts.append(file.stem)
    return "-".join(parts)


def page_map():
    """Path in the repository -> path in the site, of every page and of the pictures of our own pages."""
    found = {source: page for source, page in SINGLE.items() if (ROOT / source).exists()}
    for file in DOCS.rglob("*"):
        if file.is_file() and "tools" not in file.relative_to(DOCS).parts and file.name != "mkdocs.yml":
            found[file.relative_to(ROOT).as_posix()] = file.relative_to(DOCS).as_posix()
    for folder, place in (("plugins", "methods"), ("framework/solvers", "methods/solvers"), ("examples", "examples"),
                          ("tests", "developers/tests"), ("cuda", "developers/cuda")):
        for file in (ROOT / folder).rglob("*.md"):
            source = file.relative_to(ROOT).as_posix()
            below = file.relative_to(ROOT / folder)
            if source not in found and not is_built(below.parent):
                found[source] = f"{place}/{page_name(below)}.md"
    return found


class Refusal(Exception):
    """Something is missing, or asked for that is not done. The text says what to do."""


class Site:
    """The pages in one folder, with the links of the site."""

    def __init__(self, folder):
        self.folder = folder
        self.pages = page_map()
        self.copied = set()

    def gather(self):
        """Writes all pages, with the links of the site."""
        for source, page in self.pages.items():
            target = self.folder / page
            target.parent.mkdir(parents=True, exist_ok=True)
            if page.endswith(".md"):
                text = (ROOT / source).read_text(encoding="utf-8")
                target.write_text(self.relink(text, source, page), encoding="utf-8")
            else:
                shutil.copyfile(ROOT / source, target)

    def relink(self, text, source, page):
        lines = text.splitlines()
        for number, line in links.lines_outside_code(text):
            for start, end, target in reversed(links.targets(line)):
                line = line[:start] + self.address(target, source, page) + line[end:]
            lines[number - 1] = line
        return "\n".join(lines) + "\n"

    def address(self, target, source, page):
        """Where a link of the page goes in the site."""
        if links.is_outside(target) or target.startswith("#"):
            return target
        path, _, fragment = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if (ROOT / file).is_dir():
            file = posixpath.join(file, "README.md") if (ROOT / file / "README.md").exists() else file
        place = self.pages.get(file) or self.bring(file)
        if not place:
            return target
        address = posixpath.relpath(place, posixpath.dirname(page) or ".")
        return address + (f"#{fragment}" if fragment else "")

    def bring(self, file):
        """Copies a file that a page links to; a folder is shown as the list of its files."""
        if file.startswith("..") or not (ROOT / file).exists():
            return ""
        place = f"files/{file}"
        if (ROOT / file).is_dir():
            place += "/files.txt"
        if place not in self.copied:
            self.copied.add(place)
            target = self.folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / file).is_dir():
                names = sorted(f.relative_to(ROOT).as_posix() for f in (ROOT / file).rglob("*") if f.is_file())
                target.write_text("\n".join(names[:500]) + "\n", encoding="utf-8")
            else:
                shutil.copyfile(ROOT / file, target)
        return place

    def label(self, page):
        """What the navigation calls a page: its heading, without what comes after a colon."""
        text = (self.folder / page).read_text(encoding="utf-8")
        heading = next((line for _, line in links.lines_outside_code(text) if line.startswith("# ")), "# " + page)
        return heading[2:].replace("`", "").split(": ")[0].strip()

    def navigation(self, place, indent):
        """Lines of the configuration that list the pages of a folder."""
        lines = []
        for page in sorted(self.pages.values()):
            if page.startswith(place + "/") and page.endswith(".md") and page != f"{place}/index.md":
                lines.append(f"{indent}- {json.dumps(self.label(page), ensure_ascii=False)}: {page}")
        return "\n".join(lines)

    def follow(self):
        """Gathers the pages again whenever one has changed; never ends."""
        known = self.newest()
        while True:
            time.sleep(1)
            newest = self.newest()
            if newest != known:
                known = newest
                self.pages = page_map()
                self.gather()
                interfaces.link(self.folder)

    def newest(self):
        return max((ROOT / source).stat().st_mtime_ns for source in page_map())

    def bring_katex(self):
        """Puts KaTeX beside the pages. Without it formulas are shown as they are written."""
        if not (KATEX / "katex.min.js").exists():
            return "extra_javascript: []"
        target = self.folder / "assets/katex"
        target.mkdir(parents=True, exist_ok=True)
        for file in ("katex.min.js", "katex.min.css", "contrib/auto-render.js"):
            shutil.copyfile(KATEX / file, target / pathlib.Path(file).name)
        shutil.copytree(KATEX / "fonts", target / "fonts", dirs_exist_ok=True)
        return "extra_javascript: [assets/katex/katex.min.js, assets/katex/auto-render.js, assets/formulas.js]"

    def configuration(self, out):
        """Writes the file that MkDocs reads, with the lists of pages filled in."""
        text = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
        text = re.sub(r"^( *)# pages of (\S+)$", lambda m: self.navigation(m[2], m[1]), text, flags=re.M)
        text = re.sub(r"^  - [^\n]+:\n\n", "", text + "\n", flags=re.M)  # a part without pages
        scripts = self.bring_katex()
        text = text.replace("# formulas: scripts of KaTeX", scripts)
        if "katex" in scripts:
            text = text.replace("extra_css: [", "extra_css: [assets/katex/katex.min.css, ")
        file = self.folder.parent / "mkdocs.yml"
        file.write_text(text + f"\ndocs_dir: {self.folder}\nsite_dir: {out}\n", encoding="utf-8")
        return file


def need_mkdocs():
    """The command that runs MkDocs. Raises Refusal where it is missing."""
    for python in (sys.executable, "/usr/bin/python3"):  # the second has what Debian's packages install
        if os.path.exists(python) and subprocess.run([python, "-c", PROBE], capture_output=True).returncode == 0:
            return [python, "-m", "mkdocs"]
    raise Refusal("The site needs MkDocs and its Material theme, and no Python here has them.\n"
                  "Install them: apt-get install mkdocs mkdocs-material, or pip install mkdocs-material.")


def serve(command):
    """Runs until Ctrl-C."""
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 0


def main():
    parser = argparse.ArgumentParser(prog="scree docs", description="Builds scree's pages as a site.")
    parser.add_argument("--out", default=str(ROOT / "build/site"), help="folder of the site (default: build/site)")
    parser.add_argument("--serve", nargs="?", const="localhost:8000", metavar="ADDRESS",
                        help="show the site at this address in place of writing it (default: localhost:8000)")
    arguments = parser.parse_args()
    mkdocs = need_mkdocs()
    out = pathlib.Path(arguments.out).resolve()
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / "sitemap.xml").exists())):
        raise Refusal(f"{out} is no earlier site, so it is not overwritten. Give an empty or new folder to --out.")
    with tempfile.TemporaryDirectory(prefix="scree-docs-") as work:
        site = Site(pathlib.Path(work) / "pages")
        site.gather()
        interfaces.add(ROOT, site.folder)
        configuration = site.configuration(out)
        if arguments.serve:
            threading.Thread(target=site.follow, daemon=True).start()
            return serve([*mkdocs, "serve", "-f", configuration, "-a", arguments.serve])
        done = subprocess.run([*mkdocs, "build", "--strict", "-f", configuration], stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if not line.startswith("INFO")]
            print(*lines, "The site was not built: see the lines above.", sep="\n", file=sys.stderr)
            return 4
    print(f"{out}/index.html")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)
