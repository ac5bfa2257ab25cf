# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of the validation pages as SVG, with nothing but Python."""
import math

from validate_runs import ROOT, number

FIGURES = ROOT / "docs" / "figures"

COLOURS = ["#0b5394", "#cc4125", "#38761d", "#b45f06", "#674ea7", "#0e8a8a", "#7f6000", "#a64d79",
           "#444444", "#3d85c6", "#6aa84f", "#e69138"]
EXPECTED = "#222222"  # what must come out
EXACT = "#999999"  # the broad line of a known solution

# The same colours on a dark page, for readers whose browser asks for one.
DARK = {"#0b5394": "#6fa8dc", "#cc4125": "#f08a75", "#38761d": "#8fce6d", "#b45f06": "#f6b26b",
        "#674ea7": "#b4a7e6", "#0e8a8a": "#5fd0d0", "#7f6000": "#e0c060", "#a64d79": "#e08ab8",
        "#444444": "#cccccc", "#3d85c6": "#9fc5f0", "#6aa84f": "#b6d7a8", "#e69138": "#ffd29a",
        "#222222": "#eeeeee", "#999999": "#7d828c", "#ffffff": "#1e2129", "#fcfcfc": "#252933",
        "#d4d4d4": "#454a55", "#eeeeee": "#333843", "#333": "#9aa0aa", "#111": "#e2e4e9"}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Axis:
    """Maps numbers to a length of the page and says where the ticks are."""

    def __init__(self, values, label, log=False, limits=None, start=0.0, stop=1.0):
        self.label = label
        self.log = log
        self.start, self.stop = start, stop
        if limits:
            low, high = limits
        else:
            usable = [v for v in values if not log or v > 0] or [1.0, 10.0]
            low, high = min(usable), max(usable)
            if log:
                low, high = low / 1.4, high * 1.4
            else:
                margin = 0.05 * (high - low) or 1.0
                low, high = low - margin, high + margin
        self.low, self.high = low, high

    def __call__(self, value):
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    def ticks(self):
        """(value, text) of the major ticks and the values of the minor ones."""
        return self._log_ticks() if self.log else self._linear_ticks()

    def _log_ticks(self):
        first = math.floor(math.log10(self.low))
        last = math.ceil(math.log10(self.high))
        decades = [10.0 ** k for k in range(first, last + 1)]
        inside = [d for d in decades if self.low <= d <= self.high]
        stride = max(1, math.ceil(len(inside) / 7))
        major = [(d, "10" + str(round(math.log10(d))).translate(SUPERSCRIPTS))
                 for d in inside if round(math.log10(d)) % stride == 0]
        minor = []
        if stride == 1:
            minor = [m * d for d in decades for m in range(2, 10) if self.low <= m * d <= self.high]
        if len(major) < 2:
            major = [(m, f"{m:.3g}" if 1e-3 < m < 1e4 else number(m, 1)) for m in inside + minor
                     if round(m / 10 ** math.floor(math.log10(m) + 1e-9)) in (1, 2, 5)]
        return major, minor

    def _linear_ticks(self):
        span = self.high - self.low
        size = 10.0 ** math.floor(math.log10(span / 5))
        size *= next(m for m in (1, 2, 5, 10) if span / (m * size) <= 7)
        digits = max(0, -math.floor(math.log10(size) + 1e-9))
        first = math.ceil(self.low / size - 1e-9)
        last = math.floor(self.high / size + 1e-9)
        return [(k * size, f"{k * size + 0.0:.{digits}f}".replace("-", "−"))
                for k in range(first, last + 1)], []


class Curve:
    def __init__(self, x, y, label="", colour=None, line=True, marker=False, dash=None, width=1.6,
                 hollow=False):
        self.x, self.y, self.label, self.colour = x, y, label, colour
        self.line, self.marker, self.dash, self.width = line, marker, dash, width
        self.hollow = hollow  # a ring as marker

    def dot(self, x, y, radius):
        if self.hollow:
            return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius + 1.3}" fill="none" '
                    f'stroke="{self.colour}" stroke-width="1.5"/>')
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{self.colour}"/>'


def expected(x, y, label="expected"):
    """Rings where points must be."""
    return Curve(x, y, label, EXPECTED, line=False, marker=True, hollow=True)


