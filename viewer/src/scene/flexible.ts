// SPDX-License-Identifier: Apache-2.0
// Beams and bars swept along their nodes, solids by their surface, coloured by stress or, of modes,
// by the size of the displacement.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshPhongMaterial,
  Quaternion,
  SRGBColorSpace,
  Vector3,
} from 'three';
import type { Body, Numbers, Payload, Section } from '../data';
import { bodyColour, highlight, scaleColour } from '../palette';
import { ModeMotion } from './modes';
import type { Motion } from './motion';
import { toQuaternion } from './motion';
import { beamStress, solidStress, type StressField } from './stress';

const linear = new Color();
const rgb = [0, 0, 0];
/// The colour of 0 … 1.
export function setScaleColour(x: number, out: Color): Color {
  scaleColour(x, rgb);
  return out.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace);
}

abstract class FlexibleBody {
  readonly group = new Group();
  stress: StressField | null = null;
  protected geometry = new BufferGeometry();
  protected places!: Float32Array;
  protected colours!: Float32Array;
  protected mesh!: Mesh;
  private own = new Color();

  constructor(
    protected readonly body: Body,
    protected readonly index: number,
  ) {
    this.own.set(bodyColour(index));
  }

  protected finish(count: number, triangles: ArrayLike<number>): void {
    this.places = new Float32Array(3 * count);
    this.colours = new Float32Array(3 * count).fill(1);
    const dynamic = (array: Float32Array): BufferAttribute =>
      new BufferAttribute(array, 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute('position', dynamic(this.places));
    this.geometry.setAttribute('color', dynamic(this.colours));
    this.geometry.setIndex(Array.from(triangles));
    const material = new MeshPhongMaterial({
      vertexColors: true,
      shininess: 30,
      specular: '#202020',
    });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.userData.owner = { kind: 'body', index: this.index };
    this.group.add(this.mesh);
  }

  protected colour(at: number, value: number, largest: number): void {
    if (Number.isNaN(value)) this.own.toArray(this.colours, at);
    else setScaleColour(largest > 0 ? value / largest : 0, linear).toArray(this.colours, at);
  }

  setSelected(selected: boolean): void {
    this.own.set(selected ? highlight : bodyColour(this.index));
    const material = this.mesh.material as MeshPhongMaterial;
    material.emissive.set(selected ? highlight : '#000000');
    material.emissiveIntensity = selected ? 0.08 : 0; // the colours of the stress stay
  }

  protected done(): void {
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.getAttribute('color').needsUpdate = true;
    this.geometry.computeVertexNormals();
    this.geometry.computeBoundingSphere();
  }

  /// @param field    what colours it
  /// @param largest  its value at the end of the scale; 0: no colours
  abstract update(motion: Motion, field: StressField | null, largest: number): void;
}

const pieces = 4; // of an element

function outline(section: Section): [number, number][] {
  if (section.type === 'round') {
    const n = 16;
    return Array.from({ length: n }, (_, i) => {
      const a = (2 * Math.PI * i) / n;
      return [section.radius! * Math.cos(a), section.radius! * Math.sin(a)];
    });
  }
  const [b, h] = [section.width! / 2, section.height! / 2];
  // Each corner twice, so that edges stay sharp.
  return [
    [b, -h],
    [b, h],
    [b, h],
    [-b, h],
    [-b, h],
    [-b, -h],
    [-b, -h],
    [b, -h],
  ];
}

class Beam extends FlexibleBody {
  private ring: [number, number][];
  private places0 = new Vector3();
  private places1 = new Vector3();
  private turn0 = new Quaternion();
  private turn1 = new Quaternion();
  private turn = new Quaternion();
  private point = new Vector3();

  constructor(body: Body, index: number, data: Payload) {
    super(body, index);
    this.stress = beamStress(data, body);
    this.ring = outline(body.section!);
    const stations = (body.nodes - 1) * pieces + 1;
    const n = this.ring.length;
    const triangles: number[] = [];
    const sharp = body.section!.type === 'rectangle';
    for (let s = 0; s + 1 < stations; ++s) {
      for (let i = 0; i < n; i += sharp ? 2 : 1) {
        const [a, b] = [s * n + i, s * n + ((i + 1) % n)];
        triangles.push(a, b, b + n, a, b + n, a + n);
      }
    }
    const cap = stations * n; // rings of their own for the ends
    for (let i = 1; i + 1 < n; ++i) {
      triangles.push(cap, cap + i + 1, cap + i, cap + n, cap + n + i, cap + n + i + 1);
    }
    this.finish(cap + 2 * n, triangles);
  }

  private turnAt(motion: Motion, node: number, out: Quaternion): Quaternion {
    if (this.body.kind === 'bar') {
      // z of the bar's frame is along it; the outline's axis is x.
      return toQuaternion(this.body.turn, out).multiply(
        new Quaternion().setFromUnitVectors(new Vector3(1, 0, 0), new Vector3(0, 0, 1)),
      );
    }
    return motion.nodeTurn(this.index, node, out);
  }

