import { inspect } from 'node:util';
import { parseName, parseTallyId } from '@tallybook/domain';
import { until } from '../until.js';
import type { FuzzedServer } from './fuzzed-server.js';

/**
 * Tags that no other input of this part uses, so that their names and records must not change. They also differ from
 * all used tags by more than one bit: noise flips single bits, and a line without a checksum then delivers the
 * changed tag.
 */
const planted = Array.from({ length: 20 }, (_, n) => `FEED00${String(n).padStart(4, '0')}`);
/** If a sound request takes longer than this on an idle server, that is a failure. */
const QUICK_MS = 5_000;
export const PATIENCE_MS = 10_000;

interface Entry {
  readonly id: string;
}

/** Sound data in the store, with a check that it is still there and that the server still serves. */
export class PlantedData {
  readonly #server: FuzzedServer;
  #records: readonly string[] = [];
  #checks = 0;
  #token: string | undefined;

  private constructor(server: FuzzedServer) {
    this.#server = server;
  }

  /** Gives names to tags, taps the tags, and waits until names and taps are stored. */
  static async plant(server: FuzzedServer): Promise<PlantedData> {
    const data = new PlantedData(server);
    for (const [n, id] of planted.entries()) await data.#assign(id, `holder ${n}`);
    await server.type(planted.map((id) => `${id}\n`).join(''));
    await until(
      'the planted taps are recorded',
      async () => (await data.#readRecords()).length === planted.length,
      PATIENCE_MS,
    );
    data.#records = await data.#readRecords();
    return data;
  }

  /**
   * From now on the requests are those of an admin: the service is claimed, and nobody else may read the data.
   *
   * @param token Token of the admin.
   */
  signIn(token: string): void {
    this.#token = token;
  }

  /** Resolves with the problems; empty if all is well. */
  async check(): Promise<readonly string[]> {
    const { ending } = this.#server;
    if (ending !== undefined) return [`the server crashed: ${ending}`];
    try {
      return await this.#findProblems();
    } catch (error) {
      return [`a sound request failed: ${inspect(error)}`];
    }
  }

  async #findProblems(): Promise<string[]> {
    const begin = performance.now();
    const problems: string[] = [];
    if (this.#token !== undefined) {
      const { status } = await this.#fetch('/api/mapping', {});
      if (status !== 401) problems.push(`nobody has signed in, and /api/mapping answered ${status}`);
    }
    const mapping = (await this.#read('/api/mapping')) as Readonly<Record<string, { last: string }>>;
    for (const [n, id] of planted.entries()) {
      if (mapping[id]?.last !== `holder ${n}`) problems.push(`the name of the tag ${id} is lost or changed`);
    }
    for (const [id, name] of Object.entries(mapping)) {
      if (parseTallyId(id) !== id) problems.push(`the id ${JSON.stringify(id)} is not canonical`);
      if (JSON.stringify(parseName(name)) !== JSON.stringify(name))
        problems.push(`the name of ${id} is not canonical`);
    }
    const records = await this.#readRecords();
    const lost = this.#records.filter((record) => !records.includes(record));
    if (lost.length > 0) problems.push(`records are lost or changed: ${lost.join(' ')}`);
    // A new tag each time, so that each write changes the store.
    await this.#assign(`FEED01${String(this.#checks++).padStart(4, '0')}`, 'still writes');
    const tookMs = performance.now() - begin;
    if (tookMs > QUICK_MS) problems.push(`sound requests took ${Math.round(tookMs)} ms`);
    return problems;
  }

  async #readRecords(): Promise<readonly string[]> {
    const days = (await this.#read('/api/days?from=0&to=18446744073709551615')) as readonly number[];
    const records = [];
    for (const day of days) {
      const { entries } = (await this.#read(`/api/day?day=${day}&expand=entries`)) as {
        entries: readonly Entry[];
      };
      for (const entry of entries) {
        if (planted.includes(entry.id)) records.push(JSON.stringify({ day, ...entry }));
      }
    }
    return records;
  }

  async #read(path: string): Promise<unknown> {
    const response = await this.#fetch(path, this.#credentials);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  }

  async #assign(id: string, last: string): Promise<void> {
    const headers = { ...this.#credentials, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ id, name: { first: '', last } });
    const response = await this.#fetch('/api/mapping', headers, body);
    if (!response.ok) throw new Error(`a sound name was answered with ${response.status}`);
  }

  get #credentials(): Readonly<Record<string, string>> {
    return this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` };
  }

  /** @param body For POST; without it, GET. */
  #fetch(path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Response> {
    const sent = body === undefined ? {} : { method: 'POST', body };
    return fetch(this.#server.url + path, { ...sent, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  }
}
