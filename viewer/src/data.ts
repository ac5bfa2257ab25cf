// SPDX-License-Identifier: Apache-2.0
// What `saltus report` has put into the page: a header in JSON and one block of numbers. The
// structure is made by src/saltus/io/report*.cpp.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

/// Where numbers are in the block, or their one value.
export interface ArrayRef {
  type?: 'f32' | 'f64' | 'u32' | 'u8' | 'q16';
  at?: number;
  count: number;
  value?: number | null;
}

/// What columns are: "position", "x".
export interface Kind {
  unit: string;
  text: string;
  quantity: string;
  component: string; // empty: a number of its own
  thinning: 'sample' | 'sum' | 'smallest' | 'largest';
}

/// Whose columns are; their names begin with its name.
export interface Owner {
  kind: string; // "body", "node", "joint", "point", "contact", "bearing", …
  name: string;
}

/// Its count is that of the rows.
export interface ColumnRef extends Omit<ArrayRef, 'count'> {
  name: string;
  kind: number;
  owner: number;
}

/// Where something is fixed: on a body (−1: the ground), a node of it, or the mean of nodes.
export interface Anchor {
  body: number;
  node?: number;
  nodes?: number[];
  at?: Vec3;
  turn?: Quat;
}

export interface Section {
  type: 'round' | 'rectangle';
  radius?: number;
  width?: number;
  height?: number;
}

export interface BodyShape {
  type: 'sphere' | 'box' | 'cylinder' | 'rod' | 'links';
  radius?: number;
  length?: number;
  size?: Vec3;
  at?: Vec3;
  turn?: Quat;
}

export interface Body {
  name: string;
  kind: 'rigid' | 'point_mass' | 'beam' | 'bar' | 'solid';
  nodes: number;
  mass?: number;
  shape?: BodyShape;
  section?: Section;
  young_modulus?: number;
  turn?: Quat;
  surface?: ArrayRef;
  triangles?: ArrayRef;
  edges?: ArrayRef;
}

export interface ColliderShape {
  name: string;
  type: string;
  on: Anchor;
  radius?: number;
  length?: number;
  ring_radius?: number;
  opening?: string;
  size?: number[];
  rounding?: number;
  vertices?: Vec3[];
  triangles?: [number, number, number][];
  belt?: Vec3;
}

export interface Joint {
  name: string;
  type: string;
  driven: boolean;
  first: Anchor;
  second: Anchor;
}

export interface Force {
  name: string;
  type: string;
  first?: Anchor;
  second?: Anchor;
  on?: Anchor;
  joint?: string;
}

export interface ContactPoint {
  name: string;
  contact: string;
  bodies: [number, number];
}

interface Words {
  names: string[];
  which: ArrayRef;
}

/// Where the nodes of a body are in the arrays of a mode, counted in nodes.
export interface ModeNodes {
  translation: number;
  rotation?: number; // without it the body does not turn
  nodes?: ArrayRef; // those that are there, rising; without it all
}

/// A natural mode: x, y, z of every node's translation, and of its rotation vector.
export interface Mode {
  frequency: number; // Hz, 0 if unstable
  growth_rate: number; // 1/s, 0 if stable
  translation: ArrayRef;
  rotation: ArrayRef;
}

export interface Header {
  format: number;
  summary: Record<string, any>;
  simulation: Record<string, any>;
  recorded_rows: number;
  rows: number;
  stride: number;
  columns: ColumnRef[];
  kinds: Kind[];
  owners: Owner[];
  scene: {
    gravity: Vec3;
    bodies: Body[];
    shapes: ColliderShape[];
    joints: Joint[];
    forces: Force[];
  };
  contacts: { points: ContactPoint[] } & Record<string, any>;
  events: { total: number; kinds: string[]; contact: Words } & Record<string, any>;
  forces: ({ contact: Words } & Record<string, any>) | null;
  impacts:
    | { total: number; rows: Record<string, any>; paths: Record<string, any> }
    | null;
  modes: { total: number; bodies: ModeNodes[]; list: Mode[] } | null;
  notes: string[];
}

