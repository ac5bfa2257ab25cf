// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vite';
import { sourceStamp } from './source_stamp.mjs';

/// Puts script and style into the page: it must open from a disk, without a server.
function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      let html = page.source.replace('SOURCE-STAMP', sourceStamp());
      for (const [name, part] of Object.entries(bundle)) {
        if (name === 'index.html') continue;
        delete bundle[name];
        // A function, for "$&" and the like in the code must stay as they are.
        if (part.type === 'chunk') {
          const code = part.code.replaceAll('</script', '<\\/script');
          html = html.replace(/<script type="module"[^>]*><\/script>/, '');
          html = html.replace('</body>', () => `<script type="module">${code}</script></body>`);
        } else {
          html = html.replace(
            /<link rel="stylesheet"[^>]*>/,
            () => `<style>${part.source}</style>`,
          );
        }
      }
      page.fileName = 'viewer.html';
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2021',
    assetsInlineLimit: 1e9,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
  },
  plugins: [oneFile()],
});
