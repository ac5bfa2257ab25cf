#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation site from docs/ with Debian's mkdocs, offline.

Pages of docs/ link to files of the repository (examples, sources). The site cannot reach them, so
docs/ is copied to build/site_docs, files that are linked to go beside it, and links are changed.

    tools/site.py [--output DIR]     DIR is build/site unless given
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
KATEX = pathlib.Path(os.environ.get("SALTUS_KATEX", "/usr/share/javascript/katex"))
PROJECT_PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
# What the site has in place of a file or directory of the repository.
STAND_INS = {"README.md": "index.md", "examples": "gallery.md", "docs/theory": "notation.md"}
SHOWN_AS_THEY_ARE = {".json", ".txt", ".csv"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^(```|~~~)")


def place_in_site(path):
    """Where a path of the repository is in the site's sources; None for directories."""
    name = path.as_posix()
    if name in STAND_INS:
        return pathlib.PurePosixPath(STAND_INS[name])
    if name in PROJECT_PAGES:
        return pathlib.PurePosixPath("project") / name
    if name.startswith("docs/"):
        return pathlib.PurePosixPath(name[len("docs/") :]) if (ROOT / path).is_file() else None
    if not (ROOT / path).is_file():
        return None
    suffix = "" if path.suffix in SHOWN_AS_THEY_ARE else ".txt"  # browsers show text
    return pathlib.PurePosixPath("files") / (name + suffix)


class Stager:
    """Copies pages and what they link to."""

    def __init__(self, target):
        self.target = target

    def change_link(self, match, page):
        mark, label, address = match.groups()
        path, _, anchor = address.partition("#")
        if re.match(r"[a-z]+:", address) or not path:
            return match.group(0)
        source = pathlib.PurePosixPath(os.path.normpath((page.parent / path).as_posix()))
        if not (ROOT / source).exists():
            raise SystemExit(f"{page}: link to {address}: no such file")
        place = place_in_site(source)
        if place is None:
            return label
        if place.parts[0] == "files":
            self.copy(source, place)
        here = place_in_site(page).parent
        relative = os.path.relpath(place, here) + (f"#{anchor}" if anchor else "")
        return f"{mark}[{label}]({relative})"

    def copy(self, source, place):
        (self.target / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, self.target / place)

    def page(self, source):
        """Copies a page; links inside of code stay."""
        lines, fenced = [], False
        for line in (ROOT / source).read_text("utf-8").splitlines():
            if FENCE.match(line.lstrip()):
                fenced = not fenced
            elif not fenced and not line.startswith("    "):
                line = LINK.sub(lambda match: self.change_link(match, source), line)
            lines.append(line)
        place = self.target / place_in_site(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(lines) + "\n", "utf-8")

    def all(self):
        shutil.rmtree(self.target, ignore_errors=True)
        for file in sorted((ROOT / "docs").rglob("*")):
            source = pathlib.PurePosixPath(file.relative_to(ROOT).as_posix())
            if file.suffix == ".md":
                self.page(source)
            elif file.is_file():
                self.copy(source, place_in_site(source))
        for name in PROJECT_PAGES:
            self.page(pathlib.PurePosixPath(name))
        self.formulas()

    def formulas(self):
        target = self.target / "assets/katex"
        target.mkdir(parents=True)
        for name in ("katex.js", "katex.css"):
            shutil.copyfile(KATEX / name, target / name)
        fonts = KATEX / "fonts"
        shutil.copytree(fonts if fonts.is_dir() else KATEX / "../../fonts/truetype/katex", target / "fonts")


def main():
    parser = argparse.ArgumentParser(description="Builds the documentation site.")
    parser.add_argument("--output", default=ROOT / "build/site", type=pathlib.Path)
    output = parser.parse_args().output.resolve()
    if not KATEX.is_dir():
        sys.exit(f"{KATEX} is missing: ./dev docs installs it (libjs-katex)")
    Stager(ROOT / "build/site_docs").all()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--quiet"]
    built = subprocess.run([*command, "--site-dir", output], cwd=ROOT)
    if built.returncode == 0:
        print(f"{output}/index.html")
    sys.exit(built.returncode)


if __name__ == "__main__":
    main()
