# SPDX-License-Identifier: Apache-2.0
"""The site builds without a warning, needs no network, and its links, anchors and formulas are good."""

import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.parse

import pytest
import run_pages

ROOT = run_pages.ROOT
KATEX = pathlib.Path(os.environ.get("SALTUS_KATEX", "/usr/share/javascript/katex"))
pytest.importorskip("mkdocs", reason="./dev docs installs mkdocs")
if not KATEX.is_dir():
    pytest.skip("./dev docs installs libjs-katex", allow_module_level=True)


class Page(html.parser.HTMLParser):
    """Ids, links and resources of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.resources = set(), [], []
        self.text = path.read_text("utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in ("img", "script") and "src" in attributes:
            self.resources.append(attributes["src"])
        if tag == "link" and attributes.get("rel") in ("stylesheet", "icon"):
            self.resources.append(attributes["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    output = tmp_path_factory.mktemp("site")
    built = subprocess.run(["/usr/bin/python3", ROOT / "tools/site.py", "--output", output],
                           capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return output


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}


def test_every_page_of_the_documentation_is_in_it(site, pages):
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    for source in sources:
        assert site / source.with_suffix(".html") in pages
    contents = (site / "index.html").read_text("utf-8")
    menu = re.search(r'<nav class="md-nav md-nav--primary".*?</nav>\s*</div>', contents, re.S).group(0)
    for source in sources:
        assert source.stem == "index" or f'{source.with_suffix(".html")}"' in menu, source


def test_links_and_anchors_resolve(pages):
    checked = 0
    for path, page in pages.items():
        for link in page.links + page.resources:
            if re.match(r"[a-z]+:", link):
                continue
            address, _, anchor = urllib.parse.unquote(link).partition("#")
            target = (path.parent / address).resolve() if address else path
            target = target / "index.html" if target.is_dir() else target
            assert target.exists(), f"{path.name}: {link}"
            if anchor and target in pages:
                assert anchor in pages[target].ids, f"{path.name}: {link}"
            checked += 1
    assert checked > 2000


def test_nothing_is_loaded_from_the_network(site, pages):
    for path, page in pages.items():
        assert not [link for link in page.resources if re.match(r"(https?:)?//", link)], path.name
    for sheet in (site / "assets").rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:|@import", sheet.read_text("utf-8")), sheet.name


def test_markdown_was_understood(pages):
    """Signs of text that the site's Markdown reads otherwise than GitHub's."""
    for path, page in pages.items():
        body = re.sub(r"<(pre|code|script)\b.*?</\1>", "", page.text, flags=re.S)
        assert not re.search(r"<p>[^<]*\n[-*] ", body), f"{path.name}: a list without an empty line before it"
        assert not re.search(r"<p>\|.*\|\n\|-", body), f"{path.name}: a table that is none"
        assert "$$" not in body, f"{path.name}: a formula that was not found"


def test_formulas_are_accepted(pages, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("no Node to run KaTeX")
    formulas = []
    for path, page in pages.items():
        for text in re.findall(r'class="arithmatex">(.*?)</(?:span|div)>', page.text, re.S):
            formulas.append([path.name, html.unescape(text).strip()])
    assert len(formulas) > 1000
    (tmp_path / "formulas.json").write_text(json.dumps(formulas), "utf-8")
    script = """
      const katex = require(process.argv[1]);
      for (const [page, text] of JSON.parse(require('fs').readFileSync(process.argv[2])))
        try { katex.renderToString(text.slice(2, -2), { displayMode: text.startsWith('\\\\['), strict: false }); }
        catch (error) { console.log(page + ': ' + text + ': ' + error.message); }"""
    done = subprocess.run(["node", "-e", script, KATEX / "katex.js", tmp_path / "formulas.json"],
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
