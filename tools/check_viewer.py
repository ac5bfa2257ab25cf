#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says whether viewer/dist/viewer.html was built from the sources beside it; exits 1 if not.

The page carries the fingerprint of its sources that viewer/source_stamp.mjs computed; this computes
the same without Node.
"""
import hashlib
import pathlib
import re
import sys

SINGLE = ["index.html", "package.json", "package-lock.json", "source_stamp.mjs", "tsconfig.json",
          "vite.config.mjs"]


def source_stamp(viewer):
    """The fingerprint of everything that the page is built from."""
    files = [p.relative_to(viewer).as_posix() for p in (viewer / "src").rglob("*") if p.is_file()]
    digest = hashlib.sha256()
    for path in sorted(SINGLE + files):
        digest.update(path.encode() + b"\0")
        digest.update((viewer / path).read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()


def stamp_of(page):
    """The one inside a page, or an empty text."""
    found = re.search(r'<meta name="saltus-viewer-stamp" content="([0-9a-f]{64})"', page)
    return found.group(1) if found else ""


def main():
    viewer = (pathlib.Path(sys.argv[1]) if len(sys.argv) > 1
              else pathlib.Path(__file__).resolve().parent.parent / "viewer")
    page = viewer / "dist" / "viewer.html"
    if stamp_of(page.read_text()) == source_stamp(viewer):
        return 0
    print(f"{page} is older than its sources: run ./dev viewer and commit the page")
    return 1


if __name__ == "__main__":
    sys.exit(main())
