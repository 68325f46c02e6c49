import { signal, type ReadonlySignal } from '@preact/signals';
import type { PushResult, PushResults, TallybookClient } from '@tallybook/client';
import type { BrowserStore } from './kept.js';

/** A tap on this phone that the service has not taken yet. */
interface KeptTap {
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

/** The last tag that was read. */
export interface SeenTag {
  /** Counts the read tags, from 1. */
  readonly number: number;
  readonly id: string;
  /** `sending`; `unsent` while the service cannot be reached; or the outcome. */
  readonly outcome: 'sending' | 'unsent' | PushResult['outcome'];
  /** The reason of a refusal. */
  readonly detail: string | undefined;
}

/** Sends readings of a run to a reader. */
export type Push = (
  name: string,
  run: string,
  readings: readonly { readonly id: string; readonly n: number; readonly ageMs: number }[],
) => Promise<Pick<PushResults, 'results'>>;

export function pushTo(client: TallybookClient): Push {
  return (name, run, readings) =>
    client.post('/api/readers/{name}/readings', { params: { name }, body: { run, readings } });
}

interface PhoneReaderParts {
  /** Name of the reader that the phone is. */
  readonly reader: string;
  readonly push: Push;
  readonly outbox: Outbox;
  readonly nowMs: () => number;
  /** Calls `work` later, unless the returned function was called before. */
  readonly schedule: (delayMs: number, work: () => void) => () => void;
}

/** Number of taps in one request. */
const MOST = 100;
/** Maximum age that the service accepts: 366 days. */
const MAX_AGE_MS = 31_622_400_000;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;

/** A phone as a reader: keeps each tap until the service has taken it. */
export class PhoneReader {
  private readonly parts: PhoneReaderParts;
  private readonly last = signal<SeenTag | undefined>(undefined);
  private readonly unsent = signal(0);
  private readonly trouble = signal<unknown>(undefined);
  /** The last tap. */
  private lastTap: KeptTap | undefined;
  private sending: Promise<void> | undefined;
  private retryMs = FIRST_RETRY_MS;
  private cancelRetry = (): void => undefined;
  readonly seen: ReadonlySignal<SeenTag | undefined> = this.last;
  /** Number of taps that the service has not taken yet. */
  readonly waiting: ReadonlySignal<number> = this.unsent;
  /** The error why the service does not take them; `undefined` if there is none. */
  readonly problem: ReadonlySignal<unknown> = this.trouble;

  constructor(parts: PhoneReaderParts) {
    this.parts = parts;
    this.unsent.value = parts.outbox.size;
  }

  /** Takes the serial number of a tag, such as `04:a2:b3:c4:d5`. */
  take(serial: string): void {
    const id = serial.replace(/[^0-9a-f]/gi, '').toUpperCase();
    this.lastTap = this.parts.outbox.add(id, this.parts.nowMs());
    const number = (this.last.peek()?.number ?? 0) + 1;
    this.last.value = { number, id, outcome: 'sending', detail: undefined };
    void this.send();
  }

  /** Sends waiting taps. Resolves when none is left, or when sending failed and will be tried again later. */
  send(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    return this.sending;
  }

  /** Stops the automatic retries. */
  stop(): void {
    this.cancelRetry();
  }

  private async sendAll(): Promise<void> {
    const { outbox } = this.parts;
    this.cancelRetry();
    try {
      for (let taps = outbox.next(MOST); taps.length > 0; taps = outbox.next(MOST)) await this.sendSome(taps);
      this.retryMs = FIRST_RETRY_MS;
      this.trouble.value = undefined;
    } catch (error) {
      this.trouble.value = error;
      this.show({ outcome: 'unsent' }, ['sending']);
      this.cancelRetry = this.parts.schedule(this.retryMs, () => void this.send());
      this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
    } finally {
      this.unsent.value = outbox.size;
    }
  }

  private async sendSome(taps: readonly KeptTap[]): Promise<void> {
    const { push, reader, outbox, nowMs } = this.parts;
    const now = nowMs();
    const readings = taps.map(({ id, n, atMs }) => {
      return { id, n, ageMs: Math.min(Math.max(now - atMs, 0), MAX_AGE_MS) };
    });
    const run = taps[0]?.run ?? '';
    const { results } = await push(reader, run, readings);
    outbox.remove(taps);
    this.unsent.value = outbox.size;
    const index = taps.findIndex((tap) => tap.run === this.lastTap?.run && tap.n === this.lastTap.n);
    const result = results[index];
    if (result === undefined) return;
    this.show({ outcome: result.outcome, detail: result.detail });
  }

  private show(change: Partial<SeenTag>, onlyIf?: readonly SeenTag['outcome'][]): void {
    const seen = this.last.peek();
    if (seen === undefined || onlyIf?.includes(seen.outcome) === false) return;
    this.last.value = { ...seen, ...change };
  }
}
