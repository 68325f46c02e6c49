import { signal, type ReadonlySignal } from '@preact/signals';
import type { StreamState } from './service.js';

/** State of the connection to the service, and since when (milliseconds, the browser's clock). */
export interface ConnectionState {
  readonly state: StreamState;
  readonly sinceMs: number;
}

/** How long a reconnection may take before the connection is shown as lost, in milliseconds. */
const UNNOTICED_MS = 2_000;

/** State of the connection: whether taps reach the page. */
export class Connection {
  private readonly now: () => number;
  private readonly shown;
  /** Start of a reconnection that is not shown as lost yet, and since when the service was not heard. */
  private reopening: { readonly atMs: number; readonly sinceMs: number } | undefined;

  constructor(now: () => number) {
    this.now = now;
    this.shown = signal<ConnectionState>({ state: 'connecting', sinceMs: now() });
  }

  get current(): ReadonlySignal<ConnectionState> {
    return this.shown;
  }

  /** @param sinceMs Since when; for a loss, when the service was heard last. */
  note(state: StreamState, sinceMs: number = this.now()): void {
    const before = this.shown.peek();
    if (state === 'connecting') {
      if (before.state === 'open') this.reopening ??= { atMs: this.now(), sinceMs };
      return;
    }
    const since =
      state === 'waiting' && before.state === 'connecting'
        ? before.sinceMs
        : (this.reopening?.sinceMs ?? sinceMs);
    this.reopening = undefined;
    if (state !== before.state) this.shown.value = { state, sinceMs: since };
  }

  /** Call it every few seconds: after sleep, a connection may neither open nor fail for a long time. */
  beat(): void {
    if (this.now() - (this.reopening?.atMs ?? Infinity) > UNNOTICED_MS) this.note('waiting');
  }
}
