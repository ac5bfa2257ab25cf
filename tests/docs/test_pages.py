# SPDX-License-Identifier: Apache-2.0
"""The README, the tutorial, and other pages that have commands: they run, and print what the pages say."""

import re
import subprocess

import pytest
import run_pages


@pytest.mark.parametrize("page", run_pages.pages(), ids=lambda page: page.stem)
def test_page_prints_what_it_says(page, tmp_path):
    compared = 0
    for written, now, _ in run_pages.run(page, tmp_path):
        assert run_pages.comparable(now) == run_pages.comparable(written)
        compared += 1
    assert compared >= 2


def printed(page):
    """All that a page shows as output, which the test above compares, and its prose."""
    text = page.read_text("utf-8")
    blocks = [match.group(2) for match in run_pages.BLOCK.finditer(text)
              if match.group(1) in ("console", "text")]
    return "\n".join(blocks), run_pages.BLOCK.sub("", text)


def number(text, pattern):
    return float(re.search(pattern, text).group(1))


def early(out, pattern):
    """By how many ms the third bounce is early."""
    return (number(out, r"exact: .*, ([\d.]+) s\n") - number(out, pattern)) * 1e3


def smaller_impact(out):
    """By which part the rebuilt force of the strongest impact shrinks with half of the step."""
    half, full = (number(out, rf"{name}: .*rebuilt impact at most (\d+)") for name in ("half", "worn-out"))
    return 1 - half / full


# Sentences of the prose with their numbers, and how these follow from outputs and givens.
PROSE = [
    ("1_bouncing_ball", "is {:.1f} % of the 9.81 J",
     lambda out: [100 * number(out, r"numerical loss ([\d.]+)") / 9.81]),
    ("1_bouncing_ball", "{:.2f} ms early, now it is {:.2f} ms early",
     lambda out: [early(out, r"t = (1\.7\d+) s"), early(out, r"\n(1\.7\d+)\n")]),
    ("1_bouncing_ball", "= {:.4f}$ s with", lambda out: [(2 / 9.81) ** 0.5]),
    ("1_bouncing_ball", "= {:.3f}$ m/s", lambda out: [(2 * 9.81) ** 0.5]),
    ("2_box_with_friction", "= {:.5f} s and", lambda out: [2 / (0.3 * 9.81)]),
    ("2_box_with_friction", "the weight, {:.2f} N", lambda out: [number(out, r"carries ([\d.]+) N")]),
    ("2_box_with_friction", "= {:.5f} m.", lambda out: [number(out, r"-f2\n([\d.]+)")]),
    ("3_sphere", "from {:.3f} s on it sticks", lambda out: [number(out, r"([\d.]+),touch,sticks")]),
    ("3_sphere", "= {:.5f} s", lambda out: [2 * 2 / (7 * 0.2 * 9.81)]),
    ("3_sphere", "earlier than before, at {:.3f} s",
     lambda out: [number(out.split("law/events")[1], r"([\d.]+),touch,sticks")]),
    ("4_mechanism", "= {:.2f} m/s²", lambda out: [0.05 * 50**2 * 1.25]),
    ("4_mechanism", "times 0.4 kg is {:.1f} N", lambda out: [number(out, r"wrist pin: -([\d.]+) N")]),
    ("5_forces", "is {} times as long as the impact or an eighth of it",
     lambda out: [{12: "twelve"}[round(1e-3 / number(out, r"\n([\d.]+e-05),"))]]),
    ("6_slider_crank", "= {:.2f}·10⁷ N/m", lambda out: [2.1e11 * 0.006 * 0.012 / 0.2 / 1e7]),
    ("6_slider_crank", "with {0:.3f} m/s and 0.4 kg that is {1:.0f} N",
     lambda out: (lambda v: [v, v * (7.56e7 * 0.4) ** 0.5])(
         number(out, r"second turn: .*approach at most ([\d.]+)"))),
    ("6_slider_crank", "it is {} times what the rigid engine has",
     lambda out: [{4: "four"}[round(number(out, r"second turn: .*force at most (\d+)") / 62.5)]]),
    ("6_slider_crank", "falls by {:.0f} %", lambda out: [100 * smaller_impact(out)]),
]


@pytest.mark.parametrize("name, sentence, values", PROSE, ids=lambda value: str(value)[:40])
def test_numbers_of_the_prose_follow_from_the_outputs(name, sentence, values):
    outputs, prose = printed(run_pages.TUTORIAL / f"{name}.md")
    assert sentence.format(*values(outputs)) in prose


def test_every_step_of_the_tutorial_is_run():
    listed = re.findall(r"\((\d_\w+\.md)\)", (run_pages.TUTORIAL / "index.md").read_text("utf-8"))
    assert sorted(listed) == [page.name for page in run_pages.pages() if page.parent.name == "tutorial"]


def test_commands_of_the_readme_are_run_or_those_of_dev():
    fenced = re.compile(r"^```.*?^```$", re.S | re.M)
    text = (run_pages.ROOT / "README.md").read_text("utf-8")
    assert [block for block in fenced.findall(text) if not run_pages.BLOCK.match(block)] == []
    indented = re.findall(r"^    (.*)$", fenced.sub("", text), re.M)
    assert indented and all(line.startswith("./dev ") for line in indented)


def test_commands_of_dev_exist():
    usage = subprocess.run([run_pages.ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"^\./dev ([a-z]+)", usage, re.M))
    named = {}
    for page in [*run_pages.ROOT.glob("*.md"), *(run_pages.ROOT / "docs").rglob("*.md")]:
        for name in re.findall(r"\./dev ([a-z]+)", page.read_text("utf-8")):
            named.setdefault(name, []).append(page.name)
    assert {"run", "test", "build", "package"} <= set(named) and "README.md" in named["run"]
    assert {name: pages for name, pages in named.items() if name not in known} == {}
