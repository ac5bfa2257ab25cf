// SPDX-License-Identifier: Apache-2.0
// Chromium of the distribution, without a GPU.

import { chromium } from 'playwright-core';

export const patience = 600000; // ms: the limit of every wait, far beyond what a busy machine needs

export async function openBrowser() {
  return chromium.launch({
    timeout: patience,
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
}

/// Seconds of processor time that each process of the browser has used, by its number.
async function processorTimes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime]));
}

/// Waits for that many pictures of the screen.
export function frames(page, count) {
  return page.evaluate(
    (n) =>
      new Promise((resolve) => {
        const tick = () => (n-- > 0 ? requestAnimationFrame(tick) : resolve());
        tick();
      }),
    count,
  );
}

/// Waits until `predicate`, asked in the page at every picture of the screen, holds. Playwright's own
/// waiting evaluates text inside the page, which the report's security policy forbids.
export async function until(page, predicate, argument) {
  const end = Date.now() + patience;
  while (!(await page.evaluate(predicate, argument))) {
    if (Date.now() > end) throw new Error(`not within ${patience} ms: ${predicate}`);
    await frames(page, 1);
  }
}

/// Opens a page from the disk; what it complains of or fetches is listed. `ready` is when the first
/// picture was there, `work` the processor time until then, to which other programs do not add.
export async function openReport(browser, file, viewport = { width: 1280, height: 720 }) {
  const before = await processorTimes(browser);
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(patience);
  const complaints = [];
  const fetched = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) fetched.push(request.url());
  });
  await page.goto(`file://${file}`);
  await until(page, () => document.documentElement.dataset.ready);
  let work = 0; // s
  for (const [id, time] of await processorTimes(browser)) work += time - (before.get(id) ?? 0);
  const ready = Number(await page.evaluate(() => document.documentElement.dataset.ready));
  return { page, complaints, fetched, ready, work };
}
