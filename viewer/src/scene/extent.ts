// SPDX-License-Identifier: Apache-2.0
// How large the mechanism is and where it goes: camera, grid and symbols are chosen by it.

import { Box3, Matrix4, Vector3 } from 'three';
import type { Payload } from '../data';
import { Motion, toVector } from './motion';

export interface Extent {
  box: Box3; // everywhere the bodies go
  size: number; // its diagonal
  up: Vector3;
  /// Along the thin side of a motion in a plane, else null.
  flat: Vector3 | null;
  /// How far each body reaches from its frame.
  reach: number[];
}

function reach(size: number[] | undefined, radius = 0, length = 0): number {
  return size && size.length === 3 ? Math.hypot(...size) / 2 : Math.max(radius, length / 2);
}

const planes = new Set(['half_space', 'face']);

/// The largest distance of a body's surface from its frame.
function reaches(data: Payload): number[] {
  const { bodies, shapes } = data.header.scene;
  const result = bodies.map((b) =>
    b.section
      ? Math.max(b.section.radius ?? 0, b.section.height ?? 0, b.section.width ?? 0) / 2
      : b.shape && b.shape.type !== 'links'
        ? reach(b.shape.size, b.shape.radius, b.shape.length)
        : 0,
  );
  for (const shape of shapes) {
    if (shape.on.body < 0 || planes.has(shape.type)) continue;
    const off = shape.on.node === undefined ? toVector(shape.on.at).length() : 0;
    const radius = (shape.radius ?? 0) + (shape.ring_radius ?? 0);
    const full = off + reach(shape.size, radius, shape.length);
    result[shape.on.body] = Math.max(result[shape.on.body], full);
  }
  return result;
}

/// Rigid bodies without a shape reach as far as their joints.
function addJoints(data: Payload, result: number[]): void {
  for (const joint of data.header.scene.joints) {
    for (const anchor of [joint.first, joint.second]) {
      if (anchor.body < 0 || anchor.node !== undefined || anchor.nodes) continue;
      result[anchor.body] = Math.max(result[anchor.body], toVector(anchor.at).length());
    }
  }
}

export function findExtent(data: Payload, motion: Motion): Extent {
  const { bodies, gravity, joints, forces, shapes } = data.header.scene;
  const box = new Box3();
  const radius = reaches(data);
  const most = Math.max(8, Math.min(400, Math.floor(20000 / bodies.length)));
  bodies.forEach((_, i) => {
    const track = new Box3();
    motion.path(i, most, (place) => track.expandByPoint(place));
    box.union(track.expandByScalar(radius[i]));
  });
  const flat = flatAxis(box, motion, data, radius);
  addJoints(data, radius);
  bodies.forEach((body, i) => {
    const place = motion.bodyPlace(i, new Vector3());
    const own = new Box3(place.clone(), place.clone()).expandByScalar(radius[i]);
    if (body.kind === 'rigid') box.union(own);
  });
  const matrix = new Matrix4();
  for (const { first, second } of [...joints, ...forces]) {
    for (const a of [first, second]) {
      if (!a) continue;
      box.expandByPoint(new Vector3().setFromMatrixPosition(motion.anchor(a, matrix)));
    }
  }
  for (const shape of shapes) {
    if (shape.on.body >= 0 || planes.has(shape.type)) continue;
    const place = new Vector3().setFromMatrixPosition(motion.anchor(shape.on, matrix));
    const r = reach(shape.size, (shape.radius ?? 0) + (shape.ring_radius ?? 0), shape.length);
    box.union(new Box3(place.clone(), place.clone()).expandByScalar(r));
  }
  if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  let size = box.getSize(new Vector3()).length();
  if (size < 1e-10) box.expandByScalar(0.5); // metres: nothing but round-off
  size = box.getSize(new Vector3()).length();
  return { box, size, up: upAxis(toVector(gravity), flat), flat, reach: radius };
}

/// Against gravity; without gravity z, or y for what moves in the plane xy.
function upAxis(gravity: Vector3, flat: Vector3 | null): Vector3 {
  if (gravity.length() > 0) {
    const up = gravity.clone().normalize().negate();
    if (!flat || Math.abs(up.dot(flat)) < 0.9) return axisNearest(up);
  }
  return flat && Math.abs(flat.z) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
}

function axisNearest(v: Vector3): Vector3 {
  const parts = [Math.abs(v.x), Math.abs(v.y), Math.abs(v.z)];
  const c = parts.indexOf(Math.max(...parts));
  return new Vector3().setComponent(c, Math.sign(v.getComponent(c)));
}

/// The axis along which nothing moves, if the motion along both others is much larger.
function flatAxis(box: Box3, motion: Motion, data: Payload, radius: number[]): Vector3 | null {
  const gravity = toVector(data.header.scene.gravity);
  const places = new Box3();
  data.header.scene.bodies.forEach((_, i) => motion.path(i, 200, (p) => places.expandByPoint(p)));
  if (places.isEmpty()) return null;
  const size = places.getSize(new Vector3());
  const full = box.getSize(new Vector3());
  const largest = Math.max(size.x, size.y, size.z);
  const thin = [size.x, size.y, size.z].map((s) => s < 1e-3 * largest);
  const candidates = [2, 1, 0].filter((c) => thin[c] && full.getComponent(c) < 0.4 * full.length());
  // What lies on a floor is looked at from above and aside, not as a drawing.
  const upright = candidates.filter(
    (c) => Math.abs(gravity.getComponent(c)) < 0.5 * gravity.length() || gravity.length() === 0,
  );
  const balls = radius.filter((r) => r > 0).length;
  if (upright.length === 0 || (balls > 12 && upright.length > 1)) return null;
  return new Vector3().setComponent(upright[0], upright[0] === 1 ? -1 : 1);
}
