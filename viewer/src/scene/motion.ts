// SPDX-License-Identifier: Apache-2.0
// Where bodies and nodes are at a time between two rows.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Anchor, Body, Numbers, Payload, Quat, Vec3 } from '../data';
import { indexBefore } from '../data';

/// The recorded motion of a body frame or a node.
class Track {
  readonly position: Numbers[];
  readonly orientation: Numbers[];
  constructor(data: Payload, name: string) {
    const find = (quantity: string, components: string[]): Numbers[] => {
      const found = components.map((c) => data.values(`${name}.${quantity}.${c}`));
      return found.every((v) => v !== undefined) ? (found as Numbers[]) : [];
    };
    this.position = find('position', ['x', 'y', 'z']);
    this.orientation = find('orientation', ['w', 'x', 'y', 'z']);
  }
}

export function toVector(v: Vec3 | undefined, out = new Vector3()): Vector3 {
  return v ? out.set(v[0], v[1], v[2]) : out.set(0, 0, 0);
}
export function toQuaternion(q: Quat | undefined, out = new Quaternion()): Quaternion {
  return q ? out.set(q[1], q[2], q[3], q[0]) : out.identity();
}

const q0 = new Quaternion();
const q1 = new Quaternion();
const v0 = new Vector3();
const anchorPlace = new Vector3();
const anchorTurn = new Quaternion();
const meanPlace = new Vector3();
const one = new Vector3(1, 1, 1);

export class Motion {
  /// The row at or before the time, and how far it is to the next.
  row = 0;
  fraction = 0;
  private tracks: Track[];
  private nodeTracks: Track[][];

  constructor(
    protected readonly data: Payload,
    readonly bodies: Body[],
  ) {
    this.tracks = bodies.map((body) => new Track(data, body.name));
    this.nodeTracks = bodies.map((body) => {
      if (body.kind === 'rigid' || body.kind === 'point_mass') return [];
      const nodes: Track[] = [];
      for (let i = 0; i < body.nodes; ++i) nodes.push(new Track(data, `${body.name}.node${i}`));
      return nodes;
    });
  }

  setTime(time: number): void {
    const times = this.data.time;
    this.row = Math.min(indexBefore(times, time), Math.max(0, times.length - 2));
    const next = Math.min(this.row + 1, times.length - 1);
    const length = times[next] - times[this.row];
    this.fraction = length > 0 ? Math.min(1, Math.max(0, (time - times[this.row]) / length)) : 0;
  }
  setRow(row: number): void {
    this.row = row;
    this.fraction = 0;
  }
  get nextRow(): number {
    return Math.min(this.row + 1, this.data.rows - 1);
  }

  private place(track: Track, out: Vector3): Vector3 {
    if (track.position.length === 0) return out.set(0, 0, 0);
    const [x, y, z] = track.position;
    const i = this.row;
    const j = this.nextRow;
    const f = this.fraction;
    return out.set(x[i] + f * (x[j] - x[i]), y[i] + f * (y[j] - y[i]), z[i] + f * (z[j] - z[i]));
  }
  private turn(track: Track, out: Quaternion): Quaternion {
    if (track.orientation.length === 0) return out.identity();
    const [w, x, y, z] = track.orientation;
    const i = this.row;
    const j = this.nextRow;
    q0.set(x[i], y[i], z[i], w[i]);
    q1.set(x[j], y[j], z[j], w[j]);
    return out.slerpQuaternions(q0, q1, this.fraction).normalize();
  }

  hasNodes(body: number): boolean {
    const nodes = this.nodeTracks[body];
    return nodes.length > 0 && nodes[0].position.length > 0;
  }
  bodyPlace(body: number, out: Vector3): Vector3 {
    return this.place(this.tracks[body], out);
  }
  bodyTurn(body: number, out: Quaternion): Quaternion {
    return this.turn(this.tracks[body], out);
  }
  nodePlace(body: number, node: number, out: Vector3): Vector3 {
    return this.place(this.nodeTracks[body][node], out);
  }
  nodeTurn(body: number, node: number, out: Quaternion): Quaternion {
    return this.turn(this.nodeTracks[body][node], out);
  }

  /// The matrix from the anchor's own axes to inertial ones.
  anchor(anchor: Anchor, out: Matrix4): Matrix4 {
    const place = anchorPlace.set(0, 0, 0);
    const turn = anchorTurn.identity();
    if (anchor.body >= 0) {
      if (anchor.nodes !== undefined) this.mean(anchor.body, anchor.nodes, place);
      else if (anchor.node !== undefined) {
        this.nodePlace(anchor.body, anchor.node, place);
        this.nodeTurn(anchor.body, anchor.node, turn);
      } else {
        this.bodyPlace(anchor.body, place);
        this.bodyTurn(anchor.body, turn);
      }
    }
    if (anchor.at) place.add(toVector(anchor.at, v0).applyQuaternion(turn));
    if (anchor.turn) turn.multiply(toQuaternion(anchor.turn, q0));
    return out.compose(place, turn, one);
  }

  private mean(body: number, nodes: number[], out: Vector3): void {
    out.set(0, 0, 0);
    for (const node of nodes) out.add(this.nodePlace(body, node, meanPlace));
    out.divideScalar(nodes.length);
  }

  /// Everywhere a body goes, for at most `most` rows.
  path(body: number, most: number, visit: (place: Vector3) => void): void {
    const [row, fraction] = [this.row, this.fraction];
    const stride = Math.max(1, Math.ceil(this.data.rows / most));
    const place = new Vector3();
    for (let i = 0; i < this.data.rows; i += stride) {
      this.setRow(i);
      this.visitNodes(body, place, visit);
    }
    [this.row, this.fraction] = [row, fraction];
  }

  /// Some 40 nodes of a body, or its frame.
  protected visitNodes(body: number, place: Vector3, visit: (place: Vector3) => void): void {
    if (!this.hasNodes(body)) return visit(this.bodyPlace(body, place));
    const { nodes } = this.bodies[body];
    const step = Math.max(1, Math.floor(nodes / 40));
    for (let n = 0; n < nodes; n += step) visit(this.nodePlace(body, n, place));
  }
}
