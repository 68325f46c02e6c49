import { setTimeout as pause } from 'node:timers/promises';
import { describeEnd, startProgram, type DeviceSession } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';
import { parseEvtestLine, type EvtestLine } from './evtest-line.js';
import { createKeyboardFault, createStartFault, type KeyboardReason } from './keyboard-fault.js';

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
  let setWatched: () => void = () => undefined;
  const watched = new Promise<void>((resolve) => (setWatched = resolve));
  let refuse: (reason: KeyboardReason) => void = () => undefined;
  const refused = new Promise<KeyboardReason>((resolve) => (refuse = resolve));
  const program = startProgram('evtest', ['--grab', path], (text) => {
    const line = parseEvtestLine(text);
    if (line === undefined) return;
    if (line.kind === 'has-digits') isKeyboard = true;
    if (line.kind === 'grabbed') refuse('busy');
    if (line.kind === 'watching') {
      isWatched = true;
      if (isKeyboard) setWatched();
      else refuse('not-keyboard');
    }
    onLine(line);
  });
  const lost = Promise.race([
    refused.then((reason) => createKeyboardFault(path, reason)),
    program.ended.then((end) => {
      if (end.how === 'missing') return notInstalled(end.cause);
      return isWatched ? createKeyboardFault(path, 'lost') : createStartFault(path, describeEnd(end));
    }),
  ]);
  const giveUp = (): void => void program.kill();
  signal.addEventListener('abort', giveUp);
  const settled = watched.then(() => pause(settleMs, undefined, { ref: false }));
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

function notInstalled(cause: Error): TallybookError {
  return new TallybookError(
    'INVALID_OPTION',
    'evtest is not installed, and USB keyboard readers need it; install it with "sudo apt install evtest"',
    { cause, details: { reason: 'not-installed' } },
  );
}
