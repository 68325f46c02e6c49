import * as http from 'node:http';
import * as https from 'node:https';
import { within } from '@tallybook/devices';

export interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ca: Buffer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Nothing came in time. */
export class SilentEndpointError extends Error {
  override readonly name = 'SilentEndpointError';
}

/**
 * Largest number of bytes that are read of an answer. Only after a complete answer can the connection be used again.
 */
const BODY_BYTES = 16_384;
/** Longest time, in milliseconds, for the rest of an answer after its status is known. */
const BODY_MS = 1_000;
/** Milliseconds for which an unused connection is kept. Most routers remember it for a longer time. */
const IDLE_MS = 30_000;

/** The receiver of requests. They are sent one at a time. Redirects are not followed, and no proxy is used. */
export class Endpoint {
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #agent: http.Agent;

  /** @param timeoutMs How long an answer may take, in milliseconds. */
  constructor(url: URL, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    const options = { keepAlive: true, maxSockets: 1, timeout: IDLE_MS };
    this.#agent = url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  }

  /**
   * Posts JSON. Rejects with a {@link SilentEndpointError} if no answer comes in time, with an error of Node if there is
   * no connection, and when the signal is aborted.
   */
  async post(request: Request, signal: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await this.#send(request, AbortSignal.any([signal, limit]));
      await readSome(response);
      return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
    } catch (cause) {
      if (limit.aborted) throw new SilentEndpointError('there is no answer', { cause });
      throw cause;
    }
  }

  /** Closes the connection. The next request makes another one. */
  close(): void {
    this.#agent.destroy();
  }

  #send({ headers, body, ca }: Request, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { request } = this.#url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', agent: this.#agent, headers, signal, ...(ca && { ca }) };
      const sending = request(this.#url, options, (response) => {
        sending.off('error', onError);
        sending.on('error', () => undefined);
        resolve(response);
      });
      const onError = (error: Error): void => {
        // The receiver may have closed a kept connection just before. Sending again is safe: the receiver recognises a
        // message that comes twice by its id.
        if (sending.reusedSocket && !signal.aborted) {
          this.#agent.destroy();
          resolve(this.#send({ headers, body, ca }, signal));
        } else {
          reject(error);
        }
      };
      sending.on('error', onError);
      sending.end(body);
    });
  }
}

/** Reads an answer, so that its connection can be used again, unless it is long or slow. */
async function readSome(response: http.IncomingMessage): Promise<void> {
  await within(BODY_MS, readUpTo(response, BODY_BYTES));
  if (!response.complete) response.destroy();
}

async function readUpTo(response: http.IncomingMessage, mostBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return;
  }
}

const SECONDS = /^\d{1,9}$/;
const HOUR_MS = 3_600_000;

/**
 * Reads `Retry-After`: seconds, or a date of HTTP.
 *
 * @param nowS The present time in seconds since 1970, for a date.
 * @returns Milliseconds, 0..3600000; `undefined` if it is absent or neither.
 */
export function parseRetryAfter(value: string | undefined, nowS: number): number | undefined {
  const text = value?.trim() ?? '';
  const delayMs = SECONDS.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowS * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), HOUR_MS);
}
