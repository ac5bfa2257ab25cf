// SPDX-License-Identifier: Apache-2.0
// The three-dimensional view: everything that is drawn, at the time of the store.

import { Object3D, Raycaster, Vector2, Vector3 } from 'three';
import type { Payload } from '../data';
import type { Selection, Store } from '../store';
import { Bodies } from './bodies';
import { Contacts } from './contacts';
import { findExtent, type Extent } from './extent';
import { FlexibleBodies } from './flexible';
import { Joints } from './joints';
import { ModeMotion } from './modes';
import { Motion } from './motion';
import { Planes } from './planes';
import { Stage } from './stage';
import { Trails } from './trails';

const impactSeconds = 0.2; // how long an impact stays to be seen, on the watch

export class View {
  readonly stage: Stage;
  readonly extent: Extent;
  readonly flexible: FlexibleBodies;
  readonly contacts: Contacts;
  readonly planes: Planes;
  follows = false;
  /// The motion, if it is that of modes.
  readonly modes: ModeMotion | null;
  private motion: Motion;
  private bodies: Bodies;
  private joints: Joints;
  private trails: Trails;
  private dirty = true;
  private compiled = false;
  private followed = new Vector3();
  private onRender: (() => void)[] = [];

  constructor(
    private readonly data: Payload,
    private readonly store: Store,
    host: HTMLElement,
  ) {
    const { bodies } = data.header.scene;
    this.modes = store.modes > 0 ? new ModeMotion(data, bodies) : null;
    this.motion = this.modes ?? new Motion(data, bodies);
    this.motion.setTime(store.start);
    if (this.modes) this.modes.setSize(findExtent(data, this.modes).size);
    this.extent = findExtent(data, this.motion);
    this.stage = new Stage(host, this.extent, () => (this.dirty = true));
    this.bodies = new Bodies(data, this.extent);
    this.flexible = new FlexibleBodies(data, this.motion);
    this.planes = new Planes(data, this.motion, this.extent);
    this.joints = new Joints(data, this.extent);
    this.contacts = new Contacts(data, this.extent);
    this.trails = new Trails(data, this.motion);
    this.stage.scene.add(
      this.planes.group,
      this.bodies.instances.group,
      this.flexible.group,
      this.joints.group,
      this.trails.group,
      this.contacts.group,
    );
    this.listen(host);
    this.setTheme();
  }

  private listen(host: HTMLElement): void {
    const { store } = this;
    store.on('time', () => this.update());
    store.on('selection', (selection) => this.paint(selection));
    store.on('shown', () => this.paint(store.selection));
    store.on('mode', () => this.paint(store.selection));
    store.on('phase', () => this.update());
    store.on('amplitude', () => this.update());
    store.on('theme', () => this.setTheme());
    new ResizeObserver(() => {
      this.stage.resize();
      this.dirty = true;
    }).observe(host);
  }

  /// After each picture: overlays move with the camera.
  afterRender(call: () => void): void {
    this.onRender.push(call);
  }

  /// Makes the shaders while the rest of the page is built; then the first picture.
  prepare(): void {
    this.stage.renderer.compile(this.stage.scene, this.stage.camera);
    requestAnimationFrame(() => {
      this.compiled = true;
      this.render();
    });
  }

  /// Once for each picture of the screen.
  render(): void {
    if (!this.dirty || !this.compiled) return;
    this.dirty = false;
    this.stage.render();
    for (const call of this.onRender) call();
  }

  private setTheme(): void {
    const { theme } = this.store;
    this.stage.setTheme(theme);
    this.planes.setTheme(theme);
    this.joints.setTheme(theme);
    this.paint(this.store.selection);
  }

  private paint(selection: Selection): void {
    const body = selection?.kind === 'body' ? selection.index : null;
    const joint =
      selection?.kind === 'joint'
        ? this.data.header.scene.joints.findIndex((j) => j.name === selection.name)
        : null;
    this.setMotion();
    this.bodies.instances.paint(
      body === null ? null : { kind: 'body', index: body },
      this.modes && this.store.shown.stress ? (item) => this.modes!.fieldOf(item) : undefined,
    );
    this.flexible.paint(body);
    this.joints.paint(joint);
    this.trails.select(body);
    if (body !== null && body >= 0) this.motion.bodyPlace(body, this.followed);
    this.update();
  }

  private setMotion(): void {
    const { time, mode, amplitude, phase } = this.store;
    if (this.modes) this.modes.swing(mode, amplitude, phase);
    else this.motion.setTime(time);
  }

  private update(): void {
    const { store } = this;
    this.setMotion();
    this.bodies.instances.update(this.motion);
    this.flexible.update(this.motion, store.shown.stress);
    this.planes.update(this.motion, store.time);
    this.joints.update(this.motion);
    const selected = store.selection?.kind === 'contact' ? store.selection.name : null;
    this.contacts.update(this.motion, store.time, impactSeconds * store.speed, selected);
    this.trails.update();
    this.trails.group.visible = store.shown.trails && !this.modes;
    this.contacts.group.visible = store.shown.contacts && !this.modes;
    this.joints.group.visible = store.shown.joints;
    this.planes.showGrid(store.shown.grid);
    this.follow();
    this.dirty = true;
  }

  private follow(): void {
    const { selection } = this.store;
    if (selection?.kind !== 'body' || selection.index < 0) return;
    const now = this.motion.bodyPlace(selection.index, new Vector3());
    if (this.follows) this.stage.follow(now.clone().sub(this.followed));
    this.followed.copy(now);
  }

  /// What is under a place of the canvas.
  pick(x: number, y: number): Selection {
    const { clientWidth, clientHeight } = this.stage.renderer.domElement;
    const caster = new Raycaster();
    const place = new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight);
    caster.setFromCamera(place, this.stage.camera);
    caster.params.Line = { threshold: 0 };
    const hit = (objects: Object3D[]) =>
      caster
        .intersectObjects(objects, true)
        .find(({ object }) => (object as any).isMesh && isVisible(object));
    // Contacts are drawn in front of all.
    const contact = hit([this.contacts.group]);
    if (contact?.instanceId !== undefined) {
      return { kind: 'contact', name: contact.object.userData.names[contact.instanceId] };
    }
    const found = hit([this.bodies.instances.group, this.flexible.group, this.joints.group]);
    if (!found) return null;
    const { owner, owners } = found.object.userData;
    const what = owners && found.instanceId !== undefined ? owners[found.instanceId] : owner;
    if (!what || what.index < 0) return null;
    return what.kind === 'body'
      ? { kind: 'body', index: what.index }
      : { kind: 'joint', name: this.data.header.scene.joints[what.index].name };
  }
}

function isVisible(object: Object3D | null): boolean {
  for (; object; object = object.parent) if (!object.visible) return false;
  return true;
}
