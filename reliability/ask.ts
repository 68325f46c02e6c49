import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Limit for an answer, in milliseconds. */
const ANSWER_MS = 30_000;
const PAUSE_MS = 20;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asking {
  /** Default: `POST` with a body, `GET` without. */
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keeps connections open. Default: each request has a connection of its own. */
  readonly agent?: Agent;
}

/**
 * Throws unless another try may succeed: after no answer, or after the status of a server that is busy, cannot reach
 * its database, or is about to end.
 */
export function requireTemporary(answer: Answer | undefined): void {
  if (answer === undefined || [429, 500, 503].includes(answer.status)) return;
  throw new Error(`a server answered ${answer.status}: ${answer.body.slice(0, 300)}`);
}

/**
 * Sends a request. Resolves with `undefined` if no answer came, or only a part of one.
 *
 * A server closes connections that were idle for some seconds, also in the instant in which a request is sent on one: that
 * request was not read, and is sent again.
 */
export function ask(url: string, path: string, options: Asking = {}): Promise<Answer | undefined> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers = {}, agent = false } = options;
  return new Promise((resolve) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const asking = request(url + path, {
      method,
      agent,
      timeout: ANSWER_MS,
      // As the page of the service sends it.
      headers: { Origin: url, ...type, ...headers },
    });
    asking
      .on('response', (response) => {
        const { statusCode: status = 0, headers: given } = response;
        text(response).then(
          (all) => resolve({ status, headers: given, body: all }),
          () => resolve(undefined),
        );
      })
      .on('timeout', () => asking.destroy())
      .on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(asking.reusedSocket && code === 'ECONNRESET' ? ask(url, path, options) : undefined);
      })
      .end(body);
  });
}

/** Repeats a request until it succeeds. */
export async function insist(url: string, path: string, options: Asking = {}): Promise<Answer> {
  for (;;) {
    const answer = await ask(url, path, options);
    if (answer !== undefined && answer.status < 300) return answer;
    requireTemporary(answer);
    await delay(PAUSE_MS);
  }
}

/** Repeats a request until it succeeds, and parses the answer. */
export async function read<T>(url: string, path: string, headers: Asking['headers'] = {}): Promise<T> {
  return JSON.parse((await insist(url, path, { headers })).body) as T;
}

/** The entries of all days that a server shows. */
export async function readEntries(
  url: string,
  headers: Asking['headers'] = {},
): Promise<readonly { readonly day: number; readonly id: string; readonly count: number }[]> {
  const days = await read<number[]>(url, '/api/days?from=0&to=18446744073709551615', headers);
  const all = days.map(async (day) => {
    const path = `/api/day?day=${day}&expand=entries`;
    const { entries } = await read<{ entries: { id: string; count: number }[] }>(url, path, headers);
    return entries.map((entry) => ({ ...entry, day }));
  });
  return (await Promise.all(all)).flat();
}
