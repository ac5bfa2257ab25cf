# SPDX-License-Identifier: Apache-2.0
"""The table at the top of docs/validation.md: what must come out, and where the pages say that it
does. It is read from the tables of the pages, so it says what they say."""
import re

from validate_runs import OUTSIDE, ROOT, WITHIN, number, table

PAGES = ["validation.md", "validation_flexible.md"]


class Check:
    """A row of a table with a verdict."""

    def __init__(self, page, heading, chapter, cells):
        self.page, self.heading, self.chapter = page, heading, chapter
        self.example = cells["example"].strip("`").split(",")[0]
        self.quantity = cells.get("quantity") or cells.get("error of") or ""
        if "observed order" in cells:
            self.quantity = f"observed order {self.quantity}".strip()
        self.measured = cells.get("measured") or cells.get("observed order", "")
        self.reference = cells.get("reference" if "measured" in cells else "expected", "")
        self.difference, self.tolerance = cells.get("difference", "–"), cells.get("tolerance", "–")
        self.within = cells["verdict"] == WITHIN

    def share(self):
        """Of the tolerance that is used; None without one."""
        gap, limit = value(self.difference), value(self.tolerance)
        return abs(gap) / limit if gap is not None and limit else None

    def link(self):
        place = "" if self.page == PAGES[0] else self.page
        return f"[{self.section()}]({place}#{anchor(self.heading)})"

    def section(self):
        return self.chapter if self.page == PAGES[0] else f"flexible {self.chapter}"


def value(text):
    """The number a cell begins with."""
    if text.startswith("round-off"):
        return 0.0
    match = re.match(r"−?[\d.]+(e−?\d+)?", text)
    return float(match[0].replace("−", "-")) if match else None


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def tables(page):
    """Heading, number of the chapter and rows (dictionaries) of each table of a page."""
    heading, chapter, header, rows = "", "", None, []
    for line in (ROOT / "docs" / page).read_text().splitlines() + [""]:
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and header is None:
            header = cells
        elif cells and not set(line) <= set("|-"):
            rows.append(dict(zip(header, cells)))
        elif not cells and header is not None:
            yield heading, chapter, rows
            header, rows = None, []
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
            if line.startswith("## "):
                chapter = heading.split(".")[0]


def all_checks():
    found = []
    for page in PAGES:
        for heading, chapter, rows in tables(page):
            example = ""
            for row in rows:
                example = row.get("example") or example
                if row.get("verdict") in (WITHIN, OUTSIDE) and "integrator" not in row:
                    found.append(Check(page, heading, chapter, row | {"example": example}))
    return found


def rows_with(column):
    return [row for _, _, rows in tables(PAGES[0]) for row in rows if column in row]


class Row:
    """One line of the overview."""

    def __init__(self, examples, claim, figure, cause="", page=PAGES[0]):
        self.examples = examples.split()
        self.claim, self.figure, self.cause, self.page = claim, figure, cause, page

    def names(self):
        first, *rest = self.examples
        longer = rest and all(name.startswith(first + "_") for name in rest)
        stem = first if longer else first.rsplit("_", 1)[0]
        short = [name.replace(stem, "…", 1) if name.startswith(stem + "_") else name
                 for name in rest]
        return ", ".join(f"`{name}`" for name in [first] + short)

    def cells(self, checks):
        mine = [check for check in checks if check.example in self.examples]
        if not mine:
            raise ValueError(f"no check of {self.examples}")
        missing = [name for name in self.examples if name not in {c.example for c in mine}]
        if missing:
            raise ValueError(f"no check of {missing}")
        bad = [check for check in mine if not check.within]
        used = [check for check in mine if check.within and check.share() is not None]
        nearest = max(used, key=Check.share, default=None)
        near = (f"{nearest.quantity}: {nearest.difference.split(' (')[0]} of ± {nearest.tolerance}"
                if nearest else "–")
        outside = "; ".join(f"{check.quantity}: {check.measured}, expected {check.reference}"
                            for check in bad)
        outside = f"{outside}. {self.cause}" if bad else "–"
        links = list(dict.fromkeys(check.link() for check in mine))
        see = ", ".join(links + [f"[plot](figures/{name}.svg)" for name in self.figure.split()])
        verdict = "fits" if not bad else "**in part**"
        return [self.names(), self.claim, f"{len(mine) - len(bad)} of {len(mine)}", verdict, near,
                outside, see]


