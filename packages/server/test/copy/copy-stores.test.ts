import {
  Calendar,
  implicitPerson,
  parseGroupId,
  parseTallyId,
  PeopleService,
  Timekeeper,
  toDay,
  toTimestamp,
  type PersonId,
} from '@tallybook/domain';
import { ERASURE_KEYS_MAX, type Erasure, type NewCorrection } from '@tallybook/domain/record';
import { NO_STAMP } from '@tallybook/domain';
import { createStorage, type FullStorage } from '@tallybook/server';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { trailOf } from '../../src/audit/command-trail.js';
import { copyStores } from '../../src/copy/copy-stores.js';
import { findForeign } from '../../src/copy/find-foreign.js';
import { surveyStores } from '../../src/copy/survey-stores.js';
import { ada, bob, day, fillVaried, gone, withStores } from '../fixtures/stores/varied-store.js';

const now = toTimestamp(1_763_500_000 + 500_000);
const at = (seconds: number): ReturnType<typeof toTimestamp> => toTimestamp(1_763_500_000 + seconds);

/** Works with two stores in memory. The first one has contents. */
function withBoth<T>(
  fill: (stores: FullStorage) => Promise<unknown>,
  work: (from: FullStorage, to: FullStorage) => Promise<T>,
): Promise<T> {
  return withStores(createStorage('memory:'), async (from) => {
    await fill(from);
    return withStores(createStorage('memory:'), (to) => work(from, to));
  });
}

async function note(stores: FullStorage, ...actors: readonly string[]): Promise<void> {
  for (const actor of actors) await trailOf(stores).note(actor, 'exported');
}

