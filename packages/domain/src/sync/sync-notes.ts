import type { AuditNotes } from '../ports/audit-notes.js';
import { formatDay } from '../values/day.js';
import type { Correction } from '../values/record/correction.js';
import type { Day } from '../values/day.js';
import type { Erasure } from '../record/values/erasure.js';

/** Changes by synchronisation that go into the audit trail: not the scans. */
export interface SyncedChanges {
  /** Number of changed names. */
  readonly names?: number;
  readonly corrections?: readonly Pick<Correction, 'number'>[];
  readonly erasures?: readonly Pick<Erasure, 'digest'>[];
  /** Days that were removed. */
  readonly days?: readonly Day[];
}

/**
 * Notes changes by synchronisation in the audit trail, with the sender as the actor. A repeat changes nothing, and leaves no
 * entry.
 */
export class SyncNotes {
  readonly #audit: AuditNotes | undefined;
  readonly #actor: string;

  /** @param actor `token LABEL` for a station, `centre HOST` for a centre. */
  constructor(audit: AuditNotes | undefined, actor: string) {
    this.#audit = audit;
    this.#actor = actor;
  }

  /** Never rejects, as `AuditNotes.note`. */
  async note({ names = 0, corrections = [], erasures = [], days = [] }: SyncedChanges): Promise<void> {
    for (const { digest } of erasures) await this.#audit?.note(this.#actor, 'person-erased', { digest });
    for (const day of days) await this.#audit?.note(this.#actor, 'day-removed', { day });
    if (names === 0 && corrections.length === 0) return;
    const [first] = corrections;
    await this.#audit?.note(this.#actor, 'synchronised', {
      names,
      corrections: corrections.length,
      ...(first !== undefined && { number: Math.min(...corrections.map(({ number }) => number)) }),
    });
  }

  /** Notes that days before `keepFrom` were removed, since the centre does not keep them. */
  async noteRetention(keepFrom: Day, days: number): Promise<void> {
    if (days === 0) return;
    const details = { before: formatDay(keepFrom), days, backups: 0 };
    await this.#audit?.note(this.#actor, 'retention-applied', details);
  }
}
