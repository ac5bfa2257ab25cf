// SPDX-License-Identifier: Apache-2.0
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { readPayload, type Payload } from './data';
import { counted, shortNumber } from './format';
import { CurvePanel } from './plots/panel';
import { View } from './scene/view';
import { Store } from './store';
import { EventTable } from './ui/events';
import { addOverlays, describe } from './ui/overlay';
import { ModeList } from './ui/modes';
import { fillSummary } from './ui/summary';
import { SwingTransport } from './ui/swing';
import { keyHelp, Toolbar } from './ui/toolbar';
import { Transport } from './ui/transport';

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

function fillHeader(data: Payload, store: Store): void {
  const { summary, notes } = data.header;
  const title = String(summary.model).replace(/\.json$/, '');
  document.title = `${title} – Saltus`;
  find('title').textContent = title;
  const status = find('status');
  status.textContent = summary.status;
  status.dataset.status = summary.status;
  const facts = [
    data.modes.length > 0
      ? counted(data.header.modes!.total, 'natural mode')
      : counted(summary.steps, 'step', data.isStatic ? ' of the load' : ''),
    data.isStatic ? '' : `${shortNumber(summary.end_time)} s`,
    data.isStatic ? '' : counted(summary.impacts, 'impact'),
    summary.warnings?.length ? counted(summary.warnings.length, 'warning') : '',
    notes.length > 0 ? 'not everything is shown' : '',
  ];
  find('facts').textContent = facts.filter((f) => f !== '').join(' · ');
  if (notes.length > 0) find('facts').title = notes.join('\n');
  find('theme').addEventListener('click', () =>
    store.setTheme(store.theme === 'light' ? 'dark' : 'light'),
  );
  const selected = find('selected');
  store.on('selection', (selection) => (selected.textContent = describe(data, selection)));
}

function fillHelp(modes: boolean): HTMLDialogElement {
  const dialog = find<HTMLDialogElement>('help');
  const rows = keyHelp(modes)
    .map(([key, text]) => `<dt>${key}</dt><dd>${text}</dd>`)
    .join('');
  dialog.innerHTML = `<h2>Keys and mouse</h2><dl>${rows}
    <dt>mouse, view</dt><dd>drag turns, right button moves, wheel zooms; click a body, joint or
      contact to see its curves</dd>
    <dt>mouse, plots</dt><dd>click sets the time, drag zooms in, double click shows all</dd></dl>
    <form method="dialog"><button>Close</button></form>`;
  find('help-button').addEventListener('click', () => dialog.showModal());
  return dialog;
}

function addTabs(opened: Record<string, () => void>): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('nav button')];
  const open = (tab: HTMLButtonElement): void => {
    for (const other of tabs) {
      const on = other === tab;
      other.setAttribute('aria-selected', String(on));
      find(other.dataset.panel!).hidden = !on;
    }
    opened[tab.dataset.panel!]?.();
  };
  for (const tab of tabs) tab.addEventListener('click', () => open(tab));
  open(tabs.find((tab) => !tab.hidden)!);
}

/// Modes know no contacts; the curves lead to the equilibrium that they are about, if it was sought.
function chooseTabs(data: Payload): void {
  const tab = (panel: string): HTMLButtonElement =>
    document.querySelector(`nav button[data-panel="${panel}"]`)!;
  tab('modes').hidden = false;
  tab('events').hidden = true;
  tab('curves').textContent = 'Equilibrium';
  tab('curves').hidden = data.rows < 2;
}

function start(): void {
  const data = readPayload(document);
  const store = new Store(data.start, data.end, data.modes.length);
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  store.setTheme(dark ? 'dark' : 'light');
  fillHeader(data, store);
  const help = fillHelp(store.modes > 0);
  const footer = find('transport');
  const stage = find('stage');
  const view = new View(data, store, stage);
  const playback = view.modes
    ? new SwingTransport(view.modes, store, footer)
    : new Transport(data, store, footer);
  view.prepare();
  view.afterRender(() => {
    const page = document.documentElement.dataset;
    page.ready ??= String(Math.round(performance.now())); // ms from the start to the first picture
  });
  addOverlays(data, view, store, stage);
  new Toolbar(view, store, playback, stage, help);
  new CurvePanel(data, store, find('curves'), (body) => view.flexible.envelope(body));
  const events = new EventTable(data, store, find('events'));
  fillSummary(data, find('summary'));
  if (view.modes) {
    new ModeList(data, view.modes, store, find('modes'));
    chooseTabs(data);
  }
  addTabs({ events: () => events.opened() });
  const tick = (now: number): void => {
    playback.advance(now);
    view.render();
    requestAnimationFrame(tick);
  };
  view.stage.show('default');
  requestAnimationFrame(tick);
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (view.modes && !still) store.setPlaying(true);
  // For scripts that drive the page.
  Object.assign(window, { saltus: { data, store, view } });
}

try {
  start();
} catch (error) {
  const message = find('failure');
  message.hidden = false;
  message.textContent = `This report cannot be shown: ${(error as Error).message}`;
  throw error;
}
