import {
  parseGroupId,
  toDay,
  type Day,
  type GroupId,
  type Name,
  type Person,
  type PersonId,
} from '@tallybook/domain';
import { Holders } from '../../src/people/holders.js';
import { mergePeople } from '../../src/people/merge-people.js';
import { GROUPS_MAX, type Group } from '../../src/values/people/group.js';
import { noPeopleRows } from '@tallybook/domain/record';
import { expect } from 'chai';
import { rejectionOf } from '../fixtures/throws.js';
import { PeoplePlace } from '../fixtures/people-place.js';

const NOW = 1_763_700_000;
const TODAY = toDay(Math.floor(NOW / 86_400));
const day = (after: number): Day => toDay(TODAY + after);
const lovelace: Name = { first: 'Ada', last: 'Lovelace' };
const hopper: Name = { first: 'Grace', last: 'Hopper' };
const id = (text: string): GroupId => parseGroupId(text);

describe('Groups of persons', () => {
  let storage: PeoplePlace['storage'];
  let clock: PeoplePlace['clock'];
  let people: PeoplePlace['people'];

  beforeEach(async () => {
    ({ storage, clock, people } = await PeoplePlace.open(NOW));
  });

  afterEach(() => storage.close());

  const nextDay = (): void => clock.advance(86_400_000);

  async function holders(): Promise<Holders> {
    await using snapshot = await storage.snapshots.take();
    return await Holders.read(snapshot);
  }

  /** The standing memberships of a person: group, first and last day, with today as 0. */
  async function membershipsOf(person: PersonId): Promise<readonly string[]> {
    const { memberships = [] } = (await people.person(person)) ?? {};
    return memberships.flatMap(({ group, since, until, isUndone }) =>
      isUndone
        ? []
        : [
            `${group} ${since === 0 ? 'ever' : since - TODAY} ${until === undefined ? '' : until - TODAY}`.trim(),
          ],
    );
  }

  const groupsOf = async (person: PersonId, at: Day): Promise<readonly GroupId[]> =>
    (await holders()).groupsOf(person, at);

  const named = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries((await holders()).groups);

  describe('of somebody who is added', () => {
    it('are theirs from the beginning, and are made', async () => {
      const ada = await people.add({ name: lovelace, groups: ['7B', 'Männer'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever', 'manner ever']);
      expect(await named()).to.deep.equal({ '7b': '7B', manner: 'Männer' });
      expect(await groupsOf(ada, toDay(0))).to.deep.equal(['7b', 'manner']);
    });

    it('are theirs from a day on, if one is given', async () => {
      const ada = await people.add({ name: lovelace, groups: ['7b'], groupsSince: day(-3) });
      expect(await membershipsOf(ada)).to.deep.equal(['7b -3']);
      expect(await groupsOf(ada, day(-4))).to.deep.equal([]);
      expect(await groupsOf(ada, day(-3))).to.deep.equal(['7b']);
    });

    it('are each there once, however they are written', async () => {
      const ada = await people.add({ name: lovelace, groups: ['Männer', 'MANNER'] });
      expect(await membershipsOf(ada)).to.deep.equal(['manner ever']);
      expect(await named()).to.deep.equal({ manner: 'Männer' });
    });

    it('say nothing about others, and none make no row', async () => {
      const ada = await people.add({ name: lovelace, groups: [] });
      expect(await people.person(ada)).not.to.have.property('memberships');
      expect(await storage.people.groups()).to.deep.equal([]);
    });
  });

  describe('that change', () => {
    let ada: PersonId;

    beforeEach(async () => {
      ada = await people.add({ name: lovelace, groups: ['7b', 'Choir'] });
    });

    it('hold from today on; the others end yesterday', async () => {
      await people.correct(ada, { groups: ['8b', 'choir'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever -1', '8b 0', 'choir ever']);
      expect(await groupsOf(ada, day(-1))).to.deep.equal(['7b', 'choir']);
      expect(await groupsOf(ada, day(0))).to.deep.equal(['8b', 'choir']);
    });

    it('into the same ones change nothing', async () => {
      const before = await people.person(ada);
      await people.correct(ada, { groups: ['CHOIR', '7b'] });
      expect(await people.person(ada)).to.deep.equal(before);
    });

    it('and change back on the same day are as they were', async () => {
      await people.correct(ada, { groups: ['8b'] });
      await people.correct(ada, { groups: ['7b', 'choir'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever', 'choir ever']);
      await people.correct(ada, { groups: ['8b'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever -1', '8b 0', 'choir ever -1']);
    });

    it('some days later are open again only if no day is between', async () => {
      await people.correct(ada, { groups: [] });
      nextDay();
      await people.correct(ada, { groups: ['7b'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever -1', '7b 1', 'choir ever -1']);
      await people.correct(ada, { groups: ['7b', 'choir'], groupsSince: day(0) });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever', 'choir ever']);
    });

    it('from a day in the past on undo what began since then', async () => {
      nextDay();
      await people.correct(ada, { groups: ['8b'] });
      nextDay();
      await people.correct(ada, { groups: ['9b'] });
      await people.correct(ada, { groups: ['choir'], groupsSince: day(-5) });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever -6', 'choir ever']);
    });

    it('from the beginning on leave nothing else', async () => {
      await people.correct(ada, { groups: ['9b'], groupsSince: toDay(0) });
      expect(await membershipsOf(ada)).to.deep.equal(['9b ever']);
      await people.correct(ada, { groups: [], groupsSince: toDay(0) });
      expect(await membershipsOf(ada)).to.deep.equal([]);
    });

    it('from a day to come on hold then', async () => {
      await people.correct(ada, { groups: ['8b'], groupsSince: day(7) });
      expect(await groupsOf(ada, day(6))).to.deep.equal(['7b', 'choir']);
      expect(await groupsOf(ada, day(7))).to.deep.equal(['8b']);
      await people.correct(ada, { groups: ['8b'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever -1', '8b 0', 'choir ever -1']);
    });

    it('of somebody who was taken out of all are not from the beginning', async () => {
      await people.correct(ada, { groups: [] });
      nextDay();
      await people.correct(ada, { groups: ['9b'] });
      expect((await membershipsOf(ada)).includes('9b 1')).to.equal(true);
    });

    it('need the time only if no day is given', async () => {
      clock.setSynchronised(false);
      await rejectionOf('CLOCK_NOT_TRUSTED', people.correct(ada, { groups: ['8b'] }));
      await people.correct(ada, { groups: ['8b'], groupsSince: day(0) });
      expect(await groupsOf(ada, day(0))).to.deep.equal(['8b']);
    });

    it('are at most 100 memberships; those there are may still end', async () => {
      const bob = await people.add({ name: hopper, groups: ['g0'], groupsSince: day(0) });
      for (let n = 1; n < 100; n++)
        await people.correct(bob, { groups: [`g${n % 2}`], groupsSince: day(2 * n) });
      expect((await people.person(bob))?.memberships).to.have.length(100);
      const before = await people.person(bob);
      const error = await rejectionOf(
        'INVALID_GROUP',
        people.correct(bob, { groups: ['g0'], groupsSince: day(900) }),
      );
      expect(error.message).to.equal(
        'a person has at most 100 memberships of groups, with those that ended or were undone',
      );
      expect(await people.person(bob)).to.deep.equal(before);
      await people.correct(bob, { groups: [], groupsSince: day(900) });
      expect(await groupsOf(bob, day(899))).to.deep.equal(['g1']);
      expect(await groupsOf(bob, day(900))).to.deep.equal([]);
    });
  });

  describe('of merged persons', () => {
    it('are those of both, and change in one row', async () => {
      const [ada, twin] = [
        await people.add({ name: lovelace, groups: ['7b'] }),
        await people.add({ name: lovelace, groups: ['Choir'] }),
      ];
      const root = await people.merge(ada, twin);
      expect(await membershipsOf(root)).to.deep.equal(['7b ever', 'choir ever']);
      await people.correct(ada, { groups: ['board'] });
      expect(await membershipsOf(root)).to.deep.equal(['7b ever -1', 'board 0', 'choir ever -1']);
      expect(await groupsOf(twin, day(0))).to.deep.equal(['board']);
      expect(await groupsOf(twin, day(-1))).to.deep.equal(['7b', 'choir']);
    });
  });

  describe('of somebody who was removed', () => {
    it('are gone, with the mark of a guest, and do not come back from another place', async () => {
      const ada = await people.add({ name: lovelace, groups: ['7b'], guest: { since: TODAY, host: 'Bob' } });
      const before = await people.person(ada);
      if (before === undefined) throw new Error('nobody was added');
      await people.remove(ada);
      expect(await people.person(ada)).not.to.have.any.keys('memberships', 'guest', 'name');
      await mergePeople(storage.people, [{ kind: 'person', person: before }]);
      expect(await people.person(ada)).not.to.have.any.keys('memberships', 'guest', 'name');
    });

    it('are theirs anew if they are named again', async () => {
      const ada = await people.add({ name: lovelace, groups: ['7b'] });
      await people.remove(ada);
      await people.nameTag(storage.people.lastResortOf(ada), hopper);
      await people.correct(ada, { groups: ['7b'] });
      expect(await groupsOf(ada, TODAY)).to.deep.equal(['7b']);
    });
  });

  describe('that are renamed', () => {
    it('keep their ids and members, and are found by their new name', async () => {
      const ada = await people.add({ name: lovelace, groups: ['7b'] });
      await people.groups.rename(id('7b'), '8B');
      expect(await named()).to.deep.equal({ '7b': '8B' });
      await people.correct(ada, { groups: ['8b'] });
      expect(await membershipsOf(ada)).to.deep.equal(['7b ever']);
      expect((await holders()).groupNamed('8b')).to.equal('7b');
      expect((await holders()).groupNamed('7b')).to.equal(undefined);
    });

    it('leave their first names to others, as classes do each year', async () => {
      const [ada, bob] = [
        await people.add({ name: lovelace, groups: ['6b'] }),
        await people.add({ name: hopper, groups: ['5b'] }),
      ];
      await people.groups.rename(id('6b'), '7b');
      await people.groups.rename(id('5b'), '6b');
      const cyd = await people.add({ name: { first: 'Cyd', last: '' }, groups: ['5b'] });
      const dot = await people.add({ name: { first: 'Dot', last: '' }, groups: ['6b'] });
      expect(await named()).to.deep.equal({ '6b': '7b', '5b': '6b', '5b 2': '5b' });
      expect(await groupsOf(ada, TODAY)).to.deep.equal(['6b']);
      expect(await groupsOf(cyd, TODAY)).to.deep.equal(['5b 2']);
      expect(await groupsOf(dot, TODAY)).to.deep.equal(await groupsOf(bob, TODAY));
    });

    it('get no name that another group has', async () => {
      await people.add({ name: lovelace, groups: ['7b', '8b'] });
      const error = await rejectionOf('INVALID_GROUP', people.groups.rename(id('7b'), '8B'));
      expect(error.message).to.equal('another group has this name: merge them instead');
      await people.groups.rename(id('7b'), '7B');
      expect(await named()).to.deep.equal({ '7b': '7B', '8b': '8b' });
    });

    it('are there', async () => {
      await rejectionOf('GROUP_NOT_FOUND', people.groups.rename(id('7b'), '8b'));
      await rejectionOf('GROUP_NOT_FOUND', people.groups.merge(id('7b'), id('8b')));
    });
  });

  describe('that are merged', () => {
    beforeEach(async () => {
      await people.add({ name: lovelace, groups: ['First Squad', 'Squad 1'] });
    });

    it('are one, of the name of the one they were merged into, whichever id is smaller', async () => {
      expect(await people.groups.merge(id('first squad'), id('squad 1'))).to.equal('first squad');
      expect(await named()).to.deep.equal({ 'first squad': 'Squad 1' });
      expect((await people.groups.list()).map((each) => each.id)).to.deep.equal(['first squad']);
    });

    it('are still found by both names', async () => {
      for (const [from, into] of [
        ['first squad', 'squad 1'],
        ['board', 'council'],
        ['y', 'x'],
      ] as const) {
        await people.add({ name: hopper, groups: [from, into] });
        const root = await people.groups.merge(id(from), id(into));
        expect((await holders()).groupNamed(from)).to.equal(root);
        expect((await holders()).groupNamed(into)).to.equal(root);
        const bob = await people.add({ name: hopper, groups: [from.toUpperCase()] });
        expect(await groupsOf(bob, TODAY)).to.deep.equal([root]);
      }
    });

    it('have the members of both on each day, and end as one', async () => {
      const bob = await people.add({ name: hopper, groups: ['Squad 1'] });
      await people.correct(bob, { groups: ['First Squad'] });
      await people.groups.merge(id('squad 1'), id('first squad'));
      expect(await groupsOf(bob, day(-1))).to.deep.equal(['first squad']);
      expect(await groupsOf(bob, TODAY)).to.deep.equal(['first squad']);
      expect((await holders()).person(bob)?.memberships.map(({ group }) => group)).to.deep.equal([
        'first squad',
        'first squad',
      ]);
      await people.correct(bob, { groups: [] });
      expect(await groupsOf(bob, TODAY)).to.deep.equal([]);
      expect(await groupsOf(bob, day(-1))).to.deep.equal(['first squad']);
    });

    it('are one already', async () => {
      await people.groups.merge(id('squad 1'), id('first squad'));
      await rejectionOf('INVALID_GROUP', people.groups.merge(id('squad 1'), id('first squad')));
      await rejectionOf('INVALID_GROUP', people.groups.merge(id('squad 1'), id('squad 1')));
    });

    it('are merged with a third one as one', async () => {
      await people.add({ name: hopper, groups: ['A'] });
      await people.groups.merge(id('squad 1'), id('first squad'));
      expect(await people.groups.merge(id('squad 1'), id('a'))).to.equal('a');
      expect((await holders()).rootOfGroup(id('squad 1'))).to.equal('a');
      await people.groups.rename(id('squad 1'), 'All');
      expect(await named()).to.deep.equal({ a: 'All' });
    });
  });

  describe('as many as there may be', () => {
    it('are used, and no further one is made', async () => {
      const groups = new Map<GroupId, Group>(
        Array.from({ length: GROUPS_MAX - 1 }, (_, n) => [id(`g${n}`), { id: id(`g${n}`) }]),
      );
      await storage.people.write({ ...noPeopleRows, groups }, noPeopleRows);
      const error = await rejectionOf('INVALID_GROUP', people.add({ name: lovelace, groups: ['x', 'y'] }));
      expect(error.message).to.equal('there are at most 1000 groups; use one of them');
      expect(await storage.people.groups()).to.have.length(GROUPS_MAX - 1);
      await people.add({ name: lovelace, groups: ['x', 'G7'] });
      expect(await storage.people.groups()).to.have.length(GROUPS_MAX);
    });
  });

  describe('with changes at the same time', () => {
    it('are made once', async () => {
      await Promise.all(['7b', '7B', '7b'].map((group) => people.add({ name: lovelace, groups: [group] })));
      expect(await storage.people.groups()).to.have.length(1);
    });
  });

  describe('and guests', () => {
    it('are kept as they were given, and become members with their past', async () => {
      const guest = { since: TODAY, host: 'Grace', reason: 'Visit' };
      const ada = await people.add({ name: lovelace, guest });
      expect((await holders()).person(ada)?.guest).to.deep.equal(guest);
      await people.correct(ada, { guest: null });
      const known = (await holders()).person(ada);
      expect(known).not.to.have.property('guest');
      const row: Person | undefined = await people.person(ada);
      expect([row?.guest?.value, known?.name]).to.deep.equal([undefined, lovelace]);
    });
  });
});
