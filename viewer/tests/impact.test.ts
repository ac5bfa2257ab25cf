// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Payload, type Header } from '../src/data';
import { Impacts, segments } from '../src/plots/impact';

/// An impact of two events of the point "k", the second with the point "m", and an event that is no
/// impact.
function impacts(): Impacts {
  const values: number[] = [];
  const array = (...numbers: number[]) => {
    values.push(...numbers);
    return { type: 'f64' as const, at: 8 * (values.length - numbers.length), count: numbers.length };
  };
  const words = (names: string[], ...which: number[]) => ({ names, which: array(...which) });
  const works = { compression_work: array(-2, 0, -1), normal_work: array(-1, 0, -0.5) };
  const header = {
    rows: 1,
    columns: [{ name: 'time', kind: 0, owner: 0, value: 0 }],
    kinds: [{}],
    owners: [{}],
    events: { time: array(0.5, 0.5, 0.7), kind: array(0, 1, 0), contact: words(['k', 'm'], 0, 0, 0) },
    contacts: {},
    forces: null,
    impacts: {
      total: 2,
      rows: {
        time: array(0.5, 0.5, 0.5),
        impact: array(3, 3, 3),
        order: array(0, 0, 1),
        group: array(1, 0, 1),
        points: array(1, 1, 2),
        restitution: array(0.5, 0, 0.5),
        compression_impulse: array(2, 0, 1),
        impulse: array(3, 0, 1.5),
        friction_work: array(-0.1, 0, -0.2),
        contact: words(['k', 'm'], 0, 1, 0),
        ...works,
      },
      paths: {
        impact: array(3, 3, 3, 3, 3),
        order: array(0, 0, 1, 1, 1),
        p: array(0, 3, 0, 1.5, 1.5),
        contact: words(['k', 'm'], 0, 0, 0, 0, 1),
        ...Object.fromEntries(
          ['velocity_n', 'velocity_t1', 'velocity_t2', 'impulse_n', 'impulse_t1', 'impulse_t2'].map(
            (key) => [key, array(1, 2, 3, 4, 5)],
          ),
        ),
        normal_work: array(0, -1, 0, -0.5, 0),
        friction_work: array(0, -0.1, 0, -0.2, 0),
        group_work: array(0, -1, 0, -0.5, -0.5),
      },
    },
  } as unknown as Header;
  return new Impacts(new Payload(header, new Float64Array(values).buffer));
}

test('an impact is found by the time and point of its event', () => {
  const found = impacts();
  assert.equal(found.find(0), 3);
  assert.equal(found.find(1), null); // it closes
  assert.equal(found.find(2), null); // its inside is not recorded
  assert.equal(found.time(3), 0.5);
  assert.deepEqual(found.points(3), ['k', 'm']);
});

test('the impulse counts on through the events of an impact', () => {
  const found = impacts();
  assert.deepEqual(found.starts(3), [3]);
  assert.deepEqual(found.compressionEnds(3), [2, 4]);
  const [velocity, , work] = found.plots(3, 'k');
  assert.deepEqual(velocity.p, [0, 3, 3, 3, 4.5]);
  assert.deepEqual(velocity.curves[0].values, [1, 2, null, 3, 4]);
  assert.deepEqual(work.curves.map((c) => c.values[4]), [-0.5, -0.5, -0.2]);
});

test('curves are drawn event by event', () => {
  assert.deepEqual(segments([1, 2, null, 3]), [
    [1, 2, null, null],
    [null, null, null, 3],
  ]);
});

test('groups that take no part have no works', () => {
  const groups = impacts().groups(3);
  assert.deepEqual(groups.map((g) => [g.order, g.contact, g.points]), [[0, 'k', 1], [1, 'k', 2]]);
  assert.equal(groups[0].compressionWork, -2);
});

test('a run without recorded impacts has none', () => {
  const header = {
    rows: 1,
    columns: [{ name: 'time', kind: 0, owner: 0, value: 0 }],
    kinds: [{}],
    owners: [{}],
    events: {},
    contacts: {},
    forces: null,
    impacts: null,
  } as unknown as Header;
  assert.equal(new Impacts(new Payload(header, new ArrayBuffer(0))).find(0), null);
});
