import { Agent, get, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** What one look at a page came to. */
export interface Look {
  readonly status: number;
  /** Empty if nothing has changed since the last look. */
  readonly body: string;
}

/** Somebody who has the page of the service open: a live stream, and looks at lists that are asked for again. */
export class PageViewer {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #tags = new Map<string, string>();
  #stream: IncomingMessage | undefined;
  #events = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Events of both kinds that came so far. */
  get events(): number {
    return this.#events;
  }

  /** Opens the stream. */
  async watch(): Promise<void> {
    const [stream] = (await once(get(`${this.#url}/api/idevent`, { agent: false }), 'response')) as [
      IncomingMessage,
    ];
    if (stream.statusCode !== 200)
      throw new Error(`the event stream was answered with ${stream.statusCode ?? ''}`);
    this.#stream = stream;
    stream
      .setEncoding('latin1')
      .on('data', (text: string) => (this.#events += text.split('\nevent: ').length - 1));
    // The service restarts, or has cut off somebody who does not read.
    stream.on('error', () => undefined);
  }

  /** Stops reading the stream, like a laptop that sleeps. */
  stall(): void {
    this.#stream?.pause();
  }

  /** Looks at a resource, and names the version that it has. */
  async look(path: string): Promise<Look> {
    const tag = this.#tags.get(path);
    const headers = tag === undefined ? {} : { 'If-None-Match': tag };
    const [response] = (await once(get(this.#url + path, { agent: this.#agent, headers }), 'response')) as [
      IncomingMessage,
    ];
    if (response.headers.etag !== undefined) this.#tags.set(path, response.headers.etag);
    return { status: response.statusCode ?? 0, body: await readText(response) };
  }

  /** Gives a tag to somebody. */
  async assign(id: string, first: string, last: string): Promise<number> {
    const body = JSON.stringify({ id, name: { first, last } });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${this.#url}/api/mapping`, { method: 'POST', agent: this.#agent, headers }).end(
      body,
    );
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await readText(response);
    return response.statusCode ?? 0;
  }

  leave(): void {
    this.#stream?.destroy();
    this.#stream = undefined;
    this.#agent.destroy();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  return ((await response.setEncoding('utf8').toArray()) as string[]).join('');
}
