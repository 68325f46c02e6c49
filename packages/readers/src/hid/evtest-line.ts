import type { KeyEvent } from './key-decoder.js';

/** Meaning of a line of `evtest`. */
export type EvtestLine =
  | { readonly kind: 'key'; readonly key: KeyEvent }
  /** The kernel dropped events, because there were more than it keeps. */
  | { readonly kind: 'dropped'; readonly timeMs: number }
  /** The device has keys for digits. */
  | { readonly kind: 'has-digits' }
  /** Events follow from now on. */
  | { readonly kind: 'watching' }
  /** No events follow: another program has grabbed the device. */
  | { readonly kind: 'grabbed' };

const EVENT = /^Event: time ([0-9]+\.[0-9]+), (.*)$/;
const KEY = /^type 1 \(EV_KEY\), code ([0-9]+) \(.*\), value ([0-2])$/;
const PATTERNS: readonly (readonly [RegExp, 'has-digits' | 'watching' | 'grabbed'])[] = [
  [/^ +Event code [0-9]+ \(KEY_(?:1|KP1)\)$/, 'has-digits'],
  [/^Testing \.\.\. /, 'watching'],
  [/^ +This device is grabbed by another process\.$/, 'grabbed'],
];

/**
 * Reads a line of `evtest`. The program writes English, whatever the language of the system is.
 *
 * @returns `undefined` if the line does not matter.
 * @see evtest.c 1.35, print_device_info, print_events and do_capture.
 */
export function parseEvtestLine(line: string): EvtestLine | undefined {
  const [, seconds, event = ''] = EVENT.exec(line) ?? [];
  if (seconds === undefined) {
    const kind = PATTERNS.find(([pattern]) => pattern.test(line))?.[1];
    return kind === undefined ? undefined : { kind };
  }
  const timeMs = Number(seconds) * 1_000;
  if (event.includes('SYN_DROPPED')) return { kind: 'dropped', timeMs };
  const [, code, value] = KEY.exec(event) ?? [];
  if (code === undefined) return undefined;
  return { kind: 'key', key: { code: Number(code), value: Number(value), timeMs } };
}
