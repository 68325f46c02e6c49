import {
  AttendanceService,
  isTallybookError,
  type Calendar,
  type Lifecycle,
  type TallyId,
} from '@tallybook/domain';
import { CorrectedDayStore, Gate } from '@tallybook/domain/record';
import { guardCorrections, guardMapping, StationSync } from '@tallybook/domain/sync';
import type { DiskHealth } from '../virtual/disk.js';
import { Network, type Server, type Way } from '../virtual/network.js';
import type { Operation } from '../plan.js';
import { Program, type Ground, type Run } from './program.js';
import { newTimekeeper, RecordServices, stampsBy } from './record-services.js';
import type { Sabotage } from '../sabotage.js';
import { newStorage, type Storage } from './storage.js';
import { openStores, type Watcher } from './stores.js';

export interface StationParts {
  readonly calendar: Calendar;
  readonly needsApproval: boolean;
  readonly servers: readonly Server[];
  readonly watcher: Watcher;
  readonly sabotage: Sabotage;
}

/** A device with a reader. It sends to the centre when it can. */
export class Station extends Program {
  readonly way: Way;
  readonly health: DiskHealth;
  storage: Storage;
  readonly #parts: StationParts;
  #at:
    | { readonly attendance: AttendanceService; readonly services: RecordServices; readonly run: Run }
    | undefined;

  constructor(name: string, ground: Ground, parts: StationParts) {
    const health: DiskHealth = { failing: 0 };
    super(name, ground, health);
    this.health = health;
    this.way = { isCut: false, bad: 0 };
    this.storage = newStorage(this.random);
    this.#parts = parts;
  }

  /** Performs an operation of a person at this place; does nothing if the place is down. */
  async perform(operation: Operation, id: TallyId): Promise<string> {
    if (this.#at === undefined) return 'nobody is in';
    const { attendance, services, run } = this.#at;
    if (operation.kind !== 'tap') return services.perform(operation, id);
    const { clock } = run;
    try {
      await attendance.take({ id, reader: 'door', at: clock.now(), monotonicMs: clock.monotonicMs() });
      return 'taken';
    } catch (error) {
      if (isTallybookError(error, 'NOT_OPEN')) return 'not ready yet';
      throw error;
    }
  }

  protected override onStart(run: Run): readonly Lifecycle[] {
    const { calendar, needsApproval, servers, watcher, sabotage } = this.#parts;
    const { clock, disk, life } = run;
    const { storage, way } = this;
    const { scheduler } = this.ground;
    const timekeeper = newTimekeeper(clock);
    const source = stampsBy(timekeeper);
    const stores = sabotage.atStation(
      openStores(storage, { disk, source, watcher, random: this.newPersons() }),
    );
    const { days, mapping, people, provisional, erasures } = stores;
    const correctedDays = new CorrectedDayStore(stores);
    const attendance = new AttendanceService(
      { days: correctedDays, mapping, people, provisional, erasures, calendar, timekeeper },
      { repeatWindowMs: 0 },
    );
    const network = new Network(this.name, { scheduler, life, random: this.random.fork(), way, servers });
    const edits = new Gate(1);
    const services = new RecordServices(this.name, {
      ...{ correctedDays, stores, storage, timekeeper, calendar, attendance, needsApproval, scheduler },
      mapping: guardMapping(mapping, edits, erasures),
      corrections: guardCorrections(stores.corrections, edits, stores.erasures),
    });
    const random = this.random.fork();
    const sync = new StationSync({
      ...{ days, people, erasures, provisional, calendar, timekeeper, clock, edits },
      stamped: stores.stampedNames,
      corrections: stores.corrections,
      journal: stores.journal,
      removeDay: (day) => attendance.removeDay(day),
      transport: sabotage.onTheWay(network, stores),
      random: () => random.next(),
      version: '1.0.0',
    });
    sync.faults.subscribe((error) => this.note(`cannot sync: ${String(error)}`));
    this.#at = { attendance, services, run };
    return [...stores.all, attendance, sync];
  }

  protected override onEnd(): void {
    this.#at = undefined;
  }
}
