// SPDX-License-Identifier: Apache-2.0
// The inside of the impact that was chosen in the table of events.

import uPlot from 'uplot';
import type { Payload } from '../data';
import { eventTime, withUnit } from '../format';
import { colours, seriesColour } from '../palette';
import { Impacts, segments, type ImpactPlot } from '../plots/impact';
import { axisWidth, numbers, plainAxis, plotRight } from '../plots/plot';
import type { Store } from '../store';

const height = 108;

export class ImpactPanel {
  readonly element = document.createElement('section');
  readonly impacts: Impacts;
  private plots: uPlot[] = [];
  private impact: number | null = null;
  private point = '';

  constructor(
    data: Payload,
    private readonly store: Store,
  ) {
    this.impacts = new Impacts(data);
    this.element.className = 'inside';
    this.element.hidden = true;
    store.on('theme', () => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /// Shows the inside of an event's impact; nothing if it is not in the page.
  show(event: number, point: string): void {
    this.impact = this.impacts.find(event);
    this.point = point;
    this.element.hidden = this.impact === null;
    this.draw();
  }

  private draw(): void {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    if (this.impact === null) return;
    const { impact, point } = this;
    this.element.replaceChildren(this.head(impact), this.works(impact));
    for (const spec of this.impacts.plots(impact, point)) this.add(spec, impact);
  }

  private head(impact: number): HTMLElement {
    const head = document.createElement('header');
    const title = document.createElement('h3');
    const time = eventTime(this.impacts.time(impact), this.store.end);
    title.textContent = `Inside of the impact at ${time} s, over its impulse p / N s`;
    title.title = 'p is the sum of the normal impulses of all points so far';
    const list = document.createElement('select');
    list.title = 'Whose curves are shown';
    for (const name of this.impacts.points(impact)) list.append(new Option(name));
    list.value = this.point;
    list.addEventListener('change', () => {
      this.point = list.value;
      this.draw();
    });
    head.append(title, list);
    return head;
  }

  /// A line for each group of points in each event.
  private works(impact: number): HTMLElement {
    const text = document.createElement('ul');
    for (const group of this.impacts.groups(impact)) {
      const line = document.createElement('li');
      const more = group.points > 1 ? ` and ${group.points - 1} more` : '';
      const works = [
        `W_nc ${withUnit(group.compressionWork, 'J')}`,
        `W_nf ${withUnit(group.normalWork, 'J')}`,
        `friction ${withUnit(group.frictionWork, 'J')}`,
        `p ${withUnit(group.impulse, 'N s')}`,
      ];
      line.textContent = `${group.contact}${more}: ${works.join(', ')}`;
      text.append(line);
    }
    return text;
  }

  private add(spec: ImpactPlot, impact: number): void {
    const section = document.createElement('section');
    section.className = 'plot';
    section.dataset.title = spec.title;
    const head = document.createElement('header');
    head.innerHTML = '<h3></h3><dl></dl>';
    head.querySelector('h3')!.textContent = `${spec.title} / ${spec.unit}`;
    spec.curves.forEach(({ label }, i) => {
      const term = document.createElement('dt');
      term.textContent = label;
      term.style.setProperty('--series', seriesColour(label, i, this.store.theme));
      const pair = document.createElement('div');
      pair.append(term);
      head.querySelector('dl')!.append(pair);
    });
    section.append(head);
    this.element.append(section);
    const parts = spec.curves.flatMap((curve) => segments(curve.values));
    const table = [spec.p, ...parts] as uPlot.AlignedData;
    this.plots.push(new uPlot(this.options(spec, impact), table, section));
  }

  private options(spec: ImpactPlot, impact: number): uPlot.Options {
    const theme = colours[this.store.theme];
    const axis = plainAxis(theme);
    return {
      width: this.width,
      height,
      pxAlign: 0, // a slope is no staircase
      legend: { show: false },
      padding: [8, plotRight, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { size: 6 }, y: false },
      scales: { x: { time: false } },
      axes: [
        { ...axis, ...numbers(() => 60), size: 24 },
        { ...axis, ...numbers(() => 26), size: axisWidth },
      ],
      series: [
        {},
        ...spec.curves.flatMap(({ label, values }, i) =>
          segments(values).map(() => ({
            label,
            stroke: seriesColour(label, i, this.store.theme),
            width: 1.4,
            points: { show: false },
          })),
        ),
      ],
      hooks: { draw: [(plot) => this.mark(plot, impact)] },
    };
  }

  /// Ends of compression dotted, beginnings of further events dashed.
  private mark(plot: uPlot, impact: number): void {
    const { ctx, bbox } = plot;
    const line = (p: number, dash: number[]): void => {
      const x = Math.round(plot.valToPos(p, 'x', true)) + 0.5;
      ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    };
    ctx.save();
    ctx.strokeStyle = colours[this.store.theme].faint;
    ctx.lineWidth = devicePixelRatio;
    for (const p of this.impacts.compressionEnds(impact)) line(p, [1, 3]);
    for (const p of this.impacts.starts(impact)) line(p, [5, 4]);
    ctx.restore();
  }

  private get width(): number {
    return Math.max(120, this.element.clientWidth - 12);
  }
  private resize(): void {
    for (const plot of this.plots) {
      if (Math.abs(plot.width - this.width) > 2) plot.setSize({ width: this.width, height });
    }
  }
}
