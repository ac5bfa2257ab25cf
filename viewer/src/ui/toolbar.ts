// SPDX-License-Identifier: Apache-2.0
// Buttons over the view, and keys.

import type { View } from '../scene/view';
import type { View as Side } from '../scene/stage';
import type { Shown, Store } from '../store';
import type { Playback } from './transport';

const sides: [Side, string, string][] = [
  ['default', 'Fit', '1'],
  ['front', 'Front', '2'],
  ['side', 'Side', '3'],
  ['top', 'Top', '4'],
];
const toggles: [keyof Shown, string, string][] = [
  ['contacts', 'Contacts', 'c'],
  ['trails', 'Trails', 't'],
  ['joints', 'Joints', 'j'],
  ['stress', 'Stress', 's'],
  ['grid', 'Grid', 'g'],
];

/// What modes do not have.
const aboutTime = new Set<keyof Shown>(['contacts', 'trails']);

export function keyHelp(modes: boolean): [string, string][] {
  const first: [string, string][] = modes
    ? [
        ['↑ ↓', 'the mode before or after'],
        ['← →', 'a bit of the swing back or on; with shift more'],
        ['Home End', 'to rest, to the end of the swing'],
        [', .', 'smaller, larger amplitude'],
      ]
    : [
        ['← →', 'one row back or on; with shift ten'],
        ['Home End', 'to the start or the end'],
      ];
  return [
    ['space', 'play or pause'],
    ...first,
    ['+ −', 'faster, slower'],
    ['1 2 3 4', 'look at everything; from the front, the side, the top'],
    ['f', 'follow the selected body'],
    modes
      ? ['j s g', 'joints, colours, grid']
      : ['c t j s g', 'contacts, trails, joints, stress, grid'],
    ['d', 'dark or light'],
    ['Esc', 'select nothing'],
    ['?', 'this list'],
  ];
}

export class Toolbar {
  private buttons = new Map<keyof Shown, HTMLButtonElement>();
  private followButton: HTMLButtonElement;

  constructor(
    private readonly view: View,
    private readonly store: Store,
    private readonly playback: Playback,
    host: HTMLElement,
    private readonly help: HTMLDialogElement,
  ) {
    const bar = document.createElement('div');
    bar.className = 'toolbar';
    const button = (text: string, key: string, click: () => void): HTMLButtonElement => {
      const made = document.createElement('button');
      made.textContent = text;
      made.title = `key ${key}`;
      made.addEventListener('click', click);
      return made;
    };
    const views = document.createElement('div');
    for (const [side, text, key] of sides) views.append(button(text, key, () => this.look(side)));
    this.followButton = button('Follow', 'f', () => this.follow());
    views.append(this.followButton);
    const shown = document.createElement('div');
    for (const [key, text, letter] of toggles) {
      if (view.modes ? aboutTime.has(key) : key === 'stress' && !view.flexible.hasStress) continue;
      const label = view.modes && key === 'stress' ? 'Colours' : text;
      const made = button(label, letter, () => store.toggle(key));
      this.buttons.set(key, made);
      shown.append(made);
    }
    bar.append(views, shown);
    host.append(bar);
    store.on('shown', () => this.show());
    store.on('selection', () => this.show());
    window.addEventListener('keydown', (event) => this.key(event));
    this.show();
  }

  private look(side: Side): void {
    this.view.stage.show(side);
  }
  private follow(): void {
    this.view.follows = !this.view.follows;
    this.show();
  }
  private show(): void {
    for (const [key, button] of this.buttons) {
      button.setAttribute('aria-pressed', String(this.store.shown[key]));
    }
    this.followButton.disabled = this.store.selection?.kind !== 'body';
    this.followButton.setAttribute('aria-pressed', String(this.view.follows));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey || target.tagName === 'SELECT') return;
    if (target.id === 'amplitude' && event.key.startsWith('Arrow')) return; // its own keys
    const { store, playback } = this;
    const steps = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      ' ': () => store.setPlaying(!store.playing),
      ArrowRight: () => playback.move(steps),
      ArrowLeft: () => playback.move(-steps),
      Home: () => playback.toStart(),
      End: () => playback.toEnd(),
      '+': () => playback.changeSpeed(1),
      '=': () => playback.changeSpeed(1),
      '-': () => playback.changeSpeed(-1),
      f: () => this.follow(),
      d: () => store.setTheme(store.theme === 'light' ? 'dark' : 'light'),
      '?': () => this.help.showModal(),
      Escape: () => (this.help.open ? this.help.close() : store.select(null)),
    };
    for (const [side, , key] of sides) actions[key] = () => this.look(side);
    for (const [shown, , key] of toggles) actions[key] = () => store.toggle(shown);
    if (store.modes > 0) {
      actions.ArrowUp = () => store.setMode(store.mode - 1);
      actions.ArrowDown = () => store.setMode(store.mode + 1);
      actions[','] = () => store.setAmplitude(store.amplitude / 1.25);
      actions['.'] = () => store.setAmplitude(Math.max(0.05, store.amplitude * 1.25));
    }
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
