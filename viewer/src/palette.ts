// SPDX-License-Identifier: Apache-2.0
// Colours that people with the usual kinds of colour blindness can tell apart: those of Okabe and
// Ito for categories, viridis for a scale.

export type Theme = 'light' | 'dark';

export interface Colours {
  background: [string, string];
  text: string;
  faint: string;
  line: string;
  cursor: string;
  ground: string;
  wall: string;
  grid: string;
  joint: string;
}

export const colours: Record<Theme, Colours> = {
  light: {
    background: ['#fbfcfd', '#dde3ea'],
    text: '#1c2430',
    faint: '#66707e',
    line: '#d5dae1',
    cursor: '#b3261e',
    ground: '#c9cfd6',
    wall: '#8ea3bb',
    grid: '#8d97a4',
    joint: '#39424e',
  },
  dark: {
    background: ['#2a313b', '#14181d'],
    text: '#e6eaf0',
    faint: '#97a1af',
    line: '#363e49',
    cursor: '#ff8a80',
    ground: '#5a6470',
    wall: '#56708f',
    grid: '#8a95a3',
    joint: '#cfd6df',
  },
};

/// Series of a plot by component; x, y, z as the axes in the view.
const components: Record<string, [light: string, dark: string]> = {
  x: ['#c44e00', '#ff9a4d'],
  y: ['#007a5a', '#3ddbac'],
  z: ['#0067a8', '#5cb8f2'],
  n: ['#1c2430', '#f0f3f7'],
  t1: ['#c44e00', '#ff9a4d'],
  t2: ['#0067a8', '#5cb8f2'],
  w: ['#6b7280', '#a9b2bd'],
};

const sequence: [light: string, dark: string][] = [
  ['#0067a8', '#5cb8f2'],
  ['#c44e00', '#ff9a4d'],
  ['#007a5a', '#3ddbac'],
  ['#a8357a', '#f08cc8'],
  ['#7a6a00', '#e6d44a'],
  ['#1c2430', '#f0f3f7'],
];

export function seriesColour(component: string, index: number, theme: Theme): string {
  const pair = components[component] ?? sequence[index % sequence.length];
  return pair[theme === 'light' ? 0 : 1];
}

/// Bodies in the view.
const bodyColours = [
  '#3b82b5',
  '#d98a2b',
  '#3f9d7d',
  '#b5658f',
  '#8a8f3a',
  '#6f7fc4',
  '#c76b52',
  '#5aa6b8',
];

export function bodyColour(index: number): string {
  return bodyColours[index % bodyColours.length];
}

export const highlight = '#ffc400';

/// States of a contact point: open, slips, sticks, and an impact.
export const statusColours = ['#98a2ae', '#e69f00', '#0072b2'];
export const statusNames = ['open', 'slips', 'sticks'];
export const impactColour = '#d0342c';

// Viridis from a seventh on: the beginning is too dark for a lit surface.
export const scale = [
  [70, 50, 126],
  [61, 78, 138],
  [49, 104, 142],
  [38, 130, 142],
  [31, 157, 138],
  [61, 183, 120],
  [119, 208, 82],
  [185, 222, 40],
  [253, 231, 37],
];

/// 0 … 1 to red, green, blue, each 0 … 1.
export function scaleColour(x: number, out: number[] | Float32Array, at = 0): void {
  const place = Math.min(1, Math.max(0, x)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(place));
  const f = place - i;
  for (let c = 0; c < 3; ++c) {
    out[at + c] = (scale[i][c] * (1 - f) + scale[i + 1][c] * f) / 255;
  }
}

export function scaleGradient(): string {
  return `linear-gradient(to right, ${scale.map((c) => `rgb(${c.join(',')})`).join(', ')})`;
}
