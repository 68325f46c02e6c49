import { request, type Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Ledger } from '../ledger/ledger.js';

/** A request for a change, and the lines about it. */
export interface Ask {
  readonly method: 'POST' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly body?: object;
  /** Lines that are noted before the request, and after its answer. */
  readonly sent: readonly string[];
  readonly acknowledged: readonly string[];
}

/**
 * Sends requests to a service under test, and notes what was sent and acknowledged: in a ledger, and, by lines in
 * headers, in the notes of the service.
 */
export class Requests {
  readonly #url: string;
  readonly #ledger: Ledger;
  readonly #agent: Agent;
  readonly #onAcknowledgement: () => void;

  constructor(url: string, ledger: Ledger, agent: Agent, onAcknowledgement: () => void) {
    this.#url = url;
    this.#ledger = ledger;
    this.#agent = agent;
    this.#onAcknowledgement = onAcknowledgement;
  }

  /** Resolves with the answer; `undefined` if the service ended first. Rejects if the service refuses. */
  async send({ method, path, body, sent, acknowledged }: Ask): Promise<unknown> {
    for (const line of sent) this.#ledger.take(line);
    const answer = await this.#exchange(method, path, {
      body,
      headers: { 'x-sent': sent.join('; '), 'x-acknowledged': acknowledged.join('; ') },
    });
    if (answer === undefined) return undefined;
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    for (const line of acknowledged) this.#ledger.take(line);
    this.#onAcknowledgement();
    return parse(answer.text);
  }

  /** Reads a path; `undefined` if the service ended first. */
  async read<T>(path: string): Promise<T | undefined> {
    const answer = await this.#exchange('GET', path, { headers: { accept: 'application/json' } });
    if (answer === undefined) return undefined;
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    return parse(answer.text) as T;
  }

  #exchange(
    method: string,
    path: string,
    {
      body,
      headers,
    }: { readonly body?: object | undefined; readonly headers: Readonly<Record<string, string>> },
  ): Promise<{ readonly status: number; readonly text: string } | undefined> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve) => {
      const gone = (): void => resolve(undefined);
      request(this.#url + path, { method, agent: this.#agent, headers: { ...headers, ...type } })
        .on('response', (response) => {
          text(response).then((all) => resolve({ status: response.statusCode ?? 0, text: all }), gone);
        })
        .on('error', gone)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function parse(text: string): unknown {
  return text === '' ? {} : (JSON.parse(text) as unknown);
}
