// SPDX-License-Identifier: Apache-2.0
// The curves of what is selected, or of the whole run.

import type { Payload } from '../data';
import type { Selection, Store } from '../store';
import { StatusBands } from './bands';
import { plotsFor } from './curves';
import { Plot } from './plot';

const mostListed = 1000; // in the list of what can be shown

export class CurvePanel {
  private list = document.createElement('select');
  private body = document.createElement('div');
  private plots: Plot[] = [];
  private bands: StatusBands;
  private width = 0;

  constructor(
    private readonly data: Payload,
    private readonly store: Store,
    private readonly host: HTMLElement,
    private readonly envelope: (body: number) => Float64Array | null,
  ) {
    this.bands = new StatusBands(data, store);
    this.list.id = 'subject';
    this.list.title = 'Whose curves are shown; or click in the view';
    this.fillList();
    this.list.addEventListener('change', () => store.select(JSON.parse(this.list.value)));
    this.body.className = 'plots';
    host.append(this.list, this.body);
    store.on('selection', () => this.show());
    store.on('time', () => this.setTime());
    store.on('range', () => this.setRange());
    store.on('theme', () => this.rebuild());
    new ResizeObserver(() => this.resize()).observe(this.body);
    this.show();
  }

  private fillList(): void {
    const { scene, contacts, events } = this.data.header;
    const group = (label: string, items: [string, Selection][]): void => {
      if (items.length === 0) return;
      const element = document.createElement('optgroup');
      element.label = items.length > mostListed ? `${label} (the first ${mostListed})` : label;
      for (const [text, selection] of items.slice(0, mostListed)) {
        element.append(new Option(text, JSON.stringify(selection)));
      }
      this.list.append(element);
    };
    const all = this.data.isStatic
      ? 'Everything: energies, iterations'
      : 'Whole run: energies, contacts, iterations';
    this.list.append(new Option(all, 'null'));
    group(
      'Bodies',
      scene.bodies.map((b, index) => [b.name, { kind: 'body', index }]),
    );
    group(
      'Joints',
      scene.joints.map((j) => [j.name, { kind: 'joint', name: j.name }]),
    );
    const hit = new Set(events.contact.names);
    const points = contacts.points.map((p) => p.name);
    const touched = points.filter((name) => {
      const status = this.data.values(`${name}.status`) as Uint8Array | undefined;
      return hit.has(name) || status?.some((s) => s > 0);
    });
    const byTouch = [...touched, ...points.filter((name) => !touched.includes(name))];
    group(
      'Contact points',
      byTouch.map((name) => [name, { kind: 'contact', name }]),
    );
    const totals = this.totals();
    group(
      'Contacts, all points',
      totals.map((name) => [name, { kind: 'group', name }]),
    );
  }

  /// Contacts of many points, which have a sum; ball bearings and the like.
  private totals(): string[] {
    const owners = this.data.columns.map((column) => column.owner);
    const found = owners.filter(({ kind }) => kind === 'contact' || kind === 'bearing');
    return [...new Set(found.map(({ name }) => name))];
  }

  private show(): void {
    const { selection } = this.store;
    const value = JSON.stringify(selection);
    if (![...this.list.options].some((o) => o.value === value) && selection) {
      const name =
        'name' in selection ? selection.name : this.data.header.scene.bodies[selection.index].name;
      this.list.append(new Option(name, value));
    }
    this.list.value = value;
    for (const plot of this.plots) plot.destroy();
    const specs = plotsFor(this.data, selection, this.envelope);
    const height = specs.length > 4 ? 118 : 132;
    this.plots = specs.map((spec) => new Plot(spec, this.data, this.store, height));
    const elements = this.plots.map((plot) => plot.element);
    const withBands = (selection === null || selection.kind === 'contact') && !this.bands.isEmpty;
    if (withBands) elements.splice(selection === null ? 2 : elements.length, 0, this.bands.element);
    if (elements.length === 0) elements.push(this.nothing());
    this.body.replaceChildren(...elements);
    this.body.scrollTop = 0;
    this.rebuild();
  }

  private nothing(): HTMLElement {
    const text = document.createElement('p');
    text.className = 'nothing';
    text.textContent =
      'The time series has no columns for this point: contacts with very many ' +
      'points record only their sum.';
    return text;
  }

  private rebuild(): void {
    if (this.width === 0) return;
    for (const plot of this.plots) plot.build(this.width);
    if (this.bands.element.isConnected) this.bands.build(this.width);
  }
  private resize(): void {
    const width = this.body.clientWidth - 12;
    if (width <= 0 || Math.abs(width - this.width) < 2) return;
    this.width = width;
    this.rebuild();
  }
  private setTime(): void {
    if (this.host.hidden) return;
    for (const plot of this.plots) plot.setTime();
    if (this.bands.element.isConnected) this.bands.draw();
  }
  private setRange(): void {
    for (const plot of this.plots) plot.setRange();
    if (this.bands.element.isConnected) this.bands.draw();
  }
}
