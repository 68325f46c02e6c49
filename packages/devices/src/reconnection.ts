import { setTimeout as pause } from 'node:timers/promises';
import { backOffMs, isTallybookError, ManagedResource, type TallybookError } from '@tallybook/domain';
import { DeviceFile } from './device-file.js';

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Delay before the next attempt to reach a device: half a second, then twice as long each time, up to 15 seconds. So a
 * cable that is plugged in again is noticed within seconds, and a missing one costs almost nothing.
 *
 * @param attempt From 1, counted since the device was lost or found missing.
 * @returns Milliseconds.
 */
export function retryDelayMs(attempt: number): number {
  return backOffMs(attempt, FIRST_MS, LONGEST_MS);
}

/** Whether a device is there: `waiting` means that it is missing, and attempts to connect go on. */
export type DeviceConnection = 'connected' | 'waiting';

/** A connection to a device, until the device is lost or the session is ended. */
export interface DeviceSession {
  /** Resolves with the reason when the device is lost. Never rejects. Ignored after `end()`. */
  readonly lost: Promise<TallybookError>;
  /** Disconnects from the device. Never rejects, even if the device is lost already. */
  end(): Promise<void>;
}

export interface ReconnectionOptions {
  /**
   * One attempt to reach the device. Rejects with a {@link TallybookError} with the cause in `details.reason`:
   * `INVALID_OPTION` if trying again is useless, any other code if it is not. The signal is aborted when the device
   * is no longer needed.
   */
  readonly connect: (signal: AbortSignal) => Promise<DeviceSession>;
  /** Called when the device is connected. */
  readonly onConnected: () => void;
  /** Called when an attempt failed or the device was lost. `undefined` if the fault was reported before. */
  readonly onWaiting: (fault: TallybookError | undefined) => void;
  /** Milliseconds to wait before an attempt, by its number from 1. Default: {@link retryDelayMs}. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * The file of the device, if it has one. A new file, or one with changed rights, starts an attempt within a second,
   * whatever the delay.
   */
  readonly path?: string | undefined;
  /** Milliseconds that a device must stay connected before earlier losses are forgotten. Default: 30 seconds. */
  readonly steadyMs?: number | undefined;
}

/**
 * Longer than any delay. If two clients have the same id, each disconnects the other one at the broker, and stays
 * connected while the other waits.
 */
const STEADY_MS = 30_000;

/**
 * Keeps a device connected. Attempts never stop.
 *
 * ```
 * attempt -> session -> lost
 *    ^ '-> fault         |
 *    '--- delay <--------'   cut short when the device's file is there
 * ```
 *
 * Each message of a fault is reported once until the device has been connected for `steadyMs`. So an unsteady device
 * gives one fault, and the delays grow with each loss. After `lost`, neither another `lost` nor `missing` is reported.
 * `open()` resolves after the first attempt, successful or not, and rejects only if that attempt rejected with
 * `INVALID_OPTION`.
 */
export class Reconnection extends ManagedResource {
  readonly #options: ReconnectionOptions;
  readonly #file: DeviceFile | undefined;
  readonly #toldMessages = new Set<string>();
  #isLossTold = false;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReconnectionOptions) {
    super();
    this.#options = options;
    this.#file = options.path === undefined ? undefined : new DeviceFile(options.path);
  }

  protected override async onOpen(): Promise<void> {
    this.#stopping = new AbortController();
    this.#forgetTold();
    const { signal } = this.#stopping;
    const first = await this.#attempt(signal);
    if (isTallybookError(first, 'INVALID_OPTION')) throw first;
    // Runs at once up to its first wait, so the first result is reported before `open()` resolves.
    this.#running = this.#stayConnected(first, signal);
  }

  protected override async onClose(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #stayConnected(first: DeviceSession | TallybookError, signal: AbortSignal): Promise<void> {
    const { retryDelayMs: delayMs = retryDelayMs, steadyMs = STEADY_MS } = this.#options;
    let attempt = 0;
    let shortSessions = 0;
    for (let result = first; ; result = await this.#attempt(signal)) {
      if (isTallybookError(result)) {
        if (!signal.aborted) this.#wait(result);
      } else {
        const reachedMs = performance.now();
        const fault = await untilLost(result, signal);
        if (performance.now() - reachedMs >= steadyMs) {
          shortSessions = 0;
          this.#forgetTold();
        }
        attempt = shortSessions++;
        await result.end();
        if (fault !== undefined && !signal.aborted) this.#wait(fault);
      }
      // oxlint-disable-next-line no-useless-assignment -- the next turn of the loop reads it
      if (!signal.aborted && (await this.#isThereWithin(delayMs(++attempt), signal))) attempt = 0;
      if (signal.aborted) return;
    }
  }

  /** Waits before an attempt. Resolves with `true` if the file of the device appeared and ended the wait. */
  async #isThereWithin(delayMs: number, signal: AbortSignal): Promise<boolean> {
    try {
      if (this.#file !== undefined) return await this.#file.waitForAnother(delayMs, signal);
      await pause(delayMs, undefined, { signal });
    } catch {
      // The device is no longer needed.
    }
    return false;
  }

  async #attempt(signal: AbortSignal): Promise<DeviceSession | TallybookError> {
    // Marks the present file as seen: if this attempt fails, only another file starts the next one early.
    await this.#file?.look();
    try {
      const session = await this.#options.connect(signal);
      if (!signal.aborted) this.#options.onConnected();
      return session;
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      return error;
    }
  }

  #wait(fault: TallybookError): void {
    const { reason } = fault.details;
    const isLoss = reason === 'lost';
    // After a report that the device was lost, a report that it is missing says nothing new.
    const isKnown =
      this.#toldMessages.has(fault.message) || (this.#isLossTold && (isLoss || reason === 'missing'));
    this.#toldMessages.add(fault.message);
    this.#isLossTold ||= isLoss;
    this.#options.onWaiting(isKnown ? undefined : fault);
  }

  #forgetTold(): void {
    this.#toldMessages.clear();
    this.#isLossTold = false;
  }
}

/** Resolves with the reason when the device is lost, or with nothing when it is no longer needed. */
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
