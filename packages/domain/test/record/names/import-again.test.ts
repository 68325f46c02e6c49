import type { PeopleService } from '@tallybook/domain';
import {
  groupOfName,
  parsePersonId,
  parseTallyId,
  toDay,
  toTimestamp,
  type PersonId,
} from '@tallybook/domain';
import { PeopleImport, TagFinder, TypedIds, type ListRow } from '@tallybook/domain/record';
import { expect } from 'chai';
import fc from 'fast-check';
import { Holders } from '../../../src/people/holders.js';
import { reading } from '../../fixtures/streams.js';
import { PeoplePlace } from '../../fixtures/people-place.js';

const NOW = 1_763_700_000;
const tags = ['04A2B3C4D5', '0006547886', '0A0B0C0D', '0E0E0E0E'].map(parseTallyId);

/** Few names, so that there are namesakes. */
const names = ['Ada Lovelace', 'Anna Müller', 'anna muller', 'Anna Schmidt', ''];
const groups = ['7b', '1st squad', 'Board'];

/** Something that happens to one of the persons or tags. */
const acts = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    name: fc.nat(names.length - 1),
    number: fc.option(fc.nat(5), { nil: undefined }),
    groups: fc.subarray(groups),
    isGuest: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('tag' as const),
    act: fc.constantFrom('give', 'lost', 'returned', 'found', 'all-along', 'undo'),
    tag: fc.nat(tags.length - 1),
    person: fc.nat(9),
  }),
  fc.record({
    kind: fc.constant('name' as const),
    tag: fc.nat(tags.length - 1),
    name: fc.nat(names.length - 1),
  }),
  fc.record({ kind: fc.constant('groups' as const), person: fc.nat(9), groups: fc.subarray(groups) }),
  fc.record({
    kind: fc.constant('group' as const),
    group: fc.constantFrom(...groups),
    other: fc.constantFrom(...groups, 'New'),
    isMerge: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('merge' as const), one: fc.nat(9), other: fc.nat(9) }),
  fc.record({ kind: fc.constant('remove' as const), person: fc.nat(9) }),
);

function nameAt(index: number): { readonly first: string; readonly last: string } {
  const [first = '', last = ''] = names[index]?.split(' ') ?? [];
  return { first, last: last === '' ? 'Turing' : last };
}

describe('A list of persons that was exported here', () => {
  it('changes nothing when it comes back, whatever happened to them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 25 }), async (all) => {
        await using place = await PeoplePlace.open(NOW);
        const { clock, storage, people, timekeeper, calendar } = place;
        const { snapshots, mapping } = storage;
        const ids: PersonId[] = [];
        for (const act of all) {
          clock.set(clock.now() + 40_000);
          await happens(people, ids, act).catch(() => undefined);
        }
        const before = `${await storage.people.revision()} ${await mapping.revision()}`;
        const importer = new PeopleImport({
          ...{ snapshots, people, mapping, timekeeper, calendar, pause: () => Promise.resolve() },
        });
        const tagFinder = new TagFinder({ typed: new TypedIds(), mapping });
        for (const hasFormer of [false, true]) {
          const rows = await exported(place, hasFormer);
          const { left, rows: shown, ...counts } = await importer.import(reading(rows), { tags: tagFinder });
          expect(shown).to.deep.equal([]);
          expect(left).to.deep.equal([]);
          expect(counts).to.deep.include({ refused: [], same: rows.length, newGroups: [] });
        }
        expect(`${await storage.people.revision()} ${await mapping.revision()}`).to.equal(before);
      }),
      { numRuns: 150, seed: 23 },
    );
  });
});

type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never;

async function happens(people: PeopleService, ids: PersonId[], act: Act): Promise<void> {
  const idAt = (index: number): PersonId =>
    ids[index % Math.max(ids.length, 1)] ?? parsePersonId('00112233445566');
  const tagAt = (index: number) => tags[index] ?? parseTallyId('0A0A0A');
  switch (act.kind) {
    case 'add': {
      const guest = act.isGuest ? { guest: { since: toDay(20_000) } } : {};
      const number = act.number === undefined ? {} : { number: String(act.number) };
      ids.push(await people.add({ name: nameAt(act.name), groups: act.groups, ...guest, ...number }));
      return;
    }
    case 'tag':
      await people.act(tagAt(act.tag), { act: act.act, person: idAt(act.person) });
      return;
    case 'name':
      await people.nameTag(tagAt(act.tag), nameAt(act.name));
      return;
    case 'groups':
      await people.correct(idAt(act.person), { groups: act.groups });
      return;
    case 'group':
      await (act.isMerge
        ? people.groups.merge(groupOfName(act.group), groupOfName(act.other))
        : people.groups.rename(groupOfName(act.group), act.other));
      return;
    case 'merge':
      await people.merge(idAt(act.one), idAt(act.other));
      return;
    case 'remove':
      await people.remove(idAt(act.person));
  }
}

/** As a table shows persons: of past days, it has their former tags too. */
async function exported({ storage, calendar }: PeoplePlace, hasFormer: boolean): Promise<readonly ListRow[]> {
  await using snapshot = await storage.snapshots.take();
  const holders = await Holders.read(snapshot);
  const today = calendar.dayOf(toTimestamp(NOW + 2_000_000));
  const heldBy = (id: PersonId): readonly string[] =>
    tags.filter((tag) =>
      [0, ...holders.boundaries(tag, toTimestamp(0), toTimestamp(2 * NOW))].some(
        (at) => holders.holderOf(tag, toTimestamp(at)).person === id,
      ),
    );
  return [...holders.all()].map(({ id, name, number, tags: held }, index) => {
    const present = holders.groupsOf(id, today);
    return {
      ...{ line: index + 1, person: id, name: name ?? nameAt(0), number: number ?? '' },
      tags: hasFormer ? heldBy(id) : held.filter(({ isLost }) => !isLost).map((tag) => tag.id),
      groups: present.map((group) => holders.groups.get(group) ?? group),
    };
  });
}
