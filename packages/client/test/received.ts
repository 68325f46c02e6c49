import type { EventStream, StreamMessage } from '../src/index.js';

/** What a stream tells, read as a test wants to. */
export class Received implements AsyncDisposable {
  readonly all: StreamMessage[] = [];
  readonly #messages: AsyncIterator<StreamMessage>;

  constructor(stream: EventStream) {
    this.#messages = stream[Symbol.asyncIterator]();
  }

  /** Reads on until something was told, and resolves with it. */
  async until(word: string): Promise<StreamMessage> {
    for (;;) {
      const message = await this.next();
      if (message === undefined) throw new Error(`the stream ended before "${word}"`);
      if (wordOf(message) === word) return message;
    }
  }

  /** Resolves with the next message; `undefined` at the end. */
  async next(): Promise<StreamMessage | undefined> {
    const { done, value } = (await this.#messages.next()) as IteratorResult<StreamMessage, undefined>;
    if (done !== true) this.all.push(value);
    return value;
  }

  /** All of it, a word for each message. */
  get words(): string[] {
    return this.all.map(wordOf);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#messages.return?.();
  }
}

/** The state of the connection, why it has to be read anew, or what happened to which tag. */
function wordOf(message: StreamMessage): string {
  switch (message.kind) {
    case 'connection':
      return message.state;
    case 'reset':
      return message.reason;
    case 'scan':
      return `scan ${message.id}`;
    case 'attendance':
      return `${message.attendance.outcome} ${message.attendance.id}`;
    case 'failed':
      return `failed ${message.failed.id}`;
    case 'names':
      return 'names';
    case 'day':
      return `${message.change.change} ${message.change.day}`;
  }
}
