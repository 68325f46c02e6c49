import { expect } from 'chai';
import {
  implicitPerson,
  NO_STAMP,
  parseGroupId,
  parsePersonId,
  parseTallyId,
  reservedTallyId,
  type Group,
  type GroupId,
  type Person,
} from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { nameKey, stampKey } from '../../src/rows/keys.js';
import { groupRows, personRows, timelineRows } from '../../src/rows/people-rows.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { givenTo, personOf, putPeople, rowsOf, stampOf } from '../fixtures/people.js';
import { writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { at } from '../../../testing/test/fixtures/known-values.js';

const tag = parseTallyId('04A2B3C4D5');
const other = parseTallyId('0006547886');
const ada = parsePersonId('0123456789ABCD');
const bob = parsePersonId('ABCDEF01234567');
const [nameOfAda, nameOfBob] = [
  { first: 'Ada', last: 'Lovelace' },
  { first: 'Bob', last: '' },
];
const hex = (key: Buffer): string => key.toString('hex');

/** A number makes an implicit person a row. */
const withNumber = (person: Person): Person => ({ ...person, number: { value: '7', stamp: stampOf(2) } });

describe('Persons and timelines in LevelDB', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  it('are written with the names of tags and their changes in one batch', async () => {
    await using stores = await openStores(directory.path);
    probe.current.forget();
    await putPeople(stores.people, [personOf(ada, nameOfAda)], [givenTo(tag, ada)]);
    expect(probe.current.batches).to.have.lengthOf(1);
    const keys = probe.current.batches.flatMap(({ operations }) => operations.map(({ key }) => hex(key)));
    expect(keys).to.include.members(
      [personRows.keyOf(ada), timelineRows.keyOf(tag), nameKey(tag), stampKey(tag)].map(hex),
    );
    const page = await stores.journal.read(0, 9);
    expect(page.isKnown && page.entries.map(({ change }) => change)).to.deep.equal([
      { kind: 'person', person: ada },
      { kind: 'tag', id: tag },
      { kind: 'name', id: tag, action: 'added' },
    ]);
  });

  it('give no change to the journal and no batch if they are the same already', async () => {
    await using stores = await openStores(directory.path);
    await putPeople(stores.people, [personOf(ada, nameOfAda)]);
    const { persons } = await stores.people.read({ persons: [ada], timelines: [], names: [] });
    const revision = await stores.people.revision();
    probe.current.forget();
    expect(await stores.people.write(rowsOf({ persons }), rowsOf({ persons }))).to.equal(true);
    expect(probe.current.batches).to.deep.equal([]);
    expect(await stores.people.revision()).to.equal(revision);
  });

  it('are looked up by a tap only if the tag has a timeline, on this thread, and once until they change', async () => {
    await using stores = await openStores(directory.path);
    await stores.names.put(other, nameOfBob);
    await putPeople(stores.people, [personOf(ada, nameOfAda)], [givenTo(tag, ada)]);
    const lookUps = async (id: typeof tag): Promise<number> => {
      probe.current.forget();
      await stores.people.holderAt(id, at(0));
      return probe.current.lookedUp;
    };
    expect(await lookUps(other)).to.equal(1);
    expect(await lookUps(parseTallyId('010203'))).to.equal(1);
    expect(await lookUps(tag)).to.equal(2);
    expect(await lookUps(tag)).to.equal(0);
    expect(await stores.people.holderAt(tag, at(0))).to.deep.equal({ person: ada, name: nameOfAda });
    await putPeople(stores.people, [personOf(bob, nameOfBob)], [givenTo(tag, bob, at(5))]);
    expect(await lookUps(tag)).to.equal(1);
    expect(await stores.people.holderAt(tag, at(4))).to.deep.equal({});
    expect(await stores.people.holderAt(tag, at(5))).to.deep.equal({ person: bob, name: nameOfBob });
  });

  it('are those of one moment, also for the holder of a tag, while they are being written', async () => {
    await using stores = await openStores(directory.path);
    await putPeople(stores.people, [personOf(ada, nameOfAda), personOf(bob, nameOfBob)], [givenTo(tag, ada)]);
    const holders = [
      JSON.stringify({ person: ada, name: nameOfAda }),
      JSON.stringify({ person: bob, name: nameOfBob }),
    ];
    for (let round = 1; round <= 40; round++) {
      const state = { isWriting: true };
      const holder = round % 2 === 0 ? ada : bob;
      const writing = putPeople(stores.people, [], [givenTo(tag, holder, 0, round)]).finally(
        () => (state.isWriting = false),
      );
      while (state.isWriting) {
        expect(holders).to.include(JSON.stringify(await stores.people.holderAt(tag, at(0))));
        const keys = { persons: [ada, bob], timelines: [tag], names: [] };
        const { persons, timelines } = await stores.people.read(keys);
        const holding = [ada, bob].filter((id) => persons.get(id)?.tags.includes(tag));
        expect(holding).to.deep.equal([timelines.get(tag)?.entries[0]?.holder]);
        await new Promise(setImmediate);
      }
      await writing;
    }
  });

  describe('with damage', () => {
    const personOfAda = personRows.keyOf(ada);
    const rows: readonly (readonly [what: string, key: Buffer])[] = [
      ['a person', personOfAda],
      ['a timeline', timelineRows.keyOf(tag)],
    ];
    for (const [what, key] of rows) {
      it(`in ${what} fail to be read and written, mark the store, and are reported by a repair`, async () => {
        {
          await using stores = await openStores(directory.path);
          await putPeople(stores.people, [personOf(ada, nameOfAda)], [givenTo(tag, ada)]);
          await putPeople(stores.people, [personOf(bob, nameOfBob)], [givenTo(other, bob)]);
        }
        await writeRawRows(directory.path, { [hex(key)]: 'ffffffffff' });
        {
          await using stores = await openStores(directory.path, { checkAfterMs: 600_000 });
          const keys = { persons: [ada], timelines: [tag], names: [] };
          await rejection(stores.people.read(keys), 'STORE_CORRUPT');
          await rejection(stores.people.holderAt(tag, at(0)), 'STORE_CORRUPT');
          const seen =
            key === personOfAda
              ? rowsOf({ persons: new Map([[ada, undefined]]) })
              : rowsOf({ timelines: new Map([[tag, undefined]]) });
          await rejection(stores.people.write(seen, seen), 'STORE_CORRUPT');
          expect(await stores.people.holderAt(other, at(0))).to.deep.equal({ person: bob, name: nameOfBob });
        }
        await rejection(openStores(directory.path), 'STORE_CORRUPT');
        const report = await LevelStorage.repair(directory.path);
        expect(report.damagedRows).to.equal(1);
        // An older state of the row is there.
        expect(report.saved).to.include({ persons: 2, timelines: 2, names: 2 });
        await using stores = await openStores(directory.path);
        expect(await stores.people.holderAt(tag, at(0))).to.deep.equal({ person: ada, name: nameOfAda });
      });
    }
  });

  it('with a damaged group fail to list groups, and are reported by a repair, which saves the others', async () => {
    const [board, bears] = [parseGroupId('board'), parseGroupId('\u{1F43B} baren')];
    const group = (id: GroupId): Group => ({ id, label: { value: id, stamp: stampOf(1) } });
    {
      await using stores = await openStores(directory.path);
      await putPeople(stores.people, [personOf(ada, nameOfAda)]);
      for (const id of [board, bears])
        await stores.people.write(rowsOf({ groups: new Map([[id, group(id)]]) }), rowsOf({}));
    }
    // Another group under this key.
    const other = Buffer.from(JSON.stringify({ id: 'choir' })).toString('hex');
    await writeRawRows(directory.path, { [hex(groupRows.keyOf(board))]: other });
    {
      await using stores = await openStores(directory.path, { checkAfterMs: 600_000 });
      await rejection(stores.people.groups(), 'STORE_CORRUPT');
      await rejection(stores.people.read({ groups: [board] }), 'STORE_CORRUPT');
      const seen = rowsOf({ groups: new Map([[board, undefined]]) });
      await rejection(stores.people.write(seen, seen), 'STORE_CORRUPT');
      expect((await stores.people.read({ groups: [bears] })).groups.get(bears)).to.deep.equal(group(bears));
    }
    await rejection(openStores(directory.path), 'STORE_CORRUPT');
    const report = await LevelStorage.repair(directory.path);
    expect(report.damagedRows).to.equal(1);
    // An older state of the row is there.
    expect(report.saved).to.include({ persons: 1, groups: 2 });
    await using stores = await openStores(directory.path);
    expect(await stores.people.groups()).to.deep.equal([group(board), group(bears)]);
  });

  it('stay in a repair, also those of a tag that was erased for a holder', async () => {
    {
      await using stores = await openStores(directory.path);
      await putPeople(stores.people, [personOf(ada, nameOfAda)], [givenTo(tag, ada)]);
      await putPeople(stores.people, [withNumber(personOf(implicitPerson(other), nameOfBob))]);
      await stores.erasures.erase({ ids: [tag], until: at(0), expiresAt: at(1_000_000) });
    }
    await writeRawRows(directory.path, { [hex(nameKey(parseTallyId('010203')))]: 'ffff' });
    const { saved } = await LevelStorage.repair(directory.path);
    expect(saved).to.include({ persons: 2, timelines: 2 });
    await using stores = await openStores(directory.path);
    expect((await stores.people.persons(undefined, 9)).map(({ id }) => id)).to.deep.equal([
      ada,
      implicitPerson(other),
    ]);
  });

  it('do not come back in a repair when a person was erased by their tag of last resort', async () => {
    {
      await using stores = await openStores(directory.path);
      await putPeople(stores.people, [personOf(ada, nameOfAda), personOf(bob, nameOfBob)]);
      await stores.erasures.erase({ ids: [reservedTallyId(ada)], until: at(0), expiresAt: at(1_000_000) });
    }
    await writeRawRows(directory.path, { [hex(nameKey(parseTallyId('010203')))]: 'ffff' });
    await LevelStorage.repair(directory.path);
    await using stores = await openStores(directory.path);
    expect((await stores.people.persons(undefined, 9)).map(({ id }) => id)).to.deep.equal([bob]);
  });

  it('that change again after an erasure of their tag are still in the journal for who has not read it', async () => {
    await using stores = await openStores(directory.path, { clock: { now: () => at(0) } });
    await putPeople(stores.people, [personOf(ada, nameOfAda)], [givenTo(tag, ada)]);
    await stores.erasures.erase({ ids: [tag], until: at(0), expiresAt: at(1_000_000) });
    const page = await stores.journal.read(0, 9);
    const kinds = page.isKnown && page.entries.map(({ change }) => change.kind);
    expect(kinds).to.deep.equal(['person', 'tag', 'erased']);
  });

  it('keep a name that has no stamp', async () => {
    await using stores = await openStores(directory.path);
    const name = { id: tag, name: nameOfAda, stamp: NO_STAMP };
    await stores.people.write(rowsOf({ names: new Map([[tag, name]]) }), rowsOf({}));
    const { names } = await stores.people.read({ persons: [], timelines: [], names: [tag, other] });
    expect([...names]).to.deep.equal([[tag, name], [other, undefined]]); // prettier-ignore
    expect(
      await stores.people.write(rowsOf({ names: new Map([[tag, undefined]]) }), rowsOf({ names })),
    ).to.equal(true);
    expect(await stores.database.stampedNames.page(undefined, 9)).to.deep.equal([]);
  });
});
