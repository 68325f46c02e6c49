import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Changes requests to a server and its answers on their way. */
export interface Lie {
  /** @param pass Passes the request to the server. */
  exchange?(asked: Asked, pass: (asked: Asked) => Promise<Answered>): Promise<Answered>;
  /** The blocks that replace a block of the event stream. */
  tell?(block: string): readonly string[];
}

const STREAM = '/api/idevent';

/** A proxy before a server. It passes on requests and answers, except those that its lie changes. */
export class Liar {
  readonly #server: Server;
  readonly #target: string;
  readonly #lie: Lie;

  private constructor(target: string, lie: Lie) {
    this.#target = target;
    this.#lie = lie;
    this.#server = createServer((asked, answer) => {
      const work = asked.url === STREAM ? this.#stream(asked, answer) : this.#exchange(asked, answer);
      work.catch(() => answer.destroy());
    });
  }

  static async start(target: string, lie: Lie): Promise<Liar> {
    const liar = new Liar(target, lie);
    liar.#server.listen(0, '127.0.0.1');
    await once(liar.#server, 'listening');
    return liar;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #exchange(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = asked;
    const whole = { method, path, headers, body: await text(asked) };
    const pass = (each: Asked): Promise<Answered> => this.#pass(each);
    const { status, headers: own, body } = await (this.#lie.exchange?.(whole, pass) ?? pass(whole));
    // The length may have changed.
    const { 'content-length': length, 'transfer-encoding': encoding, ...rest } = own;
    void [length, encoding];
    answer.writeHead(status, rest).end(body);
  }

  async #pass({ method, path, headers, body }: Asked): Promise<Answered> {
    const { 'content-length': length, ...rest } = headers;
    void length;
    const asking = request(this.#target + path, { method, agent: false, headers: rest });
    asking.end(body === '' ? undefined : body);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }

  async #stream(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const asking = request(this.#target + STREAM, { agent: false, headers: asked.headers });
    answer.on('close', () => asking.destroy());
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    answer.writeHead(response.statusCode ?? 0, response.headers);
    let rest = '';
    response.on('error', () => answer.destroy());
    for await (const piece of response.setEncoding('utf8')) {
      const blocks = (rest + String(piece)).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks)
        for (const told of this.#lie.tell?.(block) ?? [block]) answer.write(`${told}\n\n`);
    }
    answer.end();
  }
}
