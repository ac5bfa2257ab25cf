// SPDX-License-Identifier: Apache-2.0
// The table of events: only the rows that can be seen are in the page.

import { indexBefore, type Payload } from '../data';
import { eventTime, shortNumber } from '../format';
import type { Store } from '../store';
import { ImpactPanel } from './impact';

const rowHeight = 24;

const columns: [key: string, title: string, unit: string, hint: string][] = [
  ['impulse_n', 'impulse n', 'N s', 'along the normal, on the second collider'],
  ['before_n', 'v before', 'm/s', 'normal relative velocity before'],
  ['after_n', 'v after', 'm/s', 'normal relative velocity after'],
  ['energy_lost', 'energy lost', 'J', 'by this contact in this step'],
];

/// Measures texts as the element would show them, in px; each character once.
function textWidth(element: HTMLElement): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')!;
  const style = getComputedStyle(element);
  // The row of the moment is bold.
  context.font = `600 ${style.fontSize} ${style.fontFamily}`;
  const known = new Map<string, number>();
  return (text) => {
    let sum = 1;
    for (const c of text) {
      if (!known.has(c)) known.set(c, context.measureText(c).width);
      sum += known.get(c)!;
    }
    return sum;
  };
}

export class EventTable {
  private rows: number[] = [];
  private scroller: HTMLElement;
  private filler: HTMLElement;
  private filter: HTMLSelectElement;
  private count: HTMLElement;
  private inside: ImpactPanel;

  constructor(
    private readonly data: Payload,
    private readonly store: Store,
    private readonly host: HTMLElement,
  ) {
    const kinds = data.header.events.kinds;
    host.innerHTML = `
      <div class="bar"><select id="event-kind"></select><span class="count"></span></div>
      <div class="row head"><b>time / s</b><b>contact</b><b class="kind">kind</b>${columns
        .map(([, title, unit, hint]) => `<b title="${hint}">${title} / ${unit}</b>`)
        .join('')}</div>
      <div class="scroller" tabindex="0"><div class="filler"></div></div>`;
    this.scroller = host.querySelector('.scroller')!;
    this.filler = host.querySelector('.filler')!;
    this.filter = host.querySelector('select')!;
    this.count = host.querySelector('.count')!;
    this.inside = new ImpactPanel(data, store);
    host.append(this.inside.element);
    this.filter.append(new Option('impacts', '0'), new Option('all events', ''));
    kinds.slice(1).forEach((kind, i) => this.filter.append(new Option(kind, String(i + 1))));
    this.filter.addEventListener('change', () => this.select());
    this.scroller.addEventListener('scroll', () => this.draw());
    this.filler.addEventListener('click', (event) => this.click(event.target as HTMLElement));
    store.on('time', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.select();
    if (this.rows.length === 0) {
      this.filter.value = '';
      this.select();
    }
  }

  private select(): void {
    const kinds = this.data.events.numbers('kind');
    const wanted = this.filter.value;
    this.rows = [];
    for (let i = 0; i < kinds.length; ++i) {
      if (wanted === '' || kinds[i] === Number(wanted)) this.rows.push(i);
    }
    const { total } = this.data.header.events;
    const shown = this.data.events.length;
    this.count.textContent =
      `${this.rows.length} shown` +
      (shown < total
        ? `; this page has ${shown} of ${total} events, those with the largest impulses`
        : '');
    this.host.dataset.kind = wanted; // a column of equal words would only take room
    this.host.style.setProperty('--cells', this.widths());
    this.filler.style.height = `${this.rows.length * rowHeight}px`;
    this.scroller.scrollTop = 0;
    this.draw();
  }

  private timeText(i: number): string {
    return eventTime(this.data.events.numbers('time')[i], this.store.end);
  }

  /// Numbers have what the longest of them needs, names the rest.
  private widths(): string {
    const room = (text: (i: number) => string, title: string): string => {
      let most = Math.max(...title.split(' ').map(width)); // titles go over two lines
      for (const i of this.rows) most = Math.max(most, width(text(i)));
      return `${Math.ceil(most)}px`;
    };
    const width = textWidth(this.host.querySelector('.row')!);
    const { events, header } = this.data;
    const kind = (i: number): string => header.events.kinds[events.numbers('kind')[i]];
    return [
      room((i) => this.timeText(i), 'time'),
      'minmax(0, 1fr)',
      ...(this.filter.value === '' ? [room(kind, 'kind')] : []),
      ...columns.map(([key, title]) =>
        room((i) => shortNumber(events.numbers(key)[i], 3), title),
      ),
    ].join(' ');
  }

  /// The last event before the time of the playback.
  private current(): number {
    const times = this.data.events.numbers('time');
    if (this.rows.length === 0 || times[this.rows[0]] > this.store.time) return -1;
    const shown = Float64Array.from(this.rows, (i) => times[i]);
    return indexBefore(shown, this.store.time + 1e-12);
  }

  private draw(): void {
    if (this.host.hidden) return;
    const bar = this.scroller.offsetWidth - this.scroller.clientWidth;
    this.host.style.setProperty('--scrollbar', `${bar}px`);
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - 4);
    const count = Math.ceil(this.scroller.clientHeight / rowHeight) + 8;
    const { events, header } = this.data;
    const contacts = events.words('contact');
    const now = this.current();
    const lines: string[] = [];
    for (let k = first; k < Math.min(this.rows.length, first + count); ++k) {
      const i = this.rows[k];
      const cells = columns.map(
        ([key]) => `<span>${shortNumber(events.numbers(key)[i], 3)}</span>`,
      );
      const name = document.createElement('i');
      name.textContent = contacts.at(i);
      name.title = contacts.at(i);
      lines.push(
        `<div class="row${k === now ? ' now' : ''}" data-event="${i}" style="top:${
          k * rowHeight
        }px"><span>${this.timeText(i)}</span>${name.outerHTML}<span class="kind">${
          header.events.kinds[events.numbers('kind')[i]]
        }</span>${cells.join('')}</div>`,
      );
    }
    this.filler.innerHTML = lines.join('');
  }

  private click(target: HTMLElement): void {
    const row = target.closest<HTMLElement>('.row');
    if (!row) return;
    const i = Number(row.dataset.event);
    this.store.setPlaying(false);
    this.store.setTime(this.data.events.numbers('time')[i]);
    const name = this.data.events.words('contact').at(i);
    this.store.select({ kind: 'contact', name });
    this.inside.show(i, name);
  }

  /// When its tab opens.
  opened(): void {
    this.scroller.scrollTop = Math.max(0, this.current() - 5) * rowHeight;
    this.draw();
  }
}
