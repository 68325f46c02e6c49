import {
  parsePersonId,
  parseTallyId,
  toTimestamp,
  type Person,
  type Timeline,
  type TimelineEntry,
} from '@tallybook/domain';
import { Holders } from '../../src/people/holders.js';
import { MemoryData, MemoryStorage } from '@tallybook/testing';
import { noPeopleRows } from '@tallybook/domain/record';
import { expect } from 'chai';
import { red, blue, lovelace, babbage } from '../../../testing/test/fixtures/known-values.js';
import { failureOf } from '../../../testing/test/fixtures/failure-of.js';

const ada = parsePersonId('00112233445566');
const bob = parsePersonId('AABBCCDDEEFF00');
const implicit = parsePersonId(`tag-${red}`);
const BEGINNING = toTimestamp(0);
const at = toTimestamp;
const stamp = (ms: number) => ({ ms, counter: 0, node: 'a' });

const person = (id: Person['id'], fields: Partial<Person> = {}): Person => ({
  ...{ id, tags: [red], aliases: [] },
  ...fields,
});
const named = (id: Person['id'], value: typeof lovelace, fields: Partial<Person> = {}): Person =>
  person(id, { name: { value, stamp: stamp(1) }, ...fields });
const given = (since: number, holder: Person['id']): TimelineEntry => ({
  ...{ since: at(since), holder, why: 'given', stamp: stamp(1) },
});
const nobody = (since: number, why: 'lost' | 'returned' | 'removed'): TimelineEntry => ({
  ...{ since: at(since), why, stamp: stamp(1) },
});

describe('Holders', () => {
  let storage: MemoryStorage;

  beforeEach(async () => {
    storage = new MemoryStorage({ data: new MemoryData() });
    await storage.open();
  });

  afterEach(() => storage.close());

  async function holders(
    persons: readonly Person[] = [],
    timelines: readonly Timeline[] = [],
  ): Promise<Holders> {
    const rows = {
      persons: new Map(persons.map((row) => [row.id, row])),
      timelines: new Map(timelines.map((row) => [row.tag, row])),
      groups: new Map(),
      carried: new Map(),
      // The names that follow from them.
      names: new Map(timelines.map(({ tag: id }) => [id, { id, name: babbage, stamp: stamp(1) }])),
    };
    await storage.people.write(rows, noPeopleRows);
    await using snapshot = await storage.snapshots.take();
    return await Holders.read(snapshot);
  }

  describe('when nothing happened to a tag', () => {
    it('takes it for that of its own person, from the beginning', async () => {
      await storage.mapping.put(red, lovelace);
      const known = await holders();
      expect(known.holderOf(red, BEGINNING)).to.deep.equal({ person: implicit });
      expect(known.boundaries(red, BEGINNING, at(1e9))).to.deep.equal([]);
      expect(known.person(implicit)).to.deep.equal({
        ...{ id: implicit, name: lovelace, number: undefined, from: undefined, until: undefined },
        memberships: [],
        tags: [{ id: red, since: 0, isLost: false }],
      });
    });

    it('knows nobody who holds one without a name', async () => {
      const known = await holders();
      expect(known.holderOf(red, at(5))).to.deep.equal({});
      expect(known.person(implicit)).to.equal(undefined);
    });
  });

  describe('when a tag was handed on', () => {
    const timeline: Timeline = {
      tag: red,
      entries: [
        given(10, ada),
        { ...nobody(15, 'returned'), isUndone: true },
        given(20, bob),
        nobody(30, 'lost'),
      ],
    };
    const persons = [named(ada, lovelace), named(bob, babbage)];

    it('has the holder of each second', async () => {
      const known = await holders(persons, [timeline]);
      const owners = [9, 10, 19, 20, 29, 30, 1e9].map((second) => known.holderOf(red, at(second)));
      const [one, other] = [{ person: ada }, { person: bob }];
      expect(owners).to.deep.equal([{}, one, one, other, other, { isLost: true }, { isLost: true }]);
    });

    it('has the seconds that divide a span, the first one excluded and the last one included', async () => {
      const known = await holders(persons, [timeline]);
      expect(known.boundaries(red, BEGINNING, at(99))).to.deep.equal([10, 20, 30]);
      expect(known.boundaries(red, at(10), at(20))).to.deep.equal([20]);
      expect(known.boundaries(red, at(20), at(29))).to.deep.equal([]);
    });

    it('does not divide where the holder stays the same', async () => {
      const known = await holders(persons, [
        { tag: red, entries: [given(10, ada), given(20, ada), given(30, bob)] },
      ]);
      expect(known.boundaries(red, BEGINNING, at(99))).to.deep.equal([10, 30]);
    });

    it('shows a lost tag at who lost it, since the loss', async () => {
      const known = await holders(persons, [timeline]);
      expect(known.person(bob)?.tags).to.deep.equal([{ id: red, since: 30, isLost: true }]);
      expect(known.person(ada)?.tags).to.deep.equal([]);
    });

    it('shows a returned tag at nobody', async () => {
      const known = await holders(persons, [{ tag: red, entries: [given(10, ada), nobody(20, 'returned')] }]);
      expect(known.person(ada)?.tags).to.deep.equal([]);
    });
  });

  describe('when persons were merged', () => {
    const merged: Person = {
      ...named(bob, babbage),
      alias: { value: ada, stamp: stamp(2) },
      number: { value: '7', stamp: stamp(1) },
    };
    const persons = [
      named(ada, lovelace, { aliases: [bob], tags: [blue], name: { value: lovelace, stamp: stamp(2) } }),
      merged,
    ];
    const timelines: Timeline[] = [
      { tag: blue, entries: [given(0, ada)] },
      { tag: red, entries: [given(0, ada), given(10, bob)] },
    ];

    it('has one person, with the fields and tags of all', async () => {
      const known = await holders(persons, timelines);
      expect(known.person(bob)).to.deep.equal({
        ...{ id: ada, name: lovelace, number: '7', from: undefined, until: undefined },
        memberships: [],
        tags: [
          { id: blue, since: 0, isLost: false },
          { id: red, since: 10, isLost: false },
        ],
      });
      expect([...known.all()].map(({ id }) => id)).to.deep.equal([ada]);
    });

    it('divides no tag between them', async () => {
      const known = await holders(persons, timelines);
      expect(known.holderOf(red, at(99))).to.deep.equal({ person: ada });
      expect(known.boundaries(red, BEGINNING, at(99))).to.deep.equal([]);
    });
  });

  it('takes a tag of last resort for that of its person, without dividing it', async () => {
    const known = await holders([named(ada, lovelace)]);
    expect(known.holderOf(parseTallyId(`FF5442${ada}`), at(5))).to.deep.equal({ person: ada });
  });

  it('has all persons with a name: those with rows by id, then the others by tag', async () => {
    await storage.mapping.put(red, lovelace);
    await storage.mapping.put(blue, babbage);
    const known = await holders(
      [person(ada), named(bob, babbage)],
      [{ tag: blue, entries: [given(0, bob)] }],
    );
    expect([...known.all()].map(({ id, name }) => [id, name])).to.deep.equal([
      [bob, babbage],
      [implicit, lovelace],
    ]);
    expect([...known.names.keys()]).to.deep.equal([red]);
  });

  it('stops reading when there are too many', async () => {
    await storage.mapping.put(red, lovelace);
    await using snapshot = await storage.snapshots.take();
    const tooMany = new RangeError('too many');
    const check = (count: number): void => {
      if (count >= 1) throw tooMany;
    };
    expect(await failureOf(Holders.read(snapshot, check))).to.equal(tooMany);
  });
});