GALVEZ = [
    Row("bouncing_ball", "impact times, accumulation, rest without jitter, first order", "ball"),
    Row("spinning_top", "positions to 1e−4, second order, energy, length", "top"),
    Row("rigid_box_impact", "one impact, its time and impulse, the state after it, first order",
        "box comparison_iterations"),
    Row("elastic_bar_impact", "times and force of the contact, impulse, rebound; one iteration a "
        "sub-problem; coupled: ten times the work; without force differences no bounce",
        "flexible_bar comparison_iterations",
        "These references were calculated with another $c_h$: "
        "[note 2](validation_flexible.md#1-examples)"),
    Row("flexible_pendulum", "first contact, place of the tip, convergence at 1 and 3 ms",
        "flexible_pendulum comparison_iterations",
        "Below 5e−5 s errors do not fall further, each step follows the clatter in its own way; "
        "for larger ones the order is 0.9: [order](validation_flexible.md#3-order-in-h)"),
    Row("flexible_cube", "impact, contact, lowest place, rebound; convergence from 3e−5 to 3e−3 s",
        "flexible_cube comparison_iterations",
        "Two steps in which the cube is pressed together most have no solution of the positions; "
        "halved, which is the default, they converge: "
        "[cube](validation_flexible.md#cube)"),
    Row("incline_point_mass", "time and place of the stop, impulses, no creep, drift without "
        "friction at position level", "incline",
        "The author's own forces and speed give 0.3716 s: [note 1](#1-examples)"),
    Row("rocking_rod_1 rocking_rod_2 rocking_rod_3 rocking_rod_4", "impact times, forces and place "
        "at rest, hyperstatic friction solved", "rods"),
    Row("block_on_belt", "bounces, where and when slip begins, amplitude and period", "belt",
        "The author's drawing of the model is missing; no reading gives both: "
        "[note 3](#1-examples)"),
    Row("sliding_masses", "arrival of the wave, final displacements, length recovered", "chain"),
    Row("oblique_beam_impact", "first impact and opening, last contact, second impact",
        "flexible_oblique"),
    Row("pendulum_on_flexible_supports", "first contact, first order, stick and slip", "plate"),
    Row("woodpecker_fixed woodpecker_free", "frequency and drop a cycle to 1.5 %, contact 3 never "
        "closes; the experiment", "woodpecker_motion woodpecker_cycle"),
]

SANCHEZ = [
    Row("sphere_sliding", "end of slip, spin, way", "spheres"),
    Row("sphere_rolling", "time and angle of the stop, first order", "spheres"),
    Row("sphere_spinning", "time and angle of the stop", "spheres"),
    Row("sphere_roll_slide_1 sphere_roll_slide_2 sphere_roll_slide_3", "ends of slip and of "
        "rotation, stops", "roll_slide"),
    Row("roller_crank_rigid roller_crank_flexible", "no spurious oscillation in stick; mass and "
        "frequency of the rod, flights, at most 3 iterations", "roller"),
    Row("sphere_wall", "impact, rolling, rest, to 4 ms", "wall"),
    Row("driven_spheres", "limit of friction, spins and angles at 1 s", "driven"),
    Row("cue_ball_collision", "seven directions to 0.1°", "two_balls"),
    Row("throw_angle", "28 angles to 0.05°", "two_balls"),
    Row("three_balls_frictionless three_balls_frictional", "exchange of velocities; rolling, "
        "impact, ball 1 back and up", "three_balls"),
    Row("bernoulli_balls", "the three velocities", "three_balls"),
    Row("billiard_break billiard_break_rolling", "time of the break, velocities, jump, rest, at "
        "most 7 iterations", "billiard",
        "The expected jump does not follow from the expected velocity, and iterations are to tighter "
        "tolerances: [note 3](#7-spheres-multiple-impacts-forces-clearance-and-bearings)"),
    Row("three_spheres_plane three_spheres_plane_frictional", "impact; end of slip, impact",
        "three_balls"),
    Row("bouncing_ball_force", "durations and peak forces for five coefficients, whatever h",
        "ball_force"),
    Row("two_sphere_impact", "durations and peak forces", "two_forces"),
    Row("crank_block_impact", "times and durations of two impacts (the distance of the bodies at "
        "the touch is fitted)", "two_forces"),
    Row("clearance_slider_crank_ideal clearance_slider_crank_005 clearance_slider_crank_010",
        "forces and speed without clearance; lasting contact, separations, no penetration, h = 1e−6 "
        "is enough (impact forces: no verdict)", "clearance"),
    Row("ball_bearing", "cage speed, force of a ball over its place, stresses", "bearing",
        "When the next ball takes over, the inner race crosses the clearance and bounces: "
        "[note 1](#7-spheres-multiple-impacts-forces-clearance-and-bearings)"),
    Row("bearing_slider_crank_rigid bearing_slider_crank_flexible bearing_slider_crank_ideal",
        "order of magnitude of the peaks, stresses at 9100 N, force of a pin without clearance",
        "bearing_crank",
        "The printed shear stresses are those of another bearing's coefficients: "
        "[note 2](#7-spheres-multiple-impacts-forces-clearance-and-bearings)"),
]

