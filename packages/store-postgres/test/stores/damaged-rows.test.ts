import assert from 'node:assert/strict';
import { implicitPerson, parseGroupId, plainTimeline, toTimestamp } from '@tallybook/domain';
import type { NewCorrection, Trace } from '@tallybook/domain/record';
import type { StampedName } from '@tallybook/domain';
import { AUDIT_BEGINNING, type AccessChanges, type AuditEntry } from '@tallybook/domain/access';

import { usePostgres, useStorages } from '../fixtures/postgres.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { has } from '../fixtures/has.js';
import { ada, bob, day, lovelace } from '../../../testing/test/fixtures/known-values.js';

const holder = implicitPerson(ada);
const at = toTimestamp(1_763_500_000);
const stamp = { ms: 5_000, counter: 0, node: 'hall' };
const request = { ids: [ada], until: toTimestamp(at + 10), expiresAt: toTimestamp(at + 1_000) };
const correction: NewCorrection = {
  ...({ action: 'add', day, id: ada, at, reason: 'forgotten', author: 'eve' } as const),
  ...({ madeAt: at, state: 'pending' } as const),
};
const scan = { id: ada, reader: 'door', bootId: 'boot', monotonicMs: 1, shown: at, notBefore: at };
const filing = { day, at, isRecorded: false };

const isCorrupt = has('STORE_CORRUPT');

