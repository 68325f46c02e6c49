import { TallybookError, isTallybookError } from '@tallybook/domain';
import {
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncChanges,
  SYNC_PROTOCOL,
  type LeftOut,
  type ReadSnapshotPart,
  type SyncAnswer,
  type SyncBatch,
  type SyncChanges,
  type SyncPosition,
  type SyncTransport,
} from '@tallybook/domain/sync';
import { parseCentreUrl } from './centre-url.js';
import { Deadline } from './deadline.js';
import { readLines, readText } from './read-bounded.js';
import { faultOfAnswer, faultOfPage, faultOfRequest, isPage, strangeAnswer } from './sync-fault.js';

export interface HttpSyncTransportOptions {
  /** Address of the centre: the part of its URLs before `api/`, such as `https://centre.example.org`. */
  readonly url: string;
  /** Gives the token of the station; called for each request. If it rejects, the request fails with `UPSTREAM_UNAVAILABLE`. */
  readonly readToken: () => Promise<string>;
  /**
   * Whether http is allowed over a network. Everybody on the way can then read everything, even the token. Default:
   * http only to this machine.
   */
  readonly allowsPlainHttp?: boolean;
  /**
   * Longest time for an answer, in milliseconds, 1..3600000, default 30000. A time for which the centre is asked to
   * wait is added.
   */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`, for example to trust an authority of one's own. */
  readonly fetch?: typeof fetch;
}

export const TIMEOUT_MS = 30_000;
const TIMEOUT_MAX_MS = 3_600_000;
/** Largest answer that is read as a whole: 4 MiB. A thousand corrections with long reasons take half of it. */
const ANSWER_BYTES = 4_194_304;
/** Longest line of a snapshot. */
export const LINE_LENGTH = 65_536;

const protocol = String(SYNC_PROTOCOL);

interface Request {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly waitMs?: number;
}

/**
 * Reaches a centre over HTTP, with `fetch`.
 *
 * The certificate of the centre is checked, redirects are not followed, and answers are bounded. Messages never contain
 * the token, and of the address only the host.
 */
export class HttpSyncTransport implements SyncTransport {
  readonly #url: URL;
  readonly #options: HttpSyncTransportOptions;
  readonly #timeoutMs: number;
  readonly #underWay = new Set<Deadline>();

  /**
   * @throws {TallybookError} `INVALID_OPTION` if the address is not valid (see {@link parseCentreUrl}), or the time is
   * out of range.
   */
  constructor(options: HttpSyncTransportOptions) {
    const { url, allowsPlainHttp = false, timeoutMs = TIMEOUT_MS } = options;
    if (!(timeoutMs >= 1 && timeoutMs <= TIMEOUT_MAX_MS)) {
      throw new TallybookError(
        'INVALID_OPTION',
        `timeoutMs is 1 to ${TIMEOUT_MAX_MS} milliseconds; got ${timeoutMs}`,
      );
    }
    this.#url = parseCentreUrl(url, allowsPlainHttp);
    this.#options = options;
    this.#timeoutMs = timeoutMs;
  }

  /** The host, for messages to people. */
  get host(): string {
    return this.#url.host;
  }

  async push(batch: SyncBatch): Promise<SyncAnswer & LeftOut> {
    const body = JSON.stringify(batch);
    return this.#read({ path: 'api/sync', method: 'POST', body }, parseSyncAnswer);
  }

  async changes(after: SyncPosition | undefined, waitMs: number): Promise<SyncChanges & LeftOut> {
    const query = {
      protocol,
      ...(after !== undefined && { origin: after.origin, after: String(after.cursor) }),
      wait: String(Math.floor(waitMs / 1_000)),
    };
    return this.#read({ path: 'api/sync/changes', query, waitMs }, parseSyncChanges);
  }

  async *snapshot(): AsyncGenerator<ReadSnapshotPart, void, undefined> {
    using deadline = this.#begin(this.#timeoutMs);
    try {
      const response = await this.#send({ path: 'api/sync/snapshot', query: { protocol } }, deadline);
      for await (const line of readLines(response, LINE_LENGTH)) {
        // The time is limited for each piece of the centre, not for the work of the caller between two pieces.
        deadline.stop();
        yield this.#parse(line, parseSnapshotPart);
        deadline.renew();
      }
    } catch (error) {
      throw faultOfRequest(this.#url, error, deadline.isOver);
    }
  }

  abort(): void {
    for (const deadline of this.#underWay) deadline.abort();
  }

  #begin(timeoutMs: number): Deadline {
    const deadline = new Deadline(timeoutMs, () => this.#underWay.delete(deadline));
    this.#underWay.add(deadline);
    return deadline;
  }

  /** Sends a request and parses the answer. Each failure becomes a `TallybookError`. */
  async #read<T>(request: Request, parse: (value: unknown) => T): Promise<T> {
    using deadline = this.#begin(this.#timeoutMs + (request.waitMs ?? 0));
    try {
      const response = await this.#send(request, deadline);
      return this.#parse(await readText(response, ANSWER_BYTES), parse);
    } catch (error) {
      throw faultOfRequest(this.#url, error, deadline.isOver);
    }
  }

  /** Parses an answer. An error gets another code than `INVALID_SYNC`, which is for a batch. */
  #parse<T>(text: string, parse: (value: unknown) => T): T {
    try {
      return parse(JSON.parse(text));
    } catch (cause) {
      throw strangeAnswer(this.#url, cause);
    }
  }

  async #send({ path, method = 'GET', query, body }: Request, { signal }: Deadline): Promise<Response> {
    const { readToken, fetch: send = fetch } = this.#options;
    const url = new URL(path, this.#url);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const response = await send(url, {
      method,
      headers: {
        Accept: 'application/json, application/jsonl',
        Authorization: `Bearer ${await readToken().catch(failToRead)}`,
        'User-Agent': 'tallybook',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      // A redirect would send the token to somebody else.
      redirect: 'manual',
      signal,
    });
    if (!response.ok) throw await faultOfAnswer(this.#url, response);
    if (isPage(response)) throw await faultOfPage(this.#url, response);
    return response;
  }
}

function failToRead(cause: unknown): never {
  if (isTallybookError(cause)) throw cause;
  const message = `the token for the centre cannot be read: ${(cause as Error).message}`;
  throw new TallybookError('UPSTREAM_UNAVAILABLE', message, { cause, details: { reason: 'token' } });
}
