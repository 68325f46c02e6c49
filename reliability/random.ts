/** Random numbers that a seed fixes, so that a failure can be repeated. */
export class Random {
  #state: number;

  /** @param seed A whole number. It is reduced to an unsigned number of 32 bits. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, less than 1. This is mulberry32: 32 bits of state are enough for choosing test cases. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True in a share of cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A random one of the items. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  }

  /** Another generator, so that the numbers that one case draws do not change the next case. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}

/**
 * Random numbers for one part of a run. Each part has its own: a part that draws more numbers, or is left
 * out, does not change the others.
 */
export function randomOf(seed: number, part: string): Random {
  let hash = 0x811c9dc5;
  // FNV-1a.
  for (const character of `${seed} ${part}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return new Random(hash).fork();
}
