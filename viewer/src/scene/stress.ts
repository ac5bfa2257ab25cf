// SPDX-License-Identifier: Apache-2.0
// The stress that colours flexible bodies.

import type { Body, Numbers, Payload } from '../data';

/// What colours a flexible body: a value for each node at a row.
export interface StressField {
  atNode(node: number, row: number): number;
}

/// The largest normal stress in the section at mid-element, E (|ε| + |κ_y| h/2 + |κ_z| b/2): the
/// mean of a node's elements.
export function beamStress(data: Payload, body: Body): StressField | null {
  const section = body.section!;
  const halfY = section.type === 'round' ? section.radius! : section.width! / 2;
  const halfZ = section.type === 'round' ? section.radius! : section.height! / 2;
  const elements: Numbers[][] = [];
  for (let k = 0; k < body.nodes - 1; ++k) {
    const name = `${body.name}.element${k}`;
    const columns =
      body.kind === 'bar'
        ? [data.values(`${name}.strain`)]
        : [
            data.values(`${name}.strain.x`),
            data.values(`${name}.curvature.y`),
            data.values(`${name}.curvature.z`),
          ];
    if (columns.some((c) => c === undefined)) return null;
    elements.push(columns as Numbers[]);
  }
  const E = body.young_modulus!;
  const inElement = (k: number, row: number): number => {
    const [strain, y, z] = elements[k];
    const bending = y ? Math.abs(y[row]) * halfZ + Math.abs(z[row]) * halfY : 0;
    return E * (Math.abs(strain[row]) + bending);
  };
  return {
    atNode(node, row) {
      const before = node > 0 ? inElement(node - 1, row) : NaN;
      const after = node < body.nodes - 1 ? inElement(node, row) : NaN;
      return node === 0 ? after : node === body.nodes - 1 ? before : (before + after) / 2;
    },
  };
}

export function solidStress(data: Payload, body: Body): StressField | null {
  const nodes: (Numbers | undefined)[] = [];
  for (let i = 0; i < body.nodes; ++i) nodes.push(data.values(`${body.name}.node${i}.von_mises`));
  if (nodes.some((n) => n === undefined)) return null;
  return { atNode: (node, row) => nodes[node]![row] };
}
