// SPDX-License-Identifier: Apache-2.0
// Every shape of a model as triangles, z being the axis of what is round.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CatmullRomCurve3,
  CylinderGeometry,
  LatheGeometry,
  PlaneGeometry,
  SphereGeometry,
  TubeGeometry,
  Vector2,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import type { BodyShape, ColliderShape } from '../data';

const quarter = Math.PI / 2;

/// White and slightly darker octants: one sees a sphere turn.
function octants(geometry: BufferGeometry): BufferGeometry {
  const flat = geometry.toNonIndexed();
  const place = flat.getAttribute('position');
  const colour = new Float32Array(place.count * 3);
  for (let i = 0; i < place.count; i += 3) {
    const centre = [0, 1, 2].map((c) => {
      let sum = 0;
      for (let k = 0; k < 3; ++k) sum += place.getComponent(i + k, c);
      return sum;
    });
    const value = centre[0] * centre[1] * centre[2] > 0 ? 1 : 0.55;
    colour.fill(value, 3 * i, 3 * i + 9);
  }
  flat.setAttribute('color', new BufferAttribute(colour, 3));
  return flat;
}

export function whiten(geometry: BufferGeometry): BufferGeometry {
  const count = geometry.getAttribute('position').count;
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  return geometry;
}

export function sphere(radius: number, many: boolean): BufferGeometry {
  const n = many ? 16 : 48;
  return octants(new SphereGeometry(radius, n, n / 2).rotateX(quarter));
}

export function cylinder(radius: number, length: number): BufferGeometry {
  return whiten(new CylinderGeometry(radius, radius, length, 48).rotateX(quarter));
}

/// A cone of height 1 and base radius 1, standing on the origin along z.
export function cone(): BufferGeometry {
  return new CylinderGeometry(0, 1, 1, 20).rotateX(quarter).translate(0, 0, 0.5);
}
/// A cylinder of length 1 and radius 1, standing on the origin along z.
export function stick(): BufferGeometry {
  return new CylinderGeometry(1, 1, 1, 14).rotateX(quarter).translate(0, 0, 0.5);
}

/// A closed outline turned about z.
function turned(outline: [radius: number, z: number][]): BufferGeometry {
  const points = outline.map(([r, z]) => new Vector2(r, z));
  return whiten(new LatheGeometry(points, 96).rotateX(quarter).scale(1, -1, 1));
}

/// A ring with a cylindrical hole. Faces look outwards for an outline that runs clockwise in
/// (radius, z).
export function ring(inner: number, outer: number, length: number): BufferGeometry {
  const h = length / 2;
  return turned([
    [inner, h],
    [inner, -h],
    [outer, -h],
    [outer, h],
    [inner, h],
  ]);
}

/// The race of a ball bearing: a ring with a groove on the side that is open.
export function race(ringRadius: number, radius: number, opening: string): BufferGeometry {
  const outline: [number, number][] = [];
  const half = radius * 0.8;
  const outwards = opening === 'outwards';
  const side = outwards ? -1 : 1; // where the material is, seen from the circle of the centres
  const angle = Math.asin(half / radius);
  for (let i = 0; i <= 16; ++i) {
    const a = -angle + (2 * angle * i) / 16;
    outline.push([ringRadius + side * radius * Math.cos(a), radius * Math.sin(a)]);
  }
  const back = ringRadius + side * radius * 1.35;
  outline.push([back, half], [back, -half], outline[0]);
  return turned(outwards ? outline : outline.reverse());
}

/// A whole tube, seen from inside.
export function tube(ringRadius: number, radius: number): BufferGeometry {
  const outline: [number, number][] = [];
  for (let i = 0; i <= 32; ++i) {
    const a = (i / 32) * 2 * Math.PI;
    outline.push([ringRadius + radius * Math.cos(a), radius * Math.sin(a)]);
  }
  return turned(outline);
}

/// A coil spring along z, whose length may change.
export class Coil {
  readonly geometry: BufferGeometry;
  private centres: Float32Array; // of the wire, for length and radius 1
  private offsets: Float32Array; // from there to the surface of the wire

