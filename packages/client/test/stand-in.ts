import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that answers in the place of a service, as a test says. */
export class StandIn implements AsyncDisposable {
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server;

  private constructor(answer: RequestListener) {
    this.#server = createServer((request, response) => {
      this.requests.push(request);
      answer(request, response);
    });
  }

  static async start(answer: RequestListener, port = 0): Promise<StandIn> {
    const standIn = new StandIn(answer);
    standIn.#server.listen(port, '127.0.0.1');
    await once(standIn.#server, 'listening');
    return standIn;
  }

  /** Answers everything with a page, as a login of a Wi-Fi does. */
  static page(status = 200): Promise<StandIn> {
    return StandIn.start((request, response) => {
      request.resume();
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>Welcome</p>');
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
