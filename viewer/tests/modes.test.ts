// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { Payload, type Header, type Mode } from '../src/data';
import { ModeMotion, setRotation } from '../src/scene/modes';
import { mostAmplitude, Store } from '../src/store';
import { modeText, slowness } from '../src/ui/modes';

/// A rigid body whose centre of mass is 1 m in front of its frame, a point mass, a beam of two
/// nodes, and a solid of which two of four nodes are drawn.
const bodies = [
  { name: 'arm', kind: 'rigid', nodes: 1, shape: { type: 'links', at: [1, 0, 0] } },
  { name: 'bob', kind: 'point_mass', nodes: 1 },
  { name: 'rod', kind: 'beam', nodes: 2, section: { type: 'round', radius: 0.1 } },
  { name: 'cube', kind: 'solid', nodes: 4 },
];

/// Translations of arm, bob, two nodes of the rod, two of the cube; rotations of arm and rod.
interface Shape {
  translation: number[];
  rotation: number[];
}
const still = (): Shape => ({ translation: Array(18).fill(0), rotation: Array(9).fill(0) });

function motionOf(shapes: Shape[]): ModeMotion {
  const numbers: number[] = [];
  const put = (values: number[]) => {
    const at = 4 * numbers.length;
    numbers.push(...values);
    return { type: 'f32' as const, at, count: values.length };
  };
  const list: Mode[] = shapes.map(({ translation, rotation }) => ({
    frequency: 1,
    growth_rate: 0,
    translation: put(translation),
    rotation: put(rotation),
  }));
  const bytes = new ArrayBuffer(4 * numbers.length + 8);
  new Float32Array(bytes).set(numbers);
  const drawn = 4 * numbers.length;
  new Uint32Array(bytes).set([1, 3], drawn / 4);
  const place = (name: string, x: number, y: number) =>
    [x, y, 0].map((value, i) => ({ name: `${name}.position.${'xyz'[i]}`, kind: 0, owner: 0, value }));
  const header = {
    rows: 1,
    kinds: [{ unit: 'm', text: '', quantity: '', component: '', thinning: 'sample' }],
    owners: [{ kind: 'body', name: '' }],
    columns: [
      { name: 'time', kind: 0, owner: 0, value: 1 },
      ...place('arm', 0, 0),
      ...place('bob', 5, 0),
      ...place('rod.node0', 0, 1),
      ...place('rod.node1', 2, 1),
      ...[0, 1, 3].flatMap((n) => place(`cube.node${n}`, n, 9)),
    ],
    scene: { gravity: [0, 0, 0], bodies, shapes: [], joints: [], forces: [] },
    contacts: { points: [] },
    events: {},
    forces: null,
    modes: {
      total: list.length,
      bodies: [
        { translation: 0, rotation: 0 },
        { translation: 1 },
        { translation: 2, rotation: 1 },
        { translation: 4, nodes: { type: 'u32', at: drawn, count: 2 } },
      ],
      list,
    },
  };
  const data = new Payload(header as unknown as Header, bytes);
  return new ModeMotion(data, data.header.scene.bodies);
}

function near(a: Vector3, b: number[], tolerance = 1e-6): void {
  assert.ok(a.distanceTo(new Vector3(...b)) < tolerance, `${a.toArray()}, not ${b}`);
}

test('a rotation vector turns by its length about its direction', () => {
  const q = setRotation(new Quaternion(), new Vector3(0, 0, Math.PI / 2));
  near(new Vector3(1, 0, 0).applyQuaternion(q), [0, 1, 0]);
  const small = setRotation(new Quaternion(), new Vector3(1e-12, 0, 0));
  assert.equal(small.x, 5e-13);
});

test('a rigid body turns about its centre of mass and stays rigid', () => {
  const shape = still();
  shape.rotation.splice(0, 3, 0, 0, 1);
  const motion = motionOf([shape]);
  motion.setSize(1e9); // far: the largest turn limits it
  for (const phase of [0, 0.1, 0.25, 0.6]) {
    motion.swing(0, 1, phase);
    const angle = 0.4 * Math.sin(2 * Math.PI * phase);
    near(motion.bodyPlace(0, new Vector3()), [1 - Math.cos(angle), -Math.sin(angle), 0]);
    const centre = motion.anchor({ body: 0, at: [1, 0, 0] }, new Matrix4());
    near(new Vector3().setFromMatrixPosition(centre), [1, 0, 0]);
  }
});

test('the default swing is a tenth of the size, at the place that moves most', () => {
  const shape = still();
  shape.translation.splice(3, 3, 0, 0, 3); // the point mass
  shape.translation.splice(6, 3, 0, 1, 0); // node 0 of the rod
  const motion = motionOf([shape]);
  motion.setSize(2);
  motion.swing(0, 1, 0.25);
  near(motion.bodyPlace(1, new Vector3()), [5, 0, 0.2]);
  near(motion.nodePlace(2, 0, new Vector3()), [0, 1 + 0.2 / 3, 0]);
  near(motion.nodePlace(2, 1, new Vector3()), [2, 1, 0]);
  assert.ok(Math.abs(motion.defaultReach - 0.2) < 1e-12);
  assert.equal(motion.mostMoved(0), 1);
  motion.swing(0, 2, 0.75);
  near(motion.bodyPlace(1, new Vector3()), [5, 0, -0.4]);
});

