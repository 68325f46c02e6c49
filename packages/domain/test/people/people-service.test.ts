import {
  Calendar,
  parsePersonId,
  parseTallyId,
  PeopleService,
  Timekeeper,
  toDay,
  toTimestamp,
  type Name,
  type PersonId,
  type TagAct,
  type TallyId,
} from '@tallybook/domain';
import { presentEntry } from '../../src/values/people/timeline.js';
import { expect } from 'chai';
import { red, blue, lovelace, babbage, NOW } from '../../../testing/test/fixtures/known-values.js';
import type { PeopleMapping } from '../../src/people/people-mapping.js';
import { PeoplePlace } from '../fixtures/people-place.js';
import { rejectionOf } from '../fixtures/throws.js';

const implicit = parsePersonId(`tag-${red}`);
const king: Name = { first: 'Ada', last: 'King' };
const hopper: Name = { first: 'Grace', last: 'Hopper' };
const MIDNIGHT = NOW - (NOW % 86_400);

describe('PeopleService', () => {
  let storage: PeoplePlace['storage'];
  let clock: PeoplePlace['clock'];
  let people: PeopleService;
  let mapping: PeopleMapping;

  beforeEach(async () => {
    ({ storage, clock, people, mapping } = await PeoplePlace.open(NOW));
  });

  afterEach(() => storage.close());

  const act = (
    id: TallyId,
    its: { readonly act: TagAct['act']; readonly person?: PersonId; readonly since?: number },
  ): Promise<unknown> => people.act(id, its as TagAct);

  /** The entries that count: their seconds, holders and reasons. */
  async function entriesOf(id: TallyId): Promise<readonly (readonly [number, PersonId | string])[]> {
    const { entries } = await people.timeline(id);
    return entries.flatMap(({ since, holder, why, isUndone }) =>
      isUndone === true ? [] : [[since, holder ?? why] as const],
    );
  }

  const rows = async (): Promise<readonly number[]> => [
    (await storage.people.persons(undefined, 10)).length,
    (await storage.people.timelines(undefined, 10)).length,
  ];

  const nameAt = async (id: TallyId, at: number): Promise<Name | undefined> =>
    (await storage.people.holderAt(id, toTimestamp(at))).name;

  describe('of a tag that was only named', () => {
    beforeEach(() => mapping.put(red, lovelace));

    it('stores nothing but the name', async () => {
      expect(await rows()).to.deep.equal([0, 0]);
      expect(await entriesOf(red)).to.deep.equal([[0, implicit]]);
      expect((await people.person(implicit))?.name?.value).to.deep.equal(lovelace);
    });

    it('still stores nothing more when the name of many is changed beside that of a held tag', async () => {
      await people.act(blue, { act: 'give', person: await people.add({ name: babbage }) });
      const before = await rows();
      await mapping.change(new Map([[red, king], [blue, hopper], [parseTallyId('010203'), hopper]])); // prettier-ignore
      expect(await rows()).to.deep.equal(before);
      expect(await mapping.get(parseTallyId('010203'))).to.deep.equal(hopper);
    });

    it('makes rows of the person and the timeline with the first act that needs them', async () => {
      await people.correct(implicit, { number: '007' });
      expect(await rows()).to.deep.equal([1, 1]);
      expect(await mapping.get(red)).to.deep.equal(lovelace);
    });

    it('does not bring the name back that was taken away before the tag was given', async () => {
      await mapping.remove(red);
      await act(red, { act: 'give', person: await people.add({ name: babbage }) });
      expect((await people.person(implicit))?.name?.value).to.equal(undefined);
      expect(await nameAt(red, 0)).to.deep.equal(babbage);
    });
  });

  describe('of a tag that is handed on', () => {
    let bob: PersonId;

    beforeEach(async () => {
      await mapping.put(red, lovelace);
      bob = await people.add({ name: babbage });
    });

    it('has the new holder from now on, and the old one before', async () => {
      await act(red, { act: 'give', person: bob });
      expect(await entriesOf(red)).to.deep.equal([[0, implicit], [NOW, bob]]); // prettier-ignore
      expect(await nameAt(red, NOW - 1)).to.deep.equal(lovelace);
      expect(await nameAt(red, NOW)).to.deep.equal(babbage);
      expect(await mapping.get(red)).to.deep.equal(babbage);
    });

    it('has the new holder all along, in place of the old one', async () => {
      await act(red, { act: 'all-along', person: bob });
      expect(await entriesOf(red)).to.deep.equal([[0, bob]]);
      expect(await nameAt(red, 0)).to.deep.equal(babbage);
    });

    it('has the old holder again when it was a mistake, with the taps in between', async () => {
      await act(red, { act: 'give', person: bob });
      clock.advance(1_000_000);
      await act(red, { act: 'undo', since: NOW });
      expect(await entriesOf(red)).to.deep.equal([[0, implicit]]);
      expect(await nameAt(red, NOW + 5)).to.deep.equal(lovelace);
      const { entries } = await people.timeline(red);
      expect(entries.at(-1)).to.include({ since: NOW, isUndone: true }).and.not.have.property('holder');
    });

    it('says from whom each entry took the tag, also after an act before it', async () => {
      await act(red, { act: 'give', person: bob });
      expect(presentEntry(await people.timeline(red))?.after).to.equal(implicit);
      const cyd = await people.add({ name: hopper });
      await act(red, { act: 'give', person: cyd, since: NOW - 50 });
      expect(presentEntry(await people.timeline(red))?.after).to.equal(cyd);
      await act(red, { act: 'undo', since: NOW - 50 });
      expect(presentEntry(await people.timeline(red))?.after).to.equal(implicit);
    });

    it('takes an act in the past, never in the future', async () => {
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'give', person: bob, since: NOW + 1 }));
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'lost', since: NOW + 1 }));
      await act(red, { act: 'give', person: bob, since: NOW - 100 });
      expect(await nameAt(red, NOW - 100)).to.deep.equal(babbage);
    });

    it('takes a tag back from the second after the tap that gives it back, in the second of the tap', async () => {
      await act(red, { act: 'give', person: bob, since: NOW - 100 });
      await act(red, { act: 'returned', since: NOW + 1 });
      expect(await nameAt(red, NOW)).to.deep.equal(babbage);
      expect(await nameAt(red, NOW + 1)).to.equal(undefined);
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'returned', since: NOW + 2 }));
    });

    it('shows what an act would change without changing it', async () => {
      const { before, after } = await people.act(red, { act: 'give', person: bob }, { isDryRun: true });
      expect([before.entries.length, after.entries.length]).to.deep.equal([1, 2]);
      expect(await entriesOf(red)).to.deep.equal([[0, implicit]]);
    });

    it('shows who is left without a tag at their tag of last resort', async () => {
      await act(red, { act: 'give', person: bob });
      const lastResort = storage.people.lastResortOf(implicit);
      expect(await mapping.get(lastResort)).to.deep.equal(lovelace);
      expect(await nameAt(lastResort, NOW)).to.deep.equal(lovelace);
      await mapping.put(lastResort, king);
      expect((await people.person(implicit))?.name?.value).to.deep.equal(king);
    });
  });

  it('gives a tag that was never held from the beginning', async () => {
    const bob = await people.add({ name: babbage });
    await act(red, { act: 'give', person: bob });
    expect(await entriesOf(red)).to.deep.equal([[0, bob]]);
  });

  it('knows two persons of one name as two', async () => {
    await mapping.put(red, lovelace);
    await mapping.put(blue, lovelace);
    expect((await storage.people.holderAt(red, toTimestamp(0))).person).to.not.equal(
      (await storage.people.holderAt(blue, toTimestamp(0))).person,
    );
  });

  describe('of a tag without a holder', () => {
    beforeEach(() => mapping.put(red, lovelace));

    it('counts a lost tag for nobody until it is found', async () => {
      await act(red, { act: 'lost' });
      expect(await storage.people.holderAt(red, toTimestamp(NOW))).to.deep.equal({ isLost: true });
      expect(await mapping.get(red)).to.equal(undefined);
      clock.advance(60_000);
      await act(red, { act: 'found' });
      expect(await entriesOf(red)).to.deep.equal([[0, implicit], [NOW, 'lost'], [NOW + 60, implicit]]); // prettier-ignore
    });

    it('finds a lost tag at an earlier second, but not before the loss', async () => {
      clock.advance(60_000);
      await act(red, { act: 'lost', since: NOW });
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'found', since: NOW - 1 }));
      await act(red, { act: 'found', since: NOW + 30 });
      expect((await entriesOf(red)).at(-1)).to.deep.equal([NOW + 30, implicit]);
    });

    it('refuses to find a tag that is not lost, and to lose one that nobody holds', async () => {
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'found' }));
      await act(red, { act: 'returned' });
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'lost' }));
      await rejectionOf('PERSON_CONFLICT', act(blue, { act: 'lost' }));
      await rejectionOf('PERSON_CONFLICT', act(blue, { act: 'undo' }));
      await rejectionOf('PERSON_CONFLICT', act(red, { act: 'undo', since: NOW - 9 }));
    });

    for (const why of ['lost', 'returned'] as const) {
      it(`is theirs again from today if a ${why} tag gets the name that it had`, async () => {
        await act(red, { act: why, since: MIDNIGHT - 500 });
        expect(await mapping.put(red, lovelace)).to.equal('added');
        expect((await entriesOf(red)).at(-1)).to.deep.equal([MIDNIGHT, implicit]);
      });

      it(`is that of a new person from today if a ${why} tag gets another name`, async () => {
        await act(red, { act: why, since: MIDNIGHT - 500 });
        expect(await mapping.put(red, king)).to.equal('added');
        const [since, holder] = (await entriesOf(red)).at(-1) ?? [];
        expect(since).to.equal(MIDNIGHT);
        expect(holder).to.match(/^[0-9A-F]{14}$/);
        expect((await people.person(implicit))?.name?.value).to.deep.equal(lovelace);
      });
    }

    it('puts a new person in place of a name that was removed', async () => {
      await act(red, { act: 'give', person: await people.add({ name: babbage }), since: NOW - 10 });
      await mapping.remove(red);
      expect((await entriesOf(red)).at(-1)).to.deep.equal([NOW - 10, 'removed']);
      await mapping.put(red, hopper);
      expect((await entriesOf(red)).at(-1)?.[0]).to.equal(NOW - 10);
      expect(await nameAt(red, NOW - 10)).to.deep.equal(hopper);
    });

    it('forgets an implicit person of whom nothing but the name was known', async () => {
      await act(red, { act: 'lost' });
      await act(red, { act: 'undo' });
      await people.correct(implicit, { number: '7' });
      await people.correct(implicit, { number: null });
      const lastResort = storage.people.lastResortOf(implicit);
      expect(await mapping.get(lastResort)).to.deep.equal(lovelace);
      await mapping.remove(red);
      // They were left without a tag once, so they are known by more.
      expect((await people.person(implicit))?.name?.value).to.deep.equal(lovelace);
      await mapping.put(blue, babbage);
      await people.correct(parsePersonId(`tag-${blue}`), { number: null });
      await mapping.remove(blue);
      expect((await people.person(parsePersonId(`tag-${blue}`)))?.name).to.equal(undefined);
    });
  });

  describe('when a held tag is named', () => {
    it('corrects the name of the holder on all their tags', async () => {
      const ada = await people.add({ name: lovelace });
      for (const id of [red, blue]) await act(id, { act: 'give', person: ada });
      expect(await mapping.put(red, { first: 'ÁDA', last: 'King' })).to.equal('replaced');
      expect(await mapping.get(blue)).to.deep.equal({ first: 'ÁDA', last: 'King' });
    });

    it('gives this tag alone to a new person from today if the first name is another one', async () => {
      const ada = await people.add({ name: lovelace });
      for (const id of [red, blue]) await act(id, { act: 'give', person: ada });
      expect(await mapping.put(red, babbage)).to.equal('replaced');
      expect(await mapping.get(blue)).to.deep.equal(lovelace);
      expect(await nameAt(red, MIDNIGHT - 1)).to.deep.equal(lovelace);
      expect(await nameAt(red, MIDNIGHT)).to.deep.equal(babbage);
    });

    it('gives the badge of a guest to a new person, who is none, if the first name is another one', async () => {
      const guest = await people.add({ name: lovelace, guest: { since: toDay(20_000) } });
      await act(blue, { act: 'give', person: guest });
      expect(await entriesOf(blue)).to.deep.equal([[NOW, guest]]);
      clock.set(NOW + 86_400);
      await mapping.put(blue, king);
      expect((await people.person(guest))?.name?.value).to.deep.equal(king);
      await mapping.put(blue, hopper);
      const { person = guest, name } = await storage.people.holderAt(blue, toTimestamp(clock.now()));
      expect(name).to.deep.equal(hopper);
      expect((await people.person(person))?.guest?.value).to.equal(undefined);
      expect((await people.person(guest))?.name?.value).to.deep.equal(king);
    });

    it('gives the one tag of a holder another name, whatever it is', async () => {
      await act(red, { act: 'give', person: await people.add({ name: lovelace }) });
      await mapping.put(red, babbage);
      expect(await nameAt(red, 0)).to.deep.equal(babbage);
    });
  });

  describe('when persons are merged', () => {
    /** The one with the smaller id, and the other one, who has a tag. */
    let [ada, bob]: [PersonId, PersonId] = [implicit, implicit];

    beforeEach(async () => {
      const [one, other] = [
        await people.add({ name: lovelace }),
        await people.add({ name: babbage, number: '7' }),
      ];
      [ada, bob] = one < other ? [one, other] : [other, one];
      await act(red, { act: 'give', person: bob });
    });

    it('keeps the smaller id, the later value of each field, and all tags', async () => {
      const [one, other] = [ada, bob];
      clock.advance(1_000);
      await people.correct(other, { name: hopper });
      expect(await people.merge(other, one)).to.equal(one);
      const whole = await people.person(other);
      expect([whole?.id, whole?.name?.value, whole?.tags]).to.deep.equal([one, hopper, [red]]);
      expect(await storage.people.holderAt(red, toTimestamp(NOW))).to.deep.equal({
        person: one,
        name: hopper,
      });
      await mapping.put(blue, king);
      expect(await people.merge(parsePersonId(`tag-${blue}`), one)).to.equal(one);
      expect(await mapping.get(red)).to.deep.equal(await mapping.get(blue));
    });

    it('writes no timeline', async () => {
      const before = await people.timeline(red);
      await people.merge(ada, bob);
      expect(await people.timeline(red)).to.deep.equal(before);
    });

    it('corrects the merged person even if the other name has a later stamp', async () => {
      await people.merge(ada, bob);
      clock.set(NOW - 500);
      await people.correct(ada, { name: hopper });
      expect(await mapping.get(red)).to.deep.equal(hopper);
    });

    it('gives each their own again when they are split', async () => {
      const before = await mapping.read();
      await people.merge(ada, bob);
      await people.split(bob);
      expect(await mapping.read()).to.deep.equal(before);
      await rejectionOf('PERSON_CONFLICT', people.split(bob));
    });

    it('refuses to merge a person with themselves, or with nobody', async () => {
      await people.merge(ada, bob);
      await rejectionOf('PERSON_CONFLICT', people.merge(ada, bob));
      await rejectionOf('PERSON_NOT_FOUND', people.merge(ada, parsePersonId('00000000000000')));
      await rejectionOf('PERSON_NOT_FOUND', people.split(parsePersonId('00000000000000')));
    });

    it('makes a guest who was merged with a member a member, until they are split', async () => {
      const ada = await people.add({ name: lovelace });
      const guest = await people.add({ name: lovelace, guest: { since: toDay(20_413) } });
      const id = await people.merge(ada, guest);
      expect((await people.person(id))?.guest?.value).to.equal(undefined);
      await people.split(id === ada ? guest : ada);
      expect((await people.person(guest))?.guest?.value).to.deep.equal({ since: 20_413 });
    });

    it('keeps two guests who were merged a guest, until they become a member', async () => {
      const guest = { since: toDay(20_413) };
      const both = [
        await people.add({ name: lovelace, guest }),
        await people.add({ name: king, guest }),
      ] as const;
      const id = await people.merge(...both);
      expect((await people.person(id))?.guest?.value).to.deep.equal(guest);
      await people.correct(id, { guest: null });
      expect((await people.person(id))?.guest?.value).to.equal(undefined);
    });
  });

  describe('when a person is removed', () => {
    it('leaves their tags to nobody, and takes their fields away', async () => {
      const ada = await people.add({ name: lovelace, number: '7' });
      await act(red, { act: 'give', person: ada });
      expect(await people.remove(ada)).to.equal(true);
      expect(await entriesOf(red)).to.deep.equal([[0, 'removed']]);
      expect(await mapping.read()).to.deep.equal(new Map());
      expect(await people.remove(ada)).to.equal(false);
      await rejectionOf('PERSON_NOT_FOUND', people.correct(ada, { number: '8' }));
      await rejectionOf('PERSON_NOT_FOUND', act(blue, { act: 'give', person: ada }));
    });

    it('makes a new person of the tag of an implicit one', async () => {
      await mapping.put(red, lovelace);
      await people.remove(implicit);
      await mapping.put(red, babbage);
      expect((await people.person(implicit))?.name?.value).to.equal(undefined);
    });
  });

  describe('of a tag of last resort', () => {
    it('has the person in the mapping who was added without a tag', async () => {
      const ada = await people.add({ name: lovelace });
      expect([...(await mapping.read())]).to.deep.equal([[`FF5442${ada}`, lovelace]]);
    });

    it('makes a person of a name for it', async () => {
      expect(await mapping.put(parseTallyId('FF5442AABBCCDDEEFF00'), lovelace)).to.equal('added');
      expect((await people.person(parsePersonId('AABBCCDDEEFF00')))?.name?.value).to.deep.equal(lovelace);
    });

    it('refuses every act, and to take its name away', async () => {
      const ada = await people.add({ name: lovelace });
      const lastResort = storage.people.lastResortOf(ada);
      for (const its of ['give', 'lost', 'returned', 'found', 'all-along', 'undo'] as const)
        await rejectionOf('RESERVED_TALLY_ID', act(lastResort, { act: its, person: ada }));
      await rejectionOf('PERSON_CONFLICT', mapping.remove(lastResort));
    });
  });

  describe('while the clock may be wrong', () => {
    let ada: PersonId;

    beforeEach(async () => {
      ada = await people.add({ name: lovelace });
      await act(red, { act: 'give', person: ada, since: NOW - 10 });
      clock.setSynchronised(false);
    });

    it('refuses every act that needs the time', async () => {
      for (const its of ['lost', 'returned'] as const)
        await rejectionOf('CLOCK_NOT_TRUSTED', act(red, { act: its }));
      await rejectionOf('CLOCK_NOT_TRUSTED', act(red, { act: 'give', person: ada }));
      await rejectionOf('CLOCK_NOT_TRUSTED', act(red, { act: 'give', person: ada, since: 5 }));
      await rejectionOf('CLOCK_NOT_TRUSTED', act(red, { act: 'all-along', person: ada }));
    });

    it('takes "from the beginning" and "by mistake"', async () => {
      await act(blue, { act: 'give', person: ada });
      expect(await entriesOf(blue)).to.deep.equal([[0, ada]]);
      await act(red, { act: 'undo' });
      expect(await entriesOf(red)).to.deep.equal([]);
      await mapping.put(blue, king);
      expect(await mapping.get(blue)).to.deep.equal(king);
    });
  });

  describe('from today', () => {
    /** The second from which a returned tag is that of a new person, who is named now. */
    async function startOf(zone: string, dayStart: string, now: string): Promise<number | undefined> {
      clock.set(at(now));
      people = new PeopleService({
        people: storage.people,
        timekeeper: new Timekeeper(clock),
        calendar: new Calendar({ zone, dayStart }),
      });
      await people.nameTag(red, lovelace);
      await act(red, { act: 'returned', since: 1 });
      await people.nameTag(red, hopper);
      return (await entriesOf(red)).at(-1)?.[0];
    }

    const at = (text: string): number => Date.parse(text) / 1_000;

    it('is from the first second of the day of a zone', async () => {
      expect(await startOf('Europe/Berlin', '00:00', '2025-11-21T04:40:00Z')).to.equal(
        at('2025-11-20T23:00:00Z'),
      );
    });

    it('is from the start of the day that a site has', async () => {
      expect(await startOf('Europe/Berlin', '04:00', '2025-11-21T02:59:59Z')).to.equal(
        at('2025-11-20T03:00:00Z'),
      );
    });

    it('is right on a day of 23 hours', async () => {
      expect(await startOf('Europe/Berlin', '00:00', '2025-03-30T21:59:59Z')).to.equal(
        at('2025-03-29T23:00:00Z'),
      );
    });

    it('is right on a day of 25 hours', async () => {
      expect(await startOf('Europe/Berlin', '00:00', '2025-10-26T22:59:59Z')).to.equal(
        at('2025-10-25T22:00:00Z'),
      );
    });

    it('is from the last second since which it is today, where clocks go back across midnight', async () => {
      // Havana, 1 November 2026: at 01:00 clocks show 00:00 again. With a day from 00:30 on, 00:30 comes twice.
      expect(await startOf('America/Havana', '00:30', '2026-11-01T06:00:00Z')).to.equal(
        at('2026-11-01T05:30:00Z'),
      );
    });

    it('is right where yesterday comes back for five minutes', async () => {
      // Lord Howe Island: at 02:00 clocks show 01:30 again. With a day from 01:35 on, 01:35 comes twice.
      expect(await startOf('Australia/Lord_Howe', '01:35', '2026-04-04T15:12:00Z')).to.equal(
        at('2026-04-04T15:05:00Z'),
      );
    });

    it('is from after the present entry, and never later than now', async () => {
      await mapping.put(red, lovelace);
      await act(red, { act: 'returned', since: NOW - 100 });
      await mapping.put(red, hopper);
      expect((await entriesOf(red)).at(-1)?.[0]).to.equal(NOW - 99);
      await act(red, { act: 'returned' });
      await mapping.put(red, babbage);
      expect((await entriesOf(red)).at(-1)?.[0]).to.equal(NOW);
    });
  });
});
