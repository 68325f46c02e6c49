import { Agent, get, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** The result of one request for a page. */
export interface Look {
  readonly status: number;
  /** Empty if nothing has changed since the last request. */
  readonly body: string;
}

/** A viewer with an open page of the service: a live stream, and repeated requests for lists. */
export class PageViewer {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #tags = new Map<string, string>();
  #stream: IncomingMessage | undefined;
  #events = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Number of received events of both kinds. */
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
    // The service restarts, or has cut off a viewer who does not read.
    stream.on('error', () => undefined);
  }

  /** Stops reading the stream, like a sleeping laptop. */
  stall(): void {
    this.#stream?.pause();
  }

  /** Requests a resource, and sends the `ETag` of its own version. */
  async look(path: string): Promise<Look> {
    const tag = this.#tags.get(path);
    const headers = tag === undefined ? {} : { 'If-None-Match': tag };
    const [response] = (await once(get(this.#url + path, { agent: this.#agent, headers }), 'response')) as [
      IncomingMessage,
    ];
    if (response.headers.etag !== undefined) this.#tags.set(path, response.headers.etag);
    return { status: response.statusCode ?? 0, body: await readText(response) };
  }

  /** Gives a name to a tag. */
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
