// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.

const superscripts: Record<string, string> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

/// 0.01235, 1.235·10⁻⁵, −12.35: `digits` significant ones.
export function shortNumber(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const magnitude = Math.abs(x);
  if (magnitude >= 1e-3 && magnitude < 1e5) {
    return minus(String(Number(x.toPrecision(digits))));
  }
  const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
  return minus(`${Number(mantissa)}${powerOfTen(Number(exponent))}`);
}

/// ·10⁻⁵
function powerOfTen(exponent: number): string {
  return `·10${String(exponent).replace(/./g, (c) => superscripts[c])}`;
}

function minus(text: string): string {
  return text.replace(/^-/, '−');
}

/// "N s" needs a space, "1" is no unit.
export function withUnit(x: number, unit: string, digits = 4): string {
  return unit === '' || unit === '1' ? shortNumber(x, digits) : `${shortNumber(x, digits)} ${unit}`;
}

const prefixes: [number, string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
];

/// 12 300 000 Pa → "12.3 MPa"; for units without a power of their own.
export function withPrefix(x: number, unit: string, digits = 3): string {
  const magnitude = Math.abs(x);
  const found = prefixes.find(([factor]) => magnitude >= factor * 0.9999);
  if (x === 0 || !found) return withUnit(x, unit, digits);
  return `${minus(String(Number((x / found[0]).toPrecision(digits))))} ${found[1]}${unit}`;
}

/// Enough decimals to tell neighbouring rows of a run apart.
export function timeText(t: number, step: number): string {
  const decimals = Math.min(7, Math.max(2, Math.ceil(-Math.log10(Math.max(step, 1e-9)))));
  return t.toFixed(decimals);
}

/// 1, 2 or 5 times a power of ten, not greater than x.
export function niceBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const mantissa = x / power;
  return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power;
}

/// Multiples of 1, 2, 2.5 or 5 times a power of ten from min to max, at least `least` apart.
export function ticks(min: number, max: number, least: number): number[] {
  if (!(max > min) || !(least > 0)) return [];
  const exponent = Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10]
    .map((m) => Number(`${m}e${exponent}`))
    .find((s) => s >= least * (1 - 1e-9))!;
  const list: number[] = [];
  const last = Math.floor(max / step + 1e-9);
  for (let k = Math.ceil(min / step - 1e-9); k <= last && list.length < 1000; ++k) {
    list.push(k === 0 ? 0 : k * step);
  }
  return list;
}

/// Labels of an axis: each true and different from the others, all with the same decimals.
export function tickLabels(values: number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  if (!(largest > 0)) return values.map(() => '0');
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : largest;
  const fixed = (scale: number, end: string): string[] => {
    const exact = (d: number): boolean =>
      values.every((x) => {
        const y = x / scale;
        return Math.abs(Number(y.toFixed(d)) - y) * scale < 1e-3 * step;
      });
    let decimals = 0;
    while (decimals < 30 && !exact(decimals)) ++decimals;
    return values.map((x) =>
      Math.abs(x) < 1e-3 * step ? '0' : minus((x / scale).toFixed(decimals) + end),
    );
  };
  const longest = (labels: string[]): number => Math.max(...labels.map((l) => l.length));
  const plain = fixed(1, '');
  const exponent = Math.floor(Math.log10(largest) + 1e-9);
  const short = fixed(Number(`1e${exponent}`), powerOfTen(exponent));
  return longest(plain) <= Math.max(7, longest(short)) ? plain : short;
}

/// "1 step", "2 steps".
export function counted(count: number, thing: string, rest = ''): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}${rest}`;
}

/// As many decimals as the largest time needs for seven digits, the same for all.
export function eventTime(t: number, end: number): string {
  const decimals = 6 - Math.floor(Math.log10(Math.max(Math.abs(end), 1e-9)));
  return minus(t.toFixed(Math.max(0, decimals)));
}

export function bytesText(bytes: number): string {
  return bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
