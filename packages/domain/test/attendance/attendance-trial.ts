import {
  AttendanceService,
  Calendar,
  Timekeeper,
  type AttendanceEvent,
  type Indication,
  type Journal,
  type ProvisionalStore,
  type TallyId,
  type Lifecycle,
} from '@tallybook/domain';
import type { AttendanceOptions } from '../../src/attendance/attendance-service.js';
import type { MemoryDayStore } from '@tallybook/testing';
import { ManualClock, MemoryMappingStore, Recorder, ScriptedIdSource } from '@tallybook/testing';

interface Parts<Days extends MemoryDayStore> {
  readonly days: Days;
  readonly clock?: ManualClock;
  readonly provisional?: ProvisionalStore;
  readonly calendar?: Calendar;
  /** Seconds since 1970, default 0: no time is too early. */
  readonly builtAt?: number;
  /** Given if another server uses the stores. */
  readonly journal?: Journal;
}

/** An attendance service over stores in memory, with a reader at its door. */
export class AttendanceTrial<Days extends MemoryDayStore = MemoryDayStore> {
  readonly clock: ManualClock;
  readonly days: Days;
  readonly mapping = new MemoryMappingStore();
  readonly door: ScriptedIdSource;
  /** The indications of the present service. */
  indications: Indication[] = [];
  service!: AttendanceService;
  events!: Recorder<AttendanceEvent>;
  readonly #parts: Parts<Days>;
  readonly #options: AttendanceOptions;

  private constructor(parts: Parts<Days>, options: AttendanceOptions) {
    this.#parts = parts;
    this.#options = options;
    this.clock = parts.clock ?? new ManualClock();
    this.days = parts.days;
    this.door = new ScriptedIdSource(this.clock, 'door');
  }

  static async open<Days extends MemoryDayStore>(
    parts: Parts<Days>,
    options: AttendanceOptions = {},
  ): Promise<AttendanceTrial<Days>> {
    const trial = new AttendanceTrial(parts, options);
    const { days, mapping, door } = trial;
    const provisional = parts.provisional as Partial<Lifecycle> | undefined;
    for (const each of [days, mapping, door]) await each.open();
    await provisional?.open?.();
    await trial.restart();
    return trial;
  }

  /** Starts the service again, as a new process on the same stores. */
  async restart(): Promise<void> {
    const { provisional, journal, calendar = new Calendar(), builtAt = 0 } = this.#parts;
    const { days, mapping, clock } = this;
    await (this.service as AttendanceService | undefined)?.close();
    const indications: Indication[] = [];
    this.indications = indications;
    this.service = new AttendanceService(
      {
        days,
        mapping,
        ...(provisional && { provisional }),
        ...(journal && { journal }),
        calendar,
        timekeeper: new Timekeeper(clock, { builtAt }),
      },
      this.#options,
    );
    this.service.indications.subscribe((each) => indications.push(each));
    this.events = new Recorder(this.service.events);
    await this.service.open();
    this.service.listen(this.door);
  }

  /** Presents tags at the door, and waits for their outcomes. */
  async tap(...ids: readonly TallyId[]): Promise<void> {
    for (const id of ids) this.door.present(id);
    await this.service.settled();
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.door.close();
  }
}
