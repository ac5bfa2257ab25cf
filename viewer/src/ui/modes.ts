// SPDX-License-Identifier: Apache-2.0
// The list of natural modes: a click or the keys up and down choose the one that swings.

import type { Mode, Payload } from '../data';
import { shortNumber, withUnit } from '../format';
import type { ModeMotion } from '../scene/modes';
import type { Store } from '../store';

/// "8.38129 Hz", or how it grows.
export function modeText(mode: { frequency: number; growth_rate: number }): string {
  if (mode.growth_rate > 0) return `unstable, grows by ${withUnit(mode.growth_rate, '1/s')}`;
  return mode.frequency > 0 ? withUnit(mode.frequency, 'Hz', 6) : '0 Hz, moves freely';
}

/// How a swing on the watch compares with the real one; nothing for what has no frequency.
/// @param speed  swings a second
export function slowness(frequency: number, speed: number): string {
  const ratio = frequency / speed;
  if (!(ratio > 1e-3)) return '';
  if (Math.abs(ratio - 1) < 0.05) return 'shown in real time';
  return ratio > 1
    ? `shown ${shortNumber(ratio, 2)} × slower than it is`
    : `shown ${shortNumber(1 / ratio, 2)} × faster than it is`;
}

type Cell = [title: string, text: (mode: Mode, index: number) => string];

export class ModeList {
  private rows: HTMLElement[];

  constructor(data: Payload, motion: ModeMotion, store: Store, host: HTMLElement) {
    const { modes } = data;
    const { bodies } = data.header.scene;
    const cells: Cell[] = [
      ['mode', (_, i) => String(i + 1)],
      ['frequency / Hz', (mode) => (mode.growth_rate > 0 ? '–' : shortNumber(mode.frequency, 6))],
    ];
    if (modes.some((mode) => mode.growth_rate > 0)) {
      const rate = (mode: Mode): string =>
        mode.growth_rate > 0 ? shortNumber(mode.growth_rate) : '–';
      cells.push(['growth rate / 1/s', rate]);
    }
    if (bodies.length > 1)
      cells.push(['moves farthest', (_, i) => bodies[motion.mostMoved(i)].name]);
    const list = document.createElement('div');
    list.className = 'mode-list';
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'modes');
    list.style.setProperty('--cells', `4em ${'minmax(0, 1fr) '.repeat(cells.length - 1)}`);
    const line = (texts: string[], className: string): HTMLElement => {
      const row = document.createElement('div');
      row.className = className;
      for (const text of texts) {
        const cell = document.createElement('span');
        cell.textContent = text;
        cell.title = text;
        row.append(cell);
      }
      return row;
    };
    const titles = cells.map(([title]) => title);
    this.rows = modes.map((mode, i) => {
      const row = line(
        cells.map(([, text]) => text(mode, i)),
        'mode',
      );
      row.setAttribute('role', 'option');
      row.addEventListener('click', () => store.setMode(i));
      return row;
    });
    list.append(line(titles, 'mode head'), ...this.rows);
    host.append(list);
    const { total } = data.header.modes!;
    const note = document.createElement('p');
    note.className = 'nothing';
    note.textContent =
      (modes.length < total ? `The first ${modes.length} of ${total} modes. ` : '') +
      'A mode has a shape but no size: how far it swings here is chosen below. The shape is that of ' +
      'small motions; drawn large, joints open a little and what turns seems to grow.';
    host.append(note);
    store.on('mode', (mode) => this.show(mode));
    this.show(store.mode);
  }

  private show(mode: number): void {
    this.rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === mode)));
    this.rows[mode].scrollIntoView({ block: 'nearest' });
  }
}
