import { Timekeeper, type AttendanceDay, type Day, type Mapping } from '@tallybook/domain';
import { createContainer, loadConfig, serviceId } from '@tallybook/server';
import { ManualClock, ScriptedIdSource } from '@tallybook/testing';
import type { Random } from '../random.js';
import { AnnouncedScans } from './announced-scans.js';
import { ScanLedger } from './scan-ledger.js';
import { planDay, type Happening } from './working-day.js';

const DAY_MS = 86_400_000;
/** Milliseconds between two readings of a tag that rests on a reader. */
const AGAIN_MS = 300;
const READERS = 4;
/** Taps that are on their way to the store at the same time: about as many as people in a queue at the readers. */
const AT_ONCE = 8;
/** 2100-01-01: a clock with a time before the release of the program is not trusted. */
const FIRST_DAY = 47_482;

/** The whole service in this process: its own store, HTTP and events. The harness controls time and readers. */
export class SoakedService {
  readonly ledger: ScanLedger = new ScanLedger();
  readonly announced: AnnouncedScans = new AnnouncedScans();
  readonly #clock = new ManualClock(FIRST_DAY * 86_400);
  readonly #readers = Array.from(
    { length: READERS },
    (_, n) => new ScriptedIdSource(this.#clock, `reader ${n}`),
  );
  readonly #services;
  today = FIRST_DAY as Day;
  /** Number of taps at connected readers: each of them must have been acknowledged. */
  taps = 0;

  /** @param path The folder of the store. */
  constructor(path: string) {
    const config = loadConfig({ port: '0', store: `level:${path}`, logLevel: 'silent' }, {});
    const container = createContainer(config);
    container.rebind(serviceId('clock')).toConstantValue(this.#clock);
    // A timekeeper without the date of the release.
    container.rebind(serviceId('timekeeper')).toConstantValue(new Timekeeper(this.#clock));
    container.rebind(serviceId('idSources')).toConstantValue(this.#readers);
    this.#services = {
      server: container.get(serviceId('server')),
      attendance: container.get(serviceId('tallybook')).attendance,
      names: container.get(serviceId('tallybook')).names,
      events: container.get(serviceId('events')),
      journal: container.get(serviceId('storage')).journal,
    };
    this.#services.attendance.events.subscribe((event) => {
      if (event.kind !== 'attendance') return;
      this.ledger.add(event.scan);
      this.announced.add(event.scan);
    });
  }

  get url(): string {
    return this.#services.server.url;
  }

  /** Number of open streams on this side. */
  get streams(): number {
    return this.#services.events.subscriberCount;
  }

  open(): Promise<void> {
    return this.#services.server.open();
  }

  close(): Promise<void> {
    return this.#services.server.close();
  }

  /** Simulates a day with all that happens on it. */
  async passDay(random: Random, people: number): Promise<void> {
    const midnight = this.today * 86_400;
    for (const happening of planDay(random, people, READERS)) {
      this.#clock.advance(Math.max((midnight + happening.second - this.#clock.now()) * 1_000, 0));
      this.#happen(happening);
      if (this.taps % AT_ONCE === 0) await this.#services.attendance.settled();
    }
    await this.#services.attendance.settled();
    for (const reader of this.#readers) reader.plug();
    this.ledger.endDay(this.today);
    await this.announced.compare(this.#services.journal);
    this.#clock.advance(midnight * 1_000 + DAY_MS - this.#clock.now() * 1_000);
    this.today = (this.today + 1) as Day;
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.#services.attendance.loadDay(day);
  }

  names(): Promise<Mapping> {
    return this.#services.names.read();
  }

  #happen({ kind, reader: number, person }: Happening): void {
    const reader = this.#readers[number];
    if (reader === undefined) throw new RangeError(`there is no reader ${number}`);
    switch (kind) {
      case 'noise':
        reader.present('noise');
        break;
      case 'unplug':
        reader.unplug();
        break;
      case 'plug':
        reader.plug();
        break;
      case 'tap':
      case 'rest':
        if (reader.connection === 'connected') this.#tap(reader, tagOf(person), kind === 'rest' ? 4 : 1);
        break;
    }
  }

  #tap(reader: ScriptedIdSource, id: string, readings: number): void {
    // As in a queue, no two taps are in one second: otherwise taps of a tag at two readers would be one scan.
    this.#clock.advance(3_000);
    this.taps++;
    for (let n = 0; n < readings; n++) {
      reader.present(id);
      this.#clock.advance(AGAIN_MS);
    }
  }
}

/** The tag of a person. */
export function tagOf(person: number): string {
  return `04A2B3${String(person).padStart(4, '0')}`;
}
