// SPDX-License-Identifier: Apache-2.0
// Things that move without changing their form, many of one form drawn at once.

import {
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Material,
  Matrix4,
} from 'three';
import type { Anchor } from '../data';
import { highlight } from '../palette';
import { FieldColours, type Field } from './field';
import type { Motion } from './motion';

export interface Item {
  anchor: Anchor;
  local?: Matrix4; // from the item's own axes to the anchor's
  colour: string;
  /// What a click on it selects.
  owner: { kind: 'body' | 'joint'; index: number };
}

class Batch {
  readonly items: Item[] = [];
  mesh: InstancedMesh | null = null;
  field: FieldColours | null = null;
  constructor(
    readonly geometry: BufferGeometry,
    readonly material: Material,
  ) {}
}

const matrix = new Matrix4();
const colour = new Color();

export class Instances {
  readonly group = new Group();
  private batches = new Map<string, Batch>();

  /// @param key  same key, same form and material
  add(key: string, item: Item, make: () => [BufferGeometry, Material]): void {
    let batch = this.batches.get(key);
    if (!batch) {
      batch = new Batch(...make());
      this.batches.set(key, batch);
    }
    batch.items.push(item);
  }

  /// When all are added.
  /// @param fielded  they may be coloured by a field
  build(shadows: boolean, fielded = false): void {
    for (const batch of this.batches.values()) {
      const { geometry, material, items } = batch;
      if (fielded) batch.field = new FieldColours(geometry, material, items.length);
      const mesh = new InstancedMesh(batch.geometry, batch.material, batch.items.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = shadows && !batch.material.transparent;
      mesh.receiveShadow = shadows;
      mesh.userData.owners = batch.items.map((item) => item.owner);
      batch.mesh = mesh;
      this.group.add(mesh);
    }
    this.paint(null);
  }

  update(motion: Motion): void {
    for (const { items, mesh } of this.batches.values()) {
      items.forEach((item, i) => {
        motion.anchor(item.anchor, matrix);
        if (item.local) matrix.multiply(item.local);
        mesh!.setMatrixAt(i, matrix);
      });
      mesh!.instanceMatrix.needsUpdate = true;
      mesh!.boundingSphere = null; // for picking
    }
  }

  /// Colours; what is selected stands out.
  /// @param fieldOf  what colours an item instead of its own colour
  paint(
    selected: { kind: string; index: number } | null,
    fieldOf: (item: Item) => Field | null = () => null,
  ): void {
    for (const { items, mesh, field } of this.batches.values()) {
      items.forEach((item, i) => {
        const { kind, index } = item.owner;
        const on = selected !== null && selected.kind === kind && selected.index === index;
        const values = on ? null : fieldOf(item);
        field?.set(i, values);
        mesh!.setColorAt(i, colour.set(on ? highlight : values ? '#ffffff' : item.colour));
      });
      if (mesh!.instanceColor) mesh!.instanceColor.needsUpdate = true;
    }
  }
}
