// SPDX-License-Identifier: Apache-2.0
// Bodies and nodes that swing in a natural mode about the equilibrium.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Anchor, Body, ModeNodes, Numbers, Payload } from '../data';
import { solidTypes } from './bodies';
import type { Field } from './field';
import { Motion, toQuaternion, toVector } from './motion';

const defaultShare = 0.1; // largest displacement over the size of the model
// rad: what only twists would else turn round and round, and joints of rigid bodies open.
const mostTurn = { rigid: 0.4, beam: 1 };

/// Half the sides of a box whose corners are on the surface of a shape.
function halfSides(shape: {
  type: string;
  radius?: number;
  ring_radius?: number;
  length?: number;
  size?: number[];
}): Vector3 {
  if (shape.size?.length === 3) return new Vector3(...shape.size).multiplyScalar(0.5);
  const r = (shape.radius ?? 0) + (shape.ring_radius ?? 0);
  if (shape.length === undefined) return new Vector3(r, r, r).divideScalar(Math.sqrt(3));
  return new Vector3(r * Math.SQRT1_2, r * Math.SQRT1_2, shape.length / 2);
}

/// Places on rigid bodies that show how far they move, in their axes.
export function outerPoints(data: Payload): Vector3[][] {
  const { bodies, shapes, joints, forces } = data.header.scene;
  const points: Vector3[][] = bodies.map(() => []);
  const add = (place: Anchor, half: Vector3): void => {
    if (place.body < 0 || place.node !== undefined || place.nodes) return;
    const turn = toQuaternion(place.turn);
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).multiply(half);
      points[place.body].push(corner.applyQuaternion(turn).add(toVector(place.at)));
    }
  };
  const none = new Vector3();
  const drawn = new Set(shapes.filter((s) => solidTypes.has(s.type)).map((s) => s.on.body));
  bodies.forEach((body, index) => {
    const { shape } = body;
    if (!shape || drawn.has(index)) return;
    add({ body: index, at: shape.at, turn: shape.turn }, halfSides(shape));
  });
  for (const shape of shapes) {
    const isPlane = shape.type === 'half_space' || shape.type === 'face';
    add(shape.on, isPlane ? none : halfSides(shape));
  }
  for (const { first, second } of [...joints, ...forces]) {
    for (const anchor of [first, second]) if (anchor) add(anchor, none);
  }
  return points;
}

/// The farthest place of a section from its centre.
function sectionReach({ section }: Body): number {
  if (!section) return 0;
  return section.radius ?? Math.hypot(section.width ?? 0, section.height ?? 0) / 2;
}

/// exp of a rotation vector.
export function setRotation(out: Quaternion, r: Vector3): Quaternion {
  const angle = r.length();
  const half = angle > 1e-8 ? Math.sin(angle / 2) / angle : 0.5;
  return out.set(half * r.x, half * r.y, half * r.z, Math.cos(angle / 2));
}

const t = new Vector3();
const r = new Vector3();
const arm = new Vector3();
const shape = new Vector3();
const q = new Quaternion();
const p = new Quaternion();

export class ModeMotion extends Motion {
  mode = 0;
  /// What the shape is multiplied by now, and at the end of the default swing.
  private factor = 0;
  private full: number[];
  private readonly layout: ModeNodes[];
  private readonly slots: (Map<number, number> | null)[];
  private readonly translations: Numbers[];
  private readonly rotations: Numbers[];
  private readonly centres: Vector3[];
  private sizes: number[][] = []; // of the shape: for each mode that of each body
  private largestSizes: number[] = [];

  constructor(data: Payload, bodies: Body[]) {
    super(data, bodies);
    super.setRow(data.rows - 1);
    this.layout = data.header.modes!.bodies;
    this.slots = this.layout.map(({ nodes }) => {
      if (!nodes) return null;
      const slots = new Map<number, number>();
      data.array(nodes).forEach((node, i) => slots.set(node, i));
      return slots;
    });
    this.translations = data.modes.map((mode) => data.array(mode.translation));
    this.rotations = data.modes.map((mode) => data.array(mode.rotation));
    this.centres = bodies.map((body) => toVector(body.shape?.at));
    this.full = data.modes.map(() => 0);
  }

