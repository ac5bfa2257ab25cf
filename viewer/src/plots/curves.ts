// SPDX-License-Identifier: Apache-2.0
// Which curves belong together: the columns of the time series grouped into plots.

import type { Kind, Numbers, Payload } from '../data';
import type { Selection } from '../store';

export interface Curve {
  label: string; // "x", "kinetic"
  values: Numbers | Float64Array;
  name: string; // of the column; what is computed here has its own
}

export interface PlotSpec {
  title: string;
  unit: string;
  curves: Curve[];
  /// Drawn as columns of a histogram: impulses belong to a span of time, counts to a step.
  stepped?: boolean;
  /// Points in time with a value, e.g. peaks of forces.
  points?: { label: string; times: Numbers; values: Numbers }[];
}

/// "velocity of the origin, component x" → "velocity of the origin"
function titleOf({ quantity, text }: Kind): string {
  const plain = text
    .replace(/, component \w+$/, '')
    .replace(/, inertial frame$/, '')
    .replace(/, along (n|t1|t2)\b/, '');
  const name = quantity.replace(/_/g, ' ');
  return `${name[0].toUpperCase()}${name.slice(1)} – ${plain}`;
}

/// All plots of what has this name. Columns of nodes and elements, which have names of their own, are
/// left to the view.
export function plotsOf(data: Payload, owner: string): PlotSpec[] {
  const groups = new Map<string, PlotSpec>();
  for (const column of data.columns) {
    if (column.owner.name !== owner) continue;
    const { quantity, component, unit, thinning } = column.kind;
    if (quantity === 'status' || quantity === 'orientation') continue;
    // The same impulse in two frames: one plot each.
    const frame = component ? (/[xyz]/.test(component) ? 'xyz' : 'nt') : '';
    const key = quantity === 'impulse' ? `${quantity} ${frame}` : quantity;
    let spec = groups.get(key);
    if (!spec) {
      const stepped = thinning === 'sum' || quantity === 'closed';
      spec = { title: titleOf(column.kind), unit, curves: [], stepped };
      groups.set(key, spec);
    }
    spec.curves.push({
      label: component || quantity.replace(/_/g, ' '),
      values: column.values,
      name: column.name,
    });
  }
  return [...groups.values()];
}

function pick(data: Payload, names: [name: string, label: string][]): Curve[] {
  const curves: Curve[] = [];
  for (const [name, label] of names) {
    const values = data.values(name);
    if (values) curves.push({ label, values, name });
  }
  return curves;
}

const isZero = (curve: Curve): boolean => (curve.values as Float32Array).every((v) => v === 0);

/// Energies, the ledger and how hard the solver worked.
export function overview(data: Payload): PlotSpec[] {
  const stored = pick(data, [
    ['energy.kinetic', 'kinetic'],
    ['energy.gravity', 'gravity'],
    ['energy.elastic', 'elastic'],
  ]);
  const total = new Float64Array(data.rows);
  for (const { values } of stored) for (let i = 0; i < total.length; ++i) total[i] += values[i];
  const energies: PlotSpec = {
    title: 'Energy – of the whole system',
    unit: 'J',
    curves: [
      ...stored.filter((c) => !isZero(c)),
      { label: 'total', values: total, name: 'energy' },
    ],
  };
  const spent = pick(data, [
    ['energy.external_work', 'external work'],
    ['energy.friction_loss', 'friction'],
    ['energy.impact_loss', 'impacts'],
    ['energy.damping_loss', 'damping'],
    ['energy.numerical_loss', 'numerical'],
  ]).filter((c) => !isZero(c));
  const specs = [energies];
  if (spent.length > 0) {
    specs.push({
      title: 'Ledger – work put in, and losses, since the start',
      unit: 'J',
      curves: spent,
    });
  }
  specs.push({
    title: 'Residual of the ledger – energy − initial energy − work + losses',
    unit: 'J',
    curves: pick(data, [['energy.residual', 'residual']]).filter((c) => !isZero(c)),
  });
  const iterations = pick(data, [
    ['iterations.smooth', 'smooth motion'],
    ['iterations.position', 'position correction'],
    ['iterations.velocity', 'velocity correction'],
  ]).filter((c) => !isZero(c));
  if (iterations.length > 0) {
    specs.push({
      title: 'Newton iterations – most in a step since the last row',
      unit: '1',
      curves: iterations,
      stepped: true,
    });
  }
  return specs.filter((spec) => spec.curves.length > 0);
}

/// Continuous forces and peaks of impacts, where a contact has a local law.
function forcePlot(data: Payload, contact: string): PlotSpec[] {
  const table = data.forces;
  if (!table) return [];
  const names = table.words('contact');
  const impacts = table.numbers('is_impact');
  const times = table.numbers('time');
  const series = (impact: number, key: string) => {
    const rows: number[] = [];
    for (let i = 0; i < times.length; ++i) {
      if (impacts[i] === impact && names.at(i) === contact) rows.push(i);
    }
    const values = table.numbers(key);
    return {
      times: Float64Array.from(rows, (i) => times[i]),
      values: Float64Array.from(rows, (i) => values[i]),
    };
  };
  const points = [
    { label: 'lasting contact, mean of a step', ...series(0, 'continuous_force') },
    { label: 'peak within an impact', ...series(1, 'peak_force') },
  ].filter((p) => p.times.length > 0);
  if (points.length === 0) return [];
  return [{ title: 'Contact force – normal, by the local law', unit: 'N', curves: [], points }];
}

export function plotsFor(
  data: Payload,
  selection: Selection,
  envelope: (body: number) => Float64Array | null,
): PlotSpec[] {
  if (selection === null) return overview(data);
  if (selection.kind !== 'body') {
    return [...plotsOf(data, selection.name), ...forcePlot(data, selection.name)];
  }
  const { name, kind } = data.header.scene.bodies[selection.index];
  const specs = plotsOf(data, name);
  const stress = envelope(selection.index);
  if (stress) {
    specs.unshift({
      title:
        kind === 'solid'
          ? 'Largest von Mises stress – over all nodes'
          : 'Largest normal stress – over all sections, at their edges',
      unit: 'Pa',
      curves: [{ label: 'largest', values: stress, name: `${name}.stress` }],
    });
  }
  return specs;
}