test('a rigid thing moves by a linear field', () => {
  const shape = still();
  shape.translation.splice(0, 3, 0, 2, 0);
  shape.rotation.splice(0, 3, 0, 0, 2); // it turns about its frame
  const motion = motionOf([shape]);
  motion.setSize(1);
  const local = new Matrix4().makeTranslation(0.5, 0, 0).multiply(new Matrix4().makeScale(1, 3, 1));
  const field = motion.fieldOf({ anchor: { body: 0 }, local })!;
  const at = (x: number, y: number): number[] =>
    [0, 1].map((row) => field[4 * row] * x + field[4 * row + 1] * y + field[4 * row + 3]);
  // The largest of all is that of the centre of mass, 2.
  near(new Vector3(...at(0, 0)), [0, 0.5, 0]);
  near(new Vector3(...at(0.5, 1)), [-3, 1, 0]);
  near(new Vector3(...at(-0.5, 0)), [0, 0, 0]);
  assert.equal(motion.fieldOf({ anchor: { body: -1 } }), null);
});

test('what only twists turns by a radian', () => {
  const shape = still();
  shape.rotation.splice(6, 3, 4, 0, 0); // node 1 of the rod about its axis
  const motion = motionOf([shape]);
  motion.setSize(2);
  motion.swing(0, 1, 0.25);
  const turn = motion.nodeTurn(2, 1, new Quaternion());
  near(new Vector3(0, 1, 0).applyQuaternion(turn), [0, Math.cos(1), Math.sin(1)]);
  assert.ok(Math.abs(motion.sizeAt(2, 1) - 0.4) < 1e-6); // at the edge of the section
  assert.ok(Math.abs(motion.defaultReach - 0.1) < 1e-6);
});

test('of a solid only the drawn nodes have a shape', () => {
  const shape = still();
  shape.translation.splice(12, 6, 1, 0, 0, 0, 2, 0); // nodes 1 and 3
  const motion = motionOf([still(), shape]);
  motion.setSize(10);
  motion.swing(1, 1, 0.25);
  near(motion.nodePlace(3, 0, new Vector3()), [0, 9, 0]);
  near(motion.nodePlace(3, 1, new Vector3()), [1.5, 9, 0]);
  near(motion.nodePlace(3, 3, new Vector3()), [3, 10, 0]);
  motion.swing(0, 1, 0.25); // a mode that moves nothing
  near(motion.nodePlace(3, 1, new Vector3()), [1, 9, 0]);
});

test('the swings of all modes are where bodies go', () => {
  const [up, along] = [still(), still()];
  up.translation.splice(3, 3, 0, 0, 1);
  along.translation.splice(3, 3, 1, 0, 0);
  const motion = motionOf([up, along]);
  motion.setSize(10);
  const places: number[][] = [];
  motion.path(1, 100, (place) => places.push(place.toArray().map(Math.round)));
  assert.deepEqual(places, [
    [5, 0, 0],
    [5, 0, 1],
    [5, 0, -1],
    [6, 0, 0],
    [4, 0, 0],
  ]);
  motion.path(3, 100, (place) => assert.equal(place.y, 9)); // of the solid what has a place
});

test('modes and swings stay in their range', () => {
  const store = new Store(0, 1, 3);
  assert.equal(store.time, 1); // the equilibrium
  store.setMode(7);
  assert.equal(store.mode, 2);
  store.setMode(-1);
  assert.equal(store.mode, 0);
  store.setPhase(1.25);
  assert.equal(store.phase, 0.25);
  store.setPhase(-0.25);
  assert.equal(store.phase, 0.75);
  store.setAmplitude(99);
  assert.equal(store.amplitude, mostAmplitude);
  store.setPlaying(true);
  assert.equal(store.time, 1);
});

test('modes say how fast they are, or how they grow', () => {
  assert.equal(modeText({ frequency: 8.381294, growth_rate: 0 }), '8.38129 Hz');
  assert.equal(modeText({ frequency: 0, growth_rate: -0 }), '0 Hz, moves freely');
  assert.equal(modeText({ frequency: 0, growth_rate: 2.5 }), 'unstable, grows by 2.5 1/s');
  assert.equal(slowness(10, 0.5), 'shown 20 × slower than it is');
  assert.equal(slowness(0.5, 0.5), 'shown in real time');
  assert.equal(slowness(0.1, 1), 'shown 10 × faster than it is');
  assert.equal(slowness(0, 1), '');
});