  /// Makes the default swing of each mode a share of the model's size. Until then all is at rest.
  setSize(modelSize: number): void {
    const points = outerPoints(this.data);
    this.data.modes.forEach((_, mode) => {
      this.mode = mode;
      let turn = 0; // over what is allowed
      this.sizes[mode] = this.bodies.map((body, i) => {
        const allowed = body.kind === 'rigid' ? mostTurn.rigid : mostTurn.beam;
        let most = 0;
        this.eachNode(i, (node) => {
          most = Math.max(most, this.sizeAt(i, node));
          turn = Math.max(turn, this.rotation(i, node, r).length() / allowed);
        });
        if (body.kind !== 'rigid') return most;
        return points[i].reduce(
          (m, x) => Math.max(m, this.shapeAt({ body: i }, x, shape).length()),
          most,
        );
      });
      this.largestSizes[mode] = Math.max(...this.sizes[mode]);
      const factor = Math.min((defaultShare * modelSize) / this.largest, 1 / turn);
      this.full[mode] = Number.isFinite(factor) ? factor : 0;
    });
    this.mode = 0;
  }

  /// @param amplitude  1: the default
  /// @param phase      0 … 1, a whole swing
  swing(mode: number, amplitude: number, phase: number): void {
    this.mode = mode;
    this.factor = this.full[mode] * amplitude * Math.sin(2 * Math.PI * phase);
  }

  /// The largest displacement of the mode's shape.
  get largest(): number {
    return this.largestSizes[this.mode];
  }
  /// How far the largest displacement goes in the default swing, m.
  get defaultReach(): number {
    return this.full[this.mode] * this.largest;
  }
  /// The body that moves farthest in a mode.
  mostMoved(mode: number): number {
    return this.sizes[mode].indexOf(this.largestSizes[mode]);
  }

  private eachNode(body: number, visit: (node: number) => void): void {
    const slots = this.slots[body];
    if (slots) for (const node of slots.keys()) visit(node);
    else for (let n = 0; n < this.bodies[body].nodes; ++n) visit(n);
  }

  private vector(from: Numbers, first: number, body: number, node: number, out: Vector3): Vector3 {
    const slot = this.slots[body]?.get(node) ?? (this.slots[body] ? -1 : node);
    if (slot < 0) return out.set(0, 0, 0); // nothing is drawn there
    const i = 3 * (first + slot);
    return out.set(from[i], from[i + 1], from[i + 2]);
  }
  private translation(body: number, node: number, out: Vector3): Vector3 {
    const first = this.layout[body].translation;
    return this.vector(this.translations[this.mode], first, body, node, out);
  }
  private rotation(body: number, node: number, out: Vector3): Vector3 {
    const first = this.layout[body].rotation;
    if (first === undefined) return out.set(0, 0, 0);
    return this.vector(this.rotations[this.mode], first, body, node, out);
  }
  private meanTranslation(body: number, out: Vector3): Vector3 {
    out.set(0, 0, 0);
    let count = 0;
    this.eachNode(body, (node) => {
      out.add(this.translation(body, node, t));
      ++count;
    });
    return out.divideScalar(Math.max(1, count));
  }

  /// The size of the shape at a node; of a beam the largest in the section.
  sizeAt(body: number, node: number): number {
    const far = this.translation(body, node, t).length();
    const reach = sectionReach(this.bodies[body]);
    return reach > 0 ? Math.hypot(far, reach * this.rotation(body, node, r).length()) : far;
  }

