// SPDX-License-Identifier: Apache-2.0
// One plot: curves over time with the time of the playback as a line.

import uPlot from 'uplot';
import { indexBefore, type Numbers, type Payload } from '../data';
import { tickLabels, ticks, withUnit } from '../format';
import { colours, seriesColour, type Colours } from '../palette';
import type { Store } from '../store';
import type { PlotSpec } from './curves';

/// Where the curves begin and end, from the sides of the plot.
export const plotLeft = 62;
export const plotRight = 12;
const axisFont = '11px system-ui, sans-serif';

const axisGap = 10; // between numbers and curves

/// An axis with our own numbers: uPlot has none for steps below 10⁻¹⁶.
/// @param space  px between two numbers
export function numbers(space: (min: number, max: number) => number): Partial<uPlot.Axis> {
  return {
    space: (_plot, _axis, min, max) => space(min, max),
    splits: (_plot, _axis, min, max, increment, width) =>
      ticks(min, max, (space(min, max) * increment) / width),
    values: (_plot, splits) => tickLabels(splits),
  };
}

/// What all axes have in common.
export function plainAxis(theme: Colours): uPlot.Axis {
  return {
    stroke: theme.faint,
    font: axisFont,
    grid: { stroke: theme.line, width: 1 },
    ticks: { stroke: theme.line, width: 1, size: 4 },
  };
}

/// Times that differ little have many digits.
function timeSpace(min: number, max: number): number {
  const digits = Math.log10(Math.max(Math.abs(min), Math.abs(max)) / (max - min));
  return Math.max(60, 30 + 7 * (digits + 3));
}

function widthOf(plot: uPlot, label: string): number {
  plot.ctx.save();
  plot.ctx.font = axisFont;
  const { width } = plot.ctx.measureText(label);
  plot.ctx.restore();
  return width;
}

/// Without those that the right side of the plot would cut.
function timeLabels(plot: uPlot, splits: number[]): string[] {
  const { min, max } = plot.scales.x;
  const inner = plot.width - plotLeft - plotRight;
  const room = (x: number): number => plotRight + (1 - (x - min!) / (max! - min!)) * inner;
  return tickLabels(splits).map((label, i) =>
    widthOf(plot, label) / 2 > room(splits[i]) + 2 ? '' : label,
  );
}

/// As all plots, unless the numbers are wider: they must not be cut.
export function axisWidth(plot: uPlot, labels: string[] | null): number {
  if (!labels) return plotLeft;
  const widest = Math.max(0, ...labels.map((l) => widthOf(plot, l)));
  return Math.max(plotLeft, Math.ceil(widest) + axisGap);
}

export class Plot {
  readonly element = document.createElement('section');
  private plot: uPlot | null = null;
  private readouts: HTMLElement[] = [];
  private hovered: number | null = null;

  constructor(
    readonly spec: PlotSpec,
    private readonly data: Payload,
    private readonly store: Store,
    private readonly height: number,
  ) {
    this.element.className = 'plot';
    this.element.dataset.title = spec.title;
  }

  private get labels(): string[] {
    return [
      ...this.spec.curves.map((c) => c.label),
      ...(this.spec.points ?? []).map((p) => p.label),
    ];
  }
  private colour(i: number): string {
    return seriesColour(this.labels[i], i, this.store.theme);
  }

  private head(): HTMLElement {
    const head = document.createElement('header');
    const [name, text] = this.spec.title.split(' – ');
    head.innerHTML = '<h3></h3><p></p><dl></dl>';
    head.querySelector('h3')!.textContent =
      this.spec.unit === '1' ? name : `${name} / ${this.spec.unit}`;
    head.querySelector('p')!.textContent = text ?? '';
    const list = head.querySelector('dl')!;
    this.readouts = this.labels.map((label, i) => {
      const term = document.createElement('dt');
      const value = document.createElement('dd');
      term.textContent = label;
      term.style.setProperty('--series', this.colour(i));
      if (i < this.spec.curves.length) value.dataset.column = this.spec.curves[i].name;
      const pair = document.createElement('div');
      pair.append(term, value);
      list.append(pair);
      return value;
    });
    return head;
  }

  /// Builds it anew: for a width or a theme. @pre it is in the page.
  build(width: number): void {
    this.plot?.destroy();
    this.element.replaceChildren(this.head());
    this.plot = new uPlot(this.options(width), this.table(), this.element);
    this.showValues();
  }

