import { isTallybookError, type Clock } from '@tallybook/domain';
import type { RefusedItem } from '@tallybook/domain/sync';
import type { Log } from './log.js';
import { MeteredLog } from './metered-log.js';

/** Logs the connection between a station and its centre: each problem once until it is over, and its end. */
export class UpstreamLog {
  readonly #log: MeteredLog;
  /** `undefined` before the first attempt to reach the centre. */
  #isReached: boolean | undefined;
  /** The messages that were logged about the present problem. */
  readonly #told = new Set<string>();

  constructor(log: Log, clock: Clock) {
    this.#log = new MeteredLog(log, clock);
  }

  noteReached(centre: string): void {
    if (this.#isReached === true) return;
    const message =
      this.#isReached === undefined
        ? 'the centre is reached'
        : 'the centre is reached again; waiting changes are sent';
    this.#isReached = true;
    this.#told.clear();
    this.#log.write('reached', 'info', { centre }, message);
  }

  noteFault(centre: string, error: unknown): void {
    this.#isReached = false;
    const message = error instanceof Error ? error.message : String(error);
    if (this.#told.has(message)) return;
    this.#told.add(message);
    if (!isTallybookError(error)) {
      this.#log.write('mistake', 'error', { centre, err: error }, 'sending to the centre failed');
      return;
    }
    const { code } = error;
    this.#log.write(code, 'warn', { centre, code }, `${message}; changes wait here to be sent`);
  }

  noteRefused(centre: string, refused: readonly RefusedItem[]): void {
    for (const { cursor, code, message } of refused) {
      this.#log.write('refused', 'warn', { centre, cursor, code }, `the centre refused a change: ${message}`);
    }
  }

  noteOpenToken(file: string): void {
    this.#log.write(
      'open token',
      'warn',
      { file },
      'others on this machine can read the token of this station; run "chmod 600" on the file, and make another token',
    );
  }
}
