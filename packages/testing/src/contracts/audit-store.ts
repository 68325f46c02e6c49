import assert from 'node:assert/strict';
import { TallybookError, toTimestamp, type AuditDetails } from '@tallybook/domain';
import {
  AUDIT_BEGINNING,
  auditActions,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
} from '@tallybook/domain/access';
import { casesOf, type TestRunner } from '../runner.js';
import { oddTexts } from './fixtures.js';
import { runStoreContract } from './store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from './store-subject.js';

/** Checks the promises of {@link AuditStore}. */
export function auditStoreContract(runner: TestRunner, options: StoreContractOptions<AuditStore>): void {
  runStoreContract(runner, options, {
    port: 'an AuditStore',
    operations: {
      append: (store) => store.append(entryOf(1)),
      appendNext: (store) => store.appendNext(({ number }) => entryOf(number + 1)),
      begin: (store) => store.begin(entryOf(1)),
      latest: (store) => store.latest(),
      read: (store) => store.read(0, 1),
      removeThrough: (store) => store.removeThrough(1),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<AuditStore>, {
  'has no entries at first': async (store) => {
    assert.equal(await store.latest(), undefined);
    assert.deepEqual(await store.read(0, 10), []);
    assert.equal(await store.removeThrough(10), 0);
  },
  'reads an entry as it was appended': async (store) => {
    assert.equal(await store.append(entryOf(1)), true);
    assert.deepEqual(await store.read(0, 10), [entryOf(1)]);
  },
  'keeps every action, and every character of texts': async (store) => {
    const texts = [...oddTexts, '', 'x'.repeat(1_000)];
    const details: AuditDetails = {
      ...Object.fromEntries(texts.map((text, n) => [text, n % 2 === 0 ? text : n])),
      ...{ yes: true, no: false, none: 0, large: Number.MAX_SAFE_INTEGER, part: -0.125 },
    };
    const entries = auditActions.map((action, index) => ({
      ...entryOf(index + 1),
      action,
      actor: texts[index % texts.length] ?? '',
      details,
      at: toTimestamp(index % 2 === 0 ? 0 : Number.MAX_SAFE_INTEGER),
    }));
    for (const entry of entries) assert.equal(await store.append(entry), true);
    assert.deepEqual(await readAll(store), entries);
  },
  'says which entry is the latest': async (store) => {
    for (const number of [1, 2, 3]) {
      await store.append(entryOf(number));
      assert.deepEqual(await store.latest(), { number, hash: hashOf(number) });
    }
  },
  'begins with the entry 1, after 64 zeros': async (store) => {
    for (const wrong of [
      entryOf(2),
      { ...entryOf(2), previous: AUDIT_BEGINNING },
      { ...entryOf(1), number: 0 },
      { ...entryOf(1), previous: hashOf(0) },
    ]) {
      assert.equal(await store.append(wrong), false);
    }
    assert.deepEqual(await store.read(0, 10), []);
    assert.equal(await store.append(entryOf(1)), true);
  },
  'appends only an entry with the number that follows': async (store) => {
    await appendTo(store, 3);
    for (const number of [1, 2, 3, 5]) {
      assert.equal(await store.append({ ...entryOf(number), previous: hashOf(3) }), false);
    }
    assert.deepEqual(await readAll(store), [1, 2, 3].map(entryOf));
    assert.deepEqual(await store.latest(), { number: 3, hash: hashOf(3) });
  },
  'appends only an entry that has the hash of the latest one': async (store) => {
    await appendTo(store, 3);
    for (const previous of [hashOf(2), hashOf(4), AUDIT_BEGINNING]) {
      assert.equal(await store.append({ ...entryOf(4), previous }), false);
    }
    assert.equal(await store.append(entryOf(4)), true);
    assert.deepEqual(await readAll(store), [1, 2, 3, 4].map(entryOf));
  },
  'appends one of two entries with the same number at the same time': async (store) => {
    await appendTo(store, 2);
    const actors = ['a', 'b', 'c', 'd'];
    const outcomes = await Promise.all(actors.map((actor) => store.append({ ...entryOf(3), actor })));
    assert.equal(outcomes.filter((isAppended) => isAppended).length, 1);
    const [entry] = await store.read(2, 10);
    assert.equal(entry?.actor, actors[outcomes.indexOf(true)]);
  },
  'appends entries at the same time in the order of the calls': async (store) => {
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const outcomes = await Promise.all(numbers.map((number) => store.append(entryOf(number))));
    assert.deepEqual(new Set(outcomes), new Set([true]));
    assert.deepEqual(await readAll(store), numbers.map(entryOf));
  },
  'asks for the entry after the latest one, and appends it': async (store) => {
    const ends: AuditHead[] = [];
    for (const number of [1, 2]) {
      await store.appendNext((end) => {
        ends[number - 1] = end;
        return entryOf(number);
      });
    }
    assert.deepEqual(ends, [
      { number: 0, hash: AUDIT_BEGINNING },
      { number: 1, hash: hashOf(1) },
    ]);
    assert.deepEqual(await store.read(0, 10), [1, 2].map(entryOf));
  },
  'asks for entries at the same time in the order of the calls': async (store) => {
    const actors = Array.from({ length: 50 }, (_, index) => `actor ${index}`);
    await Promise.all(
      actors.map((actor) =>
        store.appendNext((end) => ({ ...entryOf(end.number + 1), actor, previous: end.hash })),
      ),
    );
    assert.deepEqual(
      await readAll(store),
      actors.map((actor, index) => ({ ...entryOf(index + 1), actor })),
    );
  },
  'appends nothing for a caller that gives no entry, and the entries of the others': async (store) => {
    // Some of them look like errors of a store or of its connection, but are mistakes of the caller.
    const mistakes: readonly unknown[] = [
      new RangeError('there is no entry'),
      new Error('timeout'),
      new TallybookError('STORE_CORRUPT', 'a secret cannot be read'),
      'not an error',
    ];
    const entryAfter = ({ number }: AuditHead): AuditEntry => entryOf(number + 1);
    for (const mistake of mistakes) {
      const [before, failed, after] = await Promise.allSettled([
        store.appendNext(entryAfter),
        store.appendNext(() => {
          throw mistake;
        }),
        store.appendNext(entryAfter),
      ]);
      assert.deepEqual([before.status, after.status], ['fulfilled', 'fulfilled']);
      assert.ok(
        failed.status === 'rejected' && failed.reason === mistake,
        `not rejected with ${String(mistake)}`,
      );
    }
    const numbers = Array.from({ length: 2 * mistakes.length }, (_, index) => index + 1);
    assert.deepEqual(await store.read(0, 10), numbers.map(entryOf));
  },
  'appends entries that leave numbers out, as a trail has that lost some': async (store) => {
    const entryAfter = ({ number }: AuditHead): AuditEntry => entryOf(number + 1);
    await Promise.all([
      store.appendNext(entryAfter),
      store.appendNext(entryAfter),
      store.appendNext(() => entryOf(7)),
      store.appendNext(entryAfter),
      store.appendNext(() => entryOf(20)),
    ]);
    assert.deepEqual(await store.latest(), { number: 20, hash: hashOf(20) });
    assert.deepEqual(await readAll(store), [1, 2, 7, 8, 20].map(entryOf));
  },
  'reads the entries after a number, ascending, at most as many as asked for': async (store) => {
    await appendTo(store, 300);
    assert.deepEqual(await numbersOf(store.read(254, 3)), [255, 256, 257]);
    assert.deepEqual(await numbersOf(store.read(0, 1)), [1]);
    assert.deepEqual(await numbersOf(store.read(299, 10)), [300]);
    assert.deepEqual(await store.read(300, 10), []);
    assert.deepEqual(await store.read(Number.MAX_SAFE_INTEGER - 1, 10), []);
    assert.deepEqual(
      await readAll(store),
      Array.from({ length: 300 }, (_, index) => entryOf(index + 1)),
    );
  },
  'removes entries from the beginning, and says how many': async (store) => {
    await appendTo(store, 10);
    assert.equal(await store.removeThrough(0), 0);
    assert.equal(await store.removeThrough(4), 4);
    assert.equal(await store.removeThrough(4), 0);
    assert.equal(await store.removeThrough(6), 2);
    assert.deepEqual(await readAll(store), [7, 8, 9, 10].map(entryOf));
    assert.deepEqual(await numbersOf(store.read(8, 10)), [9, 10]);
  },
  'never removes the latest entry': async (store) => {
    await appendTo(store, 3);
    assert.equal(await store.removeThrough(Number.MAX_SAFE_INTEGER - 1), 2);
    assert.equal(await store.removeThrough(3), 0);
    assert.deepEqual(await readAll(store), [entryOf(3)]);
    assert.equal(await store.append(entryOf(4)), true);
  },
  'begins a trail with any entry, and goes on after it': async (store) => {
    assert.equal(await store.begin(entryOf(7)), true);
    assert.deepEqual(await store.latest(), { number: 7, hash: hashOf(7) });
    assert.equal(await store.append(entryOf(1)), false);
    assert.equal(await store.append(entryOf(8)), true);
    assert.deepEqual(await readAll(store), [7, 8].map(entryOf));
  },
  'begins a trail once': async (store) => {
    await appendTo(store, 2);
    assert.equal(await store.begin(entryOf(3)), false);
    await store.removeThrough(1);
    assert.equal(await store.begin(entryOf(7)), false);
    assert.deepEqual(await readAll(store), [entryOf(2)]);
  },
  'does not begin a trail to which an entry was handed over before': async (store) => {
    const [, isBegun] = await Promise.all([
      store.appendNext(({ number }) => entryOf(number + 1)),
      store.begin(entryOf(7)),
    ]);
    assert.equal(isBegun, false);
    assert.deepEqual(await store.read(0, 10), [entryOf(1)]);
  },
  'appends after an entry that began the trail at the same time': async (store) => {
    const [isBegun] = await Promise.all([
      store.begin(entryOf(7)),
      store.appendNext(({ number }) => entryOf(number + 1)),
    ]);
    assert.equal(isBegun, true);
    assert.deepEqual(await store.read(0, 10), [7, 8].map(entryOf));
  },
  'does not change what was read when more is written': async (store) => {
    await appendTo(store, 2);
    const read = await store.read(0, 10);
    await store.append(entryOf(3));
    await store.removeThrough(2);
    assert.deepEqual(read, [1, 2].map(entryOf));
  },
});

const restartCases = casesOf(acrossRestart<AuditStore>, {
  'keeps what it acknowledged across a restart, and goes on after it': [
    async (store) => {
      await appendTo(store, 5);
      await store.removeThrough(2);
    },
    async (store) => {
      assert.deepEqual(await store.latest(), { number: 5, hash: hashOf(5) });
      assert.deepEqual(await readAll(store), [3, 4, 5].map(entryOf));
      assert.equal(await store.append(entryOf(5)), false);
      assert.equal(await store.append(entryOf(6)), true);
    },
  ],
});

/** A hash of any value, because stores do not check hashes. */
function hashOf(number: number): string {
  return (number + 0xabc_000).toString(16).padStart(64, 'f');
}

function entryOf(number: number): AuditEntry {
  return {
    number,
    at: toTimestamp(1_763_500_000 + number),
    actor: 'ada',
    action: 'name-set',
    details: { id: '04A2B3C4D5' },
    previous: number === 1 ? AUDIT_BEGINNING : hashOf(number - 1),
    hash: hashOf(number),
  };
}

async function appendTo(store: AuditStore, last: number): Promise<void> {
  for (let number = 1; number <= last; number++) await store.append(entryOf(number));
}

async function readAll(store: AuditStore): Promise<readonly AuditEntry[]> {
  const all: AuditEntry[] = [];
  for (;;) {
    const after = all.at(-1)?.number ?? 0;
    const page = await store.read(after, 7);
    if (page.length === 0) return all;
    assert.ok(page[0] !== undefined && page[0].number > after, `entries after ${after} begin with it`);
    all.push(...page);
  }
}

async function numbersOf(reading: Promise<readonly AuditEntry[]>): Promise<readonly number[]> {
  return (await reading).map(({ number }) => number);
}
