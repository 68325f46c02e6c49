import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { hearBlocks, openStream } from '../event-stream.js';
import type { Ledger } from '../ledger/ledger.js';
import { nameOf } from '../ledger/names.js';
import type { Random } from '../random.js';
import { Desk, Gone } from './desk.js';
import { findExpiredDays, findOldDay } from './read-service.js';
import { Requests } from './requests.js';
import type { ServiceProcess } from './service-process.js';

const WRITERS = 16;
/** Tags to which a writer gives names, many times. */
const TAGS_OF_A_WRITER = 24;
/** Tapped tags: some have a name, some never get one. */
const TAPPED_TAGS = 200;
/** People who send requests at the same time: those at the desk, and one who removes days. */
const DESKS = 5;
const READERS = 3;
/** Taps that wait for their events at the same time. */
const TAPS_AT_A_TIME = 24;

/** Limit for a time without acknowledgements, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 30_000;

/**
 * Longest delay of the kill after the last acknowledgement: a write takes a few milliseconds, and every moment of it
 * is of interest.
 */
const PHASE_MS = 20;

/** The progress of the service before it is killed. */
export interface Extent {
  /** Number of acknowledgements. */
  readonly acknowledgements: number;
  /** Whether each task of the desk must have been done once. */
  readonly withRound?: boolean;
}

/** Puts load on a service until it has made some progress, and kills it. */
export async function loadUntilKilled(
  service: ServiceProcess,
  ledger: Ledger,
  random: Random,
  { acknowledgements, withRound = false }: Extent,
): Promise<void> {
  const load = new Load(service, await service.url(), ledger, random);
  try {
    await load.acknowledged(acknowledgements);
    if (withRound) await load.round;
    await delay(random.next() * PHASE_MS);
  } finally {
    await service.kill();
  }
  await load.done;
}

/** The data of an `attendance` event. */
interface AttendanceData {
  readonly id: string;
  readonly day: number;
  readonly at: number;
  readonly outcome: string;
  /** Present if the scan was provisional before. */
  readonly filed?: object;
}

/**
 * Load on a service until it ends: many writers of names at once, removals of old days, people at a desk, and taps at
 * three readers. It notes its requests, and their acknowledgements over HTTP and over the event stream.
 */
class Load {
  /** Resolves when the service has ended and every acknowledgement is noted. */
  readonly done: Promise<void>;
  readonly #service: ServiceProcess;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: WRITERS + DESKS });
  readonly #requests: Requests;
  readonly #desk: Desk;
  /** Taps that wait for their events, by tag. */
  readonly #awaited = new Map<string, () => void>();
  #acknowledgements = 0;
  #onAcknowledgement = (): void => undefined;

  constructor(service: ServiceProcess, url: string, ledger: Ledger, random: Random) {
    this.#service = service;
    this.#ledger = ledger;
    this.#random = random;
    this.#requests = new Requests(url, ledger, this.#agent, () => this.#acknowledge());
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#writeNames(writer));
    this.#desk = new Desk(this.#requests, ledger, random.fork(), (id) => this.#tapAndWait(id));
    const others = [this.#removeDays(url), this.#followEvents(url), this.#desk.done];
    this.done = Promise.all([...writers, ...others, service.gone]).then(() => this.#agent.destroy());
    // It may reject long before anybody awaits it.
    this.done.catch(() => undefined);
  }

  /**
   * Resolves when this many names and scans were acknowledged: a count, unlike a time, does not depend on how busy
   * the machine is. Rejects if the service ends first, or acknowledges nothing any more.
   */
  acknowledged(count: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (what?: string): void => {
        this.#onAcknowledgement = () => undefined;
        clearTimeout(patience);
        if (what === undefined) resolve();
        else reject(new Error(`the service ${what} after ${this.#acknowledgements} of ${count}`));
      };
      const patience = setTimeout(() => end('acknowledges nothing any more'), PATIENCE_MS);
      this.#onAcknowledgement = () => {
        patience.refresh();
        if (this.#acknowledgements >= count) end();
      };
      this.#onAcknowledgement();
      void this.#service.gone.then(() => end('went away'));
      this.done.catch((error: unknown) => end(`failed (${String(error)})`));
    });
  }

  /** Resolves when the people at the desk have done each of their tasks once. */
  get round(): Promise<void> {
    return this.#desk.round;
  }

  #acknowledge(): void {
    this.#acknowledgements++;
    this.#onAcknowledgement();
  }

  async #writeNames(writer: number): Promise<void> {
    for (;;) {
      const id = idOf(writer * TAGS_OF_A_WRITER + this.#random.between(0, TAGS_OF_A_WRITER - 1));
      const version = this.#ledger.nextVersion(id);
      const put = {
        ...{ request: 'POST /api/mapping', body: { id, name: nameOf(id, version) } },
        ...{ sent: `put ${id} ${version}`, acknowledged: `answered ${id} ${version}` },
      };
      if ((await this.#requests.send(put)) === undefined) return;
    }
  }

  /**
   * Removes past days, if there are any, during the other load: the oldest day, or the days that were kept long
   * enough.
   */
  async #removeDays(url: string): Promise<void> {
    const isRetention = this.#random.chance(0.5);
    const days = await (isRetention ? findExpiredDays(url) : findOldDay(url)).catch(() => []);
    if (days.length === 0) return;
    const removal = isRetention
      ? { request: 'POST /api/retention', body: { confirm: true } }
      : { request: `DELETE /api/day?day=${days.join()}` };
    const lines = (verb: string): string => days.map((day) => `${verb} ${day}`).join('; ');
    await this.#requests.send({ ...removal, sent: lines('removing'), acknowledged: lines('removed') });
  }

  async #followEvents(url: string): Promise<void> {
    const stream = await openStream(url, '');
    if (stream === undefined) return;
    for (let tap = 0; tap < TAPS_AT_A_TIME; tap++) this.#tap();
    // It is cut off when the service is killed.
    await hearBlocks(stream, (block) => {
      const data = /event: attendance\ndata: (.*)$/s.exec(block)?.[1];
      if (data === undefined) return;
      const { id, day, at, outcome, filed } = JSON.parse(data) as AttendanceData;
      if (filed !== undefined) {
        this.#ledger.filed(id, day, at);
        return;
      }
      // Only the service under test knows the right second of a provisional scan.
      if (outcome !== 'provisional') this.#ledger.attended(id, day, at);
      this.#acknowledge();
      const told = this.#awaited.get(id);
      this.#awaited.delete(id);
      if (told === undefined) this.#tap();
      else told();
    });
  }

  #tap(): void {
    // Some of these tags have names, others never get one.
    this.#hold(idOf(this.#random.between(WRITERS * TAGS_OF_A_WRITER - TAPPED_TAGS / 2, LAST_TAPPED_TAG)));
  }

  /** Resolves when the event stream has the tap, or can no longer have it. */
  #tapAndWait(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#awaited.set(id, resolve);
      // Nothing else may begin: whether the tap was written is judged by what is there.
      void this.#service.gone.then(() => reject(new Gone()));
      this.#hold(id);
    });
  }

  #hold(id: string): void {
    this.#ledger.tapped(id);
    this.#service.tap(this.#random.between(0, READERS - 1), id);
  }
}

const LAST_TAPPED_TAG = WRITERS * TAGS_OF_A_WRITER + TAPPED_TAGS / 2;

function idOf(tag: number): string {
  return `A0${tag.toString(16).toUpperCase().padStart(6, '0')}`;
}
