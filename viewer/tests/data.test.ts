// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64, indexBefore, Payload, type Header } from '../src/data';
import {
  counted,
  eventTime,
  niceBelow,
  shortNumber,
  tickLabels,
  ticks,
  timeText,
  withPrefix,
  withUnit,
} from '../src/format';
import { overview, plotsOf } from '../src/plots/curves';
import { nearest } from '../src/plots/plot';
import { unitOf } from '../src/ui/summary';
import { firstSpeed } from '../src/ui/transport';

const kind = (unit: string, text: string, quantity: string, component = '', thinning = 'sample') => ({
  unit,
  text,
  quantity,
  component,
  thinning,
});

function payload(): Payload {
  const values = new Float32Array([1, 2, 3]);
  const times = new Float64Array([0, 0.5, 1]);
  const bytes = new Uint8Array(24 + 12);
  bytes.set(new Uint8Array(times.buffer), 0);
  bytes.set(new Uint8Array(values.buffer), 24);
  const constant = { value: 4 };
  const column = { type: 'f32' as const, at: 24 };
  const header = {
    rows: 3,
    kinds: [
      kind('s', 'time', 'time'),
      kind('m', 'place, inertial frame, component x', 'position', 'x'),
      kind('m', 'place, inertial frame, component y', 'position', 'y'),
      kind('N s', 'impulse, along n', 'impulse', 'n', 'sum'),
      kind('N s', 'impulse, inertial frame, component x', 'impulse', 'x', 'sum'),
      kind('J', '', 'kinetic'),
      kind('J', '', 'gravity'),
    ],
    owners: [
      { kind: 'run', name: '' },
      { kind: 'body', name: 'ball' },
      { kind: 'node', name: 'ball.node2' },
      { kind: 'point', name: 'k' },
      { kind: 'ledger', name: 'energy' },
    ],
    columns: [
      { name: 'time', kind: 0, owner: 0, type: 'f64', at: 0 },
      { name: 'ball.position.x', kind: 1, owner: 1, ...column },
      { name: 'ball.position.y', kind: 2, owner: 1, ...constant },
      { name: 'ball.node2.position.x', kind: 1, owner: 2, ...constant },
      { name: 'k.impulse.n', kind: 3, owner: 3, ...constant },
      { name: 'k.impulse.x', kind: 4, owner: 3, ...constant },
      { name: 'energy.kinetic', kind: 5, owner: 4, ...column },
      { name: 'energy.gravity', kind: 6, owner: 4, ...constant },
    ],
    contacts: { points: [] },
    events: {},
    forces: null,
  };
  return new Payload(header as unknown as Header, bytes.buffer);
}

test('base64 gives back the bytes', () => {
  assert.deepEqual([...new Uint8Array(decodeBase64('/wCA'))], [255, 0, 128]);
});

test('columns are found by name, constant ones too', () => {
  const data = payload();
  assert.deepEqual([...data.values('ball.position.x')!], [1, 2, 3]);
  assert.deepEqual([...data.values('ball.position.y')!], [4, 4, 4]);
  assert.equal(data.values('ball.position.z'), undefined);
  assert.equal(data.end, 1);
});

test('coarse numbers are steps in their range', () => {
  const bytes = new Uint8Array(40 + 22);
  bytes.set(new Uint8Array(new Float64Array([-1, 2 / 65535]).buffer), 40);
  bytes.set(new Uint8Array(new Uint16Array([0, 65535, 32768]).buffer), 56);
  const coarse = new Payload(payload().header, bytes.buffer);
  const [a, b, c] = coarse.array({ type: 'q16', at: 40, count: 3 });
  assert.equal(a, -1);
  assert.ok(Math.abs(b - 1) < 1e-6 && Math.abs(c) < 2e-5);
});

test('times are looked up from below', () => {
  const times = new Float64Array([0, 1, 2, 3]);
  assert.equal(indexBefore(times, -1), 0);
  assert.equal(indexBefore(times, 1.999), 1);
  assert.equal(indexBefore(times, 2), 2);
  assert.equal(indexBefore(times, 9), 3);
  assert.equal(nearest(times, 1.6), 2);
  assert.equal(nearest(times, 1.4), 1);
});

test('columns of one thing become plots, those of its parts do not', () => {
  const plots = plotsOf(payload(), 'ball');
  assert.equal(plots.length, 1);
  assert.equal(plots[0].title, 'Position – place');
  assert.deepEqual(
    plots[0].curves.map((c) => c.label),
    ['x', 'y'],
  );
});

test('an impulse has a plot for each of its frames, and belongs to a span of time', () => {
  const plots = plotsOf(payload(), 'k');
  assert.deepEqual(
    plots.map((p) => p.curves.map((c) => c.label).join()),
    ['n', 'x'],
  );
  assert.ok(plots.every((p) => p.stepped));
});

test('the total energy is the sum of what is stored', () => {
  const [energies] = overview(payload());
  const total = energies.curves.find((c) => c.label === 'total')!;
  assert.deepEqual([...total.values], [5, 6, 7]);
});

