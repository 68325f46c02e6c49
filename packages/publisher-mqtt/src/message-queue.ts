import { randomBytes } from 'node:crypto';
import { TallybookError } from '@tallybook/domain';
import type { OutboxMessage } from './outbox.js';
import type { ScanMessage } from './scan-message.js';
import { toAsciiJson } from './to-ascii-json.js';

/**
 * Numbered messages in memory, up to a limit.
 *
 * The id of a message is a random name of this run, and its number. So no id is used twice, even if a disk forgets
 * the last number.
 */
export class MessageQueue {
  readonly #limit: number;
  readonly #report: (fault: TallybookError) => void;
  readonly #run = randomBytes(4).toString('hex');
  readonly #messages: OutboxMessage[] = [];
  #next: number;
  #bytes = 0;
  #givenUp = 0;

  /** @param next The number of the next message. */
  constructor(limit: number, next: number, report: (fault: TallybookError) => void) {
    this.#limit = limit;
    this.#next = next;
    this.#report = report;
  }

  /** How long the texts of all messages are. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many there are. */
  get size(): number {
    return this.#messages.length;
  }

  /** The number of the next message. */
  get next(): number {
    return this.#next;
  }

  /** Makes the next message. It is not in the queue yet. */
  number(message: ScanMessage, tappedMs: number | undefined): OutboxMessage {
    const sequence = this.#next++;
    return { sequence, text: toAsciiJson({ message: `${this.#run}-${sequence}`, ...message }), tappedMs };
  }

  /** Adds a message at the end, and drops the oldest one if there is no room. */
  push(message: OutboxMessage): void {
    this.#messages.push(message);
    this.#bytes += message.text.length;
    const [oldest] = this.#messages;
    if (oldest === undefined || this.#messages.length <= this.#limit) return;
    this.#drop(1);
    this.#givenUp++;
    if (this.#givenUp > 1) return;
    this.#report(
      new TallybookError(
        'OUTPUT_FAILED',
        `the outbox is full with ${this.#limit} messages; each new one now replaces the oldest`,
        { details: { reason: 'full', limit: this.#limit } },
      ),
    );
  }

  first(count: number): readonly OutboxMessage[] {
    return this.#messages.slice(0, count);
  }

  /** All messages, the oldest first. */
  all(): readonly OutboxMessage[] {
    return this.#messages;
  }

  /** Removes all messages up to this one. */
  removeThrough(sequence: number): void {
    const kept = this.#messages.findIndex((message) => message.sequence > sequence);
    this.#drop(kept === -1 ? this.#messages.length : kept);
    if (this.#messages.length > 0 || this.#givenUp === 0) return;
    const count = this.#givenUp;
    this.#givenUp = 0;
    this.#report(
      new TallybookError('OUTPUT_FAILED', `${count} messages were dropped: the outbox was full`, {
        details: { reason: 'given-up', count },
      }),
    );
  }

  #drop(count: number): void {
    for (const { text } of this.#messages.splice(0, count)) this.#bytes -= text.length;
  }
}
