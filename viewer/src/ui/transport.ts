// SPDX-License-Identifier: Apache-2.0
// Play, scrub, speed.

import { indexBefore, type Payload } from '../data';
import { timeText } from '../format';
import { colours, impactColour } from '../palette';
import type { Store } from '../store';

const speeds = [
  1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100,
];

/// Real time if that is neither too short nor too long to look at; else about ten seconds.
export function firstSpeed(duration: number): number {
  if (duration >= 1.5 && duration <= 30) return 1;
  const wanted = Math.max(duration, 1e-9) / 10;
  return speeds.reduce((best, s) =>
    Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best,
  );
}

function speedText(speed: number): string {
  if (speed === 1) return 'real time';
  return speed > 1 ? `${speed} × as fast` : `${Math.round(1 / speed)} × slower`;
}

/// What moves the picture: the time of a run, or the swing of a mode.
export interface Playback {
  /// Once for each picture. @param now  ms
  advance(now: number): void;
  /// A small step, or several.
  move(steps: number): void;
  toStart(): void;
  toEnd(): void;
  changeSpeed(by: 1 | -1): void;
}

export class Transport implements Playback {
  private button: HTMLButtonElement;
  private range: HTMLInputElement;
  private clock: HTMLElement;
  private speed: HTMLSelectElement;
  private ticks: HTMLCanvasElement;
  private step: number;
  private last = 0;

  constructor(
    private readonly data: Payload,
    private readonly store: Store,
    host: HTMLElement,
  ) {
    host.innerHTML = `
      <button id="play" title="Play or pause (space)"></button>
      <div class="scrub"><canvas></canvas>
        <input id="scrub" type="range" min="0" max="1" step="any" aria-label="time"></div>
      <output id="clock"></output>
      <select id="speed" title="Speed (+ and −)"></select>`;
    this.button = host.querySelector('button')!;
    this.range = host.querySelector('input')!;
    this.clock = host.querySelector('output')!;
    this.speed = host.querySelector('select')!;
    this.ticks = host.querySelector('canvas')!;
    this.step = (store.end - store.start) / Math.max(1, data.rows - 1);
    for (const s of speeds) this.speed.append(new Option(speedText(s), String(s)));
    this.button.addEventListener('click', () => store.setPlaying(!store.playing));
    this.range.addEventListener('pointerdown', () => store.setPlaying(false)); // holds it
    this.range.addEventListener('input', () => {
      const time = this.timeOf(Number(this.range.value)); // first: pausing sets the slider back
      store.setPlaying(false);
      store.setTime(time);
    });
    this.speed.addEventListener('change', () => store.setSpeed(Number(this.speed.value)));
    store.on('time', () => this.show());
    store.on('playing', () => this.show());
    store.on('speed', () => this.show());
    store.on('theme', () => this.drawTicks());
    new ResizeObserver(() => this.drawTicks()).observe(this.ticks);
    store.setSpeed(data.isStatic ? 0.2 : firstSpeed(store.end - store.start));
    this.speed.hidden = data.isStatic; // no time, no speed
    this.show();
  }

  private timeOf(share: number): number {
    return this.store.start + share * (this.store.end - this.store.start);
  }

  private show(): void {
    const { start, end, time, playing, speed } = this.store;
    this.button.textContent = playing ? '❚❚' : '▶';
    this.button.setAttribute('aria-label', playing ? 'pause' : 'play');
    this.range.value = String(end > start ? (time - start) / (end - start) : 0);
    this.clock.textContent = this.data.isStatic
      ? `${(100 * time).toFixed(0)} % of the load`
      : `${timeText(time, this.step)} s of ${timeText(end, this.step)} s`;
    this.speed.value = String(speed);
  }

  /// Impacts above the slider, the taller the stronger.
  private drawTicks(): void {
    const { events } = this.data;
    const ratio = window.devicePixelRatio;
    const [width, height] = [this.ticks.clientWidth, this.ticks.clientHeight];
    if (width === 0) return;
    this.ticks.width = width * ratio;
    this.ticks.height = height * ratio;
    const context = this.ticks.getContext('2d')!;
    context.scale(ratio, ratio);
    context.fillStyle = colours[this.store.theme].line;
    context.fillRect(0, height - 1, width, 1);
    const times = events.numbers('time');
    const kinds = events.numbers('kind');
    const impulses = events.numbers('impulse_n');
    let largest = 0;
    for (let i = 0; i < times.length; ++i)
      if (kinds[i] === 0) largest = Math.max(largest, Math.abs(impulses[i]));
    context.fillStyle = impactColour;
    context.globalAlpha = 0.75;
    const { start, end } = this.store;
    for (let i = 0; i < times.length; ++i) {
      if (kinds[i] !== 0) continue;
      const x = ((times[i] - start) / (end - start)) * width;
      const share = largest > 0 ? Math.sqrt(Math.abs(impulses[i]) / largest) : 0;
      const tall = 3 + share * (height - 4);
      context.fillRect(x - 0.5, height - tall, 1, tall);
    }
  }

  advance(now: number): void {
    const { store } = this;
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (!store.playing) return;
    const time = store.time + passed * store.speed;
    store.setTime(time);
    if (time >= store.end) store.setPlaying(false);
  }

  /// To another row.
  move(rows: number): void {
    const { time } = this.data;
    this.store.setPlaying(false);
    let row = indexBefore(time, this.store.time);
    if (rows < 0 && this.store.time > time[row]) ++row;
    this.store.setTime(time[Math.min(time.length - 1, Math.max(0, row + rows))]);
  }

  toStart(): void {
    this.store.setTime(this.store.start);
  }
  toEnd(): void {
    this.store.setTime(this.store.end);
  }

  changeSpeed(by: 1 | -1): void {
    const i = speeds.indexOf(this.store.speed) + by;
    if (i >= 0 && i < speeds.length) this.store.setSpeed(speeds[i]);
  }
}
