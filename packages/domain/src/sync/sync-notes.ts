import type { AuditAction, AuditDetails, AuditNotes } from '../ports/audit-notes.js';
import { formatDay, type Day } from '../values/day.js';
import type { Correction } from '../values/record/correction.js';
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
  readonly #note: (...note: readonly [AuditAction, AuditDetails]) => Promise<void> | undefined;

  /** @param actor `token LABEL` for a station, `centre HOST` for a centre. */
  constructor(audit: AuditNotes | undefined, actor: string) {
    this.#note = (...note) => audit?.note(actor, ...note);
  }

  /** Never rejects, as `AuditNotes.note`. */
  async note({ names = 0, corrections = [], erasures = [], days = [] }: SyncedChanges): Promise<void> {
    const number = Math.min(...corrections.map((each) => each.number));
    const isMore = names + corrections.length > 0;
    await Promise.all([
      ...erasures.map(({ digest }) => this.#note('person-erased', { digest })),
      ...days.map((day) => this.#note('day-removed', { day })),
      isMore &&
        this.#note('synchronised', {
          ...{ names, corrections: corrections.length },
          ...(corrections.length > 0 && { number }),
        }),
    ]);
  }

  /** Notes that days before `keepFrom` were removed, since the centre does not keep them. */
  async noteRetention(keepFrom: Day, days: number): Promise<void> {
    if (days > 0) await this.#note('retention-applied', { before: formatDay(keepFrom), days, backups: 0 });
  }
}
