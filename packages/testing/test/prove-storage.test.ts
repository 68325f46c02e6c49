import type { Name, PeopleRows, TallyId } from '@tallybook/domain';
import { noPeopleRows } from '@tallybook/domain/record';
import {
  type MemoryJournal,
  proveStorage,
  type FacetName,
  type MemoryStorage,
  type TestRunner,
} from '@tallybook/testing';
import { expect } from 'chai';
import { collect, type CollectedCase } from './collecting-runner.js';
import { FaultyWorld } from './sabotage/faulty-storage.js';
import { faults, plant, type Class, type Methods } from './sabotage/sabotage.js';

const facets: readonly FacetName[] = [
  ...(['mapping', 'days', 'journal', 'snapshots', 'provisional', 'receipts', 'corrections'] as const),
  ...(['erasures', 'access', 'audit', 'stampedNames', 'people', 'stations'] as const),
];

const whole = (title: string): string => `${title} as a whole or not at all, whichever write below it fails`;
const all = [
  ...['changes many names', 'records a scan', 'merges entries', 'removes a day', 'adds a provisional scan'],
  ...[
    'adds corrections',
    'replaces stamped names',
    'writes a person, a timeline, a group, a carried row and a name',
    'notes the progress of a station',
  ],
].map(whole);

/** The cases about the whole storage; those of the facets are proven with the contracts. */
function casesOf(World: Class<FaultyWorld, []>): readonly CollectedCase[] {
  const adopt = (runner: TestRunner): void =>
    proveStorage(runner, {
      name: 'fake',
      facets,
      faults: ['failAt', 'failReads', 'openSnapshots'],
      make: (options) => new World().subject(options),
    });
  return collect(adopt).filter(({ suite }) => suite === 'fake as a Storage');
}

/** A method does several writes, one after another. */
const inParts = (
  facet: string,
  method: string,
  parts: (storage: MemoryStorage, args: unknown[], below: () => void) => Promise<unknown>,
): Methods<FaultyWorld> => ({
  change: (_, world) => (storage) => {
    const owner = (storage as unknown as Record<string, Record<string, unknown>>)[facet];
    if (owner !== undefined)
      owner[method] = async (...args: unknown[]) => {
        const plain = world.plain();
        await plain.open();
        return parts(plain, args, () => world.below());
      };
  },
});

const sabotages = faults(FaultyWorld, {
  'lets the errors of its library through': {
    fails: all,
    failure: () => () => new Error('SQLITE_FULL: database or disk is full'),
  },
  'lets the errors of its reads through': {
    fails: ['rejects with its codes when nothing can be read'],
    readFailure: () => () => new Error('SQLITE_IOERR: disk I/O error'),
  },
  'changes names one after another': {
    fails: [whole('changes many names')],
    ...inParts('mapping', 'change', async ({ mapping }, [changes], below) => {
      for (const change of changes as ReadonlyMap<TallyId, Name | undefined>) {
        below();
        await mapping.change(new Map([change]));
      }
      return new Map();
    }),
  },
  'writes a person, and then their timeline': {
    fails: [whole('writes a person, a timeline, a group, a carried row and a name')],
    ...inParts('people', 'write', async ({ people }, [all, seen], below) => {
      const rows = all as PeopleRows;
      below();
      await people.write({ ...noPeopleRows, persons: rows.persons }, seen as PeopleRows);
      below();
      return people.write({ ...rows, persons: new Map() }, seen as PeopleRows);
    }),
  },
  'adds corrections one after another': {
    fails: [whole('adds corrections')],
    ...inParts('corrections', 'correct', async ({ corrections }, [made], below) => {
      const added = [];
      for (const each of made as Parameters<typeof corrections.correct>[0]) {
        below();
        added.push(...(await corrections.correct([each])));
      }
      return added;
    }),
  },
  'writes the journal after the scan, not with it': {
    fails: [whole('records a scan')],
    write: (sound, world) => (facet, method, work) => {
      if (method !== 'record') return sound(facet, method, work);
      world.below();
      const { entries, latest } = world.data.changes;
      const before = [...entries];
      return work().then((outcome) => {
        const added = world.data.changes.entries;
        world.data.changes.entries = before;
        world.below();
        world.data.changes.entries = added;
        world.data.changes.latest = Math.max(latest, world.data.changes.latest);
        return outcome;
      });
    },
  },
  'never lets a snapshot go': {
    fails: [
      'holds nothing for a snapshot that was disposed of, read or not',
      'holds nothing for a snapshot that cannot be read',
    ],
    disposed: () => () => undefined,
  },
  'lacks a facet that it is said to have': {
    fails: [
      'has exactly the facets that it is said to have',
      'rejects with its codes when nothing can be read',
    ],
    change: () => (storage) => void Object.assign(storage, { receipts: undefined }),
  },
  'rejects before anything is written, and has written it': {
    fails: [whole('adds corrections')],
    change: () => (storage) => {
      const journal = storage.journal as MemoryJournal;
      plant(storage.corrections, {
        correct: (correct) => async (made) => {
          try {
            return await correct(made);
          } catch (error) {
            const [first] = made;
            if (first !== undefined)
              journal.append({ kind: 'correction', number: 1, day: first.day, id: first.id });
            throw error;
          }
        },
      });
    },
  },
});

describe('proveStorage', () => {
  async function failuresOf(World: Class<FaultyWorld, []>): Promise<readonly string[]> {
    const failed: string[] = [];
    for (const { title, run } of casesOf(World)) {
      await Promise.resolve(run?.()).catch(() => failed.push(title));
    }
    return failed;
  }

  it('passes a storage that keeps its promises', async () => {
    expect(await failuresOf(FaultyWorld)).to.deep.equal([]);
  });

  for (const { fault, Fake, fails } of sabotages) {
    it(`finds a storage that ${fault}`, async () => {
      expect(await failuresOf(Fake)).to.deep.equal(fails);
    });
  }

  it('has no case of the whole that finds none of them', () => {
    const proven = new Set(sabotages.flatMap(({ fails }) => fails));
    expect(
      casesOf(FaultyWorld)
        .map(({ title }) => title)
        .filter((title) => !proven.has(title)),
    ).to.deep.equal([]);
  });

  it('prints what it cannot prove, and what proves it', () => {
    const adopt = (runner: TestRunner): void =>
      proveStorage(runner, { name: 'fake', facets, make: (options) => new FaultyWorld().subject(options) });
    const skipped = collect(adopt)
      .filter(({ run }) => run === undefined)
      .map(({ title }) => title);
    expect(skipped).to.have.lengthOf(6);
    expect(skipped.at(-1)).to.equal(
      'what was acknowledged survives a power cut (deviates: only reliability/cuts cuts the power)',
    );
  });
});
