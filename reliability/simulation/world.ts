import { Calendar, type TallyId, type Timestamp } from '@tallybook/domain';
import type { SyncBatch } from '@tallybook/domain/sync';
import { CentreServer, type SharedRecord } from './places/centre.js';
import { judge } from './judging/judge.js';
import { Model } from './judging/model.js';
import {
  CENTRE,
  HELD_TAGS,
  serverName,
  stationName,
  type Fault,
  type Operation,
  type Plan,
  type Step,
} from './plan.js';
import type { Ground } from './places/program.js';
import { randomOf } from '../random.js';
import { honest, type Sabotage } from './sabotage.js';
import { Scheduler } from './virtual/scheduler.js';
import { Station } from './places/station.js';
import {
  copyStorage,
  forgetChanges,
  losePositions,
  newStorage,
  withNewJournal,
  type Storage,
} from './places/storage.js';
import type { Watcher } from './places/stores.js';
import { Trace } from './virtual/trace.js';
import { trueSeconds } from './virtual/virtual-clock.js';

/** The end of a world. */
export interface WorldEnd {
  /** The problems; empty if all is well. */
  readonly problems: readonly string[];
  /** The same for worlds with the same events. */
  readonly digest: string;
  /** Number of appointments that happened. */
  readonly happened: number;
  /** The events as lines; empty if they are not kept. */
  readonly lines: readonly string[];
}

/** Longest time from the healing until all is well, in milliseconds. */
const CONVERGED_WITHIN_MS = 60 * 60_000;
const LOOK_MS = 30_000;
/** A time in which every part that waits for a retry has tried once more, in milliseconds. */
const TRIED_MS = 6 * 60_000;
/** After that, nothing may change for this time, in milliseconds. */
const QUIET_MS = 90_000;

/** Runs a plan, heals the world, and judges its data. */
export async function runWorld(
  plan: Plan,
  {
    sabotage = honest,
    keepsLines = false,
  }: { readonly sabotage?: Sabotage; readonly keepsLines?: boolean } = {},
): Promise<WorldEnd> {
  const world = new World(plan, sabotage, keepsLines);
  return world.run();
}

const faults: Readonly<Record<Fault['kind'], true>> = {
  ...{ crash: true, partition: true, weather: true, disk: true },
  ...{ clock: true, backup: true, restore: true, forget: true },
};

function isFault(step: Step): step is Step & Fault {
  return step.kind in faults;
}

class World {
  readonly #plan: Plan;
  readonly #scheduler = new Scheduler();
  readonly #trace: Trace;
  readonly #model = new Model(CENTRE);
  readonly #shared: SharedRecord;
  readonly #servers: readonly CentreServer[];
  readonly #stations: readonly Station[];
  readonly #tags: readonly TallyId[];
  /** Tags that persons get: their names follow from these. */
  readonly #held: readonly TallyId[];
  readonly #copies = new Map<string, Storage>();