describe('A damaged row in a PostgreSQL', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  let database: InnerStorage;

  beforeEach(async () => {
    database = await storageOf(postgres.current.site());
  });

  /** Writes past the stores. */
  async function damage(statement: string, ...values: readonly unknown[]): Promise<void> {
    await database.inner.write((transaction) => transaction.write(statement, ...values));
  }

  async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
    const list: T[] = [];
    for await (const item of items) list.push(item);
    return list;
  }

  describe('of a name', () => {
    let mapping: InnerStorage['mapping'];
    let stamped: InnerStorage['stampedNames'];

    beforeEach(async () => {
      mapping = database.mapping;
      stamped = database.stampedNames;
      await stamped.replace([{ id: ada, name: lovelace, stamp }]);
      await damage('UPDATE tallybook.name SET last = NULL WHERE site = $1');
    });

    it('is never read as a name', async () => {
      await using snapshot = await mapping.snapshot();
      await using whole = await database.snapshots.take();
      await assert.rejects(mapping.get(ada), isCorrupt);
      await assert.rejects(mapping.read(), isCorrupt);
      await assert.rejects(stamped.get([ada]), isCorrupt);
      await assert.rejects(stamped.page(undefined, 10), isCorrupt);
      await assert.rejects(snapshot.page(undefined, 10), isCorrupt);
      await assert.rejects(all(whole.names()), isCorrupt);
    });

    it('is replaced by a name, also by the one that it seems to be', async () => {
      assert.equal(await mapping.put(ada, lovelace), 'replaced');
      assert.deepEqual(await mapping.get(ada), lovelace);
      await damage(`UPDATE tallybook.name SET first = '', last = '' WHERE site = $1`);
      assert.equal(await mapping.restore(ada, lovelace, at), 'replaced');
      assert.deepEqual(await mapping.get(ada), lovelace);
      await damage(`UPDATE tallybook.name SET first = '', last = '' WHERE site = $1`);
      // The names that there were before, as far as they can be read.
      assert.deepEqual(await mapping.change(new Map([[ada, lovelace]])), new Map());
      assert.deepEqual(await mapping.get(ada), lovelace);
    });

    it('is removed as a name is, and the journal says so', async () => {
      const { journal } = database;
      const before = await journal.latest();
      assert.equal(await mapping.remove(ada), true);
      assert.equal(await mapping.get(ada), undefined);
      assert.deepEqual(await journal.read(before, 10), {
        isKnown: true,
        entries: [{ cursor: before + 1, change: { kind: 'name', id: ada, action: 'removed' } }],
      });
    });

    it('gives way to a name that is merged, however early that was given', async () => {
      const early: StampedName = { id: ada, name: { first: 'Ada', last: '' }, stamp: { ...stamp, ms: 1 } };
      assert.deepEqual(await stamped.merge([early]), []);
      assert.deepEqual(await stamped.get([ada]), [early]);
    });
  });

  for (const body of [
    '{',
    'null',
    '{}',
    '{"id":"choir"}',
    '{"id":"board","alias":{"value":"choir","stamp":[0,0,""]}}',
  ]) {
    it(`of a group is never read as one: ${body}`, async () => {
      const { people } = database;
      const board = parseGroupId('board');
      const rows = {
        persons: new Map(),
        timelines: new Map(),
        groups: new Map([[board, { id: board }]]),
        carried: new Map(),
        names: new Map(),
      };
      const none = await people.read({ groups: [board] });
      assert.equal(await people.write(rows, none), true);
      await damage('UPDATE tallybook.grp SET body = $2 WHERE site = $1', body);
      await assert.rejects(people.read({ groups: [board] }), isCorrupt);
      await assert.rejects(people.write(rows, none), isCorrupt);
      await assert.rejects(people.groups(), isCorrupt);
    });
  }

  for (const body of ['{', 'null', '{}', JSON.stringify({ id: implicitPerson(bob) })]) {
    it(`of a person, or of a timeline, is never read as one: ${body}`, async () => {
      const { people } = database;
      const timeline = { tag: ada, entries: [{ since: at, why: 'given', holder, stamp }] } as const;
      const person = { id: holder, name: { value: lovelace, stamp }, tags: [ada], aliases: [] };
      const rows = {
        persons: new Map([[holder, person]]),
        timelines: new Map([[ada, timeline]]),
        groups: new Map(),
        carried: new Map(),
        names: new Map(),
      };
      const keys = { persons: [holder], timelines: [ada], names: [] };
      const none = await people.read(keys);
      assert.equal(await people.write(rows, none), true);
      for (const table of ['tag', 'person']) {
        await damage(`UPDATE tallybook.${table} SET body = $2 WHERE site = $1`, body);
        await assert.rejects(people.read(keys), isCorrupt);
        await assert.rejects(people.write(rows, none), isCorrupt);
        await assert.rejects(people.holderAt(ada, at), isCorrupt);
        await assert.rejects(
          table === 'tag' ? people.timelines(undefined, 10) : people.persons(undefined, 10),
          isCorrupt,
        );
        await damage(
          `UPDATE tallybook.tag SET body = $2 WHERE site = $1`,
          JSON.stringify(plainTimeline(timeline)),
        );
      }
    });
  }

  for (const body of [
    '{',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...correction, action: 'eat' }),
    JSON.stringify({ ...correction, state: 'lost' }),
    JSON.stringify({ ...correction, reason: 7 }),
    JSON.stringify({ ...correction, author: undefined }),
    JSON.stringify({ ...correction, madeAt: -1 }),
    JSON.stringify({ ...correction, decision: { by: 7, at } }),
    JSON.stringify({ ...correction, decision: { by: 'eve', at: 'now' } }),
    JSON.stringify({ ...correction, decision: { by: 'eve', at, reason: 7 } }),
  ]) {
    it(`of a correction is never read as one: ${body.slice(0, 200)}`, async () => {
      const { corrections } = database;
      const [made] = await corrections.correct([correction]);
      assert.ok(made !== undefined);
      await damage('UPDATE tallybook.correction SET body = $2 WHERE site = $1', body);
      await assert.rejects(corrections.list(day, day), isCorrupt);
      await assert.rejects(corrections.find(made.number), isCorrupt);
      await assert.rejects(corrections.decide(made.number, { by: 'eve', at, state: 'approved' }), isCorrupt);
    });
  }

  it('of a change is never read as one', async () => {
    const { journal } = database;
    await database.mapping.put(ada, lovelace);
    await damage(`UPDATE tallybook.change SET body = '{' WHERE site = $1`);
    await assert.rejects(journal.read(0, 10), isCorrupt);
  });

  it('of a provisional scan is left out of the list, and not of a snapshot', async () => {
    const { provisional } = database;
    const first = await provisional.add(scan);
    const second = await provisional.add({ ...scan, monotonicMs: 2 });
    await damage(`UPDATE tallybook.provisional SET body = '{' WHERE site = $1 AND sequence = $2`, first);
    assert.deepEqual(await provisional.list(), [{ ...scan, monotonicMs: 2, sequence: second }]);
    await assert.rejects(provisional.place(first, filing), isCorrupt);
    await using snapshot = await database.snapshots.take();
    await assert.rejects(all(snapshot.provisional()), isCorrupt);
  });

  const accounts: readonly (readonly [string, AccessChanges, string])[] = [
    ['a user', { putUsers: [{ name: 'eve', role: 'admin', password: undefined, createdAt: at }] }, 'account'],
    [
      'a token',
      {
        putCredentials: [
          {
            ...({
              id: 'a',
              digest: 'd',
              kind: 'token',
              role: 'viewer',
              user: undefined,
              label: 'x',
            } as const),
            ...{ createdAt: at, expiresAt: undefined, lastUsed: undefined },
          },
        ],
      },
      'credential',
    ],
  ];
  for (const [what, put, table] of accounts) {
    it(`of ${what} is never read as one`, async () => {
      const { access } = database;
      await access.change(put);
      for (const body of ['{', '{}']) {
        await damage(`UPDATE tallybook.${table} SET body = $2 WHERE site = $1`, body);
        await assert.rejects(access.read(), isCorrupt);
      }
    });
  }

  it('of the audit trail is passed over, also if a whole page is', async () => {
    const { audit } = database;
    const entry = (number: number): AuditEntry => ({
      ...({ number, at, actor: 'eve', action: 'name-set', details: {} } as const),
      previous: number === 1 ? AUDIT_BEGINNING : String(number - 1).padStart(64, '0'),
      hash: String(number).padStart(64, '0'),
    });
    for (let number = 1; number <= 6; number++) assert.equal(await audit.append(entry(number)), true);
    await damage(`UPDATE tallybook.audit SET body = '{}' WHERE site = $1 AND number IN (2, 3, 4, 6)`);
    assert.deepEqual(await audit.read(0, 2), [entry(1)]);
    assert.deepEqual(await audit.read(1, 2), [entry(5)]);
    assert.deepEqual(await audit.read(1, 1), [entry(5)]);
    assert.deepEqual(await audit.read(5, 2), []);
  });

  for (const runs of ['{', '{}', '[["run"]]', '[["run", 1.5]]', '[[1, 2]]', '[["a", 1], ["run", "2"]]']) {
    it(`of a receipt counts as none: ${runs}`, async () => {
      const { receipts } = database;
      await receipts.note('door', 'run', 7);
      await damage('UPDATE tallybook.receipt SET runs = $2 WHERE site = $1', runs);
      assert.equal(await receipts.latest('door', 'run'), 0);
      assert.deepEqual(await receipts.list(), []);
      await receipts.note('door', 'run', 3);
      assert.deepEqual(await receipts.list(), [{ device: 'door', run: 'run', number: 3 }]);
    });
  }

  for (const column of ['runs', 'status', 'refused']) {
    it(`of a station counts as none, if it is in the column ${column}`, async () => {
      const { stations } = database;
      const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };
      const notes = { heardAt: at, status, refused: [] };
      await stations.acknowledge('hall', 'run', 7, notes);
      await stations.acknowledge('yard', 'run', 8, notes);
      await damage(`UPDATE tallybook.station SET ${column} = '{' WHERE site = $1 AND name = 'hall'`);
      assert.equal(await stations.progress('hall', 'run'), 0);
      assert.deepEqual(
        (await stations.list()).map(({ name }) => name),
        ['yard'],
      );
      await stations.acknowledge('hall', 'run', 3, notes);
      assert.equal(await stations.progress('hall', 'run'), 3);
      assert.equal(await stations.progress('yard', 'run'), 8);
    });
  }

  it('of an erasure is never read as one', async () => {
    const { erasures } = database;
    await erasures.erase(request);
    await database.inner.write(async (transaction) => {
      const statement = `UPDATE tallybook.erasure SET state = 'lost' WHERE site = $1`;
      await transaction.write(statement);
      // So that it is read again.
      transaction.touch('erasures');
    });
    await assert.rejects(erasures.list(), isCorrupt);
  });

  it('goes with its tag when that is erased, and the trace leaves a change out', async () => {
    const { erasures } = database;
    const { provisional } = database;
    await database.days.record(day, ada, at);
    await provisional.add(scan);
    await provisional.add({ ...scan, id: bob });
    await damage(`UPDATE tallybook.change SET body = '{' WHERE site = $1`);
    const kinds = (await all<Trace>(erasures.trace(ada))).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['entry', 'provisional']);
    await damage(`UPDATE tallybook.provisional SET body = '{' WHERE site = $1 AND sequence = 1`);
    await erasures.erase(request);
    assert.deepEqual(await all(erasures.trace(ada)), []);
    assert.deepEqual(
      (await provisional.list()).map(({ id }) => id),
      [bob],
    );
  });
});
