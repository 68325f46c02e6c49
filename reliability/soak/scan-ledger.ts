import { createHash } from 'node:crypto';
import type { AttendanceDay, Day, Entry, Scan } from '@tallybook/domain';

/**
 * The acknowledged scans, day by day. Of a day that is over it keeps a hash, so that its own memory stays small beside
 * the one that is watched.
 */
export class ScanLedger {
  readonly #days = new Map<Day, string>();
  readonly #today = new Map<string, Entry>();
  #count = 0;

  /** Scans that were acknowledged. */
  get count(): number {
    return this.#count;
  }

  /** Days that are over and had a scan. */
  get days(): readonly Day[] {
    return [...this.#days.keys()];
  }

  /** Takes note of a scan that was acknowledged as durable. */
  add({ id, at }: Scan): void {
    this.#count++;
    const known = this.#today.get(id);
    this.#today.set(id, { id, first: known?.first ?? at, last: at, count: (known?.count ?? 0) + 1 });
  }

  /** Ends a day: from now on scans are those of the next one. */
  endDay(day: Day): void {
    if (this.#today.size > 0) this.#days.set(day, fingerprint([...this.#today.values()]));
    this.#today.clear();
  }

  /** Says whether the record of a day that is over is exactly what was acknowledged. */
  agrees(day: Day, record: AttendanceDay | undefined): boolean {
    return this.#days.get(day) === (record && fingerprint(record.entries));
  }
}

function fingerprint(entries: readonly Entry[]): string {
  const lines = entries.map(({ id, first, last, count }) => [id, first, last, count].join()).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
