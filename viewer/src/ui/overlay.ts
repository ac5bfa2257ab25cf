// SPDX-License-Identifier: Apache-2.0
// What lies over the view: axes, legend, and what is under the pointer.

import { Vector3 } from 'three';
import type { Payload } from '../data';
import { shortNumber, withPrefix, withUnit } from '../format';
import { impactColour, scaleGradient, seriesColour, statusColours, statusNames } from '../palette';
import type { View } from '../scene/view';
import type { Selection, Store } from '../store';

/// The inertial axes, as they point on the screen.
function addTriad(view: View, store: Store, host: HTMLElement): void {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'triad');
  svg.setAttribute('viewBox', '-40 -40 80 80');
  host.append(svg);
  const axes: [string, Vector3][] = [
    ['x', new Vector3(1, 0, 0)],
    ['y', new Vector3(0, 1, 0)],
    ['z', new Vector3(0, 0, 1)],
  ];
  view.afterRender(() => {
    const turn = view.stage.camera.quaternion.clone().invert();
    const parts = axes.map(([name, axis]) => {
      const v = axis.clone().applyQuaternion(turn);
      const colour = seriesColour(name, 0, store.theme);
      const [x, y] = [26 * v.x, -26 * v.y];
      return {
        depth: v.z,
        text:
          `<line x2="${x}" y2="${y}" stroke="${colour}" stroke-width="2.5" stroke-linecap="round"/>` +
          `<text x="${1.32 * x}" y="${1.32 * y}" fill="${colour}">${name}</text>`,
      };
    });
    parts.sort((p, q) => p.depth - q.depth);
    svg.innerHTML = parts.map((p) => p.text).join('');
  });
}

function addLegend(data: Payload, view: View, store: Store, host: HTMLElement): void {
  const legend = document.createElement('div');
  legend.className = 'legend';
  host.append(legend);
  const fill = (): void => {
    const parts: string[] = [];
    if (store.shown.stress && view.flexible.hasStress) {
      const kinds = new Set(data.header.scene.bodies.map((b) => b.kind));
      const what = kinds.has('solid')
        ? kinds.has('beam') || kinds.has('bar')
          ? 'von Mises (solids), largest normal stress (beams)'
          : 'von Mises stress'
        : 'largest normal stress in the section';
      parts.push(
        `<div>${what}<div class="scale" style="background:${scaleGradient()}"></div>` +
          `<div class="ends"><span>0</span><span>${withPrefix(view.flexible.largest, 'Pa')}</span></div></div>`,
      );
    }
    if (store.shown.contacts && view.contacts.largest > 0) {
      const step = (data.end - data.start) / Math.max(1, data.rows - 1);
      const dot = (colour: string, text: string): string =>
        `<i style="background:${colour}"></i>${text} `;
      parts.push(
        `<div>contact ${dot(statusColours[1], statusNames[1])}${dot(
          statusColours[2],
          statusNames[2],
        )}${dot(impactColour, 'impact')}<br>` +
          `arrows: impulse on the second body in ${unbroken(withPrefix(step, 's'))}, the longest ${unbroken(
            withUnit(view.contacts.largest, 'N s', 3),
          )}; impacts fade</div>`,
      );
    }
    if (store.shown.grid) parts.push(`<div>grid ${withPrefix(view.planes.spacing, 'm')}</div>`);
    legend.innerHTML = parts.join('');
  };
  store.on('shown', fill);
  fill();
}

function unbroken(text: string): string {
  return text.replace(/ /g, '\u00a0');
}

export function describe(data: Payload, selection: Selection): string {
  if (!selection) return '';
  if (selection.kind !== 'body')
    return `${selection.kind === 'group' ? 'contact' : selection.kind} ${selection.name}`;
  const { name, kind, mass } = data.header.scene.bodies[selection.index];
  return `${name} (${kind.replace('_', ' ')}${mass ? `, ${shortNumber(mass)} kg` : ''})`;
}

/// Names under the pointer; a click selects.
function addPointer(data: Payload, view: View, store: Store, host: HTMLElement): void {
  const canvas = view.stage.renderer.domElement;
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  host.append(tip);
  const few = data.header.scene.bodies.length <= 500; // looking costs time
  let down: [number, number] | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    down = [event.offsetX, event.offsetY];
    tip.hidden = true;
  });
  canvas.addEventListener('pointerup', (event) => {
    const still = down && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 4;
    down = null;
    if (still) store.select(view.pick(event.offsetX, event.offsetY));
  });
  let waiting = false;
  canvas.addEventListener('pointermove', (event) => {
    if (down || waiting || !few || store.playing) return;
    waiting = true;
    const { offsetX, offsetY } = event;
    requestAnimationFrame(() => {
      waiting = false;
      const text = describe(data, view.pick(offsetX, offsetY));
      tip.hidden = text === '';
      tip.textContent = text;
      tip.style.transform = `translate(${offsetX + 14}px, ${offsetY + 10}px)`;
    });
  });
  canvas.addEventListener('pointerleave', () => (tip.hidden = true));
}

export function addOverlays(data: Payload, view: View, store: Store, host: HTMLElement): void {
  addTriad(view, store, host);
  addLegend(data, view, store, host);
  addPointer(data, view, store, host);
}
