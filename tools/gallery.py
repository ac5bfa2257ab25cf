#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gallery.md: all examples, with pictures taken from their reports.

    tools/gallery.py                    writes the page from examples/ and the pictures that exist
    tools/gallery.py --pictures [NAME …]  runs examples and takes their pictures first (Chromium)

A picture is the view of report.html at a telling moment: the canvas is asked for itself as WebP.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs/figures/gallery"
TUTORIAL = ROOT / "docs/figures/tutorial_report.webp"
SIZE = (480, 320)
LARGEST = 18_000  # bytes of a picture; 110 of them stay below 2 MB

# Chapters of the gallery: title, patterns of names. An example is in the first chapter that fits.
CHAPTERS = [
    ("Flexible bodies", r"elastic_bar|^flexible_|oblique_beam|sliding_wedge|beam_falling"
                        r"|bend_45|cantilever|roller_crank_flexible|free_cube"),
    ("Clearance, bearings, forces", r"clearance|bearing|pin_in_bore|block_in_slot|_force|two_sphere_impact"
                                    r"|crank_block"),
    ("By events", r"block_edge|block_four|block_surface|planar_|rocking_specimen|sphere_corner"),
    ("Several impacts at once", r"cradle|billiard|bernoulli|three_|pile|cue_ball|throw_angle"),
    ("Spheres", r"sphere|driven_spheres|superball|roller_crank_rigid"),
    ("Contact and friction", r"ball|bounc|box|block|rod|wood|point|pain|_masses|shaken|plane|face|hinged"
                             r"|pendulum_on|wedge|incline"),
    ("Mechanisms without contact", r"."),
]

# Moments (s) where the middle of the run is not the best one.
MOMENTS = {
    "ball_bearing": 0.5, "ball_bearing_3d": 0.1, "bernoulli_balls": 0.4, "billiard_15": 0.35,
    "billiard_break": 0.45, "billiard_break_rolling": 0.45, "block_edge_impacts": 0.4,
    "bouncing_ball": 1.3, "bouncing_ball_force": 0.8, "box_dropped_corner": 0.6, "box_tipping": 0.5,
    "clearance_slider_crank_005": 0.0145, "clearance_slider_crank_010": 0.0145,
    "clearance_slider_crank_ideal": 0.0145, "crank_block_impact": 0.0435, "cue_ball_collision": 0.15, "elastic_bar_impact": 0.8, "flexible_cube": 0.262, "flexible_slider_crank": 0.03,
    "flexible_pendulum": 0.33, "flexible_rod_clearance": 0.137, "newtons_cradle": 0.45, "newtons_cradle_unequal": 0.45, "pile_100": 0.7,
    "points_on_face": 0.3, "slider_crank": 0.022, "four_bar": 0.3, "rigid_box_impact": 0.42, "sphere_corner": 1.1, "superball": 0.2,
    "throw_angle": 0.15, "two_moving_faces": 0.6, "woodpecker_fixed": 1.0, "woodpecker_free": 1.0,
}

# How far the camera goes towards the scene (1: into it), or away from it, where 0.1 is not good.
CLOSER = {
    "bounces_within_a_step": -0.15, "coupled_oscillators_modes": -0.12, "driven_joint": 0.25,
    "flexible_pendulum": -0.1, "free_body": 0.3, "gyroscope_bushing": 0.7, "hanging_mass_static": -0.25,
    "incline_point_mass": -0.12, "linear_oscillator": -0.3, "pin_in_bore": 0.45,
    "pendulum_on_flexible_supports": -0.3, "spinning_top": 0.35, "three_balls_frictional": 0.3,
    "three_balls_frictionless": 0.3,
    # wide scenes, which a closer look would cut off
    "beam_falling_mass": 0, "block_on_belt": 0, "cantilever_modes": 0, "elastic_bar_impact": 0,
    "joints_gallery": 0, "roller_crank_flexible": 0, "sliding_masses": 0,
}
SHORTER = {"pile_100": 0.7}  # end times of runs that take minutes

SCRIPT = """<script type="module">
const [width, height] = %(size)s;
const show = () => {
  const { data, store, view } = window.saltus;
  const stage = document.getElementById('stage');
  Object.assign(stage.style, { position: 'fixed', left: 0, top: 0, width: `${width}px`, height: `${height}px` });
  window.dispatchEvent(new Event('resize'));
  store.setTheme('light');
  store.setTime(%(time)s ?? (data.start + data.end) / 2);
  setTimeout(() => {
    view.stage.show('default');
    view.stage.camera.position.lerp(view.stage.controls.target, %(closer)s);
    view.stage.render();
    const canvas = stage.querySelector('canvas');
    const small = Object.assign(document.createElement('canvas'), { width, height });
    const brush = small.getContext('2d');
    brush.fillStyle = '#eef1f4';
    brush.fillRect(0, 0, width, height);
    brush.drawImage(canvas, 0, 0, width, height);
    let quality = 0.8, url;
    do { url = small.toDataURL('image/webp', quality); quality -= 0.1; } while (url.length > %(largest)d && quality > 0);
    const result = document.createElement('pre');
    result.id = 'picture';
    result.textContent = url;
    document.body.append(result);
  }, 300);
};
const wait = () => (document.documentElement.dataset.ready ? show() : setTimeout(wait, 50));
wait();
</script></body>"""

TUTORIAL_SCRIPT = """<script type="module">
const wait = () => {
  if (!document.documentElement.dataset.ready) return setTimeout(wait, 50);
  window.saltus.store.setTime(0.146);
  window.saltus.store.select({ kind: 'contact', name: 'wrist' });
};
wait();
</script></body>"""