export type Numbers = Float64Array | Float32Array | Uint32Array | Uint8Array;

export class Column {
  constructor(
    readonly name: string,
    readonly owner: Owner,
    readonly kind: Kind,
    readonly values: Numbers,
  ) {}
}

/// Names of events' contacts or the like, one for each row.
export class WordList {
  constructor(
    readonly names: string[],
    readonly which: Numbers,
  ) {}
  at(i: number): string {
    return this.names[this.which[i]];
  }
}

export function decodeBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

/// A table of arrays that all have the same length, e.g. the events.
export class Table {
  private arrays = new Map<string, Numbers>();
  constructor(
    private readonly source: Record<string, any>,
    private readonly data: Payload,
  ) {}
  get length(): number {
    return this.numbers('time').length;
  }
  numbers(key: string): Numbers {
    let found = this.arrays.get(key);
    if (!found) {
      found = this.data.array(this.source[key] as ArrayRef);
      this.arrays.set(key, found);
    }
    return found;
  }
  words(key: string): WordList {
    const words = this.source[key] as Words;
    return new WordList(words.names, this.data.array(words.which));
  }
}

export class Payload {
  readonly columns: Column[];
  readonly time: Numbers;
  readonly events: Table;
  readonly marks: Table;
  readonly forces: Table | null;
  private readonly byName = new Map<string, Column>();

  constructor(
    readonly header: Header,
    private readonly block: ArrayBuffer,
  ) {
    this.columns = header.columns.map((c) => {
      const values = this.array({ ...c, count: header.rows });
      return new Column(c.name, header.owners[c.owner], header.kinds[c.kind], values);
    });
    for (const column of this.columns) this.byName.set(column.name, column);
    this.time = this.columns[0].values;
    this.events = new Table(header.events, this);
    this.marks = new Table(header.contacts, this);
    this.forces = header.forces ? new Table(header.forces, this) : null;
  }

  column(name: string): Column | undefined {
    return this.byName.get(name);
  }
  values(name: string): Numbers | undefined {
    return this.byName.get(name)?.values;
  }
  get rows(): number {
    return this.time.length;
  }
  /// Whether the time is the share of the load: statics and modes.
  get isStatic(): boolean {
    const { type } = this.header.simulation;
    return type === 'statics' || type === 'modes';
  }
  /// The natural modes; none if the run is no modal analysis.
  get modes(): Mode[] {
    return this.header.modes?.list ?? [];
  }
  get start(): number {
    return this.time[0];
  }
  get end(): number {
    return this.time[this.time.length - 1];
  }

  array(ref: ArrayRef): Numbers {
    if (ref.type === undefined) return new Float64Array(ref.count).fill(ref.value ?? NaN);
    switch (ref.type) {
      case 'f64':
        return new Float64Array(this.block, ref.at, ref.count);
      case 'f32':
        return new Float32Array(this.block, ref.at, ref.count);
      case 'q16': {
        // First the value of 0 and the step, then 0 … 65535.
        const [low, step] = new Float64Array(this.block, ref.at, 2);
        const levels = new Uint16Array(this.block, ref.at! + 16, ref.count);
        return Float32Array.from(levels, (level) => low + step * level);
      }
      case 'u32':
        return new Uint32Array(this.block, ref.at, ref.count);
      case 'u8':
        return new Uint8Array(this.block, ref.at, ref.count);
    }
  }
}

/// The last index with values[index] <= x; 0 if there is none. @pre values increase.
export function indexBefore(values: Numbers, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function readPayload(page: Document): Payload {
  const text = (id: string): string => page.getElementById(id)?.textContent ?? '';
  const header = JSON.parse(text('saltus-header')) as Header;
  const arrays = page.getElementById('saltus-arrays');
  const block = decodeBase64((arrays?.textContent ?? '').trim());
  arrays?.remove(); // half of the page's memory
  return new Payload(header, block);
}
