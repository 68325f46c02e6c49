import { isTallybookError } from './errors.js';
import type { Clock } from './ports/clock.js';

/** Something that failed, and that the rest survived. */
export interface Fault {
  /** What failed: `storage`, `attendance`, `reader`, `output`, or the name of a feature. */
  readonly part: string;
  /** The name of the device, if it was one. */
  readonly device?: string;
  /** Whether the device stays closed until the next opening, because something that it needs is missing. */
  readonly isMissing?: boolean;
  readonly error: unknown;
}

/** Called with each fault. It must not throw. */
export type Report = (fault: Fault) => void;

/** Milliseconds in which the same fault is written once. */
const QUIET_MS = 60_000;

/** Writes one line for each fault to standard error, the same one at most once a minute. */
export function reportToConsole(clock: Pick<Clock, 'monotonicMs'>): Report {
  const writtenMs = new Map<string, number>();
  return (fault) => {
    const line = describe(fault);
    const nowMs = clock.monotonicMs();
    if (nowMs - (writtenMs.get(line) ?? -Infinity) < QUIET_MS) return;
    // Texts of devices differ without end.
    if (writtenMs.size >= 100) writtenMs.clear();
    writtenMs.set(line, nowMs);
    const { console } = globalThis as { readonly console?: { error(...text: unknown[]): void } };
    // An error without a code is a mistake in the program: its stack shows where.
    console?.error(line, ...(isTallybookError(fault.error) ? [] : [fault.error]));
  };
}

function describe({ part, device, isMissing = false, error }: Fault): string {
  const code = isTallybookError(error) ? ` ${error.code}` : '';
  const message = error instanceof Error ? error.message : 'unknown error';
  const name = device === undefined ? '' : ` ${device}`;
  const rest = isMissing ? '; it is left out until the next start' : '';
  return `tallybook: ${part}${name}:${code} ${message}${rest}`;
}
