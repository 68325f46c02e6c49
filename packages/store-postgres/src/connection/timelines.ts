import type { Session } from './session.js';

/** The latest timeline of each system, as far as any connection has seen it. */
export class Timelines {
  readonly #latest = new Map<string, number>();

  /** Whether a standby has replaced the server of a connection. Such a server may still take writes, which will be lost. */
  isReplaced({ history }: Session): boolean {
    if (history === undefined) return false;
    const latest = Math.max(history.timeline, this.#latest.get(history.system) ?? 0);
    this.#latest.set(history.system, latest);
    return history.timeline < latest;
  }
}
