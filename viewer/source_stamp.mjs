// SPDX-License-Identifier: Apache-2.0
// The fingerprint of everything that the page is built from. tools/check_viewer.py computes the
// same and compares it with the one inside dist/viewer.html.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const single = [
  'index.html',
  'package.json',
  'package-lock.json',
  'source_stamp.mjs',
  'tsconfig.json',
  'vite.config.mjs',
];

function filesOf(folder) {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(join(root, path)).isDirectory() ? filesOf(path) : [path];
  });
}

export function sourceStamp() {
  const hash = createHash('sha256');
  for (const path of [...single, ...filesOf('src')].sort()) {
    hash.update(`${path}\0`);
    hash.update(readFileSync(join(root, path)));
    hash.update('\0');
  }
  return hash.digest('hex');
}