CONVERT = """<body><img src="data:image/png;base64,%s"><script>
const image = document.querySelector('img');
image.decode().then(() => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  const result = document.createElement('pre');
  result.id = 'picture';
  result.textContent = canvas.toDataURL('image/webp', 0.7);
  document.body.append(result);
});
</script></body>"""


def examples():
    return sorted(path.stem for path in (ROOT / "examples").glob("*.json"))


def model(name):
    return json.loads((ROOT / "examples" / f"{name}.json").read_text("utf-8"))


def first_sentences(text, most=330):
    """As many sentences of a comment as fit."""
    kept = ""
    for sentence in re.split(r"(?<=[.:!?]) (?=[A-Z0-9])", text):
        if kept and len(kept) + len(sentence) > most:
            break
        kept = f"{kept} {sentence}".strip()
    return kept.rstrip(":").replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def card(name):
    picture = PICTURES / f"{name}.webp"
    image = f"![{name}](figures/gallery/{name}.webp)" if picture.exists() else ""
    link = f"[{name}](../examples/{name}.json)"
    return f"| {image} | **{link}**<br>{first_sentences(model(name)['comment'])} |"


def page():
    groups = {title: [] for title, _ in CHAPTERS}
    for name in examples():
        title = next(title for title, pattern in CHAPTERS if re.search(pattern, name))
        groups[title].append(name)
    parts = ["# Gallery", "All files of `examples/`; `tools/gallery.py` writes this page from their comments. "
             "Run one with `saltus run examples/NAME.json`, then `saltus report NAME-out`: the pictures are "
             "taken from these reports. What each example must give is on the "
             "[validation](validation.md) pages."]
    for title, names in reversed(groups.items()):
        rows = "\n".join(map(card, names))
        parts += [f"## {title}", f"| | |\n|---|---|\n{rows}"]
    return "\n\n".join(parts) + "\n"


def report_of(saltus, path, results):
    """Runs a model and returns its report's text."""
    end = [f"--set=/simulation/end_time={SHORTER[path.stem]}"] if path.stem in SHORTER else []
    subprocess.run([saltus, "run", path, "-o", results, "--quiet", *end], check=True, timeout=110)
    subprocess.run([saltus, "report", results], check=True, stdout=subprocess.DEVNULL)
    return (results / "report.html").read_text("utf-8")


def browse(page, directory, *options):
    """Opens a page in Chromium and returns what it prints."""
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
               "--enable-unsafe-swiftshader", f"--user-data-dir={directory}/profile", "--hide-scrollbars",
               "--virtual-time-budget=2000", *options]
    return subprocess.run([*browser, f"file://{page}"], check=True, capture_output=True, text=True,
                          timeout=110).stdout


def picture_in(dom):
    found = re.search(r'<pre id="picture">data:image/webp;base64,([^<]+)</pre>', dom)
    if not found:
        raise RuntimeError("the page made no picture")
    return base64.b64decode(found.group(1))


def take_picture(saltus, name, directory):
    """Runs an example and returns the picture's bytes."""
    html = report_of(saltus, ROOT / "examples" / f"{name}.json", directory / name)
    values = {"size": list(SIZE), "time": json.dumps(MOMENTS.get(name)), "largest": LARGEST * 4 // 3,
              "closer": CLOSER.get(name, 0.1)}
    page = directory / "picture.html"
    page.write_text(html.replace("</body>", SCRIPT % values), "utf-8")
    return picture_in(browse(page, directory, "--window-size=1200,800", "--dump-dom"))


def take_tutorial_picture(saltus, directory):
    """The whole report of the last step of the tutorial, as WebP."""
    tutorial = (ROOT / "docs/tutorial/6_slider_crank.md").read_text("utf-8")
    (directory / "worn.json").write_text(re.search(r"```json\n(.*?)```", tutorial, re.S).group(1), "utf-8")
    html = report_of(saltus, directory / "worn.json", directory / "worn-out")
    page = directory / "picture.html"
    page.write_text(html.replace("</body>", TUTORIAL_SCRIPT), "utf-8")
    browse(page, directory, "--window-size=1280,760", f"--screenshot={directory}/report.png")
    png = base64.b64encode((directory / "report.png").read_bytes()).decode()
    page.write_text(CONVERT % png, "utf-8")
    return picture_in(browse(page, directory, "--dump-dom"))


def take_pictures(names):
    saltus = os.environ.get("SALTUS", ROOT / "build/release/saltus")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in names or [*examples(), TUTORIAL.stem]:
        target = TUTORIAL if name == TUTORIAL.stem else PICTURES / f"{name}.webp"
        with tempfile.TemporaryDirectory() as text:
            directory = pathlib.Path(text)
            try:
                picture = (take_tutorial_picture(saltus, directory) if target == TUTORIAL
                           else take_picture(saltus, name, directory))
            except (subprocess.SubprocessError, RuntimeError, OSError) as error:
                print(f"{name}: no picture: {error}", file=sys.stderr, flush=True)
                continue
        target.write_bytes(picture)
        print(f"{name}: {len(picture) / 1000:.1f} kB", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes docs/gallery.md.")
    parser.add_argument("--pictures", nargs="*", metavar="NAME", help="run these examples (all) first")
    options = parser.parse_args()
    if options.pictures is not None:
        take_pictures(options.pictures)
    (ROOT / "docs/gallery.md").write_text(page(), "utf-8")
