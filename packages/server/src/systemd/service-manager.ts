import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../log/log.js';

/** Longest time for one message, in milliseconds: systemd may be busy. */
const TIMEOUT_MS = 10_000;

export interface ServiceManagerOptions {
  /** Variables of the process. `NOTIFY_SOCKET` shows whether systemd listens. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Default: `systemd-notify` on the `PATH`. */
  readonly command?: string;
}

/**
 * Sends messages to systemd with the program of systemd, because Node has no Unix datagram sockets. Without `NOTIFY_SOCKET`
 * it does nothing. Messages arrive in their order. The first failure is logged, and the service goes on.
 */
export class ServiceManager {
  readonly #options: ServiceManagerOptions;
  #sent: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: ServiceManagerOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return (this.#options.env['NOTIFY_SOCKET'] ?? '') !== '';
  }

  /**
   * Milliseconds that systemd waits for a sign of life before it restarts the process; `undefined` if it waits for
   * ever.
   */
  get watchdogMs(): number | undefined {
    const { WATCHDOG_USEC = '', WATCHDOG_PID = '' } = this.#options.env;
    const isForUs = WATCHDOG_PID === '' || Number(WATCHDOG_PID) === process.pid;
    const watchdogMs = Number(WATCHDOG_USEC) / 1000;
    return this.isListening && isForUs && watchdogMs > 0 ? watchdogMs : undefined;
  }

  /**
   * @param assignments Assignments such as `READY=1`: see sd_notify(3).
   * @returns Resolves when systemd has the assignments, or sending has failed.
   */
  notify(...assignments: readonly string[]): Promise<void> {
    if (!this.isListening) return Promise.resolve();
    this.#sent = this.#sent.then(() => this.#send(assignments));
    return this.#sent;
  }

  async #send(assignments: readonly string[]): Promise<void> {
    const { env, log, command = 'systemd-notify' } = this.#options;
    const args = [`--pid=${process.pid}`, ...assignments];
    try {
      await promisify(execFile)(command, args, { env: { ...env }, timeout: TIMEOUT_MS });
    } catch (err) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      log.warn({ err }, 'could not notify systemd; is systemd-notify installed?');
    }
  }
}
