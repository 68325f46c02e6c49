import { createHash } from 'node:crypto';
import type { AttendanceDay, Day, Entry, Scan } from '@tallybook/domain';

/**
 * The acknowledged scans, day by day. For a past day it keeps only a hash, so that its own memory stays small
 * compared with the measured memory.
 */
export class ScanLedger {
  readonly #days = new Map<Day, string>();
  readonly #today = new Map<string, Entry>();
  /** Number of acknowledged scans. */
  count = 0;

  /** Past days with a scan. */
  get days(): readonly Day[] {
    return [...this.#days.keys()];
  }

  /** Notes a scan that was acknowledged as durable. */
  add({ id, at }: Scan): void {
    this.count++;
    const known = this.#today.get(id);
    this.#today.set(id, { id, first: known?.first ?? at, last: at, count: (known?.count ?? 0) + 1 });
  }

  /** Ends a day: later scans belong to the next one. */
  endDay(day: Day): void {
    if (this.#today.size > 0) this.#days.set(day, fingerprint([...this.#today.values()]));
    this.#today.clear();
  }

  /** Whether the record of a past day has exactly the acknowledged scans. */
  agrees(day: Day, record: AttendanceDay | undefined): boolean {
    return this.#days.get(day) === (record && fingerprint(record.entries));
  }
}

function fingerprint(entries: readonly Entry[]): string {
  const lines = entries.map(({ id, first, last, count }) => [id, first, last, count].join()).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
