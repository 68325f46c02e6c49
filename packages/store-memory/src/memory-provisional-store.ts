import type { Filing, ProvisionalScan, ProvisionalStore, TallyId } from '@tallybook/domain';
import type { MemoryJournal } from './memory-journal.js';
import { MemoryStore } from './memory-store.js';

/** Data of a {@link MemoryProvisionalStore}. */
export interface MemoryProvisionalScans {
  /** The largest sequence ever given. */
  lastSequence: number;
  readonly bySequence: Map<number, ProvisionalScan>;
  /** The sequences of the scans, by tag and moment. */
  readonly byMoment: Map<string, number>;
}

/** Data without scans. */
export function noProvisionalScans(): MemoryProvisionalScans {
  return { lastSequence: 0, bySequence: new Map(), byMoment: new Map() };
}

/** A {@link ProvisionalStore} in memory. Its data lives as long as the given `scans`. */
export class MemoryProvisionalStore extends MemoryStore implements ProvisionalStore {
  readonly #scans: MemoryProvisionalScans;
  readonly #journal: MemoryJournal | undefined;

  /** @param journal Gets each change. */
  constructor(scans: MemoryProvisionalScans = noProvisionalScans(), journal?: MemoryJournal) {
    super();
    this.#scans = scans;
    this.#journal = journal;
  }

  add(scan: Omit<ProvisionalScan, 'sequence'>): Promise<number> {
    return this.run(() => {
      const { bySequence, byMoment } = this.#scans;
      const moment = momentOf(scan);
      const known = byMoment.get(moment);
      if (known !== undefined) return Promise.resolve(known);
      const sequence = ++this.#scans.lastSequence;
      bySequence.set(sequence, { ...scan, sequence });
      byMoment.set(moment, sequence);
      const { id, reader, bootId, monotonicMs } = scan;
      this.#journal?.append({ kind: 'provisional', sequence, id, reader, bootId, monotonicMs });
      return Promise.resolve(sequence);
    });
  }

  list(): Promise<readonly ProvisionalScan[]> {
    // A `Map` keeps the order of adding, which is the order of the sequences.
    return this.run(() => Promise.resolve([...this.#scans.bySequence.values()]));
  }

  place(sequence: number, filing: Filing): Promise<Filing | undefined> {
    return this.run(() => {
      const { bySequence } = this.#scans;
      const scan = bySequence.get(sequence);
      if (scan === undefined || scan.filing !== undefined) return Promise.resolve(scan?.filing);
      bySequence.set(sequence, { ...scan, filing });
      return Promise.resolve(filing);
    });
  }

  settle(sequence: number, filing: Filing): Promise<void> {
    return this.run(() => {
      const { bySequence } = this.#scans;
      const scan = bySequence.get(sequence);
      if (scan !== undefined) bySequence.set(sequence, { ...scan, filing });
      return Promise.resolve();
    });
  }

  remove(sequence: number): Promise<void> {
    return this.run(() => {
      const { bySequence, byMoment } = this.#scans;
      const scan = bySequence.get(sequence);
      if (scan !== undefined) byMoment.delete(momentOf(scan));
      bySequence.delete(sequence);
      return Promise.resolve();
    });
  }

  /** The scans of a tag. For {@link MemoryErasureStore}. */
  scansOf(id: TallyId): readonly ProvisionalScan[] {
    return [...this.#scans.bySequence.values()].filter((scan) => scan.id === id);
  }

  /** The tags of all scans. For {@link MemoryErasureStore}. */
  tags(): readonly TallyId[] {
    return [...this.#scans.bySequence.values()].map(({ id }) => id);
  }

  /** Erases a scan. For {@link MemoryErasureStore}. */
  erase(scan: ProvisionalScan): void {
    this.#scans.byMoment.delete(momentOf(scan));
    this.#scans.bySequence.delete(scan.sequence);
  }
}

function momentOf({ id, bootId, monotonicMs }: Omit<ProvisionalScan, 'sequence'>): string {
  return JSON.stringify([id, bootId, monotonicMs]);
}
