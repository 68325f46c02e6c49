import { Agent, get, request, type IncomingMessage } from 'node:http';
import type { Ledger } from '../ledger/ledger.js';
import { nameOf } from '../ledger/names.js';
import type { Random } from '../random.js';
import { findOldDay } from './read-service.js';
import type { ServiceProcess } from './service-process.js';

const WRITERS = 16;
/** Tags whose name a writer puts again and again. */
const TAGS_OF_A_WRITER = 24;
/** Tags that are tapped: some have a name, some never get one. */
const TAPPED_TAGS = 200;
const READERS = 3;
/** Taps that wait for their event at a time. */
const TAPS_AT_A_TIME = 24;

/** How long the service may acknowledge nothing, in milliseconds. Only a failure takes this long. */
const PATIENCE_MS = 30_000;

/** What an event tells that somebody was there. */
interface AttendanceData {
  readonly id: string;
  readonly day: number;
  readonly at: number;
  readonly outcome: string;
  /** Given if the scan was provisional before. */
  readonly filed?: object;
}

/**
 * Names put by many writers at once, a day that is removed, and taps at three readers, until the service is gone. It takes down what it sends
 * and what is acknowledged to it, over HTTP and over the event stream.
 */
export class Load {
  /** Resolves when the service is gone and every acknowledgement has been taken down. */
  readonly done: Promise<void>;
  readonly #service: ServiceProcess;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  #acknowledgements = 0;
  #onAcknowledgement = (): void => undefined;

  constructor(service: ServiceProcess, url: string, ledger: Ledger, random: Random) {
    this.#service = service;
    this.#ledger = ledger;
    this.#random = random;
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#writeNames(url, writer));
    this.done = Promise.all([...writers, this.#removeDay(url), this.#followEvents(url), service.gone]).then(
      () => this.#agent.destroy(),
    );
    // It may fail long before anybody waits for it.
    this.done.catch(() => undefined);
  }

  /**
   * Resolves once so many names and scans have been acknowledged: how much has happened by then does not depend on how busy
   * the machine is. Rejects if the service goes away first, or acknowledges nothing any more.
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

  #acknowledge(): void {
    this.#acknowledgements++;
    this.#onAcknowledgement();
  }

  async #writeNames(url: string, writer: number): Promise<void> {
    for (;;) {
      const id = idOf(writer * TAGS_OF_A_WRITER + this.#random.between(0, TAGS_OF_A_WRITER - 1));
      const version = this.#ledger.nextVersion(id);
      this.#ledger.put(id, version);
      const status = await this.#put(url, id, version);
      if (status === undefined) return;
      if (status >= 300) throw new Error(`POST /api/mapping answered ${status}`);
      this.#ledger.answered(id, version);
      this.#acknowledge();
    }
  }

  /** The status, `undefined` if the service went away first. */
  #put(url: string, id: string, version: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'x-put': `${id} ${version}` };
      request(`${url}/api/mapping`, { method: 'POST', agent: this.#agent, headers })
        .on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', () => resolve(undefined))
        .end(JSON.stringify({ id, name: nameOf(id, version) }));
    });
  }

  /** Removes a day that is over, if there is one, amid everything else. */
  async #removeDay(url: string): Promise<void> {
    const day = await findOldDay(url).catch(() => undefined);
    if (day === undefined) return;
    this.#ledger.removing(day);
    const headers = { 'x-removal': String(day) };
    const response = await fetch(`${url}/api/day?day=${day}`, { method: 'DELETE', headers }).catch(
      () => undefined,
    );
    if (response === undefined) return;
    if (!response.ok) throw new Error(`DELETE /api/day answered ${response.status}`);
    this.#ledger.removed(day);
  }

  async #followEvents(url: string): Promise<void> {
    const response = await new Promise<IncomingMessage | undefined>((resolve) => {
      get(`${url}/api/idevent`, resolve).on('error', () => resolve(undefined));
    });
    if (response === undefined) return;
    for (let tap = 0; tap < TAPS_AT_A_TIME; tap++) this.#tap();
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /event: attendance\ndata: (.*)$/s.exec(block)?.[1];
        if (data === undefined) continue;
        const { id, day, at, outcome, filed } = JSON.parse(data) as AttendanceData;
        if (filed !== undefined) {
          this.#ledger.filed(id, day, at);
          continue;
        }
        // Under which second a provisional scan belongs, only the service under test can say.
        if (outcome !== 'provisional') this.#ledger.attended(id, day, at);
        this.#acknowledge();
        this.#tap();
      }
    });
    // It ends with an error, since the service does not end it.
    await new Promise((resolve) => response.on('error', () => undefined).on('close', resolve));
  }

  #tap(): void {
    // Beyond those that have names by now, there are some that never get one.
    const id = idOf(this.#random.between(WRITERS * TAGS_OF_A_WRITER - TAPPED_TAGS / 2, LAST_TAPPED_TAG));
    this.#ledger.tapped(id);
    this.#service.tap(this.#random.between(0, READERS - 1), id);
  }
}

const LAST_TAPPED_TAG = WRITERS * TAGS_OF_A_WRITER + TAPPED_TAGS / 2;

function idOf(tag: number): string {
  return `A0${tag.toString(16).toUpperCase().padStart(6, '0')}`;
}
