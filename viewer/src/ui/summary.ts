// SPDX-License-Identifier: Apache-2.0
// What the run did, its warnings, and how to make it again.

import type { Payload } from '../data';
import { shortNumber, withUnit } from '../format';
import { modeText } from './modes';

type Rows = [name: string, value: string][];

function table(title: string, rows: Rows): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h3');
  heading.textContent = title;
  const list = document.createElement('dl');
  for (const [name, value] of rows) {
    const term = document.createElement('dt');
    const text = document.createElement('dd');
    term.textContent = name;
    text.textContent = value;
    list.append(term, text);
  }
  section.append(heading, list);
  return section;
}

function texts(title: string, lines: string[], kind: string): HTMLElement {
  const section = document.createElement('section');
  section.className = kind;
  const heading = document.createElement('h3');
  heading.textContent = title;
  const list = document.createElement('ul');
  for (const line of lines) {
    const item = document.createElement('li');
    item.textContent = line;
    list.append(item);
  }
  section.append(heading, list);
  return section;
}

function count(what: Record<string, number> | undefined): string {
  return what ? `${shortNumber(what.mean, 3)} on average, ${what.max} at most` : '–';
}

/// {"type": "x", "step": 0.001} → "x, step 0.001"
function flat(options: unknown): string {
  if (options === null || typeof options !== 'object') return String(options);
  return Object.entries(options as Record<string, unknown>)
    .map(([key, value]) =>
      key === 'type' ? flat(value) : `${key.replace(/_/g, ' ')} ${flat(value)}`,
    )
    .join(', ');
}

function staticRows(summary: Record<string, any>): Rows {
  return [
    ['status', summary.message ? `${summary.status}: ${summary.message}` : summary.status],
    ['load', `${shortNumber(100 * summary.end_time, 3)} %`],
    ['load steps', `${summary.steps}, in ${withUnit(summary.wall_seconds, 's', 3)} of computing`],
    ['joints violated by', withUnit(summary.max_position_violation, 'm', 3)],
    ['iterations', count(summary.iterations?.smooth)],
  ];
}

function runRows(summary: Record<string, any>): Rows {
  const mean = withUnit(summary.end_time / Math.max(1, summary.steps), 's');
  const wall = withUnit(summary.wall_seconds, 's', 3);
  const rows: Rows = [
    ['status', summary.message ? `${summary.status}: ${summary.message}` : summary.status],
    ['end', withUnit(summary.end_time, 's')],
    ['steps', `${summary.steps} of ${mean}, in ${wall} of computing`],
    ['impacts', String(summary.impacts)],
    ['deepest penetration', withUnit(summary.max_penetration, 'm', 3)],
    [
      'joints violated by',
      `${withUnit(summary.max_position_violation, 'm', 3)}, ${withUnit(
        summary.max_velocity_violation,
        'm/s',
        3,
      )}`,
    ],
    ['iterations: smooth motion', count(summary.iterations?.smooth)],
    ['position correction', count(summary.iterations?.position)],
    ['velocity correction', count(summary.iterations?.velocity)],
  ];
  if (summary.inaccurate_steps > 0)
    rows.push(['inaccurate steps', String(summary.inaccurate_steps)]);
  return rows;
}

function energyRows(energy: Record<string, number>): Rows {
  return Object.entries(energy).map(([key, value]) => [
    key.replace(/_/g, ' '),
    key === 'closure_error' ? shortNumber(value, 3) : withUnit(value, 'J', 6),
  ]);
}

const units: [RegExp, string][] = [
  [/^(time|duration|counted_from)$/, 's'],
  [/^impulse$/, 'N s'],
  [/^approach_speed$/, 'm/s'],
  [/_speed$/, 'rad/s'],
  [/(_force|_rating|_load)$/, 'N'],
  [/(_pressure|_stress)$/, 'Pa'],
  [/(_depth|_axes|indentation)$/, 'm'],
  [/(_loss|_work)$/, 'J'],
  [/^hours$/, 'h'],
];

/// The unit of a number of a contact or bearing in the summary; "1" for counts and ratios.
export function unitOf(key: string): string {
  return units.find(([pattern]) => pattern.test(key))?.[1] ?? '1';
}

/// Numbers of contacts and bearings, whatever they have.
function nested(title: string, things: Record<string, any>): HTMLElement[] {
  return Object.entries(things)
    .slice(0, 40)
    .map(([name, values]) => {
      const rows: Rows = [];
      for (const [key, value] of Object.entries(values as Record<string, unknown>)) {
        if (typeof value === 'number') {
          rows.push([key.replace(/_/g, ' '), withUnit(value, unitOf(key))]);
        }
        else if (value && typeof value === 'object' && !Array.isArray(value)) {
          for (const [k, v] of Object.entries(value)) {
            if (typeof v === 'number')
              rows.push([`${key} ${k}`.replace(/_/g, ' '), withUnit(v, unitOf(k))]);
          }
        }
      }
      return table(`${title} ${name}`, rows);
    });
}

export function fillSummary(data: Payload, host: HTMLElement): void {
  const { summary, simulation, notes, scene, rows, recorded_rows } = data.header;
  const warnings: string[] = summary.warnings ?? [];
  host.append(table('Run', data.isStatic ? staticRows(summary) : runRows(summary)));
  if (warnings.length > 0)
    host.append(texts(`Warnings (${warnings.length})`, warnings, 'warnings'));
  if (notes.length > 0) host.append(texts('About this page', notes, 'notes'));
  if (summary.modes) {
    host.append(
      table(
        'Natural modes',
        (summary.modes as any[]).map((mode, i) => [`mode ${i + 1}`, modeText(mode)]),
      ),
    );
  }
  host.append(table('Energy', energyRows(summary.energy ?? {})));
  host.append(...nested('Contact', summary.contacts ?? {}));
  host.append(...nested('Ball bearing', summary.ball_bearings ?? {}));
  host.append(
    table('Manifest', [
      ['model', summary.model],
      ['fingerprint of the model', summary.model_hash],
      ['Saltus', summary.version],
      ['threads', String(summary.threads)],
      [
        'bodies, joints, contact points',
        `${scene.bodies.length}, ${scene.joints.length}, ${data.header.contacts.points.length}`,
      ],
      ['rows on this page', rows === recorded_rows ? `all ${rows}` : `${rows} of ${recorded_rows}`],
    ]),
    table(
      'Settings of the simulation (what is not named has its default)',
      Object.entries(simulation).map(([key, value]): [string, string] => [
        key.replace(/_/g, ' '),
        flat(value),
      ]),
    ),
  );
}
