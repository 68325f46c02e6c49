import assert from 'node:assert/strict';
import {
  parseName,
  parseTallyId,
  toTimestamp,
  type Association,
  type MappingSnapshot,
  type MappingStore,
  type Name,
} from '@tallybook/domain';
import { casesOf, type TestRunner } from '../../runner.js';
import { ada, babbage, bob, lovelace } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

const ids = ['FF0000', '000001', '1000000000', '00000100', '0A0000', '100000', '10000000'].map(parseTallyId);
const carol = parseTallyId('0A0B0C0D');

/** Checks the promises of {@link MappingStore}. */
export function mappingStoreContract(runner: TestRunner, options: StoreContractOptions<MappingStore>): void {
  runStoreContract(runner, options, {
    port: 'a MappingStore',
    operations: {
      read: (store) => store.read(),
      snapshot: (store) => store.snapshot(),
      get: (store) => store.get(ada),
      put: (store) => store.put(ada, lovelace),
      restore: (store) => store.restore(ada, lovelace, undefined),
      remove: (store) => store.remove(ada),
      change: (store) => store.change(new Map([[ada, lovelace]])),
      revision: (store) => store.revision(),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<MappingStore>, {
  'is empty at first': async (store) => {
    await assertHolds(store);
    assert.equal(await store.get(ada), undefined);
  },
  'returns the name that was put': async (store) => {
    await store.put(ada, lovelace);
    assert.deepEqual(await store.get(ada), lovelace);
    await assertHolds(store, [ada, lovelace]);
  },
  'says whether an association is new or replaced another one': async (store) => {
    assert.equal(await store.put(ada, lovelace), 'added');
    assert.equal(await store.put(ada, babbage), 'replaced');
    assert.equal(await store.put(ada, babbage), 'replaced');
    assert.equal(await store.put(bob, babbage), 'added');
  },
  'keeps the last name that was put': async (store) => {
    await store.put(ada, lovelace);
    await store.put(ada, babbage);
    await assertHolds(store, [ada, babbage]);
    assert.deepEqual(await store.get(ada), babbage);
  },
  'puts a name of a backup like any other one': async (store) => {
    const before = await store.revision();
    for (const [knownAt, outcome] of [
      [undefined, 'added'],
      [toTimestamp(1_763_500_000), 'replaced'],
    ] as const) {
      assert.equal(await store.restore(ada, lovelace, knownAt), outcome);
      assert.deepEqual(await store.get(ada), lovelace);
      assert.notEqual(await store.revision(), before);
      await store.put(ada, babbage);
    }
  },
  'lets several tags have the same name': async (store) => {
    await store.put(ada, lovelace);
    await store.put(bob, lovelace);
    assert.deepEqual([...(await store.read()).values()], [lovelace, lovelace]);
  },
  'reads ids ascending, whatever the order of writing': async (store) => {
    const ids = ['FF0000', '000001', '1000000000', '00000100', '0A0000', '100000', '10000000', '9F0000'];
    for (const id of ids) await store.put(parseTallyId(id), lovelace);
    assert.deepEqual([...(await store.read()).keys()], [...ids].sort());
  },
  'keeps ids apart that begin alike, have leading zeros or the most bytes': async (store) => {
    const ids = ['000000', '00000000', '010203', '01020300', 'FF'.repeat(10), '00'.repeat(9) + '01'];
    for (const [index, id] of ids.entries()) {
      const name = { first: String(index), last: '' };
      assert.equal(await store.put(parseTallyId(id), name), 'added', `${id} was taken for another id`);
    }
    for (const [index, id] of ids.entries()) {
      assert.equal((await store.get(parseTallyId(id)))?.first, String(index));
    }
  },
  'keeps every character of a name': async (store) => {
    const names = [
      { first: '', last: 'O’Brien' },
      { first: 'Zoë', last: '' },
      { first: '李', last: '小龍' },
      { first: '👩🏽‍🚒', last: '\u{10FFFD}' },
      { first: '"\\/', last: '<b>&amp;</b>, ;\u2028' + 'x' },
      { first: '__proto__', last: 'constructor' },
      { first: 'é'.repeat(100), last: '𝒜'.repeat(100) },
    ].map(parseName);
    for (const name of names) {
      await store.put(ada, name);
      assert.deepEqual(await store.get(ada), name);
      assert.deepEqual((await store.read()).get(ada), name);
    }
  },
  'removes an association and no other one': async (store) => {
    await store.put(ada, lovelace);
    await store.put(bob, babbage);
    assert.equal(await store.remove(ada), true);
    assert.equal(await store.get(ada), undefined);
    await assertHolds(store, [bob, babbage]);
  },
  'says so when there is no association to remove': async (store) => {
    assert.equal(await store.remove(ada), false);
    await store.put(ada, lovelace);
    await store.remove(ada);
    assert.equal(await store.remove(ada), false);
    assert.equal(await store.put(ada, lovelace), 'added');
  },
  'loses nothing of associations put at the same time': async (store) => {
    const ids = Array.from({ length: 100 }, (_, n) => parseTallyId(`AB${String(n).padStart(8, '0')}`));
    const outcomes = await Promise.all(ids.map((id, n) => store.put(id, { first: String(n), last: '' })));
    assert.deepEqual(new Set(outcomes), new Set(['added']));
    const mapping = await store.read();
    assert.deepEqual([...mapping.keys()], ids);
    assert.deepEqual(
      [...mapping.values()].map(({ first }) => first),
      ids.map((_, n) => String(n)),
    );
  },
  'lets the last call win when one tag is put several times at the same time': async (store) => {
    const outcomes = await Promise.all(
      [0, 1, 2, 3].map((n) => store.put(ada, { first: String(n), last: '' })),
    );
    assert.deepEqual(outcomes, ['added', 'replaced', 'replaced', 'replaced']);
    assert.equal((await store.get(ada))?.first, '3');
  },
  'changes many names at once, and says which ones there were': async (store) => {
    await store.put(ada, lovelace);
    await store.put(bob, babbage);
    const changes = new Map([
      [ada, babbage],
      [bob, undefined],
      [carol, lovelace],
      [parseTallyId('0F0F0F'), undefined],
    ]);
    const before = await store.change(changes);
    assert.deepEqual([...before].sort(), [
      [bob, babbage],
      [ada, lovelace],
    ]);
    await assertHolds(store, [ada, babbage], [carol, lovelace]);
  },
  'changes nothing for an empty change': async (store) => {
    await store.put(ada, lovelace);
    assert.deepEqual([...(await store.change(new Map()))], []);
    await assertHolds(store, [ada, lovelace]);
  },
  'never shows some of many changes without the others': async (store) => {
    const changes = new Map(
      Array.from({ length: 200 }, (_, n) => [parseTallyId(`AB${String(n).padStart(8, '0')}`), lovelace]),
    );
    const change = { isUnderWay: true as boolean };
    const changing = Promise.allSettled([store.change(changes)]);
    void changing.then(() => (change.isUnderWay = false));
    while (change.isUnderWay) {
      const { size } = await store.read();
      assert.ok(size === 0 || size === changes.size, `${size} of ${changes.size} changes can be read`);
      // A pause: a store in memory would never let other work run.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const [outcome] = await changing;
    if (outcome.status === 'rejected') throw outcome.reason;
    assert.deepEqual([...(await store.read()).keys()], [...changes.keys()]);
  },
  'changes many names in its turn among other writes': async (store) => {
    const numbered = (n: number): Name => ({ first: String(n), last: '' });
    const [added, before, replaced, wasThere] = await Promise.all([
      store.put(ada, numbered(1)),
      store.change(
        new Map([
          [ada, numbered(2)],
          [bob, numbered(2)],
          [carol, numbered(2)],
        ]),
      ),
      store.put(bob, numbered(3)),
      store.remove(carol),
    ]);
    assert.deepEqual({ added, replaced, wasThere }, { added: 'added', replaced: 'replaced', wasThere: true });
    assert.deepEqual([...before], [[ada, numbered(1)]]);
    await assertHolds(store, [bob, numbered(3)], [ada, numbered(2)]);
  },
  'does not change what was read when more is written': async (store) => {
    await store.put(ada, lovelace);
    const mapping = await store.read();
    await store.put(ada, babbage);
    await store.put(bob, babbage);
    assert.deepEqual([...mapping], [[ada, lovelace]]);
  },
  'gives all associations in pages, ascending, each once': async (store) => {
    for (const id of ids) await store.put(id, { first: id, last: '' });
    await using snapshot = await store.snapshot();
    for (const limit of [1, 2, 3, 1_000]) {
      assert.deepEqual(await pagesOf(snapshot, limit), [...(await store.read())], `with pages of ${limit}`);
    }
  },
  'gives no page that is larger than asked for': async (store) => {
    for (const id of ids) await store.put(id, lovelace);
    await using snapshot = await store.snapshot();
    for (const limit of [1, 2, 3]) {
      const { length } = await snapshot.page(undefined, limit);
      assert.ok(length >= 1 && length <= limit, `a page of at most ${limit} has ${length}`);
    }
  },
  'goes on after a tag that has no name': async (store) => {
    await store.put(bob, babbage);
    await store.put(ada, lovelace);
    await using snapshot = await store.snapshot();
    assert.deepEqual(await snapshot.page(parseTallyId('01000000'), 2), [[ada, lovelace]]);
    assert.deepEqual(await snapshot.page(ada, 2), []);
  },
  'gives the pages of the moment of the snapshot, whatever is written': async (store) => {
    await store.put(ada, lovelace);
    await store.put(bob, lovelace);
    await using snapshot = await store.snapshot();
    const [first] = await snapshot.page(undefined, 1);
    await store.put(ada, babbage);
    await store.put(parseTallyId('01000000'), babbage);
    await store.remove(bob);
    assert.deepEqual(
      [first, ...(await snapshot.page(bob, 9))],
      [
        [bob, lovelace],
        [ada, lovelace],
      ],
    );
    assert.deepEqual(await pagesOf(snapshot, 1), [
      [bob, lovelace],
      [ada, lovelace],
    ]);
  },
  'lets a snapshot be disposed of twice, and writes go on meanwhile': async (store) => {
    const snapshot = await store.snapshot();
    assert.equal(await store.put(ada, lovelace), 'added');
    await snapshot[Symbol.asyncDispose]();
    await snapshot[Symbol.asyncDispose]();
  },
  'has another revision after each change': async (store) => {
    const changes = [
      () => store.put(ada, lovelace),
      () => store.put(ada, babbage),
      () => store.remove(ada),
      () => store.change(new Map([[ada, lovelace]])),
      () => store.change(new Map([[ada, undefined]])),
    ];
    const revisions = [await store.revision()];
    for (const change of changes) {
      await change();
      revisions.push(await store.revision());
    }
    assert.equal(new Set(revisions).size, revisions.length, `a revision came twice: ${revisions.join(', ')}`);
  },
  'gives the same data between two equal revisions, whatever is being written': async (store) => {
    const seen = new Map<string, string>();
    const look = async (): Promise<void> => {
      const before = await store.revision();
      const data = JSON.stringify([...(await store.read())]);
      if ((await store.revision()) !== before) return;
      assert.equal(data, seen.get(before) ?? data, `the revision ${before} stands for two states`);
      seen.set(before, data);
    };
    for (let n = 0; n < 30; n++) {
      await look();
      const write = { isUnderWay: true as boolean };
      const writing = store
        .put(ada, { first: String(n), last: '' })
        .finally(() => (write.isUnderWay = false));
      while (write.isUnderWay) {
        await look();
        // A pause: a store in memory would never let other work run.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      await writing;
    }
    assert.equal(seen.size >= 30, true, 'a revision does not stay while nothing changes');
  },
  'keeps the revision while nothing changes': async (store) => {
    await store.put(ada, lovelace);
    const revision = await store.revision();
    await store.read();
    await store.get(ada);
    assert.equal(await store.revision(), revision);
  },
});

const restartCases = casesOf(acrossRestart<MappingStore>, {
  'keeps what it acknowledged across a restart': [
    async (store) => {
      await store.put(ada, lovelace);
      await store.put(bob, lovelace);
      await store.put(bob, babbage);
    },
    async (store) => {
      await assertHolds(store, [bob, babbage], [ada, lovelace]);
      assert.equal(await store.put(ada, babbage), 'replaced');
    },
  ],
  'keeps many changed names across a restart': [
    async (store) => {
      await store.put(ada, lovelace);
      await store.change(
        new Map([
          [ada, undefined],
          [bob, babbage],
        ]),
      );
    },
    (store) => assertHolds(store, [bob, babbage]),
  ],
  'keeps a removed association removed across a restart': [
    async (store) => {
      await store.put(ada, lovelace);
      await store.remove(ada);
    },
    async (store) => {
      await assertHolds(store);
      assert.equal(await store.put(ada, lovelace), 'added');
    },
  ],
});

async function assertHolds(store: MappingStore, ...associations: readonly Association[]): Promise<void> {
  assert.deepEqual([...(await store.read())], associations);
}

async function pagesOf(snapshot: MappingSnapshot, limit: number): Promise<Association[]> {
  const associations: Association[] = [];
  for (;;) {
    const last = associations.at(-1)?.[0];
    const page = await snapshot.page(last, limit);
    if (page.length === 0) return associations;
    assert.ok(last === undefined || page.every(([id]) => id > last), `a page after ${last} goes back`);
    associations.push(...page);
  }
}
