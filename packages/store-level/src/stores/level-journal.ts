import type { Cursor, Journal, JournalPage, Subscribable } from '@tallybook/domain';
import { ifCode } from '@tallybook/domain/record';
import { decodeRow, decodeSequence } from '../rows/codec.js';
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import { positionKey } from '../rows/keys.js';
import { readChanges } from '../queries/read-journal.js';
import { unseal } from '../rows/seal.js';
import { positionRow } from '../rows/rows.js';

/**
 * The journal of a directory: a row for each change, in the same batch as the changed rows. Its origin is the identity of
 * the store, which a repair changes.
 */
export class LevelJournal extends LevelFacet implements Journal {
  readonly appended: Subscribable<void>;

  constructor(database: LevelDatabase) {
    super(database);
    this.appended = database.handle.appended;
    // If this fails, some changes are only delivered again: a full disk must not prevent closing.
    database.onClosing(() => this.#flush().catch(() => undefined));
  }

  origin(): Promise<string> {
    return this.query((_, { origin }) => Promise.resolve(origin));
  }

  latest(): Promise<Cursor> {
    return this.query((_, { latest }) => Promise.resolve(latest));
  }

  async countAfter(cursor: Cursor): Promise<number> {
    return Math.max((await this.latest()) - cursor, 0);
  }

  read(after: Cursor, limit: number): Promise<JournalPage> {
    const page = this.query(async (level, { latest, forgotten, recent }): Promise<JournalPage> => {
      if (after > latest) return { isKnown: false, reason: 'ahead' };
      if (after < forgotten) return { isKnown: false, reason: 'too-old' };
      const entries = recent.read(after, limit) ?? (await readChanges(level, { after, latest, limit }));
      return { isKnown: true, entries };
    });
    // A follower that starts again at `latest` reads the changes after the damage. The next opening knows of the damage.
    return page.catch(ifCode('STORE_CORRUPT', { isKnown: false, reason: 'too-old' }));
  }

  position(consumer: string): Promise<Cursor | undefined> {
    return this.database.run(async () => {
      const { positions } = this.database.handle;
      const noted = positions.get(consumer);
      if (noted !== undefined) return noted;
      const cursor = await this.#readPosition(consumer);
      if (cursor !== undefined) positions.learn(consumer, cursor);
      return positions.get(consumer);
    });
  }

  advance(consumer: string, cursor: Cursor): Promise<void> {
    return this.database.run(async () => {
      if (!this.database.handle.positions.note(consumer, cursor)) return;
      // If this fails, the next commit writes the position: no follower of the journal has to wait for the disk.
      await this.#flush().catch(() => undefined);
    });
  }

  #readPosition(consumer: string): Promise<Cursor | undefined> {
    const key = positionKey(consumer);
    const position = this.database.read(async (level) => {
      const value = (await level.get(key)) as Buffer | undefined;
      return value === undefined ? undefined : decodeRow(key, () => decodeSequence(unseal(key, value)));
    });
    // All changes are delivered again, so that none is missing.
    return position.catch(ifCode('STORE_CORRUPT', 0));
  }

  async #flush(): Promise<void> {
    const unwritten = this.database.handle.positions.unwritten().map(positionRow);
    if (unwritten.length === 0) return;
    await this.database.write({
      keys: [],
      decide: (rows) => {
        for (const { key, value } of unwritten) rows.put(key, value);
      },
    });
  }
}