  /// One row of times for everything; points stand between the rows.
  private table(): uPlot.AlignedData {
    const { curves, points } = this.spec;
    const base = [this.data.time, ...curves.map((c) => c.values)] as unknown as uPlot.AlignedData;
    if (!points) return base;
    const tables: uPlot.AlignedData[] = curves.length > 0 ? [base] : [];
    for (const p of points) tables.push([p.times, p.values] as unknown as uPlot.AlignedData);
    return uPlot.join(tables.map(strictlyIncreasing));
  }

  private options(width: number): uPlot.Options {
    const { store } = this;
    const theme = colours[store.theme];
    const axis = plainAxis(theme);
    return {
      width,
      height: this.height,
      legend: { show: false },
      padding: [8, plotRight, 0, 0],
      cursor: { drag: { x: true, y: false }, points: { size: 6 }, y: false },
      scales: { x: { time: false, min: store.range.min, max: store.range.max } },
      axes: [
        { ...axis, ...numbers(timeSpace), values: timeLabels, size: 24 },
        { ...axis, ...numbers(() => 26), size: axisWidth },
      ],
      series: [{}, ...this.series()],
      hooks: {
        draw: [(plot) => this.drawTime(plot)],
        setCursor: [(plot) => this.hover(plot)],
        setSelect: [(plot) => this.zoom(plot)],
        ready: [(plot) => this.listen(plot)],
      },
    };
  }

  private series(): uPlot.Series[] {
    const paths = this.spec.stepped ? uPlot.paths.stepped!({ align: -1 }) : undefined;
    return this.labels.map((label, i): uPlot.Series => {
      const stroke = this.colour(i);
      if (i < this.spec.curves.length) {
        return { label, stroke, width: 1.4, paths, points: { show: this.data.rows < 20, size: 5 } };
      }
      return {
        label,
        stroke,
        width: 0,
        paths: () => null,
        points: { show: true, size: 4, fill: stroke },
      };
    });
  }

  private drawTime(plot: uPlot): void {
    const { time, theme, range } = this.store;
    if (time < range.min || time > range.max) return;
    const x = Math.round(plot.valToPos(time, 'x', true)) + 0.5;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colours[theme].cursor;
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  private hover(plot: uPlot): void {
    const { left } = plot.cursor;
    this.hovered =
      left === undefined || left === null || left < 0 ? null : plot.posToVal(left, 'x');
    this.showValues();
  }

  private zoom(plot: uPlot): void {
    if (plot.select.width < 6) return;
    const min = plot.posToVal(plot.select.left, 'x');
    const max = plot.posToVal(plot.select.left + plot.select.width, 'x');
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.store.setRange({ min, max });
  }

  private listen(plot: uPlot): void {
    let down = 0;
    plot.over.addEventListener('mousedown', (event) => (down = event.clientX));
    plot.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - down) > 3) return;
      this.store.setTime(plot.posToVal(event.offsetX, 'x'));
    });
    plot.over.addEventListener('dblclick', () => {
      this.store.setRange({ min: this.store.start, max: this.store.end });
    });
  }

  /// The numbers at the pointer, or at the time of the playback.
  private showValues(): void {
    const time = this.hovered ?? this.store.time;
    const row = nearest(this.data.time, time);
    this.spec.curves.forEach((curve, i) => {
      this.readouts[i].textContent = withUnit(curve.values[row], this.spec.unit);
    });
    (this.spec.points ?? []).forEach((points, i) => {
      const value = points.values[nearest(points.times, time)];
      this.readouts[this.spec.curves.length + i].textContent = withUnit(value, this.spec.unit);
    });
  }

  setTime(): void {
    if (this.hovered === null) this.showValues();
    this.plot?.redraw(false, false);
  }
  setRange(): void {
    const { min, max } = this.store.range;
    this.plot?.setScale('x', { min, max });
  }
  destroy(): void {
    this.plot?.destroy();
  }
}

export function nearest(times: Numbers, time: number): number {
  const i = indexBefore(times, time);
  return i + 1 < times.length && times[i + 1] - time < time - times[i] ? i + 1 : i;
}

/// uPlot joins by times that differ: of equal ones the largest value stays.
function strictlyIncreasing(table: uPlot.AlignedData): uPlot.AlignedData {
  const [times, ...columns] = table as unknown as Numbers[];
  const rows: number[] = [];
  for (let i = 0; i < times.length; ++i) {
    const last = rows.length - 1;
    if (last >= 0 && times[rows[last]] === times[i]) {
      if (columns[0][i] > columns[0][rows[last]]) rows[last] = i;
    } else {
      rows.push(i);
    }
  }
  const pick = (values: Numbers): number[] => rows.map((i) => values[i]);
  return [pick(times), ...columns.map(pick)] as uPlot.AlignedData;
}
