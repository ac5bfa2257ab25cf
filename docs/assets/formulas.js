// SPDX-License-Identifier: Apache-2.0
// Draws the formulas that the Markdown extension arithmatex has marked: \(…\) or \[…\].
document.addEventListener('DOMContentLoaded', () => {
  for (const place of document.querySelectorAll('.arithmatex')) {
    const text = place.textContent.trim();
    const displayMode = text.startsWith('\\[');
    katex.render(text.slice(2, -2), place, { displayMode, throwOnError: false });
  }
});
