# SPDX-License-Identifier: Apache-2.0
"""Runs pages of the documentation: writes their models, calls their commands, reads what they print.

A page is run from top to bottom in one directory. Its fenced blocks are
  json     a model file, named by the last `….json` in the paragraph before it; without a name a part
           of a model, which is not run;
  console  commands after `$ `, and what they print;
  python   a script; the block `text` after it is what the script prints.
`python3 tests/docs/run_pages.py --renew PAGE …` writes what is printed now into the pages.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/tutorial"
SALTUS = pathlib.Path(os.environ.get("SALTUS", ROOT / "build/release/saltus")).resolve()
PATIENCE = 1200  # s: the limit of a command, far beyond what a busy machine needs
PROGRESS = re.compile(r"^[ \d]{2}\d %(  t = \S+ s  \S+ s/s)?(  ETA [\w. ]+)?\n", re.M)
BLOCK = re.compile(r"^```(json|console|python|text)\n(.*?)^```$", re.S | re.M)


def pages():
    others = ("README.md", "docs/guide/choosing_the_step.md", "docs/guide/flexible_bodies.md",
              "docs/reference/program.md")
    return [*sorted(TUTORIAL.glob("[0-9]_*.md")), *(ROOT / name for name in others)]


def comparable(text):
    """The text without what differs from run to run: times of the run, sizes, round-off."""
    text = re.sub(r" in [0-9.e+-]+ s\b", " in … s", text)
    text = re.sub(r"\([0-9.]+ MB\)", "(… MB)", text)
    text = re.sub(r"-?\b[0-9.]+e-(09|[1-9][0-9])\b", "~0", text)
    long_number = r"\b[0-9]+\.[0-9]{11,}(e[+-][0-9]+)?"
    return re.sub(long_number, lambda match: f"{float(match.group(0)):.9g}", text).strip()


class Place:
    """A directory in which `saltus`, and Python's package of this name, are the ones under test."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        programs = self.directory / "build/release"  # as in a clone
        programs.mkdir(parents=True)
        (programs / "saltus").symlink_to(SALTUS)
        (self.directory / "examples").symlink_to(ROOT / "examples")
        self.environment = {"PYTHONPATH": str(SALTUS.parent / "python"), **os.environ,
                            "PATH": f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}

    def output(self, command, **options):
        done = subprocess.run(command, cwd=self.directory, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                              **options)
        if done.returncode != 0:
            raise AssertionError(f"{command} returned {done.returncode}:\n{done.stdout}")
        return done.stdout


def console(place, block):
    """The block again, with what its commands print now; only long runs have progress lines."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    lines = []
    for command in commands:
        printed = PROGRESS.sub("", place.output(["bash", "-c", command[2:]]))
        lines += [command, *printed.splitlines()]
    return "\n".join(lines) + "\n"


def model_name(text_before):
    paragraph = text_before.rstrip().rsplit("\n\n", 1)[-1]
    names = re.findall(r"`(\w+\.json)`", paragraph)
    return names[-1] if names else None


def run(page, directory):
    """Yields (block as written, block as it is now, its place in the text) for all that prints."""
    text = page.read_text("utf-8")
    place, printed = Place(directory), ""
    for match in BLOCK.finditer(text):
        kind, block = match.groups()
        if kind == "json":
            name = model_name(text[: match.start()])
            if name:
                (place.directory / name).write_text(block, "utf-8")
        elif kind == "console":
            yield block, console(place, block), match.span(2)
        elif kind == "python":
            printed = place.output(["/usr/bin/python3", "-c", block])
        else:
            yield block, printed, match.span(2)


def renew(page):
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as directory:
        found = list(run(page, directory))
    for _, now, (start, end) in reversed(found):
        text = text[:start] + now + text[end:]
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "--renew"]
    for name in names:
        renew(pathlib.Path(name))
