import type { StampSource } from '@tallybook/domain/sync';
import type { LevelDatabase } from '../database/level-database.js';

/** Time and place of changes, for their stamps. */
export class Stamping {
  readonly stamps: StampSource;
  #node = '';

  constructor(database: LevelDatabase, stamps: StampSource) {
    this.stamps = stamps;
    database.onOpening(async () => {
      this.#node = await database.read((_, { origin }) => Promise.resolve(origin));
    });
  }

  /** The origin of the journal. */
  get node(): string {
    return this.#node;
  }
}
