import { Agent, type IncomingMessage } from 'node:http';
import { ask, type Answer, type Asking } from '../ask.js';
import { openStream } from '../event-stream.js';

/** A viewer with an open page of the service: a live stream, and repeated requests for lists. */
export class PageViewer {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #tags = new Map<string, string>();
  #stream: IncomingMessage | undefined;
  /** Number of received events of both kinds. */
  events = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens the stream. */
  async watch(): Promise<void> {
    const stream = await openStream(this.#url, '');
    if (stream === undefined) throw new Error('the event stream was refused');
    this.#stream = stream;
    stream
      .setEncoding('latin1')
      .on('data', (text: string) => (this.events += text.split('\nevent: ').length - 1));
    // The service restarts, or has cut off a viewer who does not read.
    stream.on('error', () => undefined);
  }

  /** Stops reading the stream, like a sleeping laptop. */
  stall(): void {
    this.#stream?.pause();
  }

  /** Requests a resource, and sends the `ETag` of its own version. The body is empty if nothing has changed since. */
  async look(path: string): Promise<Answer> {
    const tag = this.#tags.get(path);
    const answer = await this.#ask(path, tag === undefined ? {} : { headers: { 'If-None-Match': tag } });
    if (answer.headers.etag !== undefined) this.#tags.set(path, answer.headers.etag);
    return answer;
  }

  /** Gives a name to a tag. */
  async assign(id: string, first: string, last: string): Promise<number> {
    const body = JSON.stringify({ id, name: { first, last } });
    return (await this.#ask('/api/mapping', { body })).status;
  }

  leave(): void {
    this.#stream?.destroy();
    this.#stream = undefined;
    this.#agent.destroy();
  }

  async #ask(path: string, asking: Asking): Promise<Answer> {
    const answer = await ask(this.#url, path, { ...asking, agent: this.#agent });
    if (answer === undefined) throw new Error(`${path} got no answer`);
    return answer;
  }
}
