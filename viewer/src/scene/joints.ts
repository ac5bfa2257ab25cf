// SPDX-License-Identifier: Apache-2.0
// Joints as small symbols, springs as coils, massless rods as sticks.

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshPhongMaterial,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import type { Anchor, Force, Joint, Payload } from '../data';
import { colours, highlight, type Theme } from '../palette';
import type { Extent } from './extent';
import { Coil, stick } from './geometry';
import type { Motion } from './motion';

/// The symbol of a joint of size 1, its axis along z; none for locks and distances.
function symbol(type: string): BufferGeometry[] {
  const half = Math.PI / 2;
  const pin = (length: number, radius: number): BufferGeometry =>
    new CylinderGeometry(radius, radius, length, 24).rotateX(half);
  switch (type) {
    case 'revolute':
      return [pin(1.6, 0.28), new TorusGeometry(0.5, 0.14, 12, 32)];
    case 'cylindrical':
      return [pin(2.4, 0.22), pin(1.0, 0.5)];
    case 'prismatic':
      return [pin(2.8, 0.14), new BoxGeometry(0.9, 0.9, 1.1)];
    case 'spherical':
      return [new SphereGeometry(0.5, 24, 16)];
    case 'universal':
      return [pin(1.6, 0.18), pin(1.6, 0.18).rotateX(half), new SphereGeometry(0.32, 16, 12)];
    case 'planar':
    case 'point_on_plane':
    case 'knife_edge':
      return [new BoxGeometry(2.2, 2.2, 0.08), new SphereGeometry(0.3, 16, 12)];
    case 'point_on_line':
      return [pin(3, 0.12), new SphereGeometry(0.35, 16, 12)];
    case 'rolling':
      return [new SphereGeometry(0.35, 16, 12)];
    case 'fixed':
      return [new BoxGeometry(0.8, 0.8, 0.8)];
    default:
      return [];
  }
}

interface Symbol {
  joint: Joint;
  index: number;
  group: Group;
  material: MeshPhongMaterial;
}

/// A thing drawn between two places: a spring or a rod.
interface Span {
  first: Anchor;
  second: Anchor;
  mesh: Mesh;
  /// A coil keeps its width when it becomes longer, a stick is scaled.
  form: Coil | { width: number };
}

const z = new Vector3(0, 0, 1);
const one = new Vector3(1, 1, 1);
const a = new Vector3();
const b = new Vector3();
const turn = new Quaternion();
const matrix = new Matrix4();

export class Joints {
  readonly group = new Group();
  private symbols: Symbol[] = [];
  private spans: Span[] = [];
  private spring = new MeshPhongMaterial({ shininess: 60 });
  private rod = new MeshPhongMaterial({ shininess: 30 });
  private theme: Theme = 'light';

  constructor(data: Payload, extent: Extent) {
    const size = 0.022 * extent.size;
    const { joints, forces } = data.header.scene;
    // With very many of them symbols hide more than they show.
    if (joints.length <= 400) joints.forEach((joint, i) => this.addSymbol(joint, i, size));
    for (const joint of joints) {
      if (joint.type === 'distance') {
        const mesh = new Mesh(stick(), this.rod);
        this.addSpan(joint.first, joint.second, mesh, { width: 0.1 * size });
      }
    }
    for (const force of forces) this.addForce(force, size);
  }

  private addSymbol(joint: Joint, index: number, size: number): void {
    const parts = symbol(joint.type);
    if (parts.length === 0) return;
    const material = new MeshPhongMaterial({ shininess: 40 });
    const group = new Group();
    for (const part of parts) {
      const mesh = new Mesh(part, material);
      mesh.castShadow = true;
      mesh.userData.owner = { kind: 'joint', index };
      group.add(mesh);
    }
    group.userData.size = size;
    group.matrixAutoUpdate = false;
    this.group.add(group);
    this.symbols.push({ joint, index, group, material });
  }

  private addForce(force: Force, size: number): void {
    if (force.type !== 'spring_damper' && force.type !== 'bushing') return;
    const coil = new Coil(0.5 * size, 0.08 * size);
    this.addSpan(force.first!, force.second!, new Mesh(coil.geometry, this.spring), coil);
  }

  private addSpan(first: Anchor, second: Anchor, mesh: Mesh, form: Span['form']): void {
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    this.spans.push({ first, second, mesh, form });
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.spring.color.set(theme === 'light' ? '#6a5acd' : '#b9aeff');
    this.rod.color.set(colours[theme].joint);
    this.paint(null);
  }

  paint(selected: number | null): void {
    for (const { index, material } of this.symbols) {
      material.color.set(index === selected ? highlight : colours[this.theme].joint);
    }
  }

  update(motion: Motion): void {
    for (const { joint, group } of this.symbols) {
      const s = group.userData.size as number;
      motion.anchor(joint.first, group.matrix);
      // Of a sliding joint the part that moves is where the second body is.
      motion.anchor(joint.second, matrix);
      group.matrix.setPosition(a.setFromMatrixPosition(matrix));
      group.matrix.scale(b.set(s, s, s));
      group.matrixWorldNeedsUpdate = true;
    }
    for (const { first, second, mesh, form } of this.spans) {
      a.setFromMatrixPosition(motion.anchor(first, matrix));
      b.setFromMatrixPosition(motion.anchor(second, matrix));
      const way = b.clone().sub(a);
      const length = way.length();
      mesh.visible = length > 0;
      if (length === 0) continue;
      turn.setFromUnitVectors(z, way.divideScalar(length));
      if (form instanceof Coil) form.setLength(length);
      const scale = form instanceof Coil ? one : new Vector3(form.width, form.width, length);
      mesh.matrix.compose(a, turn, scale);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}
