import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Emitter } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import type { RunningService } from './running-service.js';

/** The fields of one block of an event stream; a comment has the empty name. */
export type Block = Readonly<Record<string, string>>;

/** A client of the event stream that takes note of every block. */
export class StreamClient {
  readonly response: IncomingMessage;
  readonly blocks: Recorder<Block>;
  readonly closed: Promise<unknown>;
  readonly #blocks: Emitter<Block>;

  private constructor(response: IncomingMessage) {
    const blocks = new Emitter<Block>();
    this.response = response;
    this.#blocks = blocks;
    this.blocks = new Recorder(blocks);
    // An aborted response emits an error first, which is not a failure here.
    this.closed = new Promise((resolve) => response.on('close', resolve).on('error', () => undefined));
    let rest = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) blocks.emit(parseBlock(part));
    });
  }

  /** Resolves when the stream has begun. */
  static async connect(
    service: RunningService,
    lastEventId?: string,
    others: Readonly<Record<string, string>> = {},
  ): Promise<StreamClient> {
    const headers = { ...others, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) };
    const request = get({
      host: '127.0.0.1',
      port: service.port,
      path: '/api/idevent',
      headers,
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new StreamClient(response);
  }

  /** The events so far, without comments and the like. */
  get events(): readonly Block[] {
    return this.blocks.values.filter(({ event }) => event !== undefined);
  }

  /** Resolves with the events when there are so many. */
  async receive(count: number): Promise<readonly Block[]> {
    await this.blocks.find(`${count} events`, () => this.events.length >= count);
    return this.events;
  }

  /** Resolves when the event with an id comes. It looks at each block once, for streams that are long. */
  reach(id: string): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.#blocks.subscribe((block) => {
        if (block['id'] !== id) return;
        subscription.unsubscribe();
        resolve();
      });
    });
  }

  get lastEventId(): string | undefined {
    return this.events.at(-1)?.['id'];
  }

  abort(): void {
    this.response.destroy();
  }
}

function parseBlock(block: string): Block {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
  });
  return Object.fromEntries(fields);
}
