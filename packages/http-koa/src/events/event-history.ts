import { randomBytes } from 'node:crypto';

/**
 * The latest events as they were sent, each with a cursor that no other event ever has: a random part for this
 * history, and a sequence number.
 */
export class EventHistory {
  readonly #length: number;
  readonly #origin: string = randomBytes(8).toString('hex');
  readonly #events: Buffer[] = [];
  #sequence = 0;

  constructor(length: number) {
    this.#length = length;
  }

  append(format: (cursor: string) => Buffer): Buffer {
    this.#sequence++;
    const event = format(this.#cursorOf(this.#sequence));
    this.#events.push(event);
    if (this.#events.length > this.#length) this.#events.shift();
    return event;
  }

  /** The events after the one with this cursor; none if the cursor is unknown or too old. */
  since(cursor: string): readonly Buffer[] {
    const sequence = Number(cursor.slice(this.#origin.length + 1));
    if (cursor !== this.#cursorOf(sequence)) return [];
    const missed = this.#sequence - sequence;
    const isKnown = sequence >= 1 && missed >= 0 && missed <= this.#events.length;
    return isKnown ? this.#events.slice(this.#events.length - missed) : [];
  }

  #cursorOf(sequence: number): string {
    return `${this.#origin}-${sequence}`;
  }
}
