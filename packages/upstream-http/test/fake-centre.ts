import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { toTimestamp } from '@tallybook/domain';
import type { SyncAnswer, SyncBatch } from '@tallybook/domain/sync';

export const now: SyncAnswer['now'] = toTimestamp(1_763_700_000);
/** What a station sends, and the answer of a centre. */
export const batch: SyncBatch = {
  ...{ run: 'a', after: 0, through: 3, items: [] },
  status: { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' },
};
export const answer: SyncAnswer = {
  ...{ run: 'a', acknowledged: 3, refused: [], superseded: [], erasures: [], now },
};

/** A received request. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server with answers that a test sets. */
export class FakeCentre implements AsyncDisposable {
  readonly asked: Asked[] = [];
  answer: (response: ServerResponse, asked: Asked) => void = (response) => response.end('{}');
  readonly #server = createServer((request, response) => void this.#take(request, response));

  static async start(): Promise<FakeCentre> {
    const centre = new FakeCentre();
    centre.#server.listen(0, '127.0.0.1');
    await once(centre.#server, 'listening');
    return centre;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when this many requests came. */
  async hasBeenAsked(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise(setImmediate);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = {
      ...{ method: request.method ?? '', target: request.url ?? '', headers: request.headers },
      body: await text(request),
    };
    this.asked.push(asked);
    // A kept connection would still be open at the end.
    response.setHeader('Connection', 'close');
    this.answer(response, asked);
  }
}

/** Answers with JSON, or a problem. */
export function sends(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): FakeCentre['answer'] {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return (response) =>
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(JSON.stringify(body));
}