  update(motion: Motion, field: StressField | null, largest: number): void {
    const n = this.ring.length;
    const stations = (this.body.nodes - 1) * pieces + 1;
    for (let k = 0; k < this.body.nodes - 1; ++k) {
      motion.nodePlace(this.index, k, this.places0);
      motion.nodePlace(this.index, k + 1, this.places1);
      this.turnAt(motion, k, this.turn0);
      this.turnAt(motion, k + 1, this.turn1);
      const length = this.places0.distanceTo(this.places1);
      const t0 = new Vector3(length, 0, 0).applyQuaternion(this.turn0);
      const t1 = new Vector3(length, 0, 0).applyQuaternion(this.turn1);
      const value = (node: number): number =>
        largest > 0 && field ? field.atNode(node, motion.row) : NaN;
      const [s0, s1] = [value(k), value(k + 1)];
      for (let p = 0; p <= pieces; ++p) {
        if (p === pieces && k < this.body.nodes - 2) break;
        const f = p / pieces;
        // The cubic with the sections' normals as tangents at the nodes.
        const h00 = 2 * f ** 3 - 3 * f ** 2 + 1;
        const h10 = f ** 3 - 2 * f ** 2 + f;
        const h01 = -2 * f ** 3 + 3 * f ** 2;
        const h11 = f ** 3 - f ** 2;
        this.point
          .set(0, 0, 0)
          .addScaledVector(this.places0, h00)
          .addScaledVector(t0, h10)
          .addScaledVector(this.places1, h01)
          .addScaledVector(t1, h11);
        this.turn.slerpQuaternions(this.turn0, this.turn1, f);
        this.setRing((k * pieces + p) * n, s0 + f * (s1 - s0), largest);
      }
    }
    for (const [from, to] of [
      [0, stations * n],
      [(stations - 1) * n, (stations + 1) * n],
    ]) {
      this.places.copyWithin(3 * to, 3 * from, 3 * (from + n));
      this.colours.copyWithin(3 * to, 3 * from, 3 * (from + n));
    }
    this.done();
  }

  private setRing(first: number, stress: number, largest: number): void {
    const corner = new Vector3();
    this.ring.forEach(([y, z], i) => {
      corner.set(0, y, z).applyQuaternion(this.turn).add(this.point);
      corner.toArray(this.places, 3 * (first + i));
      this.colour(3 * (first + i), stress, largest);
    });
  }
}

class Solid extends FlexibleBody {
  private surface: Numbers;
  private point = new Vector3();

  constructor(body: Body, index: number, data: Payload) {
    super(body, index);
    this.stress = solidStress(data, body);
    this.surface = data.array(body.surface!);
    this.finish(this.surface.length, data.array(body.triangles!));
    (this.mesh.material as MeshPhongMaterial).flatShading = true;
    const lines = new BufferGeometry();
    lines.setAttribute('position', this.geometry.getAttribute('position'));
    lines.setIndex(Array.from(data.array(body.edges!)));
    const material = new LineBasicMaterial({ color: '#101418', transparent: true, opacity: 0.35 });
    const edges = new LineSegments(lines, material);
    edges.frustumCulled = false;
    this.group.add(edges);
  }

  update(motion: Motion, field: StressField | null, largest: number): void {
    this.surface.forEach((node, i) => {
      motion.nodePlace(this.index, node, this.point).toArray(this.places, 3 * i);
      const value = largest > 0 && field ? field.atNode(node, motion.row) : NaN;
      this.colour(3 * i, value, largest);
    });
    this.done();
  }
}

export class FlexibleBodies {
  readonly group = new Group();
  readonly largest: number;
  private bodies = new Map<number, FlexibleBody>();

  constructor(
    private readonly data: Payload,
    motion: Motion,
  ) {
    data.header.scene.bodies.forEach((body, i) => {
      if (!motion.hasNodes(i)) return;
      const made = body.kind === 'solid' ? new Solid(body, i, data) : new Beam(body, i, data);
      this.bodies.set(i, made);
      this.group.add(made.group);
    });
    this.largest = this.findLargest();
  }

  get hasStress(): boolean {
    return this.largest > 0;
  }

  /// The largest stress of a body at each row: a curve.
  envelope(index: number): Float64Array | null {
    const field = this.bodies.get(index)?.stress;
    if (!field) return null;
    const nodes = this.data.header.scene.bodies[index].nodes;
    const result = new Float64Array(this.data.rows);
    for (let row = 0; row < result.length; ++row) {
      for (let n = 0; n < nodes; ++n) result[row] = Math.max(result[row], field.atNode(n, row));
    }
    return result;
  }

  private findLargest(): number {
    let largest = 0;
    for (const index of this.bodies.keys()) {
      for (const value of this.envelope(index) ?? []) largest = Math.max(largest, value);
    }
    return largest;
  }

  paint(selected: number | null): void {
    for (const [index, body] of this.bodies) body.setSelected(index === selected);
  }

  update(motion: Motion, coloured: boolean): void {
    const modes = motion instanceof ModeMotion ? motion : null;
    const largest = modes ? modes.largest : this.largest;
    for (const [index, body] of this.bodies) {
      const field = modes ? { atNode: (node: number) => modes.sizeAt(index, node) } : body.stress;
      body.update(motion, field, coloured ? largest : 0);
    }
  }
}
