import type { DeviceConnection, Publication, PublisherDependencies } from '@tallybook/devices';
import { backOffMs, type TallybookError, type Timekeeper } from '@tallybook/domain';
import { FeedPublisher, LAST_DELIVERY_MS } from '../feed-publisher.js';
import { readAccess, sign, type Access } from './signature.js';
import {
  createAnswerFault,
  createOpenSecretFault,
  createRequestFault,
  isAboutAddress,
  isAboutChange,
} from './delivery-fault.js';
import { Endpoint, parseRetryAfter } from './endpoint.js';
import { formatPayload } from './payload.js';

export interface WebhookPublisherOptions {
  readonly name: string;
  readonly url: URL;
  readonly secretFile: string;
  /** Certificates (PEM) of the trusted authorities. Default: those of Node. */
  readonly caFile: string | undefined;
  /** Whether requests contain the names of people. */
  readonly withNames: boolean;
  /** Whether the answers 302 and 303 mean that the request was taken. Default: no. */
  readonly acceptsRedirects?: boolean;
  /** Longest time for an answer, in milliseconds, default 15000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
const RETRY_FIRST_MS = 1_000;
/** Pause after a refused change: three attempts take ten seconds. */
const REFUSED_MS = 5_000;
const RETRY_MOST_MS = 300_000;
/** Random part of a delay, so that devices that failed together do not try again together. */
const JITTER = 0.25;

/**
 * Posts the changes of the record to a web address, signed as Standard Webhooks describes it.
 *
 * ```
 * ChangeFeed -> one request -> 2xx -> the next one
 *                    |-> about this change: again, three times in all, then set aside -> the next one
 *                    |-> about the address: no more requests
 *                    \-> anything else: the same request again, later
 * ```
 *
 * `connection` is `waiting` after a failed request until one succeeds, or is refused for its change. It is also `waiting`
 * from the opening on if a needed file cannot be used. Each fault is reported once until a request succeeds.
 */
export class WebhookPublisher extends FeedPublisher {
  readonly #options: WebhookPublisherOptions;
  readonly #timekeeper: Timekeeper;
  readonly #endpoint: Endpoint;
  /** The faults that were reported since the last delivery. */
  readonly #toldMessages = new Set<string>();
  #stopping = new AbortController();
  #isReached = true;
  #isOpenSecretTold = false;
  #access: Access | undefined;
  #retryAfterMs: number | undefined;

  constructor(options: WebhookPublisherOptions, dependencies: PublisherDependencies) {
    const { name, url, withNames, timeoutMs = TIMEOUT_MS } = options;
    const retryDelayMs = (attempt: number): number => this.#retryDelayMs(attempt);
    super({ name, withNames, batchSize: 1, retryDelayMs }, dependencies);
    this.#options = options;
    this.#timekeeper = dependencies.timekeeper;
    this.#endpoint = new Endpoint(url, timeoutMs);
  }

  override get connection(): DeviceConnection {
    return this.status === 'open' && this.#isReached ? 'connected' : 'waiting';
  }

  override sendAgain(): void {
    this.feed.sendAgain();
  }

  protected override async onOpen(): Promise<void> {
    this.#stopping = new AbortController();
    this.#isReached = true;
    this.#isOpenSecretTold = false;
    this.#access = undefined;
    this.#retryAfterMs = undefined;
    this.#toldMessages.clear();
    await this.#tryAccess();
    await this.feed.open();
  }

  protected override async onClose(): Promise<void> {
    await this.feed.finish(LAST_DELIVERY_MS);
    this.#stopping.abort();
    await this.feed.close();
    this.#endpoint.close();
  }

  protected override async deliver([publication]: readonly Publication[]): Promise<number | 'refused'> {
    if (publication === undefined || this.#isStopping()) return 0;
    this.#retryAfterMs = undefined;
    const fault = await this.#post(publication).catch((error: unknown) =>
      createRequestFault(this.#options.url, error),
    );
    if (fault === undefined) {
      this.#toldMessages.clear();
      this.#note(true);
      return 1;
    }
    // If closing aborted the request, the failure does not come from the endpoint.
    if (this.#isStopping()) return 0;
    // The files may be corrected before the next attempt, so they are read again.
    this.#access = undefined;
    this.#report(fault);
    if (isAboutChange(fault)) {
      this.#note(true);
      this.#retryAfterMs = REFUSED_MS;
      return 'refused';
    }
    this.#note(false);
    if (isAboutAddress(fault)) this.feed.stop(fault);
    return 0;
  }

  /** Reports an unusable file at the opening already, not only when the first scan is sent. */
  async #tryAccess(): Promise<void> {
    try {
      this.#access = await this.#readAccess();
    } catch (error) {
      this.#report(createRequestFault(this.#options.url, error));
      this.#note(false);
    }
  }

  /** Resolves with the fault of the answer; `undefined` if the request succeeded. */
  async #post(publication: Publication): Promise<TallybookError | undefined> {
    const { url, acceptsRedirects = false } = this.#options;
    const { secrets, ca } = (this.#access ??= await this.#readAccess());
    const timestamp = this.#timekeeper.now();
    const { id } = publication;
    const body = formatPayload(publication, timestamp);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': 'tallybook',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secrets, { id, timestamp, body }),
    };
    const answer = await this.#endpoint.post({ headers, body, ca }, this.#stopping.signal);
    this.#retryAfterMs = parseRetryAfter(answer.retryAfter, timestamp);
    return createAnswerFault(url, answer.status, acceptsRedirects);
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #readAccess(): Promise<Access> {
    const { url, secretFile, caFile } = this.#options;
    const access = await readAccess(secretFile, caFile);
    if (access.isSecretOpen && !this.#isOpenSecretTold) {
      this.#isOpenSecretTold = true;
      this.emitFault(createOpenSecretFault(url, secretFile));
    }
    return access;
  }

  #retryDelayMs(attempt: number): number {
    if (this.#retryAfterMs !== undefined) return Math.max(this.#retryAfterMs, RETRY_FIRST_MS);
    return backOffMs(attempt, RETRY_FIRST_MS, RETRY_MOST_MS) * (1 - JITTER * Math.random());
  }

  #report(fault: TallybookError): void {
    if (this.#toldMessages.has(fault.message)) return;
    this.#toldMessages.add(fault.message);
    this.emitFault(fault);
  }

  #note(isReached: boolean): void {
    if (isReached === this.#isReached) return;
    this.#isReached = isReached;
    this.emitConnection(isReached ? 'connected' : 'waiting');
  }
}
