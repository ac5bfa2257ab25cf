// SPDX-License-Identifier: Apache-2.0
// Contact points as dots with the colour of their state, impulses as arrows on the second body.

import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { indexBefore, type Numbers, type Payload } from '../data';
import { highlight, impactColour, statusColours } from '../palette';
import type { Extent } from './extent';
import { cone, stick } from './geometry';
import type { Motion } from './motion';

const most = 4000; // dots and arrows drawn at a time
const z = new Vector3(0, 0, 1);

/// A pool of dots or arrows that is filled anew for each picture.
class Pool {
  readonly mesh: InstancedMesh;
  readonly names: string[] = [];
  private count = 0;
  constructor(geometry: SphereGeometry | ReturnType<typeof cone>) {
    // Always in front: what matters is often inside of something.
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
    this.mesh = new InstancedMesh(geometry, material, most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
    this.mesh.setColorAt(0, new Color());
  }
  begin(): void {
    this.count = 0;
    this.names.length = 0;
  }
  add(matrix: Matrix4, colour: Color, name: string): void {
    if (this.count === most) return;
    this.mesh.setMatrixAt(this.count, matrix);
    this.mesh.setColorAt(this.count++, colour);
    this.names.push(name);
  }
  finish(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }
}

export class Contacts {
  readonly group = new Group();
  readonly largest: number; // impulse, N s: of the longest arrow
  private dots = new Pool(new SphereGeometry(1, 16, 12));
  private shafts = new Pool(stick());
  private heads = new Pool(cone());
  private statuses: (Numbers | undefined)[];
  private marks: Numbers[];
  private first: Numbers;
  private point: Numbers;
  private events: Numbers[];
  private eventTimes: Numbers;
  private eventKinds: Numbers;
  private matrix = new Matrix4();
  private turn = new Quaternion();
  private colour = new Color();

  constructor(
    private readonly data: Payload,
    private readonly extent: Extent,
  ) {
    this.group.add(this.dots.mesh, this.shafts.mesh, this.heads.mesh);
    for (const mesh of [this.dots.mesh, this.shafts.mesh, this.heads.mesh]) {
      mesh.userData.contacts = true;
    }
    this.dots.mesh.userData.names = this.dots.names;
    this.shafts.mesh.userData.names = this.shafts.names;
    this.heads.mesh.userData.names = this.heads.names;
    const points = data.header.contacts.points;
    this.statuses = points.map((p) => data.values(`${p.name}.status`));
    const keys = ['x', 'y', 'z', 'impulse_x', 'impulse_y', 'impulse_z'];
    this.marks = keys.map((key) => data.marks.numbers(key));
    this.first = data.marks.numbers('first');
    this.point = data.marks.numbers('point');
    this.events = keys.map((key) => data.events.numbers(key));
    this.eventTimes = data.events.numbers('time');
    this.eventKinds = data.events.numbers('kind');
    this.largest = Math.max(this.strongest(this.marks), this.strongest(this.events));
  }

  /// The 99th percentile, so that one blow does not make all others invisible.
  private strongest(list: Numbers[]): number {
    const values: number[] = [];
    for (let i = 0; i < list[0].length; ++i) {
      const value = Math.hypot(list[3][i], list[4][i], list[5][i]);
      if (value > 0) values.push(value);
    }
    values.sort((p, q) => p - q);
    return values.length > 0 ? values[Math.floor(0.99 * (values.length - 1))] : 0;
  }

  /// @param window  how long impacts stay to be seen, s of the run
  update(motion: Motion, time: number, window: number, selected: string | null): void {
    for (const pool of [this.dots, this.shafts, this.heads]) pool.begin();
    this.addMarks(motion, selected);
    this.addImpacts(time, window, selected);
    for (const pool of [this.dots, this.shafts, this.heads]) pool.finish();
  }

  private addMarks(motion: Motion, selected: string | null): void {
    if (this.first.length < 2) return;
    const row = motion.fraction > 0.5 ? motion.nextRow : motion.row;
    const points = this.data.header.contacts.points;
    for (let k = this.first[row]; k < this.first[row + 1]; ++k) {
      const p = this.point[k];
      const status = this.statuses[p]?.[row] ?? 0;
      const name = points[p].name;
      this.colour.set(
        name === selected ? highlight : status > 0 ? statusColours[status] : impactColour,
      );
      this.addDot(this.marks, k, name === selected ? 1.7 : 1, name);
      this.addArrow(this.marks, k, 1, name);
    }
  }

  /// Impacts fade: at 60 pictures a second nobody would see them.
  private addImpacts(time: number, window: number, selected: string | null): void {
    if (this.eventTimes.length === 0) return;
    const contacts = this.data.events.words('contact');
    for (let k = indexBefore(this.eventTimes, time); k >= 0; --k) {
      const age = (time - this.eventTimes[k]) / window;
      if (age > 1) break;
      if (age < 0 || this.eventKinds[k] !== 0 || Number.isNaN(this.events[0][k])) continue;
      const name = contacts.at(k);
      this.colour.set(name === selected ? highlight : impactColour);
      this.addDot(this.events, k, (1 - age) * (0.5 + 1.3 * this.share(k)), name);
      this.addArrow(this.events, k, 1 - age * age, name);
    }
  }

  /// How strong an impact is: the root, so that weak ones are still seen.
  private share(k: number): number {
    const [, , , x, y, z] = this.events;
    return Math.min(1, Math.sqrt(Math.hypot(x[k], y[k], z[k]) / this.largest));
  }

  private addDot(list: Numbers[], k: number, scale: number, name: string): void {
    const r = 0.004 * this.extent.size * scale;
    this.matrix.makeScale(r, r, r).setPosition(list[0][k], list[1][k], list[2][k]);
    this.dots.add(this.matrix, this.colour, name);
  }

  private addArrow(list: Numbers[], k: number, fade: number, name: string): void {
    const way = new Vector3(list[3][k], list[4][k], list[5][k]);
    const impulse = way.length();
    const full = 0.2 * this.extent.size;
    const length = fade * full * Math.min(1.5, impulse / this.largest);
    if (!(length > 0.01 * full)) return;
    this.turn.setFromUnitVectors(z, way.divideScalar(impulse));
    const place = new Vector3(list[0][k], list[1][k], list[2][k]);
    const width = 0.0028 * this.extent.size;
    const head = Math.min(0.45 * length, 7 * width);
    const body = length - head;
    this.matrix.compose(place, this.turn, new Vector3(width, width, body));
    this.shafts.add(this.matrix, this.colour, name);
    place.addScaledVector(way, body);
    this.matrix.compose(place, this.turn, new Vector3(2.6 * width, 2.6 * width, head));
    this.heads.add(this.matrix, this.colour, name);
  }
}
