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


def test_index_lists_the_pages_in_the_order_of_the_menu():
    """The steps of the tutorial are listed on its own page."""
    menu = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    entries = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", menu, re.M)
    groups = re.findall(r"^  - (.*):$", menu, re.M)
    index = (ROOT / "docs/index.md").read_text("utf-8")
    listed = re.findall(r"^- \[[^\]]*\]\((\S+)\): .", index, re.M)
    assert listed == [entry.replace("project/", "../") for entry in entries
                      if entry != "index.md" and not re.match(r"tutorial/\d", entry)]
    assert re.findall(r"^## (.*)$", index, re.M) == groups
