# SPDX-License-Identifier: Apache-2.0
"""Relative links and anchors of all pages in the repository, by the rules of GitHub."""

import re

import pytest
import run_pages

ROOT = run_pages.ROOT
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^()\s]+)\)")


def without_code(text):
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda match: match.group(0).replace("](", "] ("), text)


def anchors(page):
    """The anchors of a page's headings; repeated ones are numbered."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", without_code(page.read_text("utf-8")), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        text = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = sum(1 for anchor in found if re.fullmatch(re.escape(text) + r"(-\d+)?", anchor))
        found.add(f"{text}-{count}" if text in found else text)
    return found


def links(page):
    return [link for link in LINK.findall(without_code(page.read_text("utf-8")))
            if not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page):
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_there_are_links_to_check():
    assert sum(len(links(page)) for page in PAGES) > 500
