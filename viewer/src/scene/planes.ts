// SPDX-License-Identifier: Apache-2.0
// Half-spaces and faces: infinite ones are drawn as far as the mechanism goes. They are seen from
// their free side only, so that walls do not hide what is between them.

import {
  BufferGeometry,
  CanvasTexture,
  DoubleSide,
  Float32BufferAttribute,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  Matrix4,
  Mesh,
  MeshPhongMaterial,
  RepeatWrapping,
  Vector3,
} from 'three';
import type { ColliderShape, Payload } from '../data';
import { niceBelow } from '../format';
import { bodyColour, colours, type Theme } from '../palette';
import type { Extent } from './extent';
import { plane } from './geometry';
import type { Motion } from './motion';

interface Sheet {
  shape: ColliderShape;
  mesh: Mesh;
  offset: Matrix4; // of the rectangle's centre in the plane
  texture: CanvasTexture | null;
  isFloor: boolean;
}

/// Corners of the box in the plane's own axes: how far along them it reaches.
function cover(frame: Matrix4, extent: Extent, margin: number): [number, number, number, number] {
  const inverse = frame.clone().invert();
  const corner = new Vector3();
  const range = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < 8; ++i) {
    const { min, max } = extent.box;
    corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    corner.applyMatrix4(inverse);
    range[0] = Math.min(range[0], corner.x - margin);
    range[1] = Math.max(range[1], corner.x + margin);
    range[2] = Math.min(range[2], corner.y - margin);
    range[3] = Math.max(range[3], corner.y + margin);
  }
  return range as [number, number, number, number];
}

/// Stripes across the direction in which a belt runs.
function stripes(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 64;
  canvas.height = 4;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, 64, 4);
  context.fillStyle = '#9aa3ad';
  context.fillRect(0, 0, 8, 4);
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}

export class Planes {
  readonly group = new Group();
  readonly spacing: number;
  private sheets: Sheet[] = [];
  private grid: LineSegments;
  private readonly size: number;
  private readonly lines = new LineBasicMaterial({ transparent: true, opacity: 0.45 });

  constructor(
    data: Payload,
    motion: Motion,
    private readonly extent: Extent,
  ) {
    this.size = extent.size;
    this.spacing = niceBelow(extent.size / 6);
    let floor: Matrix4 | null = null;
    for (const shape of data.header.scene.shapes) {
      if (shape.type !== 'half_space' && shape.type !== 'face') continue;
      const frame = motion.anchor(shape.on, new Matrix4());
      const isFloor = this.isFloor(shape, frame);
      if (isFloor && !floor) floor = frame.clone();
      this.addSheet(shape, frame, isFloor);
    }
    this.grid = this.makeGrid(floor);
    this.group.add(this.grid);
  }

  private isFloor(shape: ColliderShape, frame: Matrix4): boolean {
    const normal = new Vector3().setFromMatrixColumn(frame, 2);
    return shape.on.body < 0 && !shape.size && normal.dot(this.extent.up) > 0.95;
  }

  private addSheet(shape: ColliderShape, frame: Matrix4, isFloor: boolean): void {
    const margin = isFloor ? 0.12 * this.size : 0.02 * this.size;
    const own = 0.75 * (this.extent.reach[shape.on.body] || 0.5 * this.size);
    const [x0, x1, y0, y1] = shape.size
      ? [-shape.size[0] / 2, shape.size[0] / 2, -shape.size[1] / 2, shape.size[1] / 2]
      : shape.on.body >= 0
        ? [-own, own, -own, own]
        : cover(frame, this.extent, margin);
    const material = new MeshPhongMaterial({
      vertexColors: true,
      shininess: 0,
      side: shape.size ? DoubleSide : FrontSide,
      transparent: true,
      opacity: isFloor ? 0.95 : 0.8,
      depthWrite: isFloor,
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 8,
    });
    const geometry = plane(x1 - x0, y1 - y0);
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.userData.owner = { kind: 'body', index: shape.on.body };
    let texture: CanvasTexture | null = null;
    if (shape.belt) {
      texture = stripes();
      texture.rotation = Math.atan2(shape.belt[1], shape.belt[0]);
      texture.repeat.set((x1 - x0) / this.spacing, (y1 - y0) / this.spacing);
      material.map = texture;
    }
    const offset = new Matrix4().makeTranslation((x0 + x1) / 2, (y0 + y1) / 2, 0);
    mesh.add(this.border(x1 - x0, y1 - y0));
    this.sheets.push({ shape, mesh, offset, texture, isFloor });
    this.group.add(mesh);
  }

  private border(width: number, height: number): LineLoop {
    const [x, y] = [width / 2, height / 2];
    const geometry = new BufferGeometry();
    const corners = [-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0];
    geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
    return new LineLoop(geometry, this.lines);
  }

  /// On the floor, or under the mechanism, or behind what moves in a plane.
  private makeGrid(floor: Matrix4 | null): LineSegments {
    const { box, up, flat } = this.extent;
    const frame = floor ?? new Matrix4();
    if (!floor) {
      const normal = flat ?? up;
      const centre = box.getCenter(new Vector3());
      const half = box.getSize(new Vector3()).multiplyScalar(0.5);
      const depth = Math.abs(half.dot(normal)) + 0.002 * this.size;
      const side = Math.abs(normal.z) > 0.5 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
      const other = new Vector3().crossVectors(normal, side).normalize();
      side.crossVectors(other, normal);
      frame.makeBasis(side, other, normal);
      frame.setPosition(centre.addScaledVector(normal, -depth));
    }
    const [x0, x1, y0, y1] = cover(frame, this.extent, 0.12 * this.size);
    // Lines where the coordinates along the grid's axes are multiples of the spacing.
    const lines: number[] = [];
    const h = this.spacing;
    const shift = new Vector3().setFromMatrixPosition(frame);
    const along = [0, 1].map((c) => new Vector3().setFromMatrixColumn(frame, c).dot(shift));
    for (let k = Math.ceil((x0 + along[0]) / h); k * h - along[0] <= x1; ++k) {
      const x = k * h - along[0];
      lines.push(x, y0, 0, x, y1, 0);
    }
    for (let k = Math.ceil((y0 + along[1]) / h); k * h - along[1] <= y1; ++k) {
      const y = k * h - along[1];
      lines.push(x0, y, 0, x1, y, 0);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(lines, 3));
    const grid = new LineSegments(geometry, this.lines);
    grid.matrixAutoUpdate = false;
    grid.matrix.copy(frame).multiply(new Matrix4().makeTranslation(0, 0, 5e-4 * this.size));
    return grid;
  }

  showGrid(shown: boolean): void {
    this.grid.visible = shown;
  }

  setTheme(theme: Theme): void {
    this.lines.color.set(colours[theme].grid);
    for (const { mesh, shape, isFloor } of this.sheets) {
      const material = mesh.material as MeshPhongMaterial;
      const fixed = isFloor ? colours[theme].ground : colours[theme].wall;
      material.color.set(shape.on.body < 0 ? fixed : bodyColour(shape.on.body));
    }
  }

  update(motion: Motion, time: number): void {
    for (const { shape, mesh, offset, texture } of this.sheets) {
      motion.anchor(shape.on, mesh.matrix).multiply(offset);
      mesh.matrixWorldNeedsUpdate = true;
      if (texture && shape.belt) {
        texture.offset.x = -(time * Math.hypot(shape.belt[0], shape.belt[1])) / this.spacing;
      }
    }
  }
}
