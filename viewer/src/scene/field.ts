// SPDX-License-Identifier: Apache-2.0
// Colours rigid things by how far each place of them moves in a mode: a linear field, so that the
// shader finds it exactly.

import { BufferGeometry, InstancedBufferAttribute, type Material } from 'three';
import { scale } from '../palette';

/// 3 × 4 numbers, row by row: from (x, y, z, 1) in a thing's own axes to its displacement over the
/// largest of all.
export type Field = Float32Array;

const ownColour = 9; // beyond the scale: no field
const names = ['fieldX', 'fieldY', 'fieldZ'];

const steps = scale.map((c) => `vec3(${c.map((x) => (x / 255).toFixed(4)).join(', ')})`);
const last = scale.length - 1;
const colourOfSize = `
  const vec3 fieldScale[${scale.length}] = vec3[](${steps.join(', ')});
  vec3 fieldColour(float size) {
    float place = min(1.0, size) * ${last}.0;
    int i = min(${last - 1}, int(place));
    vec3 colour = mix(fieldScale[i], fieldScale[i + 1], place - float(i));
    return sRGBTransferEOTF(vec4(colour, 1.0)).rgb;
  }`;

/// For all things of one form.
export class FieldColours {
  private readonly rows: InstancedBufferAttribute[];

  constructor(geometry: BufferGeometry, material: Material, count: number) {
    this.rows = names.map((name) => {
      const row = new InstancedBufferAttribute(new Float32Array(4 * count), 4);
      geometry.setAttribute(name, row);
      return row;
    });
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = `
        attribute vec4 fieldX, fieldY, fieldZ;
        varying vec3 displacement;
        ${shader.vertexShader}`.replace(
        '#include <begin_vertex>',
        `#include <begin_vertex>
        vec4 fieldPlace = vec4(position, 1.0);
        displacement =
          vec3(dot(fieldX, fieldPlace), dot(fieldY, fieldPlace), dot(fieldZ, fieldPlace));`,
      );
      shader.fragmentShader = `
        varying vec3 displacement;
        ${colourOfSize}
        ${shader.fragmentShader}`.replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        float fieldSize = length(displacement);
        if (fieldSize < ${ownColour / 2}) diffuseColor.rgb *= fieldColour(fieldSize);`,
      );
    };
  }

  /// @param field  null: its own colour
  set(index: number, field: Field | null): void {
    this.rows.forEach((row, r) => {
      for (let c = 0; c < 4; ++c) {
        row.setComponent(index, c, field ? field[4 * r + c] : c === 3 ? ownColour : 0);
      }
      row.needsUpdate = true;
    });
  }
}
