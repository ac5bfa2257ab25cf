// SPDX-License-Identifier: Apache-2.0
// What lies over the view: axes, legend, the mode that swings, and what is under the pointer.

import { Vector3 } from 'three';
import type { Payload } from '../data';
import { shortNumber, withPrefix, withUnit } from '../format';
import { impactColour, scaleGradient, seriesColour, statusColours, statusNames } from '../palette';
import type { View } from '../scene/view';
import type { Selection, Store } from '../store';
import { modeText, slowness } from './modes';

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
      const text = `<line x2="${x}" y2="${y}" stroke="${colour}"/>
        <text x="${1.32 * x}" y="${1.32 * y}" fill="${colour}">${name}</text>`;
      return { depth: v.z, text };
    });
    parts.sort((p, q) => p.depth - q.depth);
    svg.innerHTML = parts.map((p) => p.text).join('');
  });
}

function stressLegend(data: Payload, largest: number): string {
  const kinds = new Set(data.header.scene.bodies.map((b) => b.kind));
  const lines =
    kinds.has('beam') || kinds.has('bar') ? ['largest normal stress in the section'] : [];
  if (kinds.has('solid')) lines.push('von Mises stress of solids');
  const end = withPrefix(largest, 'Pa');
  return `<div>${lines.join(', ')}
    <div class="scale" style="background:${scaleGradient()}"></div>
    <div class="ends"><span>0</span><span>${end}</span></div></div>`;
}

function displacementLegend(view: View, store: Store): string {
  const end = withPrefix(view.modes!.defaultReach * store.amplitude, 'm');
  return `<div>size of the displacement, as drawn
    <div class="scale" style="background:${scaleGradient()}"></div>
    <div class="ends"><span>0</span><span>${end}</span></div></div>`;
}

function contactLegend(data: Payload, largest: number): string {
  const dot = (colour: string, text: string): string =>
    `<i style="background:${colour}"></i>${text} `;
  const dots = [1, 2].map((state) => dot(statusColours[state], statusNames[state]));
  const step = (data.end - data.start) / Math.max(1, data.rows - 1);
  const span = unbroken(withPrefix(step, 's'));
  const longest = unbroken(withUnit(largest, 'N s', 3));
  return `<div>contact ${dots.join('')}${dot(impactColour, 'impact')}<br>
    arrows: impulse on the second body in ${span}, full length ${longest}; impacts fade</div>`;
}

function addLegend(data: Payload, view: View, store: Store, host: HTMLElement): void {
  const legend = document.createElement('div');
  legend.className = 'legend';
  host.append(legend);
  const { flexible, contacts, planes } = view;
  const fill = (): void => {
    const { shown } = store;
    const stress = flexible.hasStress ? stressLegend(data, flexible.largest) : '';
    const touches = shown.contacts && contacts.largest > 0 && !view.modes;
    legend.innerHTML = [
      shown.stress ? (view.modes ? displacementLegend(view, store) : stress) : '',
      touches ? contactLegend(data, contacts.largest) : '',
      shown.grid ? `<div>grid ${withPrefix(planes.spacing, 'm')}</div>` : '',
    ].join('');
  };
  store.on('shown', fill);
  store.on('mode', fill);
  store.on('amplitude', fill);
  fill();
}

/// Which mode swings, over the picture and in the title of the page.
function addCaption(data: Payload, store: Store, host: HTMLElement): void {
  const caption = document.createElement('div');
  caption.className = 'caption';
  caption.innerHTML = '<b></b><span></span>';
  host.append(caption);
  const [name, note] = [...caption.children];
  const title = document.title;
  const fill = (): void => {
    const mode = data.modes[store.mode];
    const text = `Mode ${store.mode + 1} of ${data.header.modes!.total} · ${modeText(mode)}`;
    name.textContent = text;
    note.textContent = slowness(mode.frequency, store.speed);
    document.title = `Mode ${store.mode + 1}, ${modeText(mode)} – ${title}`;
  };
  store.on('mode', fill);
  store.on('speed', fill);
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
  if (view.modes) addCaption(data, store, host);
  addPointer(data, view, store, host);
}
