import type { KeyEvent } from '../../src/hid/key-decoder.js';

const SHIFT = 42;

/** The numbers of keys with the layout "us", by their text, without and with shift. */
const KEYS: ReadonlyMap<string, readonly [code: number, isShifted: boolean]> = new Map(
  [
    [2, '1234567890-=', '!@#$%^&*()_+'],
    [16, 'qwertyuiop', 'QWERTYUIOP'],
    [28, '\n', '\n'],
    [30, "asdfghjkl;'", 'ASDFGHJKL:"'],
    [44, 'zxcvbnm,./', 'ZXCVBNM<>?'],
    [57, ' ', ' '],
  ].flatMap(([first, plain, shifted]) => [
    ...keysOf(first as number, plain as string, false),
    ...keysOf(first as number, shifted as string, true).filter(([sign]) => sign !== '\n' && sign !== ' '),
  ]),
);

function keysOf(first: number, signs: string, isShifted: boolean): [string, readonly [number, boolean]][] {
  return Array.from(signs, (sign, index) => [sign, [first + index, isShifted]]);
}

/** A key that goes down and up. */
export function press(code: number, timeMs: number): readonly KeyEvent[] {
  return [
    { code, value: 1, timeMs },
    { code, value: 0, timeMs: timeMs + 1 },
  ];
}

/** The keys of a reader with the layout "us" that types a text, each 8 ms after the one before. */
export function type(text: string, startMs = 0): readonly KeyEvent[] {
  return Array.from(text).flatMap((sign, index) => {
    const key = KEYS.get(sign);
    if (key === undefined) throw new Error(`no key for ${sign}`);
    const [code, isShifted] = key;
    const timeMs = startMs + 8 * index;
    if (!isShifted) return press(code, timeMs);
    return [
      { code: SHIFT, value: 1, timeMs: timeMs - 2 },
      ...press(code, timeMs),
      { code: SHIFT, value: 0, timeMs: timeMs + 2 },
    ];
  });
}
