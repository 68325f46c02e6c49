import type { Agent } from 'node:http';
import { ask } from '../ask.js';
import type { Ledger } from '../ledger/ledger.js';

/** A request for a change, and the lines about it. */
export interface Ask {
  /** `POST` or `DELETE`, and path and query. */
  readonly request: string;
  readonly body?: object;
  /** Lines that are noted before the request, and after its answer, with "; " between two. */
  readonly sent: string;
  readonly acknowledged: string;
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
  async send({ request, body, sent, acknowledged }: Ask): Promise<unknown> {
    const [method = '', path = ''] = request.split(' ');
    for (const line of sent.split('; ')) this.#ledger.take(line);
    const answer = await ask(this.#url, path, {
      method,
      agent: this.#agent,
      headers: { 'x-sent': sent, 'x-acknowledged': acknowledged },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer === undefined) return undefined;
    if (answer.status >= 300) throw new Error(`${request} answered ${answer.status}: ${answer.body}`);
    for (const line of acknowledged.split('; ')) this.#ledger.take(line);
    this.#onAcknowledgement();
    return answer.body === '' ? {} : (JSON.parse(answer.body) as unknown);
  }

  /** Reads a path; `undefined` if the service ended first. */
  async read<T>(path: string): Promise<T | undefined> {
    const headers = { accept: 'application/json' };
    const answer = await ask(this.#url, path, { agent: this.#agent, headers });
    if (answer === undefined) return undefined;
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body) as T;
  }
}
