import { parseTallyId, toDay, toTimestamp, type NewCorrection } from '@tallybook/domain';
import { createStores, type Stores } from '@tallybook/server';
import { expect } from 'chai';
import { copyStores } from '../../src/copy/copy-stores.js';
import { surveyStores } from '../../src/copy/survey-stores.js';
import { ada, day, fillVaried, withStores } from '../fixtures/stores/varied-store.js';

const now = toTimestamp(1_763_500_000 + 500_000);
const at = (seconds: number): ReturnType<typeof toTimestamp> => toTimestamp(1_763_500_000 + seconds);

/** Works with two stores in memory, the first of which holds something. */
function withBoth<T>(
  fill: (stores: Stores) => Promise<unknown>,
  work: (from: Stores, to: Stores) => Promise<T>,
): Promise<T> {
  return withStores(createStores('memory:'), async (from) => {
    await fill(from);
    return withStores(createStores('memory:'), (to) => work(from, to));
  });
}

describe('Copying stores', () => {
  it('says how far it is, and gives the target all that the source holds, once', async () => {
    const source = createStores('memory:');
    await fillVaried(source);
    await withStores(source, (from) =>
      withStores(createStores('memory:'), async (to) => {
        for (let time = 1; time <= 2; time++) {
          const told: string[] = [];
          const outcome = await copyStores(from, to, {
            ...{ isMerging: false, now, onProgress: (text) => told.push(text) },
          });
          expect(outcome).to.deep.equal({ hasOwnTrail: false, refused: 0 });
          expect(await surveyStores(to)).to.deep.equal(await surveyStores(from));
          expect(told).to.deep.equal([
            'copying erasures',
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

  it('writes at most 500 things together', async () => {
    const many = Array.from({ length: 501 }, (_, n) => n);
    const ids = many.map((n) => parseTallyId(`AB${String(n).padStart(8, '0')}`));
    const fill = async ({ mapping, days, corrections, access }: Stores): Promise<void> => {
      for (const id of ids) await mapping.put(id, { first: 'Ada', last: '' });
      // Of these only two scans are known, and of how many more there were the number.
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

  it('brings back nothing of a person who was erased in the target, but what came later', async () => {
    const source = createStores('memory:');
    await fillVaried(source);
    await withStores(source, (from) =>
      withStores(createStores('memory:'), async (to) => {
        await to.erasures.erase({ ids: [ada], until: at(50), expiresAt: toTimestamp(2_000_000_000) });
        // A name, four scans, two of which only the first is known, a correction and a provisional scan.
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
});
