// SPDX-License-Identifier: Apache-2.0
// What the parts of the page share: the time, what is selected, what is shown; of a modal analysis
// which mode swings, how far and where in its swing it is.

export type Selection =
  | { kind: 'body'; index: number }
  | { kind: 'contact'; name: string }
  | { kind: 'joint'; name: string }
  | { kind: 'group'; name: string }
  | null;

export interface Shown {
  trails: boolean;
  contacts: boolean;
  joints: boolean;
  stress: boolean;
  grid: boolean;
}

export interface Range {
  min: number;
  max: number;
}

interface Topics {
  time: number;
  mode: number;
  phase: number;
  amplitude: number;
  playing: boolean;
  speed: number;
  selection: Selection;
  shown: Shown;
  theme: 'light' | 'dark';
  range: Range;
}

export const mostAmplitude = 3; // times the default

type Listener<T> = (value: T) => void;

export class Store {
  time: number;
  mode = 0; // counted from 0
  phase = 0.25; // 0 … 1, a whole swing
  amplitude = 1; // 1: the default
  playing = false;
  speed = 1;
  selection: Selection = null;
  shown: Shown = { trails: true, contacts: true, joints: true, stress: true, grid: true };
  theme: 'light' | 'dark' = 'light';
  range: Range;
  private listeners: { [K in keyof Topics]?: Listener<Topics[K]>[] } = {};

  constructor(
    readonly start: number,
    readonly end: number,
    readonly modes = 0, // how many there are
  ) {
    this.time = modes > 0 ? end : start;
    this.range = { min: start, max: end };
  }

  on<K extends keyof Topics>(topic: K, listener: Listener<Topics[K]>): void {
    const list = (this.listeners[topic] ?? []) as Listener<Topics[K]>[];
    list.push(listener);
    (this.listeners as Record<string, unknown>)[topic] = list;
  }

  private tell<K extends keyof Topics>(topic: K, value: Topics[K]): void {
    for (const listener of (this.listeners[topic] ?? []) as Listener<Topics[K]>[]) listener(value);
  }

  setTime(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell('time', this.time);
  }
  setMode(mode: number): void {
    this.mode = Math.min(this.modes - 1, Math.max(0, mode));
    this.tell('mode', this.mode);
  }
  /// Beyond a whole swing comes the next one.
  setPhase(phase: number): void {
    this.phase = phase - Math.floor(phase);
    this.tell('phase', this.phase);
  }
  setAmplitude(amplitude: number): void {
    this.amplitude = Math.min(mostAmplitude, Math.max(0, amplitude));
    this.tell('amplitude', this.amplitude);
  }
  setPlaying(playing: boolean): void {
    if (playing && this.modes === 0 && this.time >= this.end) this.setTime(this.start);
    this.playing = playing;
    this.tell('playing', playing);
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell('speed', speed);
  }
  select(selection: Selection): void {
    this.selection = selection;
    this.tell('selection', selection);
  }
  toggle(key: keyof Shown): void {
    this.shown = { ...this.shown, [key]: !this.shown[key] };
    this.tell('shown', this.shown);
  }
  setTheme(theme: 'light' | 'dark'): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.tell('theme', theme);
  }
  setRange(range: Range): void {
    this.range = range;
    this.tell('range', range);
  }
}
