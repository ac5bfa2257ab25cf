// SPDX-License-Identifier: Apache-2.0
// When contact points touch: a band for each, coloured by its state, with a stroke for each impact.

import { indexBefore, type Numbers, type Payload } from '../data';
import { colours, impactColour, statusColours, statusNames } from '../palette';
import type { Store } from '../store';
import { plotLeft as left, plotRight } from './plot';

const rowHeight = 23; // a line of text and a band
const bandFoot = 21;
const mostRows = 40;

interface Band {
  name: string;
  status: Numbers;
  impacts: number[]; // times
}

function bandsOf(data: Payload): { bands: Band[]; hidden: number } {
  const impacts = new Map<string, number[]>();
  const names = data.events.words('contact');
  const kinds = data.events.numbers('kind');
  const times = data.events.numbers('time');
  for (let i = 0; i < times.length; ++i) {
    if (kinds[i] !== 0) continue;
    const list = impacts.get(names.at(i)) ?? [];
    list.push(times[i]);
    impacts.set(names.at(i), list);
  }
  const bands: Band[] = [];
  for (const point of data.header.contacts.points) {
    const status = data.values(`${point.name}.status`);
    const hits = impacts.get(point.name) ?? [];
    if (!status || (hits.length === 0 && !(status as Uint8Array).some((s) => s > 0))) continue;
    bands.push({ name: point.name, status, impacts: hits });
  }
  return { bands: bands.slice(0, mostRows), hidden: Math.max(0, bands.length - mostRows) };
}

export class StatusBands {
  readonly element = document.createElement('section');
  private canvas = document.createElement('canvas');
  private bands: Band[];
  private width = 0;

  constructor(
    private readonly data: Payload,
    private readonly store: Store,
  ) {
    const { bands, hidden } = bandsOf(data);
    this.bands = bands;
    this.element.className = 'plot bands';
    const key = (colour: string, text: string): string =>
      `<div><dt style="--series:${colour}">${text}</dt><dd></dd></div>`;
    this.element.innerHTML = `<header><h3>Contacts</h3><p>state of each point that ever touches${
      hidden ? `; ${hidden} more are not shown` : ''
    }</p><dl>${key(statusColours[1], statusNames[1])}${key(statusColours[2], statusNames[2])}${key(
      impactColour,
      'impact',
    )}</dl></header>`;
    this.element.append(this.canvas);
    this.canvas.addEventListener('click', (event) => this.click(event));
  }

  get isEmpty(): boolean {
    return this.bands.length === 0;
  }

  private click(event: MouseEvent): void {
    const band = this.bands[Math.floor(event.offsetY / rowHeight)];
    if (event.offsetX > left) this.store.setTime(this.timeAt(event.offsetX));
    if (band) this.store.select({ kind: 'contact', name: band.name });
  }
  private timeAt(x: number): number {
    const { min, max } = this.store.range;
    return min + ((x - left) / (this.width - left - plotRight)) * (max - min);
  }

  build(width: number): void {
    this.width = width;
    const ratio = window.devicePixelRatio;
    this.canvas.width = width * ratio;
    this.canvas.height = this.bands.length * rowHeight * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${this.bands.length * rowHeight}px`;
    this.draw();
  }

  draw(): void {
    const context = this.canvas.getContext('2d')!;
    const { theme, range, time, selection } = this.store;
    const ratio = window.devicePixelRatio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.canvas.height);
    context.font = '10px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const inner = this.width - left - plotRight;
    const place = (t: number): number => left + ((t - range.min) / (range.max - range.min)) * inner;
    this.bands.forEach((band, k) => {
      const y = k * rowHeight;
      const selected = selection?.kind === 'contact' && selection.name === band.name;
      context.fillStyle = colours[theme].line;
      context.fillRect(left, y + bandFoot, inner, 1);
      this.drawStates(context, band, y, place);
      context.fillStyle = impactColour;
      for (const t of band.impacts) {
        if (t >= range.min && t <= range.max)
          context.fillRect(place(t) - 0.75, y + bandFoot - 11, 1.5, 11);
      }
      context.fillStyle = selected ? colours[theme].text : colours[theme].faint;
      context.font = `${selected ? 'bold ' : ''}10px system-ui, sans-serif`;
      context.fillText(band.name, left + 2, y + 5, inner);
    });
    if (time < range.min || time > range.max) return;
    context.fillStyle = colours[theme].cursor;
    context.fillRect(place(time) - 0.5, 0, 1, this.bands.length * rowHeight);
  }

  /// Runs of equal states; sticking is drawn higher than slipping, not by colour alone.
  private drawStates(
    context: CanvasRenderingContext2D,
    band: Band,
    y: number,
    place: (t: number) => number,
  ): void {
    const { time } = this.data;
    const { range } = this.store;
    const last = time.length - 1;
    let i = indexBefore(time, range.min);
    while (i <= last && time[i] <= range.max) {
      const status = band.status[i];
      let end = i + 1;
      while (end <= last && band.status[end] === status) ++end;
      if (status > 0) {
        const x0 = Math.max(left, place(i > 0 ? time[i - 1] : time[0]));
        const x1 = Math.min(this.width - plotRight, place(time[Math.min(end - 1, last)]));
        context.fillStyle = statusColours[status];
        const height = status === 2 ? 9 : 5;
        context.fillRect(x0, y + bandFoot - height, Math.max(1, x1 - x0), height);
      }
      i = end;
    }
  }
}
