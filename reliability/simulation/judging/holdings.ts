import type { Change, Day, DetailedEntry, TallyId, Timestamp } from '@tallybook/domain';
import { knownScans, type Correction } from '@tallybook/domain/record';

/**
 * The data that a place must hold. They come from the changes that were seen when they were written, and not from the
 * present content of the stores. Each backup of a place has a copy of its holdings.
 */
export class Holdings {
  /** By {@link scanKey}. */
  readonly scans: Set<string>;
  /** Whether a correction was decided, by {@link correctionKey}. */
  readonly corrections: Map<string, boolean>;

  constructor(scans: Iterable<string> = [], corrections: Iterable<readonly [string, boolean]> = []) {
    this.scans = new Set(scans);
    this.corrections = new Map(corrections);
  }

  copy(): Holdings {
    return new Holdings(this.scans, this.corrections);
  }

  /** @param correctionOf Finds a correction by its number at the moment of the change. */
  take(change: Change, correctionOf: (number: number) => Correction | undefined): void {
    if (change.kind === 'scan') this.scans.add(scanKey(change.day, change.id, change.at));
    if (change.kind !== 'correction') return;
    const correction = correctionOf(change.number);
    if (correction === undefined) return;
    const key = correctionKey(correction);
    this.corrections.set(key, this.corrections.get(key) === true || correction.state !== 'pending');
  }

  import(day: Day, entry: DetailedEntry): void {
    for (const { at } of knownScans(entry)) this.scans.add(scanKey(day, entry.id, at));
  }
}

export function scanKey(day: Day, id: TallyId, at: Timestamp): string {
  return `${day} ${id} ${at}`;
}

/** A key that is the same for equal corrections, regardless of their decisions. */
export function correctionKey({ day, id, at, action, author, madeAt }: Omit<Correction, 'number'>): string {
  return `${day} ${id} ${at} ${action} ${author} ${madeAt}`;
}

/** The day of a scan or of a correction. */
export function dayOf(key: string): Day {
  return Number(key.split(' ')[0]) as Day;
}

/** The tag and the second of a scan or of a correction. */
export function momentOf(key: string): { readonly id: TallyId; readonly at: Timestamp } {
  const [, id = '', at = ''] = key.split(' ');
  return { id: id as TallyId, at: Number(at) as Timestamp };
}
