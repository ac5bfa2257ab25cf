// SPDX-License-Identifier: Apache-2.0
// What happened inside of an impact: velocities, impulses and works of a point over the impulse.

import { Table, type Numbers, type Payload } from '../data';

/// A value of nothing: where an event ends and the next begins.
type Value = number | null;

export interface ImpactCurve {
  label: string;
  values: Value[];
}

/// Curves over the same impulse.
export interface ImpactPlot {
  title: string;
  unit: string;
  p: number[]; // N s
  curves: ImpactCurve[];
}

/// The works of a group of points in one of the events of an impact.
export interface ImpactGroup {
  order: number;
  contact: string; // its first point
  points: number;
  restitution: number;
  impulse: number;
  compressionWork: number;
  normalWork: number;
  frictionWork: number;
}

/// The parts of a curve between its gaps, each as long as the curve: drawn by themselves, nothing
/// joins the end of an event with the beginning of the next.
export function segments(values: Value[]): Value[][] {
  const parts: Value[][] = [values.map(() => null)];
  values.forEach((value, i) => {
    if (value === null) parts.push(values.map(() => null));
    else parts[parts.length - 1][i] = value;
  });
  return parts;
}

/// The impacts of a run whose insides were recorded.
export class Impacts {
  private readonly rows: Table | null;
  private readonly paths: Table | null;

  constructor(private readonly data: Payload) {
    const { impacts } = data.header;
    this.rows = impacts ? new Table(impacts.rows, data) : null;
    this.paths = impacts ? new Table(impacts.paths, data) : null;
  }

  /// The number of the impact that an event is of; null if its inside is not in the page.
  find(event: number): number | null {
    if (!this.rows || this.data.events.numbers('kind')[event] !== 0) return null;
    const time = this.data.events.numbers('time')[event];
    const contact = this.data.events.words('contact').at(event);
    const times = this.rows.numbers('time');
    const impacts = this.rows.numbers('impact');
    for (let i = 0; i < times.length; ++i) {
      if (times[i] === time && this.points(impacts[i]).includes(contact)) return impacts[i];
    }
    return null;
  }

  time(impact: number): number {
    return this.rows!.numbers('time')[this.rows!.numbers('impact').indexOf(impact)];
  }

  /// The contact points whose paths there are.
  points(impact: number): string[] {
    const impacts = this.paths!.numbers('impact');
    const contacts = this.paths!.words('contact');
    const found = new Set<string>();
    for (let i = 0; i < impacts.length; ++i) if (impacts[i] === impact) found.add(contacts.at(i));
    return [...found];
  }

  groups(impact: number): ImpactGroup[] {
    const rows = this.rows!;
    const contacts = rows.words('contact');
    const value = (key: string, i: number): number => rows.numbers(key)[i];
    return this.rowsOf(rows, impact)
      .filter((i) => value('group', i) > 0)
      .map((i) => ({
        order: value('order', i),
        contact: contacts.at(i),
        points: value('points', i),
        restitution: value('restitution', i),
        impulse: value('impulse', i),
        compressionWork: value('compression_work', i),
        normalWork: value('normal_work', i),
        frictionWork: value('friction_work', i),
      }));
  }

  /// The impulse of the events before one, N s: from there its path goes on.
  start(impact: number, order: number): number {
    let sum = 0;
    for (const group of this.groups(impact)) if (group.order < order) sum += group.impulse;
    return sum;
  }

  /// Where events begin, but for the first, N s.
  starts(impact: number): number[] {
    const orders = [...new Set(this.groups(impact).map((group) => group.order))].sort((a, b) => a - b);
    return orders.slice(1).map((order) => this.start(impact, order));
  }

  /// Where events with one group end their compression, N s.
  compressionEnds(impact: number): number[] {
    const rows = this.rows!;
    const groups = this.groups(impact);
    return this.rowsOf(rows, impact)
      .filter((i) => {
        const order = rows.numbers('order')[i];
        const alone = groups.filter((group) => group.order === order).length === 1;
        return alone && rows.numbers('group')[i] > 0 && rows.numbers('restitution')[i] >= 0;
      })
      .map(
        (i) =>
          this.start(impact, rows.numbers('order')[i]) + rows.numbers('compression_impulse')[i],
      );
  }

  private rowsOf(table: Table, impact: number): number[] {
    const impacts = table.numbers('impact');
    const found: number[] = [];
    for (let i = 0; i < impacts.length; ++i) if (impacts[i] === impact) found.push(i);
    return found;
  }

  /// The curves of one point. Impulses and works begin anew with each event.
  plots(impact: number, point: string): ImpactPlot[] {
    const paths = this.paths!;
    const contacts = paths.words('contact');
    const rows = this.rowsOf(paths, impact).filter((i) => contacts.at(i) === point);
    const orders = paths.numbers('order');
    const moments: (number | null)[] = []; // rows of the path; null: between two events
    rows.forEach((row, k) => {
      if (k > 0 && orders[row] !== orders[rows[k - 1]]) moments.push(null);
      moments.push(row);
    });
    const p: number[] = [];
    for (const row of moments) {
      p.push(row === null ? p[p.length - 1] : this.start(impact, orders[row]) + paths.numbers('p')[row]);
    }
    const curve = (label: string, key: string): ImpactCurve => {
      const values: Numbers = paths.numbers(key);
      return { label, values: moments.map((row) => (row === null ? null : values[row])) };
    };
    const along = (quantity: string): ImpactCurve[] => [
      curve('n', `${quantity}_n`),
      curve('t1', `${quantity}_t1`),
      curve('t2', `${quantity}_t2`),
    ];
    return [
      { title: 'Velocity', unit: 'm/s', p, curves: along('velocity') },
      { title: 'Impulse', unit: 'N s', p, curves: along('impulse') },
      {
        title: 'Work',
        unit: 'J',
        p,
        curves: [
          curve('Wₙ of the group', 'group_work'),
          curve('normal', 'normal_work'),
          curve('friction', 'friction_work'),
        ],
      },
    ];
  }
}
