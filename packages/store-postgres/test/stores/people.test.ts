import assert from 'node:assert/strict';
import {
  Calendar,
  implicitPerson,
  parseTallyId,
  PeopleService,
  reservedTallyId,
  Timekeeper,
  type PeopleRows,
  type TallyId,
} from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { selectSite } from '../../src/database/site-statements.js';
import { has } from '../fixtures/has.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { ada, bob, at, lovelace, babbage } from '../../../testing/test/fixtures/known-values.js';

describe('Persons in a PostgreSQL', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  let url: string;
  let storage: InnerStorage;
  let service: PeopleService;

  const serviceOf = ({ people }: InnerStorage): PeopleService =>
    new PeopleService({
      people,
      timekeeper: new Timekeeper(new ManualClock(at(0))),
      calendar: new Calendar({ zone: 'UTC' }),
    });

  beforeEach(async () => {
    url = postgres.current.site();
    storage = await storageOf(url);
    service = serviceOf(storage);
  });

  /** The rows that an act on a tag is decided on, and the row that it writes. */
  async function handOn(tag: TallyId, { people }: InnerStorage): Promise<readonly [PeopleRows, PeopleRows]> {
    const seen = await people.read({ persons: [], timelines: [tag], names: [] });
    const timeline = seen.timelines.get(tag) ?? { tag, entries: [] };
    const entry = { since: at(0), why: 'lost' as const, stamp: people.stampAfter(undefined) };
    const changed = { tag, entries: [...timeline.entries, entry] };
    return [
      {
        persons: new Map(),
        timelines: new Map([[tag, changed]]),
        groups: new Map(),
        carried: new Map(),
        names: new Map(),
      },
      seen,
    ];
  }

  it('are changed by one of two servers that decided on the same rows', async () => {
    const other = await storageOf(url);
    const [one, two] = await Promise.all([handOn(ada, storage), handOn(ada, other)]);
    const written = await Promise.all([storage.people.write(...one), other.people.write(...two)]);
    assert.deepEqual(written.toSorted(), [false, true]);
    const [timeline, ...others] = await storage.people.timelines(undefined, 10);
    assert.equal(timeline?.entries.length, 1);
    assert.deepEqual(others, []);
    assert.deepEqual(await other.people.revision(), await storage.people.revision());
  });

  it('keep both acts of two servers on one tag, since the loser decides again', async () => {
    const other = serviceOf(await storageOf(url));
    await storage.mapping.put(ada, lovelace);
    const [one, two] = [await service.add({ name: babbage }), await service.add({ name: babbage })];
    await Promise.all([
      service.act(ada, { act: 'give', person: one, since: at(-10) }),
      other.act(ada, { act: 'give', person: two, since: at(-20) }),
    ]);
    const { entries } = await service.timeline(ada);
    assert.deepEqual(
      entries.map(({ holder }) => holder),
      [implicitPerson(ada), two, one],
    );
  });

  it('are decided on again if the name of a tag was changed by a server meanwhile', async () => {
    const { mapping } = await storageOf(url);
    await storage.mapping.put(ada, lovelace);
    const seen = await storage.people.read({ persons: [], timelines: [ada], names: [ada] });
    await mapping.put(ada, babbage);
    const [rows] = await handOn(ada, storage);
    assert.equal(await storage.people.write(rows, seen), false);
  });

  it('have a holder at each moment, read in one statement through all merges', async () => {
    const ids = [await service.add({ name: lovelace }), await service.add({ name: lovelace })].sort();
    const [first, second] = ids;
    assert.ok(first !== undefined && second !== undefined);
    await storage.mapping.put(ada, lovelace);
    await service.act(ada, { act: 'give', person: second, since: at(-20) });
    await service.act(ada, { act: 'lost', since: at(-10) });
    await service.merge(first, second);
    await storage.mapping.put(bob, babbage);
    // Their latest name is that of a person who was merged into them.
    await service.merge(first, implicitPerson(bob));

    const sent: string[] = [];
    const { inner } = storage;
    const rows = inner.rows.bind(inner);
    inner.rows = (statement, ...values) => {
      // The watch over the site reads its row now and then.
      if (statement !== selectSite) sent.push(statement);
      return rows(statement, ...values);
    };
    const { people } = storage;
    const name = babbage;
    const known: readonly (readonly [TallyId, number, object])[] = [
      [ada, -21, { person: implicitPerson(ada), name: lovelace }],
      [ada, -20, { person: first, name }],
      [ada, -10, { isLost: true }],
      [bob, 0, { person: first, name }],
      [reservedTallyId(second), 0, { person: first, name }],
      [reservedTallyId('00000000000000'), 0, { person: '00000000000000' }],
      [parseTallyId('04FFFFFFFF'), 0, {}],
    ];
    for (const [tag, when, holder] of known)
      assert.deepEqual(await people.holderAt(tag, at(when)), holder, `${tag} ${when}`);
    assert.deepEqual(
      sent.map((each) => each.startsWith('WITH RECURSIVE held')),
      known.map(() => true),
    );
  });

  it('keep a name of a tag with a timeline from other writes, which go on beside it', async () => {
    await storage.mapping.put(ada, lovelace);
    const charles = await service.add({ name: babbage });
    await service.act(ada, { act: 'give', person: charles });
    const before = await storage.journal.latest();
    const stamped = { id: ada, name: babbage, stamp: { ms: 2 ** 42, counter: 0, node: 'hall' } };
    const settled = await Promise.allSettled([
      storage.mapping.put(ada, lovelace),
      storage.mapping.put(bob, babbage),
      storage.mapping.change(
        new Map([
          [ada, babbage],
          [parseTallyId('04FFFFFFFF'), lovelace],
        ]),
      ),
      storage.mapping.remove(ada),
      storage.mapping.restore(ada, babbage, at(0)),
      storage.mapping.put(reservedTallyId('00000000000000'), babbage),
      storage.stampedNames.merge([stamped]),
      storage.stampedNames.replace([stamped]),
    ]);
    const refused = settled.filter((each) => each.status === 'rejected');
    assert.equal(refused.length, settled.length - 1);
    for (const { reason } of refused) assert.ok(has('TAG_HAS_TIMELINE')(reason));
    assert.equal(settled[1].status, 'fulfilled');
    assert.equal(await storage.journal.latest(), before + 1);
    assert.deepEqual(await storage.mapping.get(bob), babbage);
    assert.deepEqual(await storage.mapping.get(ada), babbage);
  });

  it('let other writes be that change no name of a tag with a timeline', async () => {
    await storage.mapping.put(ada, lovelace);
    await service.act(ada, { act: 'lost' });
    const early = { id: ada, name: babbage, stamp: { ms: 1, counter: 0, node: 'hall' } };
    assert.deepEqual(
      await storage.mapping.change(
        new Map([
          [ada, undefined],
          [bob, babbage],
        ]),
      ),
      new Map(),
    );
    assert.equal(await storage.mapping.remove(ada), false);
    assert.equal(await storage.mapping.remove(reservedTallyId('00000000000000')), false);
    const [stayed] = await storage.stampedNames.merge([early]);
    assert.equal(stayed?.name, undefined);
    assert.deepEqual(await storage.mapping.get(bob), babbage);
  });
});
