// SPDX-License-Identifier: Apache-2.0
// The way that bodies have come.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from 'three';
import type { Payload } from '../data';
import { bodyColour, highlight } from '../palette';
import type { Motion } from './motion';

const mostBodies = 40; // with more of them only the selected one has a trail
const mostPoints = 4000;

interface Trail {
  line: Line;
  stride: number;
}

export class Trails {
  readonly group = new Group();
  private trails = new Map<number, Trail>();
  private few: boolean;
  private selected: number | null = null;

  constructor(
    private readonly data: Payload,
    private readonly motion: Motion,
  ) {
    const { bodies } = data.header.scene;
    this.few = bodies.length <= mostBodies;
    if (this.few) bodies.forEach((body, i) => body.kind !== 'solid' && this.add(i));
  }

  /// The centre of a body; of a beam or bar its end.
  private add(index: number): Trail {
    const stride = Math.max(1, Math.ceil(this.data.rows / mostPoints));
    const places: number[] = [];
    const place = new Vector3();
    const [row, fraction] = [this.motion.row, this.motion.fraction];
    const { kind, nodes } = this.data.header.scene.bodies[index];
    const isLine = (kind === 'beam' || kind === 'bar') && this.motion.hasNodes(index);
    for (let i = 0; i < this.data.rows; i += stride) {
      this.motion.setRow(i);
      if (isLine) this.motion.nodePlace(index, nodes - 1, place);
      else this.motion.bodyPlace(index, place);
      places.push(place.x, place.y, place.z);
    }
    [this.motion.row, this.motion.fraction] = [row, fraction];
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
    const material = new LineBasicMaterial({
      color: bodyColour(index),
      transparent: true,
      opacity: 0.75,
    });
    const trail = { line: new Line(geometry, material), stride };
    trail.line.frustumCulled = false;
    this.trails.set(index, trail);
    this.group.add(trail.line);
    return trail;
  }

  select(index: number | null): void {
    if (this.selected !== null && !this.few) {
      this.group.remove(this.trails.get(this.selected)!.line);
      this.trails.delete(this.selected);
    }
    this.selected = index;
    if (index !== null && index >= 0 && !this.trails.has(index)) this.add(index);
    for (const [i, { line }] of this.trails) {
      const material = line.material as LineBasicMaterial;
      material.color.set(i === index ? highlight : bodyColour(i));
    }
    if (index !== null && index < 0) this.selected = null;
  }

  update(): void {
    for (const { line, stride } of this.trails.values()) {
      line.geometry.setDrawRange(0, Math.floor(this.motion.row / stride) + 1);
    }
  }
}