test('numbers are short and say their unit', () => {
  assert.equal(shortNumber(0), '0');
  assert.equal(shortNumber(-0.0123456), '−0.01235');
  assert.equal(shortNumber(1.5e-13), '1.5·10⁻¹³');
  assert.equal(shortNumber(123456), '1.235·10⁵');
  assert.equal(shortNumber(NaN), '–');
  assert.equal(withUnit(2, 'N s'), '2 N s');
  assert.equal(withUnit(2, '1'), '2');
  assert.equal(withPrefix(42.8e6, 'Pa'), '42.8 MPa');
  assert.equal(withPrefix(0.2, 'm'), '200 mm');
  assert.equal(timeText(0.25, 1e-3), '0.250');
});

test('a grid has round spacings', () => {
  assert.equal(niceBelow(0.07), 0.05);
  assert.equal(niceBelow(3), 2);
  assert.equal(niceBelow(1.5), 1);
});

test('what is short is played slowly, what is long quickly', () => {
  assert.equal(firstSpeed(3), 1);
  assert.equal(firstSpeed(0.02), 2e-3);
  assert.equal(firstSpeed(600), 50);
});

/// "−2.5·10⁻²¹" as a number.
function parsed(label: string): number {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const text = label
    .replace('−', '-')
    .replace(/·10(.+)/, (_, p: string) =>
      'e' + [...p].map((c) => (c === '⁻' ? '-' : String(digits.indexOf(c)))).join(''),
    );
  return Number(text);
}

test('labels of axes', () => {
  assert.deepEqual(tickLabels([0, 2.5, 5]), ['0', '2.5', '5.0']);
  assert.deepEqual(tickLabels([-1, 0, 1]), ['−1', '0', '1']);
  assert.deepEqual(tickLabels([0, 1e-21, 2e-21]), ['0', '1·10⁻²¹', '2·10⁻²¹']);
  assert.deepEqual(tickLabels([0, 5e-5, 1e-4]), ['0', '0.00005', '0.00010']);
  assert.deepEqual(tickLabels([0, 5e9, 1e10]), ['0', '0.5·10¹⁰', '1.0·10¹⁰']);
  assert.deepEqual(tickLabels([1000.0001, 1000.0002]), ['1000.0001', '1000.0002']);
  assert.deepEqual(tickLabels([0]), ['0']);
  assert.deepEqual(tickLabels([]), []);
  // True and different, whatever the range.
  const ranges: [number, number][] = [[0, 1], [-1, 1], [0, 6], [7.25, 7.75], [100000, 100001]];
  for (const [low, high] of ranges) {
    for (let e = -28; e <= 16; ++e) {
      const scale = Number(`1e${e}`);
      for (const count of [2, 3, 4, 7, 12]) {
        const least = ((high - low) * scale) / count;
        const values = ticks(low * scale, high * scale, least);
        assert.ok(values.length >= 1 && values.length <= count + 1, `${values}`);
        const labels = tickLabels(values);
        assert.equal(new Set(labels).size, values.length, `${labels}`);
        values.forEach((x, i) =>
          assert.ok(Math.abs(parsed(labels[i]) - x) <= 1e-3 * least, `${labels[i]}, not ${x}`),
        );
      }
    }
  }
  assert.deepEqual(ticks(1, 1, 1), []);
});

test('one thing, several things', () => {
  assert.equal(counted(1, 'step'), '1 step');
  assert.equal(counted(0, 'impact'), '0 impacts');
  assert.equal(counted(1, 'step', ' of the load'), '1 step of the load');
});

test('times of events have seven digits', () => {
  assert.equal(eventTime(0.29061234, 3), '0.290612');
  assert.equal(eventTime(12.5, 30), '12.50000');
  assert.equal(eventTime(0.000123456789, 0.002), '0.000123457');
  assert.equal(eventTime(0, 0), '0.000000000000000');
});

test('numbers of the summary have units', () => {
  const units: Record<string, string> = {
    impacts: '1',
    overlapping_impacts: '1',
    friction_loss: 'J',
    impact_loss: 'J',
    peak_continuous_force: 'N',
    peak_impact_force: 'N',
    peak_force: 'N',
    peak_pressure: 'Pa',
    time: 's',
    impulse: 'N s',
    approach_speed: 'm/s',
    duration: 's',
    peak_indentation: 'm',
    counted_from: 's',
    inner_speed: 'rad/s',
    cage_speed: 'rad/s',
    cage_ratio: '1',
    cage_slip: '1',
    radial_force: 'N',
    shear_stress: 'Pa',
    octahedral_depth: 'm',
    indentation: 'm',
    dynamic_rating: 'N',
    equivalent_load: 'N',
    million_revolutions: '1',
    hours: 'h',
  };
  for (const [key, unit] of Object.entries(units)) assert.equal(unitOf(key), unit, key);
});
