import type { Name, PeopleRows, TallyId } from '@tallybook/domain';
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
function casesOf(World: typeof FaultyWorld): readonly CollectedCase[] {
  const adopt = (runner: TestRunner): void =>
    proveStorage(runner, {
      name: 'fake',
      facets,
      faults: ['failAt', 'failReads', 'openSnapshots'],
      make: (options) => new World().subject(options),
    });
  return collect(adopt).filter(({ suite }) => suite === 'fake as a Storage');
}

/** A world in which a method does several writes, one after another. */
function inParts(
  facet: string,
  method: string,
  parts: (storage: MemoryStorage, args: unknown[], below: () => void) => Promise<unknown>,
): typeof FaultyWorld {
  return class extends FaultyWorld {
    override change(storage: MemoryStorage): void {
      const owner = (storage as unknown as Record<string, Record<string, unknown>>)[facet];
      if (owner !== undefined)
        owner[method] = async (...args: unknown[]) => {
          const plain = this.plain();
          await plain.open();
          return parts(plain, args, () => this.below());
        };
    }
  };
}

const sabotages: readonly {
  readonly fault: string;
  readonly Fake: typeof FaultyWorld;
  readonly fails: readonly string[];
}[] = [
  {
    fault: 'lets the errors of its library through',
    Fake: class extends FaultyWorld {
      override failure(): Error {
        return new Error('SQLITE_FULL: database or disk is full');
      }
    },
    fails: all,
  },
  {
    fault: 'lets the errors of its reads through',
    Fake: class extends FaultyWorld {
      override readFailure(): Error {
        return new Error('SQLITE_IOERR: disk I/O error');
      }
    },
    fails: ['rejects with its codes when nothing can be read'],
  },
  {
    fault: 'changes names one after another',
    Fake: inParts('mapping', 'change', async ({ mapping }, [changes], below) => {
      for (const change of changes as ReadonlyMap<TallyId, Name | undefined>) {
        below();
        await mapping.change(new Map([change]));
      }
      return new Map();
    }),
    fails: [whole('changes many names')],
  },
  {
    fault: 'writes a person, and then their timeline',
    Fake: inParts('people', 'write', async ({ people }, [rows, seen], below) => {
      const [{ persons, ...rest }, none] = [rows as PeopleRows, new Map<never, never>()];
      below();
      await people.write(
        { persons, timelines: none, groups: none, carried: none, names: none },
        seen as PeopleRows,
      );
      below();
      return people.write({ ...rest, persons: none }, seen as PeopleRows);
    }),
    fails: [whole('writes a person, a timeline, a group, a carried row and a name')],
  },
  {
    fault: 'adds corrections one after another',
    Fake: inParts('corrections', 'correct', async ({ corrections }, [made], below) => {
      const added = [];
      for (const each of made as Parameters<typeof corrections.correct>[0]) {
        below();
        added.push(...(await corrections.correct([each])));
      }
      return added;
    }),
    fails: [whole('adds corrections')],
  },
  {
    fault: 'writes the journal after the scan, not with it',
    Fake: class extends FaultyWorld {
      override write(facet: string, method: string, work: () => Promise<unknown>): Promise<unknown> {
        if (method !== 'record') return super.write(facet, method, work);
        this.below();
        const { entries, latest } = this.data.changes;
        const before = [...entries];
        return work().then((outcome) => {
          const added = this.data.changes.entries;
          this.data.changes.entries = before;
          this.below();
          this.data.changes.entries = added;
          this.data.changes.latest = Math.max(latest, this.data.changes.latest);
          return outcome;
        });
      }
    },
    fails: [whole('records a scan')],
  },
  {
    fault: 'never lets a snapshot go',
    Fake: class extends FaultyWorld {
      override disposed(): void {
        // Nothing is released.
      }
    },
    fails: [
      'holds nothing for a snapshot that was disposed of, read or not',
      'holds nothing for a snapshot that cannot be read',
    ],
  },
  {
    fault: 'lacks a facet that it is said to have',
    Fake: class extends FaultyWorld {
      override change(storage: MemoryStorage): void {
        Object.assign(storage, { receipts: undefined });
      }
    },
    fails: [
      'has exactly the facets that it is said to have',
      'rejects with its codes when nothing can be read',
    ],
  },
  {
    fault: 'rejects before anything is written, and has written it',
    Fake: class extends FaultyWorld {
      override change(storage: MemoryStorage): void {
        const journal = storage.journal as MemoryJournal;
        const correct = storage.corrections.correct.bind(storage.corrections);
        storage.corrections.correct = async (made) => {
          try {
            return await correct(made);
          } catch (error) {
            const [first] = made;
            if (first !== undefined)
              journal.append({ kind: 'correction', number: 1, day: first.day, id: first.id });
            throw error;
          }
        };
      }
    },
    fails: [whole('adds corrections')],
  },
];

describe('proveStorage', () => {
  async function failuresOf(World: typeof FaultyWorld): Promise<readonly string[]> {
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
