// SPDX-License-Identifier: Apache-2.0
// Rigid bodies by their colliders, or by what their inertia or joints tell of them.

import {
  BackSide,
  BoxGeometry,
  DoubleSide,
  Matrix4,
  MeshPhongMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type { Anchor, ColliderShape, Payload } from '../data';
import { bodyColour } from '../palette';
import type { Extent } from './extent';
import { bodyGeometry, colliderGeometry, cylinder, sphere, whiten } from './geometry';
import { Instances } from './instances';
import { toVector } from './motion';

/// Colliders that show the form of their body.
export const solidTypes = new Set(['sphere', 'box', 'cylinder', 'capsule', 'convex', 'mesh']);
const hollowTypes = new Set(['hollow_sphere', 'bore', 'groove']);

function opaque(): MeshPhongMaterial {
  return new MeshPhongMaterial({ vertexColors: true, shininess: 40, specular: '#303030' });
}
/// What is hollow: one looks into it.
function glass(): MeshPhongMaterial {
  return new MeshPhongMaterial({
    vertexColors: true,
    transparent: true,
    opacity: 0.35,
    side: DoubleSide,
    depthWrite: false,
  });
}
function shell(): MeshPhongMaterial {
  return new MeshPhongMaterial({
    vertexColors: true,
    transparent: true,
    opacity: 0.45,
    side: BackSide,
    depthWrite: false,
  });
}

/// Colliders to which a stick leads.
const linked = new Set([
  'point',
  'sphere',
  'box',
  'cylinder',
  'capsule',
  'convex',
  'mesh',
  'bore',
  'hollow_sphere',
]);

function reachOf(shape: { radius?: number; length?: number; size?: number[] }): number {
  return shape.size
    ? Math.hypot(...shape.size) / 2
    : Math.hypot(shape.radius ?? 0, (shape.length ?? 0) / 2);
}

const groundColour = '#9aa3ad';

/// A stick from one place of a body to another, or null if they are the same.
export function stickBetween(a: Vector3, b: Vector3): Matrix4 | null {
  const way = b.clone().sub(a);
  const length = way.length();
  if (length === 0) return null;
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), way.divideScalar(length));
  return new Matrix4().compose(
    a.clone().add(b).multiplyScalar(0.5),
    turn,
    new Vector3(1, 1, length),
  );
}

export class Bodies {
  readonly instances = new Instances();
  private readonly many: boolean;
  private readonly thickness: number;

  constructor(
    private readonly data: Payload,
    extent: Extent,
  ) {
    const { bodies, shapes } = data.header.scene;
    this.many = bodies.length > 300;
    this.thickness = extent.size * 0.008;
    const drawn = new Set<number>();
    for (const shape of shapes) {
      if (solidTypes.has(shape.type)) drawn.add(shape.on.body);
      this.addCollider(shape);
    }
    bodies.forEach((body, i) => {
      if (body.kind === 'point_mass' && !drawn.has(i)) this.addDot(i);
      if (body.kind !== 'rigid') return;
      if (!drawn.has(i)) this.addInertia(i);
      if (!this.many) this.addLinks(i, !drawn.has(i));
    });
    this.instances.build(true, data.modes.length > 0);
  }

  private colour(body: number): string {
    return body < 0 ? groundColour : bodyColour(body);
  }

  private addCollider(shape: ColliderShape): void {
    if (shape.type === 'point') {
      // Nodes of flexible bodies are seen without.
      if (shape.on.node === undefined && shape.on.body >= 0) {
        this.addBall(shape.on, shape.on.body, 1.6 * this.thickness);
      }
      return;
    }
    if (!solidTypes.has(shape.type) && !hollowTypes.has(shape.type)) return;
    const key = JSON.stringify([
      shape.type,
      shape.radius,
      shape.length,
      shape.size,
      shape.rounding,
      shape.vertices && shape.name,
      shape.ring_radius,
      shape.opening,
    ]);
    const closed = shape.type === 'hollow_sphere' || shape.opening === 'closed';
    const material = closed ? shell : hollowTypes.has(shape.type) ? glass : opaque;
    this.instances.add(
      key,
      {
        anchor: shape.on,
        colour: this.colour(shape.on.body),
        owner: { kind: 'body', index: shape.on.body },
      },
      () => [colliderGeometry(shape, this.many), material()],
    );
  }

  private addBall(anchor: Anchor, body: number, radius: number): void {
    this.instances.add(
      `ball ${radius}`,
      { anchor, colour: this.colour(body), owner: { kind: 'body', index: body } },
      () => [sphere(radius, this.many), opaque()],
    );
  }

  private addDot(body: number): void {
    this.addBall({ body }, body, 2.5 * this.thickness);
  }

  private addInertia(index: number): void {
    const shape = this.data.header.scene.bodies[index].shape!;
    const anchor: Anchor = { body: index, at: shape.at, turn: shape.turn };
    if (shape.type === 'links') return;
    this.instances.add(
      JSON.stringify(['inertia', shape.type, shape.radius, shape.length, shape.size]),
      { anchor, colour: bodyColour(index), owner: { kind: 'body', index } },
      () => [bodyGeometry(shape, this.many), opaque()],
    );
  }

  /// How far what is drawn round the centre of mass reaches; 0: nothing is drawn there.
  private core(index: number, centre: Vector3, byInertia: boolean): number {
    const { bodies, shapes } = this.data.header.scene;
    const inertia = bodies[index].shape!;
    let reach = byInertia && inertia.type !== 'links' ? reachOf(inertia) : 0;
    for (const shape of shapes) {
      if (shape.on.body !== index || !solidTypes.has(shape.type)) continue;
      const r = reachOf(shape);
      if (toVector(shape.on.at).distanceTo(centre) < r) reach = Math.max(reach, r);
    }
    return reach;
  }

  /// Sticks from the centre of mass to everything on the body that would hang in the air.
  private addLinks(index: number, byInertia: boolean): void {
    const { scene } = this.data.header;
    const centre = toVector(scene.bodies[index].shape!.at);
    const core = this.core(index, centre, byInertia);
    const ends: Vector3[] = [];
    const take = (anchor: Anchor | undefined): void => {
      if (!anchor || anchor.body !== index) return;
      const end = toVector(anchor.at);
      if (end.distanceTo(centre) > 1.001 * core) ends.push(end);
    };
    for (const joint of scene.joints) {
      if (joint.type === 'lock') continue;
      take(joint.first);
      take(joint.second);
    }
    for (const force of scene.forces) [force.first, force.second].forEach(take);
    for (const shape of scene.shapes) if (linked.has(shape.type)) take(shape.on);
    const item = {
      anchor: { body: index },
      colour: bodyColour(index),
      owner: { kind: 'body' as const, index },
    };
    const links = ends.map((end) => stickBetween(centre, end)).filter((m) => m !== null);
    for (const local of links) {
      this.instances.add('link', { ...item, local }, () => [cylinder(this.thickness, 1), opaque()]);
    }
    if (core > 0) return;
    const cube = (links.length > 0 ? 3 : 5) * this.thickness;
    this.instances.add(
      `mass ${cube}`,
      { ...item, local: new Matrix4().makeTranslation(centre) },
      () => [whiten(new BoxGeometry(cube, cube, cube)), opaque()],
    );
  }
}