  /// The shape at a place on what is fixed at an anchor, in the anchor's axes; inertial components.
  private shapeAt(anchor: Anchor, place: Vector3, out: Vector3): Vector3 {
    const { body } = anchor;
    if (anchor.nodes) {
      out.set(0, 0, 0);
      for (const node of anchor.nodes) out.add(this.translation(body, node, t));
      return out.divideScalar(anchor.nodes.length);
    }
    const node = anchor.node ?? 0;
    arm.copy(place);
    if (anchor.turn) arm.applyQuaternion(toQuaternion(anchor.turn, p));
    arm.add(toVector(anchor.at, t));
    if (anchor.node === undefined) arm.sub(this.centres[body]);
    const own = anchor.node === undefined ? super.bodyTurn(body, q) : super.nodeTurn(body, node, q);
    arm.applyQuaternion(own);
    out.crossVectors(this.rotation(body, node, r), arm);
    return out.add(this.translation(body, node, t));
  }

  /// The displacement of a rigid thing over the largest of all; null for what is on the ground.
  fieldOf({ anchor, local }: { anchor: Anchor; local?: Matrix4 }): Field | null {
    const { largest } = this;
    if (anchor.body < 0 || largest === 0) return null;
    const field = new Float32Array(12);
    const place = new Vector3();
    const at = (c: number): Vector3 => {
      place.set(0, 0, 0);
      if (c < 3) place.setComponent(c, 1);
      if (local) place.applyMatrix4(local);
      return this.shapeAt(anchor, place, new Vector3()).divideScalar(largest);
    };
    const origin = at(3);
    for (let c = 0; c < 4; ++c) {
      const column = c < 3 ? at(c).sub(origin) : origin;
      for (let row = 0; row < 3; ++row) field[4 * row + c] = column.getComponent(row);
    }
    return field;
  }

  // It rests at the last row, the equilibrium.
  override setTime(): void {}
  override setRow(): void {}

  override bodyPlace(body: number, out: Vector3): Vector3 {
    super.bodyPlace(body, out);
    if (this.factor === 0) return out;
    const { kind } = this.bodies[body];
    if (kind === 'point_mass')
      return out.addScaledVector(this.translation(body, 0, t), this.factor);
    if (kind !== 'rigid') return out.addScaledVector(this.meanTranslation(body, r), this.factor);
    // The shape is that of the centre of mass, about which the frame turns.
    arm.copy(this.centres[body]).applyQuaternion(super.bodyTurn(body, q));
    out.add(arm).addScaledVector(this.translation(body, 0, t), this.factor);
    return out.sub(arm.applyQuaternion(this.turned(body, 0, p)));
  }
  override bodyTurn(body: number, out: Quaternion): Quaternion {
    super.bodyTurn(body, out);
    return this.bodies[body].kind === 'rigid' ? out.premultiply(this.turned(body, 0, p)) : out;
  }
  override nodePlace(body: number, node: number, out: Vector3): Vector3 {
    super.nodePlace(body, node, out);
    return out.addScaledVector(this.translation(body, node, t), this.factor);
  }
  override nodeTurn(body: number, node: number, out: Quaternion): Quaternion {
    return super.nodeTurn(body, node, out).premultiply(this.turned(body, node, p));
  }
  private turned(body: number, node: number, out: Quaternion): Quaternion {
    return setRotation(out, this.rotation(body, node, r).multiplyScalar(this.factor));
  }

  /// Of a solid only the drawn nodes have a place.
  protected override visitNodes(body: number, place: Vector3, visit: (p: Vector3) => void): void {
    const slots = this.slots[body];
    if (!slots || !this.hasNodes(body)) return super.visitNodes(body, place, visit);
    const nodes = [...slots.keys()];
    const step = Math.max(1, Math.floor(nodes.length / 40));
    for (let i = 0; i < nodes.length; i += step) visit(this.nodePlace(body, nodes[i], place));
  }

  /// Everywhere a body goes in the default swings of all modes.
  override path(body: number, most: number, visit: (place: Vector3) => void): void {
    const { mode, factor } = this;
    const place = new Vector3();
    this.factor = 0;
    this.visitNodes(body, place, visit);
    const stride = Math.max(1, Math.ceil((2 * this.full.length) / most));
    for (let i = 0; i < this.full.length; i += stride) {
      this.mode = i;
      for (const sign of [1, -1]) {
        this.factor = sign * this.full[i];
        this.visitNodes(body, place, visit);
      }
    }
    [this.mode, this.factor] = [mode, factor];
  }
}
