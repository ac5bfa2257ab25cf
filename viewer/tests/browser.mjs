// SPDX-License-Identifier: Apache-2.0
// Chromium of the distribution, without a GPU.

import { chromium } from 'playwright-core';

export async function openBrowser() {
  return chromium.launch({
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

/// Opens a page from the disk; what it complains of or fetches is listed.
export async function openReport(browser, file, viewport = { width: 1280, height: 720 }) {
  const page = await browser.newPage({ viewport });
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
  await page.waitForFunction(() => document.documentElement.dataset.ready, undefined, {
    timeout: 60000,
  });
  const ready = Number(await page.evaluate(() => document.documentElement.dataset.ready));
  return { page, complaints, fetched, ready };
}
