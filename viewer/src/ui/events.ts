// SPDX-License-Identifier: Apache-2.0
// The table of events: only the rows that can be seen are in the page.

import { indexBefore, type Payload } from '../data';
import { shortNumber } from '../format';
import type { Store } from '../store';

const rowHeight = 24;

const columns: [key: string, title: string, unit: string, hint: string][] = [
  ['impulse_n', 'impulse n', 'N s', 'along the normal, on the second collider'],
  ['before_n', 'v before', 'm/s', 'normal relative velocity before'],
  ['after_n', 'v after', 'm/s', 'normal relative velocity after'],
  ['energy_lost', 'energy lost', 'J', 'by this contact in this step'],
];

export class EventTable {
  private rows: number[] = [];
  private scroller: HTMLElement;
  private filler: HTMLElement;
  private filter: HTMLSelectElement;
  private count: HTMLElement;

  constructor(
    private readonly data: Payload,
    private readonly store: Store,
    private readonly host: HTMLElement,
  ) {
    const kinds = data.header.events.kinds;
    host.innerHTML = `
      <div class="bar"><select id="event-kind"></select><span class="count"></span></div>
      <div class="row head"><b>time / s</b><b>contact</b><b>kind</b>${columns
        .map(([, title, unit, hint]) => `<b title="${hint}">${title} / ${unit}</b>`)
        .join('')}</div>
      <div class="scroller" tabindex="0"><div class="filler"></div></div>`;
    this.scroller = host.querySelector('.scroller')!;
    this.filler = host.querySelector('.filler')!;
    this.filter = host.querySelector('select')!;
    this.count = host.querySelector('.count')!;
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
    this.filler.style.height = `${this.rows.length * rowHeight}px`;
    this.scroller.scrollTop = 0;
    this.draw();
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
        }px"><span>${shortNumber(events.numbers('time')[i], 7)}</span>${name.outerHTML}<span>${
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
    this.store.select({ kind: 'contact', name: this.data.events.words('contact').at(i) });
  }

  /// When its tab opens.
  opened(): void {
    this.scroller.scrollTop = Math.max(0, this.current() - 5) * rowHeight;
    this.draw();
  }
}
