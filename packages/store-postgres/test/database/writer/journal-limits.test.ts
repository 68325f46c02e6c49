import assert from 'node:assert/strict';
import type { Change } from '@tallybook/domain';
import { JournalLimits } from '../../../src/database/writer/journal-limits.js';
import type { Transaction } from '../../../src/database/transaction.js';

const NOW = 1_763_500_000;
const bounds = { limit: 1_000, seconds: 86_400 };

/** A journal with changes of known ages, the oldest first. */
class Journal {
  readonly #writtenAt: number[];
  /** How many of the oldest were looked at, by each look. */
  readonly looks: number[] = [];
  readonly #limits = new JournalLimits(bounds);
  #seq: number;

  constructor(writtenAt: readonly number[]) {
    this.#writtenAt = [...writtenAt];
    this.#seq = writtenAt.length;
  }

  get kept(): number {
    return this.#writtenAt.length;
  }

  /** Writes changes, and returns how many of the oldest go. */
  async write(count: number, now = NOW): Promise<number> {
    let gone = 0;
    const first = this.#seq - this.kept + 1;
    const transaction = {
      row: { kept: this.kept },
      told: Array.from(
        { length: count },
        (): Change => ({ kind: 'day', day: 0, action: 'merged' }) as Change,
      ),
      rows: (_: unknown, most: number) => {
        this.looks.push(most);
        return Promise.resolve(
          this.#writtenAt.slice(0, most).map((writtenAt, index) => ({ seq: first + index, writtenAt })),
        );
      },
      write: (_: unknown, last: number) => {
        gone = last - first + 1;
        return Promise.resolve([]);
      },
      forget: (removed: number, last: number) => {
        assert.deepEqual([removed, last], [gone, first + gone - 1]);
      },
    };
    await this.#limits.trim(transaction as unknown as Transaction, now);
    this.#writtenAt.splice(0, gone);
    for (let each = 0; each < count; each++) this.#writtenAt.push(now);
    this.#seq += count;
    return gone;
  }
}

const aged = (count: number, seconds = 0): readonly number[] =>
  Array.from({ length: count }, () => NOW - seconds);

describe('The limits of the journal in a PostgreSQL', () => {
  it('let a hundred too many gather, and then remove them', async () => {
    const journal = new Journal(aged(1_000));
    // The first look of a program.
    assert.equal(await journal.write(1), 1);
    assert.deepEqual(journal.looks, [100]);
    for (let write = 1; write < 100; write++) assert.equal(await journal.write(1), 0);
    assert.deepEqual(journal.looks, [100]);
    assert.equal(await journal.write(1), 100);
  });

  it('remove twice as many as come, so that a journal that is too long becomes shorter', async () => {
    const journal = new Journal(aged(9_000));
    assert.equal(await journal.write(1), 100);
    assert.equal(await journal.write(50), 100);
    assert.equal(await journal.write(51), 102);
    assert.equal(await journal.write(500), 1_000);
    assert.equal(await journal.write(501), 1_000);
  });

  it('look once a minute for changes that are too old, and remove those alone', async () => {
    const journal = new Journal([...aged(3, 86_400 - 60), ...aged(3)]);
    assert.equal(await journal.write(1), 0);
    assert.equal(await journal.write(1, NOW + 59), 0);
    assert.equal(journal.looks.length, 1);
    // Those that are just as old as they may be stay.
    assert.equal(await journal.write(1, NOW + 60), 0);
    assert.equal(journal.looks.length, 2);
    assert.equal(await journal.write(1, NOW + 120), 3);
    // Also if the clock was set back.
    assert.equal(await journal.write(1, NOW), 0);
    assert.equal(journal.looks.length, 4);
  });

  it('look again at once as long as all that they saw was too old', async () => {
    const journal = new Journal([...aged(250, 90_000), ...aged(5)]);
    assert.deepEqual(
      [await journal.write(1), await journal.write(1), await journal.write(1)],
      [100, 100, 50],
    );
    assert.equal(await journal.write(1), 0);
    assert.equal(journal.looks.length, 3);
  });

  it('remove nothing while nothing comes: the latest change might go', async () => {
    const journal = new Journal(aged(3, 90_000));
    assert.equal(await journal.write(0), 0);
    assert.deepEqual(journal.looks, []);
  });
});
