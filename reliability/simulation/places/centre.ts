import type { Calendar, Lifecycle, TallyId } from '@tallybook/domain';
import { CorrectedDayStore } from '@tallybook/domain/record';
import { CentreSync, type SyncBatch } from '@tallybook/domain/sync';
import type { DiskHealth } from '../virtual/disk.js';
import type { Server, Upstream } from '../virtual/network.js';
import type { Operation } from '../plan.js';
import { Program, type Ground, type Run } from './program.js';
import { newTimekeeper, RecordServices, stampsBy } from './record-services.js';
import type { Sabotage } from '../sabotage.js';
import type { Storage } from './storage.js';
import { openStores, type Watcher } from './stores.js';

/** The record that all servers of the centre share. */
export interface SharedRecord {
  storage: Storage;
  readonly health: DiskHealth;
}

export interface CentreParts {
  readonly shared: SharedRecord;
  /** Whether the centre has another server. */
  readonly isShared: boolean;
  readonly calendar: Calendar;
  readonly needsApproval: boolean;
  readonly watcher: Watcher;
  /** `onBatch` is called before the server handles a batch, `onTaken` after it has acknowledged all of the batch. */
  readonly onBatch: (station: string, batch: SyncBatch) => void;
  readonly onTaken: (station: string, batch: SyncBatch) => void;
  readonly sabotage: Sabotage;
}

/** A server of the centre, which may end at any time while the others go on. */
export class CentreServer extends Program implements Server {
  upstream: Upstream | undefined;
  readonly #parts: CentreParts;
  #services: RecordServices | undefined;

  constructor(name: string, ground: Ground, parts: CentreParts) {
    super(name, ground, parts.shared.health);
    this.#parts = parts;
  }

  /** Performs an operation of a person at this place; does nothing if the place is down. */
  async perform(operation: Operation, id: TallyId): Promise<string> {
    return this.#services === undefined ? 'nobody is in' : this.#services.perform(operation, id);
  }

  protected override onStart({ clock, disk }: Run): readonly Lifecycle[] {
    const { shared, calendar, needsApproval, watcher, onBatch, onTaken, sabotage, isShared } = this.#parts;
    const { storage } = shared;
    const timekeeper = newTimekeeper(clock);
    const source = stampsBy(timekeeper);
    const stores = sabotage.atCentre(
      openStores(storage, { disk, source, watcher, random: this.newPersons(), isShared }),
    );
    const correctedDays = new CorrectedDayStore(stores);
    const services = new RecordServices(this.name, {
      ...{ correctedDays, stores, storage, timekeeper, calendar, needsApproval },
      scheduler: this.ground.scheduler,
    });
    const { stampedNames: stamped, people, days, corrections, erasures, stations, journal } = stores;
    const sync = new CentreSync({
      ...{ stamped, people, days, corrections, erasures, stations, journal, timekeeper, clock },
    });
    const upstream = sabotage.inTheCentre(sync, stores);
    this.#services = services;
    const push: Upstream['push'] = async (station, batch) => {
      onBatch(station, batch);
      const answer = await upstream.push(station, batch);
      onTaken(station, batch);
      return answer;
    };
    this.upstream = {
      push,
      changes: (after, waitMs) => upstream.changes(after, waitMs),
      snapshot: () => upstream.snapshot(),
    };
    return [...stores.all, sync];
  }

  protected override onEnd(): void {
    this.upstream = undefined;
    this.#services = undefined;
  }
}