CHATTERJEE = [
    Row("planar_block planar_block_friction", "velocities after the impact, composition of the "
        "thesis", "event_impacts"),
    Row("rocking_specimen_1 rocking_specimen_2 rocking_specimen_4 rocking_specimen_1_3d "
        "rocking_specimen_2_3d rocking_specimen_4_3d", "what a rock leaves of the angular velocity; "
        "2-D and 3-D agree; energy never grows", "rocking"),
    Row("planar_ball_corner planar_ball_corner_thesis", "velocities in the consistent and in the "
        "thesis' mode", "event_impacts"),
    Row("block_four_point", "event of four points, then of two; velocities of the edges; "
        "works inside of the impact", "event_impacts event_inside"),
    Row("block_surface_4 block_surface_8 block_surface_16 block_surface_25", "time, work and "
        "impulse of the first impact; motion independent of the number of points", "event_surface",
        "With 25 points the last bounces before rest, from 1.03 s on, end otherwise"),
    Row("block_edge_impacts", "two impacts, slip and stick, states after them", "event_impacts"),
    Row("sphere_corner", "symmetric case reversed with e\\*; energy falls; magnitude of forces",
        "event_impacts"),
    Row("rocking_specimen_1_force", "the motion is that without forces; energy never grows",
        "rocking_force"),
    Row("block_surface_force block_surface_force_8 block_surface_force_16 block_surface_force_25",
        "peak forces, indentations, durations", "event_surface"),
]


def everywhere_row():
    rows = rows_with("integrator")
    bad = [row["example"] for row in rows if row["verdict"] != WITHIN]
    return ["all examples but `pile_100`", "penetration and joints to 1e−9, closed ledger",
            f"{len(rows) - len(bad)} of {len(rows)}", "**in part**" if bad else "fits", "–",
            ", ".join(bad) + ": see there" if bad else "–", "[9](#9-every-example)"]


def times_row():
    ratios = [value(row["ratio"]) for row in rows_with("reported")]
    good = sum(ratio > 1 for ratio in ratios)
    return ["times", "faster than what the authors report of their machines",
            f"{good} of {len(ratios)}", "fits" if good == len(ratios) else "**in part**",
            f"{number(min(ratios), 2)} to {number(max(ratios), 2)} times as fast", "–",
            "[8](#8-by-events), [9](#9-every-example)"]


def comparison_row(checks):
    heading = "Galvez' comparison"
    mine = [check for check in checks if check.heading.startswith(heading)]
    bad = [check for check in mine if not check.within]
    return ["`rigid_box_impact`, `elastic_bar_impact`, `flexible_pendulum`, `flexible_cube`",
            "iterations and order of the decoupled and the coupled scheme over h, by one command",
            f"{len(mine) - len(bad)} of {len(mine)}", "**in part**" if bad else "fits", "–",
            "; ".join(f"`{check.example}`: {check.quantity}" for check in bad) or "–",
            f"{mine[0].link()}, [plot](figures/comparison_iterations.svg), "
            "[plot](figures/comparison_error.svg)"]


HEADER = ["example", "what must come out", "checks within", "verdict", "nearest to its tolerance",
          "outside, and why", "see"]


def blocks():
    checks = all_checks()
    rows = []
    for title, group in (("Galvez (2020)", GALVEZ), ("Sánchez (2025)", SANCHEZ),
                         ("Chatterjee (2019)", CHATTERJEE)):
        rows.append([f"**{title}**"] + [""] * 6)
        rows += [row.cells(checks) for row in group]
        if group is GALVEZ:
            rows.append(comparison_row(checks))
    rows.append(["**All**"] + [""] * 6)
    rows += [everywhere_row(), times_row()]
    return {"overview": table(HEADER, rows)}