def exact(x, y, label="exact"):
    return Curve(x, y, label, EXACT, width=5)


def sampled(function, start, stop, count=400, label="exact"):
    """A known solution as a broad line."""
    x = [start + (stop - start) * k / count for k in range(count + 1)]
    return exact(x, [function(t) for t in x], label)


class Mark(Curve):
    """A dashed line across the panel, at an x or a y that must come out."""

    def __init__(self, x=None, y=None, label="expected"):
        super().__init__([], [], label, EXPECTED, dash="5 4", width=1.2)
        self.at_x, self.at_y = x, y

    def ends(self, x, y):
        if self.at_x is not None:
            return [(x(self.at_x), y.start), (x(self.at_x), y.stop)]
        return [(x.start, y(self.at_y)), (x.stop, y(self.at_y))]


def marks(x=(), y=(), label="expected"):
    return [Mark(x=v, label=label) for v in x] + [Mark(y=v, label=label) for v in y]


class Panel:
    """One pair of axes."""

    def __init__(self, title, x_label, y_label, curves, x_log=False, y_log=False, x_limits=None,
                 y_limits=None, texts=()):
        self.title, self.x_label, self.y_label, self.curves = title, x_label, y_label, curves
        self.x_log, self.y_log = x_log, y_log
        self.x_limits, self.y_limits = x_limits, y_limits
        self.texts = texts  # (x, y, text) beside a point

    def draw(self, left, top, width, height):
        x = Axis([v for c in self.curves for v in c.x], self.x_label, self.x_log, self.x_limits,
                 left, left + width)
        y = Axis([v for c in self.curves for v in c.y], self.y_label, self.y_log, self.y_limits,
                 top + height, top)
        out = [f'<text x="{left + width / 2:.1f}" y="{top - 12}" text-anchor="middle" '
               f'font-size="14" font-weight="bold">{escape(self.title)}</text>',
               f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#fcfcfc"/>']
        out += self._grid(x, y, left, top, width, height)
        clip = f"clip{left}_{top}"
        out.append(f'<clipPath id="{clip}"><rect x="{left}" y="{top}" width="{width}" '
                   f'height="{height}"/></clipPath><g clip-path="url(#{clip})">')
        for curve in self.curves:
            out += self._curve(curve, x, y)
        out.append("</g>")
        for text in self.texts:
            out.append(f'<text x="{x(text[0]) + 8:.1f}" y="{y(text[1]) - 8:.1f}" '
                       f'font-size="12">{escape(text[2])}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" '
                   'stroke="#333"/>')
        return out

    def _grid(self, x, y, left, top, width, height):
        out = []
        for axis, vertical in ((x, True), (y, False)):
            major, minor = axis.ticks()
            for value, text in [(m, "") for m in minor] + major:
                place = axis(value)
                line = (f'x1="{place:.1f}" x2="{place:.1f}" y1="{top}" y2="{top + height}"'
                        if vertical else
                        f'x1="{left}" x2="{left + width}" y1="{place:.1f}" y2="{place:.1f}"')
                out.append(f'<line {line} stroke="{"#d4d4d4" if text else "#eeeeee"}"/>')
                if not text:
                    continue
                if vertical:
                    out.append(f'<text x="{place:.1f}" y="{top + height + 17}" '
                               f'text-anchor="middle" font-size="12">{text}</text>')
                else:
                    out.append(f'<text x="{left - 7}" y="{place + 4:.1f}" text-anchor="end" '
                               f'font-size="12">{text}</text>')
        middle = top + height / 2
        out.append(f'<text x="{left + width / 2:.1f}" y="{top + height + 37}" '
                   f'text-anchor="middle" font-size="13">{escape(x.label)}</text>')
        out.append(f'<text x="{left - 60}" y="{middle:.1f}" text-anchor="middle" font-size="13" '
                   f'transform="rotate(-90 {left - 60} {middle:.1f})">{escape(y.label)}</text>')
        return out

    def _curve(self, curve, x, y):
        points = [(x(a), y(b)) for a, b in zip(curve.x, curve.y)
                  if x.low <= a <= x.high and (not self.y_log or b > 0)]
        if isinstance(curve, Mark):
            points = curve.ends(x, y)
        out = []
        if curve.line and len(points) > 1:
            text = " ".join(f"{a:.1f},{b:.1f}" for a, b in thinned(points))
            dash = f' stroke-dasharray="{curve.dash}"' if curve.dash else ""
            out.append(f'<polyline points="{text}" fill="none" stroke="{curve.colour}" '
                       f'stroke-width="{curve.width}"{dash}/>')
        if curve.marker:
            out += [curve.dot(a, b, 3.2 if curve.line else 4.2) for a, b in points]
        return out


def thinned(points, tolerance=0.3):
    """Without points that are near the last one kept, or near the line between those kept."""
    near = [points[0]]
    for point in points[1:-1]:
        if abs(point[0] - near[-1][0]) + abs(point[1] - near[-1][1]) > 0.7:
            near.append(point)
    near.append(points[-1])
    kept, parts = {0, len(near) - 1}, [(0, len(near) - 1)]
    while parts:
        first, last = parts.pop()
        (x, y), (dx, dy) = near[first], (near[last][0] - near[first][0],
                                         near[last][1] - near[first][1])
        length = math.hypot(dx, dy)
        worst, place = tolerance, None
        for k in range(first + 1, last):
            a, b = near[k][0] - x, near[k][1] - y
            away = abs(a * dy - b * dx) / length if length > 0 else math.hypot(a, b)
            if away > worst:
                worst, place = away, k
        if place is not None:
            kept.add(place)
            parts += [(first, place), (place, last)]
    return [near[k] for k in sorted(kept)]


def figure(name, panels, columns=2, width=400, height=280):
    """Writes panels in rows, with one legend below."""
    labels = []
    for curve in [c for panel in panels for c in panel.curves]:
        if curve.label and curve.label not in [c.label for c in labels]:
            labels.append(curve)
    labels.sort(key=lambda curve: curve.label in ("first order", "second order"))
    columns = min(columns, len(panels))
    rows = math.ceil(len(panels) / columns)
    cell_width, cell_height = width + 100, height + 86
    total = columns * cell_width
    entry = max([150] + [30 + 7.2 * len(c.label) for c in labels])
    across = max(1, int((total - 40) // entry))
    legend = 24 * math.ceil(len(labels) / across)
    full = rows * cell_height + legend + 14
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{full}" '
           f'viewBox="0 0 {total} {full}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" '
           'fill="#111">',
           f'<rect width="{total}" height="{full}" rx="6" fill="#ffffff"/>']
    for k, panel in enumerate(panels):
        left = k % columns * cell_width + 74
        top = k // columns * cell_height + 34
        out += panel.draw(left, top, width, height)
    for k, curve in enumerate(labels):
        x = 30 + k % across * entry
        y = rows * cell_height + 14 + 24 * (k // across)
        if curve.line:
            dash = f' stroke-dasharray="{curve.dash}"' if curve.dash else ""
            out.append(f'<line x1="{x:.0f}" x2="{x + 22:.0f}" y1="{y}" y2="{y}" '
                       f'stroke="{curve.colour}" stroke-width="2.2"{dash}/>')
        if curve.marker:
            out.append(curve.dot(x + 11, y, 3.6))
        out.append(f'<text x="{x + 28:.0f}" y="{y + 4}" font-size="12.5">'
                   f'{escape(curve.label)}</text>')
    out.append("</svg>")
    out.insert(1, dark_style("\n".join(out)))
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / f"{name}.svg").write_text("\n".join(out) + "\n")


def dark_style(drawing):
    """Other colours where the page is dark."""
    rules = [f'[{kind}="{light}"]{{{kind}:{dark}}}' for light, dark in DARK.items()
             for kind in ("fill", "stroke") if f'{kind}="{light}"' in drawing]
    return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"


def slope_one(h_low, h_high, error):
    """A dashed line of first order through (h_high, error)."""
    return Curve([h_low, h_high], [error * h_low / h_high, error], "first order", "#999999",
                 dash="5 4", width=1.2)




def slope_two(h_low, h_high, error):
    """A dashed line of second order through (h_high, error)."""
    return Curve([h_low, h_high], [error * (h_low / h_high) ** 2, error], "second order",
                 "#999999", dash="2 3", width=1.2)
