// SPDX-License-Identifier: Apache-2.0
// Bundles the unit tests and runs them with Node's own runner.

import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'saltus-viewer-'));
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((name) => join(here, name)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  external: ['node:*'],
});
const bundles = readdirSync(folder).map((name) => join(folder, name));
const { status } = spawnSync(process.execPath, ['--test', ...bundles], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
