import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Interval of the checks, in milliseconds. A check takes 0.3 ms of processor time. */
const LOOK_MS = 500;

/**
 * The file of a device. Each time that the device is plugged in, the file is a new one. Links are followed.
 *
 * It is checked twice a second. Watching its folder does not work: `/dev/serial` itself disappears with its last
 * device, links and their targets are in several folders, and containers pass on devices without events.
 */
export class DeviceFile {
  readonly #path: string;
  #seen: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Checks once. Resolves with `true` if the file is new, or its rights have changed, since the last check. */
  async look(): Promise<boolean> {
    const before = this.#seen;
    this.#seen = await identify(this.#path);
    return this.#seen !== undefined && this.#seen !== before;
  }

  /**
   * Waits until {@link look} finds a new file, at most `mostMs` milliseconds.
   *
   * @returns Whether it found one. Rejects when the signal is aborted.
   */
  async waitForAnother(mostMs: number, signal: AbortSignal): Promise<boolean> {
    const endMs = performance.now() + mostMs;
    for (let restMs = mostMs; restMs > 0; restMs = endMs - performance.now()) {
      await pause(Math.min(restMs, LOOK_MS), undefined, { signal });
      if (await this.look()) return true;
    }
    return false;
  }
}

/** Identity and rights of the file at a path; `undefined` if there is none. */
async function identify(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, rdev, mode, uid, gid, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, rdev, mode, uid, gid, ctimeNs].join();
  } catch {
    return undefined;
  }
}
