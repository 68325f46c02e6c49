import { setTimeout as pause } from 'node:timers/promises';
import { isTallybookError, ManagedResource, type TallybookError } from '@tallybook/domain';
import { DeviceFile } from './device-file.js';
import { retryDelayMs } from './retry-delay.js';

/** Whether a device is there: `waiting` means that it is tried again and again to reach it. */
export type DeviceConnection = 'connected' | 'waiting';

/** A device that was reached, until it is lost or let go. */
export interface DeviceSession {
  /** Resolves with the reason when the device is lost. Never rejects; what it does after `end()` is of no matter. */
  readonly lost: Promise<TallybookError>;
  /** Lets the device go. Never rejects, also if the device is lost already. */
  end(): Promise<void>;
}

export interface ReconnectionOptions {
  /**
   * One attempt to reach the device. Rejects with a {@link TallybookError} whose `details.reason` tells causes apart:
   * with `INVALID_OPTION` if trying again is of no use, with any other code if it is. The signal is aborted when
   * nobody waits for the device any more.
   */
  readonly connect: (signal: AbortSignal) => Promise<DeviceSession>;
  /** Called when the device was reached. */
  readonly onConnected: () => void;
  /** Called when an attempt failed and when the device was lost; with the fault unless it was told before. */
  readonly onWaiting: (fault: TallybookError | undefined) => void;
  /** Milliseconds to wait before an attempt, which is counted from 1. Default: {@link retryDelayMs}. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * The file of the device, if it has one. When another one is there, or its rights were changed, an attempt is made
   * within a second, however long the delay is.
   */
  readonly path?: string | undefined;
  /** Milliseconds that a device has to be there for what was before to be forgotten. Default: 30 seconds. */
  readonly steadyMs?: number | undefined;
}

/** Longer than any delay: two clients of a broker that throw each other off are there for as long as the other waits. */
const STEADY_MS = 30_000;

/**
 * Keeps a device connected, for ever.
 *
 * ```
 * attempt -> session -> lost
 *    ^ '-> fault         |
 *    '--- delay <--------'   cut short when the device's file is there
 * ```
 *
 * A fault is told once for each `details.reason` until the device was there for a while: one that comes and goes is one
 * fault, and each time that it goes it is waited for longer at first. Whoever was told that it was `lost` is not told
 * that it is `missing`. `open()` resolves after the first attempt, whatever came of it, and rejects only if that one
 * rejected with `INVALID_OPTION`.
 */
export class Reconnection extends ManagedResource {
  readonly #connect: ReconnectionOptions['connect'];
  readonly #onConnected: () => void;
  readonly #onWaiting: (fault: TallybookError | undefined) => void;
  readonly #retryDelayMs: (attempt: number) => number;
  readonly #steadyMs: number;
  readonly #file: DeviceFile | undefined;
  readonly #toldReasons = new Set<unknown>();
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReconnectionOptions) {
    super();
    this.#connect = options.connect;
    this.#onConnected = options.onConnected;
    this.#onWaiting = options.onWaiting;
    this.#retryDelayMs = options.retryDelayMs ?? retryDelayMs;
    this.#steadyMs = options.steadyMs ?? STEADY_MS;
    this.#file = options.path === undefined ? undefined : new DeviceFile(options.path);
  }

  protected override async onOpen(): Promise<void> {
    this.#stopping = new AbortController();
    this.#toldReasons.clear();
    const { signal } = this.#stopping;
    const first = await this.#attempt(signal);
    if (isTallybookError(first, 'INVALID_OPTION')) throw first;
    // Runs at once up to its first wait, so whoever opened it knows by then whether the device is there.
    this.#running = this.#stayConnected(first, signal);
  }

  protected override async onClose(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #stayConnected(first: DeviceSession | TallybookError, signal: AbortSignal): Promise<void> {
    let attempt = 0;
    let shortSessions = 0;
    for (let result = first; ; result = await this.#attempt(signal)) {
      if (isTallybookError(result)) {
        if (!signal.aborted) this.#wait(result);
      } else {
        const reachedMs = performance.now();
        const fault = await untilLost(result, signal);
        if (performance.now() - reachedMs >= this.#steadyMs) {
          shortSessions = 0;
          this.#toldReasons.clear();
        }
        attempt = shortSessions++;
        await result.end();
        if (fault !== undefined && !signal.aborted) this.#wait(fault);
      }
      if (!signal.aborted && (await this.#isThereWithin(this.#retryDelayMs(++attempt), signal))) attempt = 0;
      if (signal.aborted) return;
    }
  }

  /** Waits before an attempt, and says whether the wait was cut short by a file of the device. */
  async #isThereWithin(delayMs: number, signal: AbortSignal): Promise<boolean> {
    try {
      if (this.#file !== undefined) return await this.#file.waitForAnother(delayMs, signal);
      await pause(delayMs, undefined, { signal });
    } catch {
      // Nobody waits any more.
    }
    return false;
  }

  async #attempt(signal: AbortSignal): Promise<DeviceSession | TallybookError> {
    // What is there before the attempt is what it fails with.
    await this.#file?.look();
    try {
      const session = await this.#connect(signal);
      if (!signal.aborted) this.#onConnected();
      return session;
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      return error;
    }
  }

  #wait(fault: TallybookError): void {
    const { reason } = fault.details;
    const isNew = !this.#toldReasons.has(reason);
    this.#toldReasons.add(reason);
    // Whoever was told that the device was lost need not be told that it is missing.
    if (reason === 'lost') this.#toldReasons.add('missing');
    this.#onWaiting(isNew ? fault : undefined);
  }
}

/** Resolves with the reason when the device is lost, and with nothing when nobody waits for it any more. */
function untilLost(session: DeviceSession, signal: AbortSignal): Promise<TallybookError | undefined> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void session.lost.then((fault) => {
      signal.removeEventListener('abort', stop);
      resolve(fault);
    });
  });
}
