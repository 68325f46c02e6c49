import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** How often the file is looked for. A look takes 0.3 ms of processor time. */
const LOOK_MS = 500;

/**
 * The file of a device: another one each time that the device is plugged in. Links are followed.
 *
 * It is looked for twice a second. Watching its folder would not do: `/dev/serial` itself comes and goes with its last
 * device, links and their targets are in several folders, and containers pass on devices without telling of them.
 */
export class DeviceFile {
  readonly #path: string;
  #seen: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Looks once, and says whether a file is there that is not the one of the look before, or has other rights. */
  async look(): Promise<boolean> {
    const before = this.#seen;
    this.#seen = await identify(this.#path);
    return this.#seen !== undefined && this.#seen !== before;
  }

  /**
   * Waits until {@link look} finds another file, for at most so many milliseconds.
   *
   * @returns Whether it did. Rejects when the signal is aborted.
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

/** What tells a file from others that were at its path, and its rights from those before; `undefined` if there is none. */
async function identify(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, rdev, mode, uid, gid, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, rdev, mode, uid, gid, ctimeNs].join();
  } catch {
    return undefined;
  }
}
