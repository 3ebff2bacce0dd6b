#!/usr/bin/env python3
"""The site is built from the pages, and every page of it links to pages that are there."""

import html.parser
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

import pages

import make_site


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value and not urllib.parse.urlparse(value).scheme:
                self.found.append(value)


def dead(site):
    for page in sorted(site.rglob("*.html")):
        if page.name == "404.html":
            continue
        reader = Links()
        reader.feed(page.read_text(encoding="utf-8"))
        for link in reader.found:
            path = urllib.parse.unquote(link.partition("#")[0].partition("?")[0])
            if path and not (page.parent / path).exists():
                yield f"{page.relative_to(site)}: {link} leads nowhere"


def main():
    try:
        make_site.need_mkdocs()
    except make_site.Refusal as lack:
        pages.skip_on_this_machine(str(lack).replace("\n", " "))
    with tempfile.TemporaryDirectory(prefix="scree-site-") as folder:
        done = subprocess.run([sys.executable, str(pages.DOCS / "tools/make_site.py"), "--out", folder + "/site"],
                              capture_output=True, text=True)
        faults = [done.stdout + done.stderr] if done.returncode else list(dead(pathlib.Path(folder) / "site"))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
