import { setTimeout as pause } from 'node:timers/promises';
import { deferred, describeEnd, notInstalled, startProgram, type DeviceSession } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';
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

/** Why a keyboard is not there. `lost` means that it was there before. */
type KeyboardReason = 'lost' | 'missing' | 'permission' | 'busy' | 'not-keyboard' | 'stuck' | 'other';

/** Messages of `evtest` on standard error. */
const REASONS: readonly (readonly [RegExp, KeyboardReason])[] = [
  [/No such (?:file|device)|Not a directory/, 'missing'],
  [/Permission denied|Operation not permitted/, 'permission'],
  [/can't get version/, 'not-keyboard'],
];

const LIST = '"ls /dev/input/by-id/*-event-kbd" lists the keyboards';
const ADVICE: Readonly<Record<KeyboardReason, string>> = {
  lost: 'was lost; plug the reader in again',
  missing: `is missing; plug the reader in, or correct the path (${LIST})`,
  permission:
    'may not be used by this user; add the user to the group input ("sudo usermod -aG input USER") and log in again',
  busy: 'is grabbed by another program ("fuser" shows which); stop that program',
  'not-keyboard': `is not a keyboard; correct the path (${LIST})`,
  stuck: 'does not answer; plug the reader in again',
  other: 'cannot be used',
};

/** The fault of a keyboard, with the reason in `details.reason`. */
function createKeyboardFault(path: string, reason: KeyboardReason, more = ''): TallybookError {
  return new TallybookError('READER_DISCONNECTED', `${path} ${ADVICE[reason]}${more}`, {
    details: { path, reason },
  });
}

/**
 * The fault of a keyboard that could not be watched.
 *
 * @param text Output of `evtest`.
 */
function createStartFault(path: string, text: string): TallybookError {
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
  return createKeyboardFault(path, reason, reason === 'other' ? `: ${text}` : '');
}

export interface GrabOptions {
  /** The device file. */
  readonly path: string;
  /** Milliseconds after the start of watching, after which the device counts as grabbed. */
  readonly settleMs: number;
  /** Milliseconds after which the attempt fails if the device is not watched yet. Default: 5 seconds. */
  readonly limitMs?: number | undefined;
  /** Called with each line that has a meaning, even before the device is grabbed. */
  readonly onLine: (line: EvtestLine) => void;
  /** Aborted when the device is no longer needed. */
  readonly signal: AbortSignal;
}

/** Starting takes some milliseconds, unless the device hangs. */
const LIMIT_MS = 5_000;

/**
 * Grabs a keyboard, so that its keys reach no other program. `evtest` makes the `ioctl` that Node cannot make. It does
 * not report success; it only reports a failure, a moment later.
 *
 * Rejects with `INVALID_OPTION` if `evtest` is not installed, and with `READER_DISCONNECTED` if `evtest` fails.
 */
export async function grabKeyboard(options: GrabOptions): Promise<DeviceSession> {
  const { path, settleMs, limitMs = LIMIT_MS, onLine, signal } = options;
  let isKeyboard = false;
  let isWatched = false;
  const watched = deferred();
  const { promise: refused, resolve: refuse } = deferred<KeyboardReason>();
  const program = startProgram('evtest', ['--grab', path], (text) => {
    const line = parseEvtestLine(text);
    if (line === undefined) return;
    if (line.kind === 'has-digits') isKeyboard = true;
    if (line.kind === 'grabbed') refuse('busy');
    if (line.kind === 'watching') {
      isWatched = true;
      if (isKeyboard) watched.resolve();
      else refuse('not-keyboard');
    }
    onLine(line);
  });
  const lost = Promise.race([
    refused.then((reason) => createKeyboardFault(path, reason)),
    program.ended.then((end) => {
      if (end.how === 'missing')
        return notInstalled('evtest', 'USB keyboard readers need it', 'evtest', end.cause);
      return isWatched ? createKeyboardFault(path, 'lost') : createStartFault(path, describeEnd(end));
    }),
  ]);
  const giveUp = (): void => void program.kill();
  signal.addEventListener('abort', giveUp);
  const settled = watched.promise.then(() => pause(settleMs, undefined, { ref: false }));
  const limit = setTimeout(() => {
    if (!isWatched) refuse('stuck');
  }, limitMs);
  const fault = await Promise.race([lost, settled]);
  clearTimeout(limit);
  signal.removeEventListener('abort', giveUp);
  if (fault === undefined) return { lost, end: () => program.kill() };
  const killed = program.kill();
  // A program that hangs in the kernel ends only when the device is unplugged, so this does not wait for its end.
  if (fault.details['reason'] !== ('stuck' satisfies KeyboardReason)) await killed;
  throw fault;
}