describe('Copying stores', () => {
  it('reports its progress, and gives the target all data of the source once', async () => {
    const source = createStorage('memory:');
    await fillVaried(source);
    await withStores(source, (from) =>
      withStores(createStorage('memory:'), async (to) => {
        for (let time = 1; time <= 2; time++) {
          const told: string[] = [];
          const outcome = await copyStores(from, to, {
            ...{ isMerging: false, now, onProgress: (text) => told.push(text) },
          });
          expect(outcome).to.deep.equal({ hasOwnTrail: false, refused: 0 });
          const survey = await surveyStores(from);
          expect(await surveyStores(to)).to.deep.equal(survey);
          expect([survey.corrections.count, survey.groups.count]).to.deep.equal([3, 2]);
          expect(told).to.deep.equal([
            'copying erasures',
            'copying persons and their tags: 1',
            'copying persons and their tags: 2',
            'copying names: 4',
            'copying scans: 5',
            'copying scans: 8',
            'copying corrections',
            'copying provisional scans',
            'copying users, tokens and the audit trail',
          ]);
        }
      }),
    );
  });

  it('writes at most 500 items together', async () => {
    const many = Array.from({ length: 501 }, (_, n) => n);
    const ids = many.map((n) => parseTallyId(`AB${String(n).padStart(8, '0')}`));
    const fill = async ({ mapping, days, corrections, access }: FullStorage): Promise<void> => {
      for (const id of ids) await mapping.put(id, { first: 'Ada', last: '' });
      // Of each entry only two scans and the number of further ones are known.
      await days.merge(
        toDay(20_411),
        ids.map((id) => ({ id, first: at(0), last: at(9), count: 5 })),
      );
      const made: NewCorrection = {
        ...{ action: 'add', day, id: ada, at: at(0), reason: 'The reader was out of order.' },
        ...{ author: 'eve', madeAt: at(90), state: 'pending' },
      };
      await corrections.correct(many.map((n) => ({ ...made, at: at(n) })));
      const user = { role: 'viewer', password: undefined, createdAt: at(0) } as const;
      const token = {
        user: undefined,
        digest: 'd'.repeat(64),
        kind: 'token',
        role: 'device',
        createdAt: at(0),
      } as const;
      await access.change({
        putUsers: many.map((n) => ({ ...user, name: `user ${n}` })),
        putCredentials: many.map((n) => ({
          ...{ ...token, id: `token-${n}`, label: 'door', expiresAt: undefined, lastUsed: undefined },
        })),
      });
    };
    await withBoth(fill, async (from, to) => {
      const written: (readonly [what: string, count: number])[] = [];
      const { stampedNames, days, corrections, access } = to;
      const [replace, merge] = [stampedNames.replace.bind(stampedNames), days.merge.bind(days)];
      const [correct, change] = [corrections.correct.bind(corrections), access.change.bind(access)];
      stampedNames.replace = (names) => (written.push(['names', names.length]), replace(names));
      days.merge = (of, entries) => (written.push(['counts', entries.length]), merge(of, entries));
      corrections.correct = (made) => (written.push(['corrections', made.length]), correct(made));
      access.change = (changes) => {
        const { putUsers, putCredentials } = changes;
        for (const [what, list] of Object.entries({ putUsers, putCredentials })) {
          if (list !== undefined) written.push([what, list.length]);
        }
        return change(changes);
      };
      await copyStores(from, to, { isMerging: false, now });
      expect(written).to.deep.equal(
        ['names', 'counts', 'corrections', 'putUsers', 'putCredentials'].flatMap((what) => [
          [what, 500],
          [what, 1],
        ]),
      );
      expect(await surveyStores(to)).to.deep.equal(await surveyStores(from));
    });
  });

  it('gives the target all erasures of a full store, and its key', async () => {
    const digits = (number: number): string => number.toString(16).padStart(32, '0');
    const others = Array.from({ length: ERASURE_KEYS_MAX - 1 }, (_, n) => ({
      ...{ key: digits(n), digest: digits(n), from: at(-9), until: at(0), expiresAt: at(9) },
    }));
    await withBoth(
      async (from) => {
        await from.erasures.add(others, now);
        await from.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(9) });
      },
      async (from, to) => {
        for (let time = 1; time <= 2; time++) await copyStores(from, to, { isMerging: false, now });
        expect(to.erasures.key).to.equal(from.erasures.key);
        const listed = (all: readonly Erasure[]): readonly unknown[] =>
          all.map(({ key, digest }) => ({ key, digest }));
        expect(listed(await to.erasures.list()))
          .to.deep.equal(listed(await from.erasures.list()))
          .and.have.lengthOf(ERASURE_KEYS_MAX);
      },
    );
  });

  it('restores no data of a person who was erased in the target, except later data', async () => {
    const source = createStorage('memory:');
    await fillVaried(source);
    await withStores(source, (from) =>
      withStores(createStorage('memory:'), async (to) => {
        await to.erasures.erase({ ids: [ada], until: at(50), expiresAt: toTimestamp(2_000_000_000) });
        // Left out: a name, four scans (two of which are known by the first alone), a correction and a provisional
        // scan.
        expect(await copyStores(from, to, { isMerging: true, now })).to.include({ hasOwnTrail: false });
        expect(await to.mapping.get(ada)).to.equal(undefined);
        expect(await to.days.scans(day, ada)).to.deep.equal([]);
        const corrections = await to.corrections.list(toDay(0), toDay(30_000));
        expect(corrections.filter(({ id }) => id === ada).map((each) => each.at)).to.deep.equal([at(90_100)]);
        expect((await to.days.load(toDay(20_412)))?.entries.find(({ id }) => id === ada)).to.include({
          ...{ first: at(90_001), last: at(90_009), count: 5 },
        });
        expect((await to.provisional.list()).filter(({ id }) => id === ada)).to.deep.equal([]);
      }),
    );
  });

  it('copies names when it merges, and removes a name that was removed later', async () => {
    const stamp = { ms: 6_000, counter: 0, node: 'hall' };
    const given = { first: 'Dan', last: '' };
    const fill = ({ stampedNames }: FullStorage): Promise<unknown> =>
      stampedNames.replace([
        { id: ada, name: { first: 'Ada', last: 'Lovelace' }, stamp: { ...stamp, ms: 1 } },
        ...[bob, gone].map((id) => ({ id, name: undefined, stamp })),
      ]);
    await withBoth(fill, async (from, to) => {
      await to.stampedNames.replace([
        { id: ada, name: given, stamp },
        { id: bob, name: given, stamp: { ...stamp, ms: 5_999 } },
        { id: gone, name: given, stamp: { ...stamp, ms: 6_001 } },
      ]);
      await copyStores(from, to, { isMerging: true, now });
      const names = await Promise.all([ada, bob, gone].map((id) => to.mapping.get(id)));
      expect(names).to.deep.equal([{ first: 'Ada', last: 'Lovelace' }, undefined, given]);
    });
  });

  /** Two namesakes, one of whom got the tag of the other; a person without a tag; and a tag that was lost. */
  async function fillPeople(stores: FullStorage): Promise<Readonly<Record<'next' | 'untagged', PersonId>>> {
    const people = peopleOf(stores);
    const name = { first: 'Ada', last: 'Lovelace' };
    await stores.mapping.put(ada, name);
    await stores.mapping.put(bob, { first: 'Bob', last: '' });
    await stores.mapping.put(gone, { first: 'Dan', last: '' });
    const next = await people.add({ name, number: '7' });
    const untagged = await people.add({ name: { first: 'Eve', last: '' } });
    await people.act(ada, { act: 'give', person: next });
    await people.act(bob, { act: 'lost' });
    return { next, untagged };
  }

  function peopleOf({ people }: FullStorage): PeopleService {
    const timekeeper = new Timekeeper(new ManualClock(now));
    return new PeopleService({ people, timekeeper, calendar: new Calendar() });
  }

  it('gives the target all persons and the timelines of tags, once', async () => {
    await withBoth(fillPeople, async (from, to) => {
      for (let time = 1; time <= 2; time++) {
        await copyStores(from, to, { isMerging: false, now });
        const survey = await surveyStores(from);
        expect(await surveyStores(to)).to.deep.equal(survey);
        expect([survey.persons.count, survey.timelines.count]).to.deep.equal([4, 4]);
        expect(await findForeign(from, to)).to.equal(undefined);
      }
      await peopleOf(to).act(ada, { act: 'returned', since: at(9) });
      expect(await findForeign(from, to)).to.equal(`another holder of the tag ${ada}`);
      const other = await peopleOf(to).add({ name: { first: 'Fay', last: '' } });
      expect(await findForeign(from, to)).to.equal(`another person, ${other}`);
    });
  });

  it('merges persons by their stamps, and brings back nobody who was erased in the target', async () => {
    let ids: Awaited<ReturnType<typeof fillPeople>> | undefined;
    await withBoth(
      async (from) => (ids = await fillPeople(from)),
      async (from, to) => {
        if (ids === undefined) throw new Error('the source has no persons');
        await to.mapping.put(bob, { first: 'Robert', last: '' });
        await to.erasures.erase({ ids: [], persons: [ids.untagged], until: now, expiresAt: at(10 ** 8) });
        for (let time = 1; time <= 2; time++) await copyStores(from, to, { isMerging: true, now });
        const people = peopleOf(to);
        expect((await people.person(ids.next))?.number?.value).to.equal('7');
        expect(await people.person(ids.untagged)).to.equal(undefined);
        expect((await people.person(implicitPerson(bob)))?.name?.value?.first).to.equal('Robert');
        expect((await to.people.holderAt(bob, now)).isLost).to.equal(true);
        expect(await to.mapping.get(gone)).to.deep.equal({ first: 'Dan', last: '' });
      },
    );
  });

  it('merges groups and memberships by their stamps', async () => {
    let person: PersonId | undefined;
    await withBoth(
      async (from) => {
        person = await peopleOf(from).add({ name: { first: 'Ada', last: '' }, groups: ['7b', 'Choir'] });
      },
      async (from, to) => {
        if (person === undefined) throw new Error('the source has no person');
        await copyStores(from, to, { isMerging: true, now });
        await peopleOf(to).groups.rename(parseGroupId('7b'), '8b');
        await peopleOf(to).correct(person, { groups: ['8b'] });
        const before = await surveyStores(to);
        await copyStores(from, to, { isMerging: true, now });
        expect(await surveyStores(to)).to.deep.equal(before);
        await copyStores(to, from, { isMerging: true, now });
        const [one, other] = [await surveyStores(from), await surveyStores(to)];
        expect([one.groups, one.persons]).to.deep.equal([other.groups, other.persons]);
        expect(one.groups.count).to.equal(2);
      },
    );
  });

  it('does not change users of the target when it merges, and copies no sessions of others with their names', async () => {
    const user = { name: 'eve', role: 'viewer', password: undefined, createdAt: at(0) } as const;
    const token = {
      role: 'admin',
      digest: 'd'.repeat(64),
      createdAt: at(0),
      user: 'eve',
      label: 'door',
    } as const;
    const credential = { ...token, expiresAt: undefined, lastUsed: undefined };
    const fill = ({ access }: FullStorage): Promise<unknown> =>
      access.change({
        putUsers: [{ ...user, role: 'admin' }],
        putCredentials: [
          { ...credential, id: 'session', kind: 'session' },
          { ...credential, id: 'token', kind: 'token' },
          { ...credential, id: 'there', kind: 'token', label: 'gate' },
        ],
      });
    for (const isMerging of [true, false])
      await withBoth(fill, async (from, to) => {
        await to.access.change({
          putUsers: [user],
          putCredentials: [{ ...credential, id: 'there', kind: 'token' }],
        });
        await copyStores(from, to, { isMerging, now });
        const { users, credentials } = await to.access.read();
        expect(users.map(({ role }) => role)).to.deep.equal([isMerging ? 'viewer' : 'admin']);
        const labels = Object.fromEntries(credentials.map(({ id, label }) => [id, label]));
        expect(labels).to.deep.equal(
          isMerging ? { token: 'door', there: 'door' } : { session: 'door', token: 'door', there: 'gate' },
        );
      });
  });

  it('copies the secret of the service, unless the target has one', async () => {
    const [ofSource, ofTarget] = ['s'.repeat(43), 't'.repeat(43)];
    await withBoth(
      ({ access }) => access.change({ secret: ofSource }),
      async (from, to) => {
        await copyStores(from, to, { isMerging: false, now });
        expect((await to.access.read()).secret).to.equal(ofSource);
        await to.access.change({ secret: ofTarget });
        await copyStores(from, to, { isMerging: true, now });
        expect((await to.access.read()).secret).to.equal(ofTarget);
      },
    );
  });

  it('counts known scans once, and writes no day twice', async () => {
    const counted = [{ id: ada, first: at(0), last: at(9), count: 5 }];
    await withBoth(
      ({ days }) => days.merge(day, counted),
      async (from, to) => {
        await copyStores(from, to, { isMerging: false, now });
        to.days.merge = () => Promise.reject(new Error('it is written again'));
        await copyStores(from, to, { isMerging: false, now });
        expect((await to.days.load(day))?.entries).to.deep.equal(counted);
      },
    );
  });

  it('copies data from after an erasure that both have, also if it ends later in the source', async () => {
    for (const until of [5, 7]) {
      const expiresAt = toTimestamp(2_000_000_000);
      const fill = async ({ days, erasures, mapping }: FullStorage): Promise<void> => {
        await erasures.erase({ ids: [ada], until: at(until), expiresAt });
        await mapping.put(ada, { first: 'Ada', last: '' });
        await days.record(day, ada, at(9));
      };
      await withBoth(fill, async (from, to) => {
        await to.erasures.erase({ ids: [ada], until: at(5), expiresAt });
        expect(await copyStores(from, to, { isMerging: true, now })).to.include({ refused: 0 });
        expect(await to.mapping.get(ada)).to.deep.equal({ first: 'Ada', last: '' });
        expect(await to.days.scans(day, ada)).to.deep.equal([at(9)]);
      });
    }
  });

  it('does not add to a different audit trail with as many entries', async () => {
    await withBoth(
      (from) => note(from, 'ada', 'bob', 'cyd'),
      async (from, to) => {
        await note(to, 'eve', 'eve');
        const before = await to.audit.read(0, 9);
        expect(await copyStores(from, to, { isMerging: true, now })).to.include({ hasOwnTrail: true });
        expect(await to.audit.read(0, 9)).to.deep.equal(before);
      },
    );
  });

  it('copies an audit trail with its gap, and with its changed entry, so that the copy shows them too', async () => {
    const fill = async ({ audit }: FullStorage, fault: 'missing' | 'unchained'): Promise<void> => {
      const whole = createStorage('memory:');
      const entries = await withStores(whole, async (stores) => {
        for (let n = 0; n < 6; n++) await trailOf(stores).note('ada', 'exported');
        return stores.audit.read(0, 9);
      });
      const held = entries.filter(({ number }) => fault !== 'missing' || (number !== 3 && number !== 4));
      for (const entry of held) {
        const isChanged = fault === 'unchained' && entry.number === 3;
        await audit.appendNext(() => (isChanged ? { ...entry, hash: 'f'.repeat(64) } : entry));
      }
    };
    for (const fault of ['missing', 'unchained'] as const) {
      for (const isMerging of [false, true]) {
        await withBoth(
          (from) => fill(from, fault),
          async (from, to) => {
            for (let time = 1; time <= 2; time++) {
              const outcome = await copyStores(from, to, { isMerging, now });
              expect(outcome).to.include({ hasOwnTrail: false });
              expect(await to.audit.read(0, 9)).to.deep.equal(await from.audit.read(0, 9));
              expect(await trailOf(to).verify()).to.deep.equal(await trailOf(from).verify());
            }
          },
        );
      }
    }
  });

  it('removes from an earlier copy the entries of the audit trail that the source has removed for their age since', async () => {
    for (const isMerging of [false, true]) {
      await withBoth(
        (from) => note(from, 'ada', 'bob', 'cyd'),
        async (from, to) => {
          await copyStores(from, to, { isMerging: false, now });
          await trailOf(from).note('the service', 'audit-shortened', { through: 2 });
          await from.audit.removeThrough(2);
          expect(await copyStores(from, to, { isMerging, now })).to.include({ hasOwnTrail: false });
          const numbers = (await to.audit.read(0, 9)).map(({ number }) => number);
          // In a merge everything stays that the target has.
          expect(numbers).to.deep.equal(isMerging ? [1, 2, 3, 4] : [3, 4]);
        },
      );
    }
  });

  it('keeps entries of the audit trail in an earlier copy that the source has lost since by damage', async () => {
    const removed = [
      { through: undefined, kept: [1, 2, 3, 4] },
      { through: 1, kept: [2, 3, 4] },
    ] as const;
    for (const { through, kept } of removed) {
      await withBoth(
        (from) => note(from, 'ada', 'bob', 'cyd'),
        async (from, to) => {
          await copyStores(from, to, { isMerging: false, now });
          if (through === undefined) await trailOf(from).note('dan', 'exported');
          else await trailOf(from).note('the service', 'audit-shortened', { through });
          // The entries 1 and 2 are gone, but the trail says so of at most one.
          await from.audit.removeThrough(2);
          await copyStores(from, to, { isMerging: false, now });
          expect((await to.audit.read(0, 9)).map(({ number }) => number)).to.deep.equal(kept);
        },
      );
    }
  });

  it('counts only stamps with a time of a name or of its removal', async () => {
    const name = { first: 'Ada', last: '' };
    const [zero, some] = [0, 1].map((ms) => ({ ...NO_STAMP, ms }));
    for (const [stamped, count] of [
      [{ name, stamp: zero }, 0],
      [{ name, stamp: some }, 1],
      [{ name, stamp: undefined }, 1],
      [{ name: undefined, stamp: zero }, 1],
    ] as const)
      await withBoth(
        ({ stampedNames }) => stampedNames.replace([{ id: ada, ...stamped }]),
        async (from) => {
          const survey = await surveyStores(from);
          expect(survey['stamps of names'].count, JSON.stringify(stamped)).to.equal(count);
          expect(survey.names.count).to.equal(stamped.name === undefined ? 0 : 1);
        },
      );
  });
});