  constructor(
    private readonly radius: number,
    private readonly wire: number,
  ) {
    const curve = coilCurve(9);
    const [steps, around] = [240, 8];
    this.geometry = new TubeGeometry(curve, steps, 1, around);
    const place = this.geometry.getAttribute('position');
    this.centres = new Float32Array(3 * place.count);
    for (let i = 0; i < place.count; ++i) {
      curve.getPointAt(Math.floor(i / (around + 1)) / steps).toArray(this.centres, 3 * i);
    }
    this.offsets = (place.array as Float32Array).map((x, i) => x - this.centres[i]);
  }

  setLength(length: number): void {
    const place = this.geometry.getAttribute('position');
    const array = place.array as Float32Array;
    for (let i = 0; i < array.length; ++i) {
      const scale = i % 3 === 2 ? length : this.radius;
      array[i] = this.centres[i] * scale + this.offsets[i] * this.wire;
    }
    place.needsUpdate = true;
  }
}

function coilCurve(turns: number): CatmullRomCurve3 {
  const points: Vector3[] = [new Vector3(0, 0, 0), new Vector3(0, 0, 0.06)];
  const n = turns * 16;
  for (let i = 0; i <= n; ++i) {
    const a = (i / 16) * 2 * Math.PI;
    points.push(new Vector3(Math.cos(a), Math.sin(a), 0.1 + (0.8 * i) / n));
  }
  points.push(new Vector3(0, 0, 0.94), new Vector3(0, 0, 1));
  return new CatmullRomCurve3(points);
}

/// The box that grows by a sphere.
function box(size: [number, number, number], rounding: number): BufferGeometry {
  if (rounding === 0) return whiten(new BoxGeometry(...size));
  const [x, y, z] = size.map((edge) => edge + 2 * rounding);
  return whiten(new RoundedBoxGeometry(x, y, z, 6, rounding));
}

/// Flat triangles, each with corners of its own.
function triangles(shape: ColliderShape): BufferGeometry {
  const corners = shape.triangles!.flat().flatMap((i) => shape.vertices![i]);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return whiten(geometry);
}

/// A collider other than a plane or a point.
export function colliderGeometry(shape: ColliderShape, many: boolean): BufferGeometry {
  const r = shape.radius ?? 0;
  switch (shape.type) {
    case 'sphere':
      return sphere(r, many);
    case 'hollow_sphere':
      return whiten(new SphereGeometry(r, 48, 32).rotateX(quarter));
    case 'box':
      return box(shape.size as [number, number, number], shape.rounding ?? 0);
    case 'capsule':
      return whiten(new CapsuleGeometry(r, shape.length!, 16, 48).rotateX(quarter));
    case 'convex':
    case 'mesh':
      return triangles(shape);
    case 'cylinder':
      return cylinder(r, shape.length! > 0 ? shape.length! : 0.6 * r);
    case 'bore':
      return ring(r, 1.25 * r, shape.length!);
    case 'groove':
      return shape.opening === 'closed'
        ? tube(shape.ring_radius!, r)
        : race(shape.ring_radius!, r, shape.opening!);
    default:
      throw new Error(`no picture of the shape "${shape.type}"`);
  }
}

/// What the inertia of a body stands for.
export function bodyGeometry(shape: BodyShape, many: boolean): BufferGeometry {
  switch (shape.type) {
    case 'sphere':
      return sphere(shape.radius!, many);
    case 'box':
      return whiten(new BoxGeometry(shape.size![0], shape.size![1], shape.size![2]));
    case 'cylinder':
      return cylinder(shape.radius!, shape.length!);
    case 'rod':
      return cylinder(shape.length! / 40, shape.length!);
    default:
      throw new Error(`no picture of the shape "${shape.type}"`);
  }
}

export function plane(width: number, height: number): BufferGeometry {
  return whiten(new PlaneGeometry(width, height));
}
