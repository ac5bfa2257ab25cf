// SPDX-License-Identifier: Apache-2.0
// Play, phase, amplitude and speed of a mode.

import { withPrefix } from '../format';
import { colours } from '../palette';
import type { ModeMotion } from '../scene/modes';
import { mostAmplitude, type Store } from '../store';
import type { Playback } from './transport';

const periods = [20, 10, 5, 2, 1, 0.5, 0.2]; // of a swing, s on the watch
const firstPeriod = 2;
const phaseStep = 1 / 72; // 5°

export class SwingTransport implements Playback {
  private button: HTMLButtonElement;
  private scrub: HTMLInputElement;
  private clock: HTMLElement;
  private amplitude: HTMLInputElement;
  private reach: HTMLElement;
  private speed: HTMLSelectElement;
  private curve: HTMLCanvasElement;
  private last = 0;

  constructor(
    private readonly motion: ModeMotion,
    private readonly store: Store,
    host: HTMLElement,
  ) {
    host.innerHTML = `
      <button id="play" title="Play or pause (space)"></button>
      <div class="scrub"><canvas></canvas>
        <input id="scrub" type="range" min="0" max="1" step="any" aria-label="phase"></div>
      <output id="clock"></output>
      <label class="amplitude" title="Largest displacement as drawn (, and .); double click: the default">
        amplitude <input id="amplitude" type="range" min="0" max="${mostAmplitude}" step="any">
        <output></output></label>
      <select id="speed" title="Speed (+ and −)"></select>`;
    this.button = host.querySelector('button')!;
    this.scrub = host.querySelector('#scrub')!;
    this.clock = host.querySelector('#clock')!;
    this.amplitude = host.querySelector('#amplitude')!;
    this.reach = host.querySelector('.amplitude output')!;
    this.speed = host.querySelector('select')!;
    this.curve = host.querySelector('canvas')!;
    for (const period of periods) {
      this.speed.append(new Option(`a swing in ${period} s`, String(1 / period)));
    }
    this.button.addEventListener('click', () => store.setPlaying(!store.playing));
    this.scrub.addEventListener('pointerdown', () => store.setPlaying(false)); // holds it
    this.scrub.addEventListener('input', () => {
      // Read first: pausing sets the slider back. Not quite a whole swing: that is the start again.
      const phase = Math.min(0.9999, Number(this.scrub.value));
      store.setPlaying(false);
      store.setPhase(phase);
    });
    this.amplitude.addEventListener('input', () =>
      store.setAmplitude(Number(this.amplitude.value)),
    );
    this.amplitude.addEventListener('dblclick', () => store.setAmplitude(1));
    this.speed.addEventListener('change', () => store.setSpeed(Number(this.speed.value)));
    store.on('phase', () => this.show());
    store.on('playing', () => this.show());
    store.on('speed', () => this.show());
    store.on('mode', () => this.showAmplitude());
    store.on('amplitude', () => this.showAmplitude());
    store.on('theme', () => this.drawCurve());
    new ResizeObserver(() => this.drawCurve()).observe(this.curve);
    store.setSpeed(1 / firstPeriod);
    this.showAmplitude();
  }

  private show(): void {
    const { phase, playing, speed } = this.store;
    this.button.textContent = playing ? '❚❚' : '▶';
    this.button.setAttribute('aria-label', playing ? 'pause' : 'play');
    this.scrub.value = String(phase);
    this.clock.textContent = `${Math.round(360 * phase)}°`;
    this.speed.value = String(speed);
  }

  private showAmplitude(): void {
    this.amplitude.value = String(this.store.amplitude);
    this.reach.textContent = withPrefix(this.motion.defaultReach * this.store.amplitude, 'm');
  }

  /// Above the slider how far the mode is from rest.
  private drawCurve(): void {
    const ratio = window.devicePixelRatio;
    const [width, height] = [this.curve.clientWidth, this.curve.clientHeight];
    if (width === 0) return;
    this.curve.width = width * ratio;
    this.curve.height = height * ratio;
    const context = this.curve.getContext('2d')!;
    context.scale(ratio, ratio);
    const middle = height / 2;
    context.strokeStyle = colours[this.store.theme].line;
    context.strokeRect(0, middle, width, 0);
    context.strokeStyle = colours[this.store.theme].faint;
    context.beginPath();
    for (let x = 0; x <= width; x += 2) {
      context.lineTo(x, middle - (middle - 2) * Math.sin((2 * Math.PI * x) / width));
    }
    context.stroke();
  }

  advance(now: number): void {
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    const { store } = this;
    if (store.playing) store.setPhase(store.phase + passed * store.speed);
  }

  move(steps: number): void {
    this.store.setPlaying(false);
    this.store.setPhase(this.store.phase + steps * phaseStep);
  }
  toStart(): void {
    this.store.setPlaying(false);
    this.store.setPhase(0);
  }
  toEnd(): void {
    this.store.setPlaying(false);
    this.store.setPhase(0.25);
  }

  changeSpeed(by: 1 | -1): void {
    const i = periods.findIndex((period) => 1 / period === this.store.speed) + by;
    if (i >= 0 && i < periods.length) this.store.setSpeed(1 / periods[i]);
  }
}