  constructor(plan: Plan, sabotage: Sabotage, keepsLines: boolean) {
    this.#plan = plan;
    this.#trace = new Trace(keepsLines);
    const { seed, needsApproval } = plan;
    const ground: Ground = { seed, scheduler: this.#scheduler, trace: this.#trace };
    const calendar = new Calendar();
    this.#held = Array.from({ length: HELD_TAGS }, (_, index) => `04BB00${hexByte(index)}` as TallyId);
    this.#tags = Array.from({ length: plan.tags }, (_, index) => `04AA00${hexByte(index)}` as TallyId);
    this.#shared = { storage: newStorage(randomOf(seed, CENTRE)), health: { failing: 0 } };
    const centre = {
      ...{ shared: this.#shared, isShared: plan.centres > 1, calendar, needsApproval, sabotage },
      watcher: this.#watch(CENTRE, () => this.#shared.storage),
      onBatch: (station: string, batch: SyncBatch): void => this.#hear(station, batch),
      onTaken: (station: string, { items }: SyncBatch): void => {
        for (const item of items) if (item.kind === 'name') this.#model.names.taken(station, item);
      },
    };
    this.#servers = Array.from(
      { length: plan.centres },
      (_, index) => new CentreServer(serverName(index), ground, centre),
    );
    this.#stations = Array.from({ length: plan.stations }, (_, index) => {
      const name = stationName(index);
      const station: Station = new Station(name, ground, {
        ...{ calendar, needsApproval, sabotage },
        servers: this.#servers,
        watcher: this.#watch(name, () => station.storage),
      });
      return station;
    });
  }

  async run(): Promise<WorldEnd> {
    const { steps, healsAtMs } = this.#plan;
    for (const program of [...this.#servers, ...this.#stations]) program.start();
    for (const step of steps) {
      this.#scheduler.after(step.atMs, () => this.#take(step));
    }
    await this.#scheduler.runUntil(healsAtMs);
    this.#heal();
    const problems = await this.#settle();
    return {
      problems,
      digest: this.#trace.digest(),
      happened: this.#scheduler.happened,
      lines: this.#trace.lines,
    };
  }

  /** Waits until all is well, and then for a time in which nothing may change. */
  async #settle(): Promise<readonly string[]> {
    const untilMs = this.#scheduler.nowMs + CONVERGED_WITHIN_MS;
    let problems = this.#judge();
    while (problems.length > 0 && this.#scheduler.nowMs < untilMs) {
      await this.#scheduler.runUntil(this.#scheduler.nowMs + LOOK_MS);
      problems = this.#judge();
    }
    if (problems.length > 0) return problems;
    await this.#scheduler.runUntil(this.#scheduler.nowMs + TRIED_MS);
    const before = this.#changesMade();
    await this.#scheduler.runUntil(this.#scheduler.nowMs + QUIET_MS);
    const after = this.#changesMade();
    const loud = after > before ? [`${after - before} changes were made though nobody did anything`] : [];
    return [...this.#judge(), ...loud];
  }

  #judge(): readonly string[] {
    const stations = new Map(this.#stations.map(({ name, storage }) => [name, storage]));
    const now = trueSeconds(this.#scheduler);
    return judge({ model: this.#model, tags: this.#tags, centre: this.#shared.storage, stations, now });
  }

  #changesMade(): number {
    const storages = [this.#shared, ...this.#stations].map(({ storage }) => storage);
    return storages.reduce((sum, { changes }) => sum + changes.latest, 0);
  }

  #take(step: Step): void {
    this.#trace.note(this.#scheduler.nowMs, step.place, JSON.stringify({ ...step, atMs: undefined }));
    if (isFault(step)) this.#fault(step);
    else this.#operate(step);
  }

  #operate(step: Step & Operation): void {
    const place = [...this.#stations, ...this.#servers].find(({ name }) => name === step.place);
    const id = [...this.#tags, ...this.#held]['tag' in step ? step.tag : 0];
    if (place === undefined || id === undefined) return;
    if (step.kind === 'erase') {
      // Even if the request fails, it may have happened.
      const until = trueSeconds(this.#scheduler) + Math.max(0, place.timepiece.aheadSeconds) + 3_600;
      this.#model.erasing(id, until as Timestamp, step.atMs);
    }
    void place.perform(step, id).then((outcome) => place.note(`${step.kind}: ${outcome}`));
  }

  #fault(fault: Fault): void {
    const isOfRecord = fault.kind === 'forget' || fault.kind === 'restore';
    if (isOfRecord && fault.place === CENTRE) this.#model.hasForgotten = true;
    const station = this.#stations.find(({ name }) => name === fault.place);
    const programs = this.#programsOf(fault.place);
    const later = (delayMs: number, work: () => void): void => void this.#scheduler.after(delayMs, work);
    switch (fault.kind) {
      case 'crash': {
        const { moment, downMs, isReboot } = fault;
        for (const program of programs) {
          const spring = (): void => {
            this.#end(program, isReboot);
            later(downMs, () => program.start());
          };
          if (moment === 'now') spring();
          else program.ambush(moment, spring);
        }
        break;
      }
      case 'partition':
        if (station === undefined) break;
        station.way.isCut = true;
        later(fault.forMs, () => (station.way.isCut = false));
        break;
      case 'weather':
        if (station === undefined) break;
        station.way.bad = fault.bad;
        later(fault.forMs, () => (station.way.bad = 0));
        break;
      case 'disk': {
        const health = fault.place === CENTRE ? this.#shared.health : station?.health;
        if (health === undefined) break;
        health.failing = fault.failing;
        later(fault.forMs, () => (health.failing = 0));
        break;
      }
      case 'clock':
        if (station === undefined) break;
        station.timepiece.aheadSeconds = fault.aheadSeconds;
        station.timepiece.isSynchronised = fault.isSynchronised;
        break;
      case 'forget':
        forgetChanges(this.#machine(fault.place)?.storage ?? this.#shared.storage, fault.keeps);
        break;
      case 'backup': {
        const machine = this.#machine(fault.place);
        if (machine === undefined) break;
        this.#copies.set(fault.place, copyStorage(machine.storage));
        this.#model.copied(fault.place, this.#scheduler.nowMs);
        break;
      }
      case 'restore':
        this.#restore(fault.place, fault.hasNewOrigin);
    }
  }

  #restore(place: string, hasNewOrigin: boolean): void {
    const [machine, copy] = [this.#machine(place), this.#copies.get(place)];
    if (machine === undefined || copy === undefined) return;
    for (const program of this.#programsOf(place)) this.#end(program, true);
    const kept = copyStorage(copy);
    const random = randomOf(this.#plan.seed, `${place} restored at ${this.#scheduler.nowMs}`);
    machine.storage = hasNewOrigin ? withNewJournal(kept, random) : kept;
    losePositions(machine.storage);
    this.#model.restored(place);
    for (const program of this.#programsOf(place)) program.start();
  }

  /** Power and network are back, and the clocks are right and stay right. */
  #heal(): void {
    this.#trace.note(this.#scheduler.nowMs, 'world', 'heals');
    this.#shared.health.failing = 0;
    for (const station of this.#stations) {
      Object.assign(station.way, { isCut: false, bad: 0 });
      Object.assign(station.timepiece, { aheadSeconds: 0, isSynchronised: true });
      station.health.failing = 0;
      this.#model.names.held(stampedNamesOf(station.storage));
    }
    this.#model.names.held(stampedNamesOf(this.#shared.storage));
    for (const program of [...this.#servers, ...this.#stations]) {
      program.calm();
      program.start();
    }
  }

  #end(program: CentreServer | Station, isReboot: boolean): void {
    program.crash(isReboot);
    // The record of the centre is on other machines, which keep their power.
    if (program instanceof Station) losePositions(program.storage);
  }

  #programsOf(place: string): readonly (CentreServer | Station)[] {
    if (place === CENTRE) return this.#servers;
    return [...this.#stations, ...this.#servers].filter(({ name }) => name === place);
  }

  #machine(place: string): { storage: Storage } | undefined {
    return place === CENTRE ? this.#shared : this.#stations.find(({ name }) => name === place);
  }

  #watch(place: string, storageOf: () => Storage): Watcher {
    const now = (): number => trueSeconds(this.#scheduler);
    const note = (what: string): void => this.#trace.note(this.#scheduler.nowMs, place, what);
    return {
      changed: (change) => {
        note(`writes ${JSON.stringify(change)}`);
        this.#model.take(place, change, now(), (number) => storageOf().corrections.byNumber.get(number));
      },
      named: (name) => {
        note(`has ${JSON.stringify(name)}`);
        this.#model.names.add(place, name, this.#scheduler.nowMs);
      },
      peopled: (written) => {
        note(`has ${JSON.stringify(written)}`);
        this.#model.people.take(place, written);
      },
      erasing: ({ persons = [], until }, isDone) => {
        if (persons.length === 0) return;
        this.#model.people.erasing(persons);
        // What was tapped while they held a tag goes too.
        for (const id of this.#held) this.#model.erasing(id, until, this.#scheduler.nowMs);
        void isDone.then((isSure) => isSure && this.#model.people.erased(place, persons));
      },
      imported: (day, entries) => {
        for (const entry of entries) this.#model.imported(place, day, entry, now());
      },
    };
  }

  /** A batch has arrived at the centre. Items that the centre has acknowledged before are not new. */
  #hear(station: string, batch: SyncBatch): void {
    const { run, items } = batch;
    this.#trace.note(this.#scheduler.nowMs, CENTRE, `hears from ${station}: ${JSON.stringify(batch)}`);
    const progress = this.#shared.storage.stations.get(station)?.runs.get(run) ?? 0;
    for (const item of items) {
      if (item.kind !== 'name') continue;
      this.#model.names.arrived(station, item, this.#scheduler.nowMs, item.cursor <= progress);
    }
  }
}

function stampedNamesOf({ names, stamps }: Storage) {
  return [...stamps].map(([id, stamp]) => ({ id, name: names.get(id), stamp }));
}

function hexByte(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0');
}
