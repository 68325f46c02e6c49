import type { RecordOutcome } from './attendance-day.js';
import type { FiledScan } from './reading.js';
import type { CarriedKey } from '../people/carried-row.js';
import type { GroupId } from '../people/group.js';
import type { PersonId } from '../people/person.js';
import type { Day } from '../day.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/**
 * One durable change of the record.
 *
 * - `scan`: a scan was added to a day. If it was provisional before, it has `filed`.
 * - `provisional`: a scan is held until its day and time are known. Its `scan` follows, with the same sequence, unless that tag
 *   is recorded in that second already.
 * - `name`: a tag was given a name, or lost its name. The name itself is in the mapping.
 * - `person`: a person was added, changed or removed. Read the person.
 * - `tag`: the timeline of a tag changed: who held it, and since when. Read it.
 * - `group`: a group was made, renamed or merged. Read the groups.
 * - `carried`: a carried row was written or removed. Read it, if its kind is known; or something else happened that only a later
 *   version knows.
 * - `correction`: a correction was added or decided. Read its day.
 * - `day`: the record or the corrections of a day were removed, or entries of a backup or flags of scans were merged into the
 *   record. Read the day.
 * - `erased`: a person was erased, from all days. Read the whole record, and forget all data that is not in it: see
 *   {@link ErasedChange}.
 * - `repaired`: a damaged store was repaired, and earlier changes may be missing. Read the whole record.
 */
export type Change =
  | ScanChange
  | ProvisionalChange
  | NameChange
  | PersonChange
  | TagChange
  | GroupChange
  | CarriedChange
  | CorrectionChange
  | DayChange
  | ErasedChange
  | RepairChange;

export interface ScanChange {
  readonly kind: 'scan';
  readonly day: Day;
  readonly id: TallyId;
  readonly at: Timestamp;
  /** `undefined` if the recorder did not give it. */
  readonly reader: string | undefined;
  readonly outcome: RecordOutcome;
  readonly filed?: FiledScan;
  /** Flags of the scan, see `KnownScan`; absent if 0. */
  readonly flags?: number;
}

export interface ProvisionalChange {
  readonly kind: 'provisional';
  readonly sequence: number;
  readonly id: TallyId;
  readonly reader: string;
  /** `Clock.bootId` at the tap. */
  readonly bootId: string;
  /** `Clock.monotonicMs` at the tap. */
  readonly monotonicMs: number;
}

export interface NameChange {
  readonly kind: 'name';
  readonly id: TallyId;
  readonly action: 'added' | 'replaced' | 'removed';
}

interface PersonChange {
  readonly kind: 'person';
  readonly person: PersonId;
}

interface TagChange {
  readonly kind: 'tag';
  readonly id: TallyId;
}

interface GroupChange {
  readonly kind: 'group';
  readonly group: GroupId;
}

interface CarriedChange {
  readonly kind: 'carried';
  /** Absent for a kind of change that this version does not know. */
  readonly row?: CarriedKey;
}

export interface CorrectionChange {
  readonly kind: 'correction';
  readonly number: number;
  readonly day: Day;
  readonly id: TallyId;
}

export interface DayChange {
  readonly kind: 'day';
  readonly day: Day;
  readonly action: 'removed' | 'merged';
}

/**
 * A person was erased, with the changes of their tag. The change does not hold the id of the tag, or the id would not
 * be erased. A recipient that knows ids compares their digests with this one, see `Erasure`.
 */
interface ErasedChange {
  readonly kind: 'erased';
  /** 32 hexadecimal digits in lower case. */
  readonly digest: string;
}

interface RepairChange {
  readonly kind: 'repaired';
}
