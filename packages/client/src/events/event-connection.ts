import { bodyOf, type Transport } from '../requests/transport.js';
import { failureOf, requireType } from '../requests/read-answer.js';
import { TallybookClientError } from '../tallybook-client-error.js';
import { EventParser } from './event-parser.js';
import { toMessage, type StreamMessage } from './stream-message.js';

/** How often the time is checked within `silenceMs`. */
const TICKS = 4;

/**
 * Waits, and calls `onSilence` when the wait takes longer than `silenceMs`.
 *
 * Timers stand still while a machine sleeps. So the time of day is checked too: it shows a long sleep soon after the machine
 * wakes.
 */
export async function unlessSilent<T>(
  wait: Promise<T>,
  silenceMs: number,
  onSilence: () => void,
): Promise<T> {
  const began = Date.now();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks++;
    if (ticks >= TICKS || Date.now() - began >= silenceMs) onSilence();
  }, silenceMs / TICKS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}

/** One connection of an event stream. It is opened once, read once, and always ended. */
export class EventConnection {
  private readonly transport: Transport;
  private readonly silenceMs: number;
  private readonly cursor: string | undefined;
  private readonly parser = new EventParser();
  private readonly controller = new AbortController();
  private isSilent = false;
  private hasBegun = false;
  private heard = 0;

  constructor(transport: Transport, silenceMs: number, cursor: string | undefined) {
    this.transport = transport;
    this.silenceMs = silenceMs;
    this.cursor = cursor;
  }

  /** Id of the latest event; that of the connection before if no event came. */
  get lastEventId(): string | undefined {
    return this.parser.lastEventId ?? this.cursor;
  }

  /** Whether the connection was ever open; it may have ended since. */
  get wasOpen(): boolean {
    return this.hasBegun;
  }

  /** When the service was heard last, or the network reported the loss; milliseconds since 1970. */
  get heardAt(): number {
    return this.heard;
  }

  /** Milliseconds that the service asks to wait before the next connection. */
  get retryMs(): number | undefined {
    return this.parser.retryMs;
  }

  /** Makes the connection, or the attempt to open it, reject. */
  end(): void {
    this.controller.abort();
  }

  async open(): Promise<ReadableStream<Uint8Array>> {
    const response = await this.wait(
      this.transport.begin({
        path: 'api/idevent',
        headers: {
          Accept: 'text/event-stream, application/problem+json',
          ...(this.cursor !== undefined && { 'Last-Event-ID': this.cursor }),
        },
        signal: this.controller.signal,
      }),
    );
    requireType(response, 'text/event-stream');
    this.hasBegun = true;
    return bodyOf(response);
  }

  /** The messages of a stream. Throws when the connection is lost; does not end in another way. */
  async *read(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage, never, undefined> {
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await this.wait(reader.read());
      if (done) throw new TallybookClientError('network', 'the service ended the stream');
      for (const event of this.parser.parse(value)) {
        const message = toMessage(event, this.lastEventId);
        if (message !== undefined) yield message;
      }
    }
  }

  private async wait<T>(promise: Promise<T>): Promise<T> {
    const { silenceMs } = this;
    try {
      return await unlessSilent(promise, silenceMs, () => {
        this.isSilent = true;
        this.end();
      }).finally(() => {
        if (!this.controller.signal.aborted) this.heard = Date.now();
      });
    } catch (error) {
      if (!this.isSilent) throw failureOf(error, this.controller.signal);
      throw new TallybookClientError('network', `nothing came for ${silenceMs / 1000} seconds`, {
        cause: error,
      });
    }
  }
}
