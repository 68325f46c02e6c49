import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../ask.js';
import { hearBlocks, openStream } from '../event-stream.js';
import { until } from '../until.js';
import { Server } from '../servers/server.js';

const PAUSE_MS = 20;

/** What a server did since the last look. */
export interface Seen {
  /** Longest time without an acknowledged write, in milliseconds. */
  stuckMs: number;
  staleReads: number;
  readsThatWentBack: number;
}

/** A value that only grows, kept as a name: each server writes its own, and reads those of all. */
export interface Register {
  readonly id: string;
  acknowledged: number;
}

/** A server that writes and reads all the time, and follows its event stream. */
export class WatchedServer {
  readonly name: string;
  readonly register: Register;
  readonly server: Server;
  readonly seen: Seen = { stuckMs: 0, staleReads: 0, readsThatWentBack: 0 };
  /** Acknowledged taps. */
  readonly taps: string[] = [];
  /** How often each tap was in the stream. */
  readonly followed = new Map<string, number>();
  resets = 0;
  readonly #largest = new Map<Register, number>();
  readonly #prefix: string;
  #lastWriteAt = performance.now();
  #isOver = false;
  #stream: IncomingMessage | undefined;
  #working: Promise<unknown> = Promise.resolve();

  constructor(name: string, number: number, store: string) {
    this.name = name;
    this.#prefix = `A${number}`;
    this.register = { id: `B${number}000000`, acknowledged: 0 };
    const settings = [
      ...['--clock', 'trusted', '--repeat-window', '0', '--backlog', '0'],
      ...['--reader', 'http:door?time=device'],
    ];
    this.server = new Server('--store', store, ...settings);
  }

  begin(registers: readonly Register[]): void {
    const loops = [
      this.#write(),
      this.#tapOn(),
      this.#follow(),
      ...registers.map((each) => this.#read(each)),
    ];
    this.#working = Promise.all(loops);
    this.#working.catch(() => undefined);
  }

  /** Forgets the values that were read: commits were lost, so they may be smaller now. */
  forget(): void {
    this.#largest.clear();
    this.register.acknowledged = 0;
    this.#lastWriteAt = performance.now();
  }

  /** What was seen since the last call. */
  takeSeen(): Seen {
    this.#noteStuck();
    const seen = { ...this.seen };
    Object.assign(this.seen, { stuckMs: 0, staleReads: 0, readsThatWentBack: 0 });
    return seen;
  }

  /** Ends the writing and reading. The stream is followed until it has the last tap. */
  async end(): Promise<void> {
    this.#isOver = true;
    const last = this.taps.at(-1) ?? '';
    await until('the last tap is in the stream', () => this.followed.has(last), 60_000).catch(
      () => undefined,
    );
    this.#stream?.destroy();
    await this.#working;
  }

  #noteStuck(): void {
    const now = performance.now();
    this.seen.stuckMs = Math.max(this.seen.stuckMs, now - this.#lastWriteAt);
  }

  async #write(): Promise<void> {
    const { register, server } = this;
    for (let value = 1; !this.#isOver; value++) {
      const body = JSON.stringify({ id: register.id, name: { first: 'V', last: String(value) } });
      const answer = await ask(server.url, '/api/mapping', { body });
      if (answer !== undefined && answer.status < 300) {
        register.acknowledged = Math.max(register.acknowledged, value);
        this.#noteStuck();
        this.#lastWriteAt = performance.now();
      }
      await delay(PAUSE_MS);
    }
  }

  async #tapOn(): Promise<void> {
    const run = `${this.name}-${Date.now()}`;
    for (let n = 1; !this.#isOver; n++) {
      const id = `${this.#prefix}${n.toString(16).toUpperCase().padStart(6, '0')}`;
      const at = Math.floor(Date.now() / 1_000);
      const body = JSON.stringify({ run, readings: [{ id, at, n }] });
      // Sent until it is acknowledged.
      for (let isDone = false; !isDone; isDone ||= this.#isOver) {
        const answer = await ask(this.server.url, '/api/readers/door/readings', { body });
        isDone = answer?.status === 200 && !answer.body.includes('waiting');
        if (isDone) this.taps.push(id);
        await delay(PAUSE_MS);
      }
    }
  }

  async #read(register: Register): Promise<void> {
    while (!this.#isOver) {
      const before = register.acknowledged;
      const answer = await ask(this.server.url, `/api/mapping?id=${register.id}`);
      // Commits were lost meanwhile: what is right is not known.
      if (answer?.status === 200 && register.acknowledged >= before) {
        const value = Number((JSON.parse(answer.body) as { readonly last: string }).last);
        const largest = this.#largest.get(register) ?? 0;
        if (value < before) this.seen.staleReads++;
        if (value < largest) this.seen.readsThatWentBack++;
        this.#largest.set(register, Math.max(largest, value));
      }
      await delay(PAUSE_MS);
    }
  }

  async #follow(): Promise<void> {
    let lastEventId = '';
    while (!this.#isOver) {
      const response = await openStream(this.server.url, lastEventId);
      this.#stream = response;
      if (response === undefined) {
        await delay(PAUSE_MS);
        continue;
      }
      await hearBlocks(response, (block) => {
        lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? lastEventId;
        if (/^event: reset$/m.test(block)) this.resets++;
        const id = /^event: attendance$[\s\S]*"id":"([0-9A-F]+)"/m.exec(block)?.[1];
        if (id !== undefined) this.followed.set(id, (this.followed.get(id) ?? 0) + 1);
      });
    }
  }
}
