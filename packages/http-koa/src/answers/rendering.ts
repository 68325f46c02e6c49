import { setImmediate } from 'node:timers/promises';
import type { Gate } from '@tallybook/domain';
import type { Place, Source } from './source.js';

/** Largest number of pieces kept for followers that are slightly behind, and their estimated bytes. */
const RECENT_PIECES = 16;
const RECENT_BYTES = 1_048_576;

interface Rendered {
  readonly bytes: Buffer;
  readonly next: Place;
}

/**
 * Renders one state of a resource to bytes. All requests during that time share it.
 *
 * A piece is rendered when the first follower needs it, and shared with followers that need it soon after. For a
 * follower that is far behind, the piece is rendered again. So nobody waits for a slow client, and no memory is used for
 * it. The rendering ends with its last follower.
 */
export class Rendering {
  readonly #source: Source;
  readonly #turns: Gate;
  readonly #onEnd: () => void;
  readonly #recent = new Map<Place, Promise<Rendered>>();
  #followers = 0;
  #length = Infinity;

  /** @param turns Shared by several renderings. Together they render one piece in each turn of the event loop. */
  constructor(source: Source, turns: Gate, onEnd: () => void = () => undefined) {
    this.#source = source;
    this.#turns = turns;
    this.#onEnd = onEnd;
  }

  /** Estimated bytes of memory in use. */
  get heldBytes(): number {
    return this.#source.heldBytes + RECENT_BYTES;
  }

  /** Total number of bytes; `Infinity` until a follower has reached the end. */
  get length(): number {
    return this.#length;
  }

  /** Adds a follower. Call the returned function to remove it. Not allowed after the end. */
  join(): () => void {
    this.#followers++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#followers--;
      if (this.#followers === 0) this.#end();
    };
  }

  /** All bytes from the start, for one follower. */
  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    let place: Place;
    let length = 0;
    do {
      const piece = await this.#piece(place);
      length += piece.bytes.length;
      yield piece.bytes;
      place = piece.next;
    } while (place !== undefined);
    this.#length = length;
  }

  #piece(place: Place): Promise<Rendered> {
    const known = this.#recent.get(place);
    if (known !== undefined) return known;
    const rendered = this.#turns.run(() => this.#render(place));
    this.#recent.set(place, rendered);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > RECENT_PIECES) this.#recent.delete(oldest);
    return rendered;
  }

  async #render(place: Place): Promise<Rendered> {
    await setImmediate();
    const { text, next } = await this.#source.read(place);
    return { bytes: Buffer.from(text), next };
  }

  #end(): void {
    this.#recent.clear();
    this.#onEnd();
    // Errors are ignored: the answer is over, and a store that is closing or gone has released the source already.
    Promise.resolve(this.#source[Symbol.asyncDispose]()).catch(() => undefined);
  }
}
