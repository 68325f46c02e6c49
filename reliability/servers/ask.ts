import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A server that does not answer for so long is asked no more, in milliseconds. */
const ANSWER_MS = 30_000;
const PAUSE_MS = 20;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What a server says that cannot reach its database, or is about to end, is worth another try; the rest is a mistake. */
export function requireTemporary(answer: Answer | undefined): void {
  if (answer === undefined || [429, 500, 503].includes(answer.status)) return;
  throw new Error(`a server answered ${answer.status}: ${answer.body.slice(0, 300)}`);
}

/** `undefined` if there was no answer, or half of one. */
export function ask(url: string, path: string, body?: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const asking = request(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      timeout: ANSWER_MS,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    });
    asking
      .on('response', (response) => {
        text(response).then(
          (all) => resolve({ status: response.statusCode ?? 0, body: all }),
          () => resolve(undefined),
        );
      })
      .on('timeout', () => asking.destroy())
      .on('error', () => resolve(undefined))
      .end(body);
  });
}

/** What a path answers, asked again until it is answered. */
export async function read<T>(url: string, path: string): Promise<T> {
  for (;;) {
    const answer = await ask(url, path);
    if (answer?.status === 200) return JSON.parse(answer.body) as T;
    requireTemporary(answer);
    await delay(PAUSE_MS);
  }
}
