import { TallybookError } from '../../errors.js';
import type { AttendanceService } from '../../attendance/attendance-service.js';
import type { PeopleService } from '../../people/people-service.js';
import { createReading } from '../../ports/devices/id-source.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { Calendar } from '../../time/calendar.js';
import { requireTime } from '../../time/require-time.js';
import type { Timekeeper } from '../../time/timekeeper.js';
import type { Name } from '../../values/name.js';
import type { PersonId } from '../../values/people/person.js';
import type { TallyId } from '../../values/tally-id.js';
import { DAY_SECONDS, type Timestamp } from '../../values/timestamp.js';

/** The reader of scans without a tap. */
const DESK_READER = 'desk';

interface GuestDependencies {
  readonly people: PeopleService;
  readonly store: Pick<PeopleStore, 'lastResortOf'>;
  readonly attendance: Pick<AttendanceService, 'take'>;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
}

/** A guest who has just come. */
export interface NewGuest {
  readonly name: Name;
  /** Whom they visit, and why: read by `parseGuestText`. */
  readonly host?: string | undefined;
  readonly reason?: string | undefined;
  /** A tag of the house that they get for the day. */
  readonly badge?: TallyId | undefined;
  /** The second of the tap that showed the badge, at most a day ago. Default: there was none. */
  readonly at?: Timestamp | undefined;
}

/** Adds guests, and records that people without a tag are here. */
export class GuestService {
  readonly #parts: GuestDependencies;

  constructor(parts: GuestDependencies) {
    this.#parts = parts;
  }

  /**
   * Adds a guest, with their badge in the same write, and then a scan unless a tap of the badge is recorded already. After a power
   * cut in between, they are a guest who is not here yet: a scan makes them so.
   *
   * @throws {TallybookError} `CLOCK_NOT_TRUSTED`; `INVALID_TIMESTAMP` if the tap is older than a day; `PERSON_CONFLICT` or
   * `RESERVED_TALLY_ID` as `PeopleService.add`; `STORE_WRITE_FAILED` if the scan is neither recorded nor kept in memory: the guest
   * stays; and as the stores reject.
   */
  async add({ name, host, reason, badge, at }: NewGuest): Promise<PersonId> {
    const { people, store, timekeeper, calendar } = this.#parts;
    requireTime(timekeeper, 'a guest cannot be added');
    // What was recorded of the badge before is that of somebody else, and must not be erased with the guest.
    if (at !== undefined && at < timekeeper.now() - DAY_SECONDS)
      throw new TallybookError('INVALID_TIMESTAMP', 'at: the tap that showed the badge is at most a day ago');
    const guest = {
      since: calendar.dayOf(timekeeper.now()),
      ...(host !== undefined && { host }),
      ...(reason !== undefined && { reason }),
    };
    const id = await people.add({ name, guest }, { badge: badge && { tag: badge, since: at } });
    if (badge !== undefined && at !== undefined) return id;
    await this.#record(badge ?? store.lastResortOf(id));
    return id;
  }

  /**
   * Records that somebody who has no tag is here now, as a tap would.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`; `PERSON_CONFLICT` if they have a tag; `STORE_WRITE_FAILED` if the scan is neither
   * recorded nor kept in memory; and as the stores reject.
   */
  async isHere(person: PersonId): Promise<void> {
    await this.#record(await this.#parts.people.lastResortOf(person));
  }

  async #record(tag: TallyId): Promise<void> {
    const { attendance, timekeeper } = this.#parts;
    let kept: Promise<unknown> | undefined;
    const waitUntil = (work: Promise<unknown>): void => void (kept = work);
    await attendance.take({ ...createReading(timekeeper.clock, DESK_READER, tag), waitUntil });
    await kept;
  }
}
