import type { AttendanceService } from '../attendance/attendance-service.js';
import type { AuditNotes } from '../ports/audit-notes.js';
import { isTallybookError, TallybookError } from '../errors.js';
import type { ErasureStore, KeptErasure, Trace } from '../record/ports/erasure-store.js';
import { ERASURE_KEPT_DAYS } from '../record/values/erasure.js';
import { Emitter, type Subscribable } from '../subscribable.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { TallyId } from '../values/tally-id.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../values/timestamp.js';

/** Maximum number of tags in one erasure. */
export const ERASURE_MAX_TAGS = 100;

/** Looks for tags in the kept backups. */
export interface BackupSearch {
  /** Names of the backups that hold one of these tags, or may hold one; a text after the name says which. */
  holding(ids: ReadonlySet<TallyId>): Promise<readonly string[]>;
}

export interface ErasureDependencies {
  readonly erasures: ErasureStore;
  readonly timekeeper: Timekeeper;
  /** Holds the scans that wait in memory. Without it, none wait. */
  readonly attendance?: Pick<AttendanceService, 'eraseTags'>;
  /** Absent if no backups are kept. */
  readonly backups?: BackupSearch;
  readonly audit?: AuditNotes;
}

/** Counts of the stored data of a tag. */
export interface TraceCounts {
  readonly hasName: boolean;
  /** Days with an entry. */
  readonly days: number;
  /** Single known scans. */
  readonly scans: number;
  /** Provisional scans. */
  readonly provisional: number;
  /** Corrections, including rejected ones. */
  readonly corrections: number;
  /** Changes in the journal. */
  readonly changes: number;
}

/** Counts of the data of a tag, before its erasure. */
export interface ErasedTag extends TraceCounts {
  readonly id: TallyId;
}

export interface ErasureReport {
  readonly isDryRun: boolean;
  readonly tags: readonly ErasedTag[];
  /** Scans up to this moment are refused. */
  readonly until: Timestamp;
  /**
   * Backups that still hold one of the tags, or may hold one because they could not be searched; a text after the name says
   * which.
   */
  readonly backupsWithIt: readonly string[];
  /** Files of the store from before a repair, which may hold the tags too. */
  readonly formerFiles: readonly string[];
  /**
   * Whether no byte of the erased data is left in the files of the store; false in a dry run. If bytes are left, they
   * are removed later.
   */
  readonly isScrubbed: boolean;
}

/**
 * Erases persons by their tags, everywhere and for good. Their older data is refused if a backup or an offline device brings it
 * later.
 */
export class ErasureService {
  readonly #parts: ErasureDependencies;
  readonly #erased = new Emitter<number>();
  /** Emits the number of erased tags, when the erasure is durable. */
  readonly erased: Subscribable<number> = this.#erased;

  constructor(parts: ErasureDependencies) {
    this.#parts = parts;
  }

  /**
   * Erases the stored data of tags, or reports what would be erased.
   *
   * @param ids At least one, at most {@link ERASURE_MAX_TAGS}.
   * @param options `actor`: who asks for it, for the audit trail. `confirm`: called right before anything is erased. If it
   * throws, nothing is.
   * @throws {TallybookError} `INVALID_OPTION` if there are none or too many; `CLOCK_NOT_TRUSTED` if the time is unknown,
   * since it separates the data to erase from later data; and as the store rejects.
   */
  async erase(
    ids: readonly TallyId[],
    {
      isDryRun,
      actor,
      confirm,
    }: { readonly isDryRun: boolean; readonly actor: string; readonly confirm?: () => void },
  ): Promise<ErasureReport> {
    const { erasures, timekeeper, attendance, backups, audit } = this.#parts;
    const all = new Set(ids);
    if (all.size === 0 || all.size > ERASURE_MAX_TAGS) {
      throw new TallybookError(
        'INVALID_OPTION',
        `1 to ${ERASURE_MAX_TAGS} tags are erased together; got ${all.size}`,
      );
    }
    requireTime(timekeeper, 'a person cannot be erased');
    const tags: ErasedTag[] = [];
    for (const id of all) tags.push({ id, ...(await countTraces(erasures.trace(id))) });
    const until = timekeeper.now();
    let isScrubbed = false;
    if (!isDryRun) {
      confirm?.();
      const expiresAt = toTimestamp(until + ERASURE_KEPT_DAYS * DAY_SECONDS);
      const erase = (): Promise<readonly string[]> => erasures.erase({ ids: [...all], until, expiresAt });
      const digests = await (attendance === undefined ? erase() : attendance.eraseTags(all, erase));
      this.#erased.emit(all.size);
      const notes = digests.map((digest, index) => ({ digest, days: tags[index]?.days ?? 0 }));
      await Promise.all(notes.map(async (note) => audit?.note(actor, 'person-erased', note)));
      isScrubbed = await erasures.scrub().catch(unlessNotWritten);
    }
    return {
      isDryRun,
      tags,
      until,
      backupsWithIt: (await backups?.holding(all)) ?? [],
      formerFiles: await erasures.formerFiles(),
      isScrubbed,
    };
  }

  /** All erasures that are remembered, ascending by digest. */
  list(): Promise<readonly KeptErasure[]> {
    return this.#parts.erasures.list();
  }

  /**
   * Forgets expired erasures, and goes on with unfinished ones. Call it from time to time. Resolves with whether no work is
   * left. While the clock is not trusted, no erasure is forgotten.
   */
  async tidy(): Promise<boolean> {
    const { erasures, timekeeper } = this.#parts;
    if (timekeeper.trust().isTrusted) await erasures.expire(timekeeper.now());
    const isDue = (await erasures.list()).some(({ state }) => state !== 'done');
    return !isDue || (await erasures.scrub());
  }
}

/** The rows are erased. On a full disk, {@link ErasureService.tidy} removes their bytes later. */
function unlessNotWritten(error: unknown): false {
  if (isTallybookError(error, 'STORE_WRITE_FAILED')) return false;
  throw error;
}

/** @throws {TallybookError} `CLOCK_NOT_TRUSTED` if the clock is not trusted. */
export function requireTime(timekeeper: Timekeeper, what: string): void {
  const trust = timekeeper.trust();
  if (trust.isTrusted) return;
  throw new TallybookError(
    'CLOCK_NOT_TRUSTED',
    `${what} while the clock may be wrong (${trust.doubt}): set the time first`,
    { details: { doubt: trust.doubt } },
  );
}

export async function countTraces(traces: AsyncIterable<Trace>): Promise<TraceCounts> {
  const counts = { hasName: false, days: 0, scans: 0, provisional: 0, corrections: 0, changes: 0 };
  for await (const trace of traces) {
    if (trace.kind === 'name') counts.hasName = true;
    else if (trace.kind === 'provisional') counts.provisional++;
    else if (trace.kind === 'correction') counts.corrections++;
    else if (trace.kind === 'change') counts.changes++;
    else if (trace.kind === 'entry') {
      counts.days++;
      counts.scans += trace.scans.length;
    }
  }
  return counts;
}
