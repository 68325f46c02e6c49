import type { Name, TallyId } from '@tallybook/domain';
import {
  erasureStoreContract,
  idSourceContract,
  ManualClock,
  mappingStoreContract,
  MemoryMappingStore,
  ScriptedIdSource,
  secretsContract,
  type Deviation,
  type TestRunner,
} from '@tallybook/testing';
import { expect } from 'chai';
import { collect, failuresOf } from './collecting-runner.js';
import { QuickSecrets } from './sabotage/secrets.js';
import { scriptedSourceSubject } from './fixtures/scripted-source-subject.js';

describe('The cases of a contract', () => {
  const adopt =
    (deviations?: readonly Deviation[]) =>
    (runner: TestRunner): void =>
      secretsContract(runner, {
        name: 'Mine',
        make: () => new QuickSecrets(),
        ...(deviations && { deviations }),
      });

  it('are all run, under the name of the adapter', () => {
    const cases = collect(adopt());
    expect(cases.length).to.be.above(2);
    expect(new Set(cases.map(({ suite }) => suite))).to.deep.equal(new Set(['Mine as Secrets']));
    expect(cases.filter(({ run }) => run === undefined)).to.deep.equal([]);
  });

  it('are skipped where an adapter deviates, with the reason in the title, and the others are not', () => {
    const [first, second, ...rest] = collect(adopt()).map(({ title }) => title);
    const cases = collect(adopt([{ reason: 'no room', cases: [first ?? '', second ?? ''] }]));
    expect(cases.filter(({ run }) => run === undefined).map(({ title }) => title)).to.deep.equal([
      `${first} (deviates: no room)`,
      `${second} (deviates: no room)`,
    ]);
    expect(cases.filter(({ run }) => run !== undefined).map(({ title }) => title)).to.deep.equal(rest);
  });

  it('must be there, if an adapter deviates from them', () => {
    expect(() => collect(adopt([{ reason: 'no room', cases: ['has no such case'] }]))).to.throw(
      RangeError,
      'has no case "has no such case" to deviate from',
    );
  });

  it('are left out that need a disk to fail, unless it can', () => {
    const make = (): never => {
      throw new Error('nobody runs them');
    };
    const titles = (hasFaults?: boolean): readonly string[] =>
      collect((runner) =>
        erasureStoreContract(runner, { name: 'Mine', make, ...(hasFaults !== undefined && { hasFaults }) }),
      ).map(({ title }) => title);
    const failing = 'takes over an erasure when it is called again, whichever write failed';
    expect(titles()).to.deep.equal(titles(false)).and.not.include(failing);
    expect(titles(true)).to.include(failing);
  });

  it('clean up the subject of each case, whether it passes or fails', async () => {
    const clock = new ManualClock();
    let made = 0;
    let cleaned = 0;
    const cleanup = (): Promise<void> => Promise.resolve(void cleaned++);
    const failures = await failuresOf((runner) => {
      idSourceContract(runner, {
        ...{ name: 'Mine', clock, pluggable: true },
        make: () => {
          made++;
          return { ...scriptedSourceSubject(new ScriptedIdSource(clock)), cleanup };
        },
      });
      mappingStoreContract(runner, {
        ...{ name: 'Mine', durable: true },
        make: () => {
          made++;
          const names = new Map<TallyId, Name>();
          // Empty after a restart, so that some cases fail.
          return { store: new MemoryMappingStore(names), reopen: () => new MemoryMappingStore(), cleanup };
        },
      });
    });
    expect(failures).to.not.deep.equal([]);
    expect(made).to.be.above(40);
    expect(cleaned).to.equal(made);
  });
});
