import { createHash, type Hash } from 'node:crypto';

/** Everything that happened in a simulated world, as one number, and on request line by line. */
export class Trace {
  /** The lines, if they are kept. */
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

  /** Equal for two worlds in which the same happened at the same times. It can be read once. */
  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }
}
