import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { EventFeed } from '../src/index.js';

/** A subscriber of a feed without a connection: it takes everything at once, or nothing until it is told to. */
export class FakeSubscriber {
  readonly response: ServerResponse;
  readonly #socket: Duplex;
  #text = '';
  #waiting: (() => void) | undefined;
  #isReading: boolean;

  constructor(feed: EventFeed, lastEventId: string, { isReading = true } = {}) {
    this.#isReading = isReading;
    this.#socket = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        this.#text += chunk.toString();
        if (this.#isReading) done();
        else this.#waiting = done;
      },
    });
    const request = new IncomingMessage(new Socket());
    this.response = new ServerResponse(request);
    const socket: unknown = Object.assign(this.#socket, { setTimeout: () => this.#socket });
    this.response.assignSocket(socket as Socket);
    feed.subscribe(this.response, lastEventId);
  }

  /** What it was sent, and began to take. */
  get text(): string {
    return this.#text;
  }

  /** The ids of the events of changes. */
  get changes(): readonly string[] {
    return [...this.#text.matchAll(/^id: (.*)\nevent: /gm)].map(([, id = '']) => id);
  }

  /** Reads from now on. */
  read(): void {
    this.#isReading = true;
    this.#waiting?.();
  }

  leave(): void {
    this.response.req.destroy();
    this.#socket.destroy();
  }
}
