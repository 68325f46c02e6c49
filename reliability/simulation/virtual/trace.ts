import { createHash, type Hash } from 'node:crypto';

/** All events of a simulated world: as one digest, and on request as lines. */
export class Trace {
  /** The lines; empty if they are not kept. */
  readonly lines: string[] = [];
  readonly #hash: Hash = createHash('sha256');
  readonly #keepsLines: boolean;

  constructor(keepsLines: boolean) {
    this.#keepsLines = keepsLines;
  }

  note(atMs: number, who: string, what: string): void {
    const line = `${(atMs / 1000).toFixed(3)} ${who} ${what}`;
    this.#hash.update(line).update('\n');
    if (this.#keepsLines) this.lines.push(line);
  }

  /** A digest: the same for two worlds with the same events at the same times. It can be read once. */
  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }
}
