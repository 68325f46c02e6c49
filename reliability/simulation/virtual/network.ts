import { isTallybookError, TallybookError } from '@tallybook/domain';
import {
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncChanges,
  type SyncAnswer,
  type SyncBatch,
  type SyncChanges,
  type SyncPosition,
  type ReadSnapshotPart,
  type SyncTransport,
} from '@tallybook/domain/sync';
import type { Random } from '../../random.js';
import type { Life } from './life.js';
import type { Scheduler } from './scheduler.js';

/** The operations of a server of the centre for stations. */
export interface Upstream {
  push(station: string, batch: SyncBatch): Promise<SyncAnswer>;
  changes(after: SyncPosition | undefined, waitMs: number): Promise<SyncChanges>;
  snapshot(): AsyncIterable<ReadSnapshotPart>;
}

/** A server. It does not answer while it is down. */
export interface Server {
  /** `undefined` while it is down. */
  readonly upstream: Upstream | undefined;
}

/** The state of the network between a station and the centre. Faults change it. */
export interface Way {
  isCut: boolean;
  /** Share of messages that are lost. The same share is cut short, comes twice, or comes late. */
  bad: number;
}

/** How long a station waits for an answer, in addition to the time that the centre may take. */
const TIMEOUT_MS = 30_000;
const USUAL_MS = 100;
/** Longest delay of a message, so that others overtake it. */
const LATE_MS = 120_000;

interface NetworkParts {
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly random: Random;
  readonly way: Way;
  readonly servers: readonly Server[];
}

/**
 * The network for one run of a station's program: a {@link SyncTransport} that may lose, cut, repeat or delay
 * messages.
 */
export class Network implements SyncTransport {
  readonly #station: string;
  readonly #parts: NetworkParts;
  /** Requests under way. Calling one makes it give up. */
  readonly #underWay = new Set<() => void>();

  constructor(station: string, parts: NetworkParts) {
    this.#station = station;
    this.#parts = parts;
  }

  async push(batch: SyncBatch): Promise<SyncAnswer> {
    const text = JSON.stringify(batch);
    const answer = await this.#request({ text, waitMs: 0 }, (upstream, sent) =>
      upstream.push(this.#station, JSON.parse(sent) as SyncBatch),
    );
    return parseSyncAnswer(read(answer));
  }

  async changes(after: SyncPosition | undefined, waitMs: number): Promise<SyncChanges> {
    const text = JSON.stringify({ after });
    const answer = await this.#request({ text, waitMs }, (upstream, sent) => {
      const { after: place } = JSON.parse(sent) as { readonly after?: SyncPosition };
      return upstream.changes(place, waitMs);
    });
    return parseSyncChanges(read(answer));
  }

  async *snapshot(): AsyncGenerator<ReadSnapshotPart, void, undefined> {
    const { random, servers, way } = this.#parts;
    const server = random.pick(servers);
    const { upstream } = server;
    let parts: AsyncIterator<ReadSnapshotPart> | undefined;
    for (;;) {
      const answer = await this.#request({ text: '', waitMs: 0, streamOf: server }, async (now) => {
        if (now !== upstream) throw unavailable('the stream broke');
        parts ??= now.snapshot()[Symbol.asyncIterator]();
        return parts.next();
      });
      const { done, value } = read(answer) as { readonly done?: boolean; readonly value?: unknown };
      // A cut stream may look like a complete one.
      if (done === true || random.chance(way.bad)) return;
      yield parseSnapshotPart(value);
    }
  }

  abort(): void {
    for (const giveUp of [...this.#underWay]) giveUp();
  }

  /** Sends a message to one of the servers, and resolves with the text of its answer. */
  #request(
    message: Message,
    handle: (upstream: Upstream, text: string) => Promise<unknown>,
  ): Promise<string> {
    const { text, waitMs, streamOf } = message;
    const { scheduler, life, random, servers, way } = this.#parts;
    return new Promise((resolve, reject) => {
      const end = (work: () => void): void => {
        timeout.unsubscribe();
        this.#underWay.delete(giveUp);
        if (!life.isOver) work();
      };
      const giveUp = (): void => end(() => reject(unavailable('the simulated network is silent')));
      const timeout = scheduler.after(waitMs + TIMEOUT_MS, giveUp);
      this.#underWay.add(giveUp);
      const hear = (work: () => void): void => this.#deliver(() => end(work));
      const serve = (sent: string): void => {
        const server = streamOf ?? random.pick(servers);
        const { upstream } = server;
        if (upstream === undefined) {
          hear(() => reject(unavailable('the simulated server is down')));
          return;
        }
        attempt(() => handle(upstream, sent)).then(
          (answer) => {
            const answered = this.#perhapsCut(JSON.stringify(answer));
            // An answer after the end of the server never arrives.
            if (server.upstream === upstream) hear(() => resolve(answered));
          },
          (error: unknown) => {
            if (server.upstream === upstream) hear(() => reject(overNetwork(error)));
          },
        );
      };
      const sent = this.#perhapsCut(text);
      this.#deliver(() => serve(sent));
      if (streamOf === undefined && random.chance(way.bad)) this.#deliver(() => serve(text));
    });
  }

  /** Delivers a message, unless it is lost. */
  #deliver(receive: () => void): void {
    const { scheduler, random, way } = this.#parts;
    const isLost = way.isCut || random.chance(way.bad);
    const isLate = random.chance(way.bad);
    const delayMs = random.between(1, isLate ? LATE_MS : USUAL_MS);
    if (isLost) return;
    scheduler.after(delayMs, () => {
      if (!way.isCut) receive();
    });
  }

  #perhapsCut(text: string): string {
    const { random, way } = this.#parts;
    if (!random.chance(way.bad / 2)) return text;
    return text.slice(0, random.between(0, Math.max(0, text.length - 1)));
  }
}

interface Message {
  readonly text: string;
  /** How long the centre may take, in milliseconds. */
  readonly waitMs: number;
  /** For the next part of a stream: the server of that stream. */
  readonly streamOf?: Server;
}

/** Async, so that work that throws at once also gives a rejection. */
async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  return work();
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new TallybookError('UPSTREAM_UNAVAILABLE', 'the answer was cut', { cause });
  }
}

/** Translates an error at the centre into the one that a station gets. */
function overNetwork(error: unknown): TallybookError {
  if (isTallybookError(error) && heard.has(error.code)) {
    return new TallybookError(error.code, error.message, { details: { ...error.details } });
  }
  return unavailable(error instanceof Error ? error.message : String(error));
}

const heard: ReadonlySet<string> = new Set(['SYNC_GAP', 'SYNC_TOO_OLD', 'INVALID_SYNC', 'NOT_ALLOWED']);

function unavailable(message: string): TallybookError {
  return new TallybookError('UPSTREAM_UNAVAILABLE', message);
}
