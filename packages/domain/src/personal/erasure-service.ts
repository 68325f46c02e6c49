import type { AttendanceService } from '../attendance/attendance-service.js';
import type { AuditNotes } from '../ports/audit-notes.js';
import { ifCode, TallybookError } from '../errors.js';
import type { PersonId } from '../values/people/person.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type {
  ErasedHolding,
  ErasureRequest,
  ErasureStore,
  KeptErasure,
  Trace,
} from '../record/ports/erasure-store.js';
import { ERASURE_KEPT_DAYS } from '../record/values/erasure.js';
import { Emitter, type Subscribable } from '../subscribable.js';
import { requireTime } from '../time/require-time.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { TallyId } from '../values/tally-id.js';
import { heldPart, personOfTag, recordOf, type HeldRecord } from './held-traces.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../values/timestamp.js';

/** Maximum number of tags in one erasure. */
export const ERASURE_MAX_TAGS = 100;

/** Looks for tags and persons in the kept backups. */
export interface BackupSearch {
  /** Names of the backups that hold one of these ids, or may hold one; a text after the name says which. */
  holding(ids: ReadonlySet<TallyId | PersonId>): Promise<readonly string[]>;
}

export interface ErasureDependencies {
  readonly erasures: ErasureStore;
  /** Absent if the storage knows no persons: then each tag is one. */
  readonly people?: PeopleStore;
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
  /** Files that a repair or a rollback has kept in the store, which may hold the tags too. */
  readonly formerFiles: readonly string[];
  /**
   * Whether no byte of the erased data is left in the files of the store; false in a dry run. If bytes are left, they
   * are removed later.
   */
  readonly isScrubbed: boolean;
}

/**
 * Erases persons everywhere and for good, with what was recorded while they held a tag. Their older data is refused if a backup or an offline device brings it
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
   * Erases persons, with what was recorded while they held their tags, or reports what would be erased.
   *
   * @param ids Tags of persons who held no other tag, and whose tags nobody else held; or tags without a holder. With `persons` at
   * least one, at most {@link ERASURE_MAX_TAGS} together.
   * @param options `persons`: others, with any tags. `actor`: who asks for it, for the audit trail. `confirm`: called right before
   * anything is erased. If it throws, nothing is.
   * @throws {TallybookError} `INVALID_OPTION` if there are none or too many; `PERSON_NOT_FOUND`; `PERSON_CONFLICT` if a tag does not
   * say which person is meant; `CLOCK_NOT_TRUSTED` if the time is unknown, since it separates the data to erase from later data;
   * and as the store rejects.
   */
  async erase(
    ids: readonly TallyId[],
    {
      persons = [],
      isDryRun,
      actor,
      confirm,
    }: {
      readonly persons?: readonly PersonId[];
      readonly isDryRun: boolean;
      readonly actor: string;
      readonly confirm?: () => void;
    },
  ): Promise<ErasureReport> {
    const { erasures, people, timekeeper, attendance, backups, audit } = this.#parts;
    const named = new Set(ids).size + new Set(persons).size;
    if (named === 0 || named > ERASURE_MAX_TAGS) {
      throw new TallybookError(
        'INVALID_OPTION',
        `1 to ${ERASURE_MAX_TAGS} tags or persons are erased together; got ${named}`,
      );
    }
    requireTime(timekeeper, 'a person cannot be erased');
    const until = timekeeper.now();
    const asked = await this.#find(new Set(ids), new Set(persons), until);
    const parts = [...asked.ids.map((id) => ({ id, holdings: undefined })), ...byTag(asked.holdings)];
    const tags: ErasedTag[] = [];
    for (const { id, holdings } of parts)
      tags.push({ id, ...(await countTraces(erasures.trace(id), holdings)) });
    const reserved = asked.persons.flatMap((id) => people?.lastResortOf(id) ?? []);
    for (const id of reserved) {
      const counts = await countTraces(erasures.trace(id));
      if (counts.days + counts.provisional + counts.corrections > 0) tags.push({ id, ...counts });
    }
    const all = new Set([...parts.map(({ id }) => id), ...reserved, ...asked.persons]);
    let isScrubbed = false;
    if (!isDryRun) {
      confirm?.();
      const expiresAt = toTimestamp(until + ERASURE_KEPT_DAYS * DAY_SECONDS);
      const erase = (): Promise<readonly string[]> => erasures.erase({ ...asked, until, expiresAt });
      // What waits in memory is of the last holder.
      const open = new Set([
        ...asked.ids,
        ...asked.holdings.filter(({ isClosed }) => isClosed !== true).map(({ id }) => id),
      ]);
      const digests = await (attendance === undefined ? erase() : attendance.eraseTags(open, erase));
      this.#erased.emit(named);
      const daysOf = new Map(tags.map(({ id, days }) => [id, days]));
      const its = [...asked.ids, ...asked.holdings.map(({ id }) => id)];
      const notes = digests.map((digest, index) => {
        const id = its[index];
        return { digest, days: (id && daysOf.get(id)) ?? 0 };
      });
      await Promise.all(notes.map(async (note) => audit?.note(actor, 'person-erased', note)));
      // The rows are erased. On a full disk, {@link tidy} removes their bytes later.
      isScrubbed = await erasures.scrub().catch(ifCode('STORE_WRITE_FAILED', false));
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

  /** Finds what is erased: whole tags without a timeline, and persons with what they held. */
  async #find(
    ids: ReadonlySet<TallyId>,
    persons: ReadonlySet<PersonId>,
    now: Timestamp,
  ): Promise<Required<Pick<ErasureRequest, 'ids' | 'holdings' | 'persons'>>> {
    const { people } = this.#parts;
    if (people === undefined) {
      if (persons.size > 0) throw new TallybookError('PERSON_NOT_FOUND', 'the storage has no people');
      return { ids: [...ids], holdings: [], persons: [] };
    }
    const whole = new Set<TallyId>();
    const wanted = new Set(persons);
    for (const id of ids) {
      const person = await personOfTag(people, id);
      if (person === undefined) whole.add(id);
      else wanted.add(person);
    }
    const found = new Map<PersonId, HeldRecord>();
    for (const id of wanted) {
      const its = await recordOf(people, id, now);
      if (its.onlyTag === undefined) found.set(its.person.id, its);
      else whole.add(its.onlyTag);
    }
    const records = [...found.values()];
    return {
      ids: [...whole],
      holdings: records.flatMap(({ holdings }) => holdings),
      persons: records.flatMap((record) => record.ids),
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

function byTag(
  holdings: readonly ErasedHolding[],
): readonly { readonly id: TallyId; readonly holdings: readonly ErasedHolding[] }[] {
  const ids = [...new Set(holdings.map(({ id }) => id))];
  return ids.map((id) => ({ id, holdings: holdings.filter((each) => each.id === id) }));
}

/** @param holdings Only what lies within these. Default: everything. */
export async function countTraces(
  traces: AsyncIterable<Trace>,
  holdings?: readonly ErasedHolding[],
): Promise<TraceCounts> {
  const counts = { hasName: false, days: 0, scans: 0, provisional: 0, corrections: 0, changes: 0 };
  for await (const each of traces) {
    const trace = holdings === undefined ? each : heldPart(each, holdings);
    if (trace === undefined) continue;
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
