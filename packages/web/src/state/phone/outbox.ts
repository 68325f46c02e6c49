import type { BrowserStore } from '../kept/browser-store.js';

/** A tap on this phone that the service has not taken yet. */
export interface KeptTap {
  readonly run: string;
  readonly n: number;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** The taps that the service has not taken yet, in their order. The tabs of a browser share them. */
export class Outbox {
  private readonly store: BrowserStore;
  private readonly key: string;
  private readonly run: string;
  private latest = 0;
  /** The taps in memory, if the browser keeps nothing. */
  private unkept: readonly KeptTap[] | undefined;

  /** @param run Run of this page's numbers; a new one each time the page is opened. */
  constructor(store: BrowserStore, reader: string, run: string) {
    this.store = store;
    this.key = `phone:${reader}`;
    this.run = run;
  }

  get size(): number {
    return this.list().length;
  }

  /** Whether waiting taps survive the closing of the page. */
  get isKept(): boolean {
    return this.unkept === undefined;
  }

  add(id: string, atMs: number): KeptTap {
    const tap = { run: this.run, n: ++this.latest, id, atMs };
    this.write([...this.list(), tap]);
    return tap;
  }

  /** The first taps of one run. */
  next(most: number): readonly KeptTap[] {
    const taps = this.list();
    const others = taps.findIndex(({ run }) => run !== taps[0]?.run);
    return taps.slice(0, Math.min(most, others === -1 ? taps.length : others));
  }

  remove(taken: readonly KeptTap[]): void {
    const isTaken = (tap: KeptTap): boolean => taken.some(({ run, n }) => run === tap.run && n === tap.n);
    this.write(this.list().filter((tap) => !isTaken(tap)));
  }

  private list(): readonly KeptTap[] {
    return this.unkept ?? this.store.read(this.key, areTaps) ?? [];
  }

  private write(taps: readonly KeptTap[]): void {
    this.unkept = this.store.write(this.key, taps) ? undefined : taps;
  }
}

function areTaps(value: unknown): value is readonly KeptTap[] {
  return Array.isArray(value) && value.every(isTap);
}

function isTap(value: unknown): value is KeptTap {
  const { run, n, id, atMs } = (value ?? {}) as Partial<KeptTap>;
  return [run, id].every((each) => typeof each === 'string') && [n, atMs].every(Number.isSafeInteger);
}
