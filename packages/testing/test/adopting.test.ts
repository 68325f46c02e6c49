import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  dayStoreContract,
  idSourceContract,
  ManualClock,
  mappingStoreContract,
  MemoryDayStore,
  MemoryMappingStore,
  ScriptedIdSource,
  type Deviation,
  type TestRunner,
} from '@tallybook/testing';
import { expect } from 'chai';
import { collect, type CollectedCase } from './collecting-runner.js';
import { scriptedSourceSubject } from './fixtures/scripted-source-subject.js';

const mapping = (durable: boolean, deviations?: readonly Deviation[]) => (runner: TestRunner) => {
  const make = () => {
    const store = new MemoryMappingStore();
    return { store, reopen: () => new MemoryMappingStore(), cleanup: () => store.close() };
  };
  mappingStoreContract(runner, { name: 'Mine', durable, make, ...(deviations && { deviations }) });
};

const days = (durable: boolean) => (runner: TestRunner) => {
  const make = () => {
    const store = new MemoryDayStore();
    return { store, reopen: () => new MemoryDayStore(), cleanup: () => store.close() };
  };
  dayStoreContract(runner, { name: 'Mine', durable, make });
};

const source = (pluggable: boolean) => (runner: TestRunner) => {
  const clock = new ManualClock();
  const make = () => scriptedSourceSubject(new ScriptedIdSource(clock));
  idSourceContract(runner, { name: 'Mine', clock, pluggable, make });
};

const titlesOf = (cases: readonly CollectedCase[]): string[] => cases.map(({ title }) => title);

const missingIn = (fewer: (runner: TestRunner) => void, all: (runner: TestRunner) => void): string[] => {
  const there = new Set(titlesOf(collect(fewer)));
  return titlesOf(collect(all)).filter((title) => !there.has(title));
};

describe('An adapter that adopts a contract', () => {
  it('finds its name in the titles of the suites', () => {
    const suitesOf = (adopt: (runner: TestRunner) => void): string[] => [
      ...new Set(collect(adopt).map(({ suite }) => suite)),
    ];
    expect(suitesOf(mapping(true))).to.deep.equal(['Mine as a Lifecycle', 'Mine as a MappingStore']);
    expect(suitesOf(days(true))).to.deep.equal(['Mine as a Lifecycle', 'Mine as a DayStore']);
    expect(suitesOf(source(true))).to.deep.equal(['Mine as a Lifecycle', 'Mine as an IdSource']);
  });

  it('is spared the cases of a restart if it is not durable', () => {
    expect(missingIn(mapping(false), mapping(true))).to.deep.equal([
      'keeps what it acknowledged across a restart',
      'keeps many changed names across a restart',
      'keeps a removed association removed across a restart',
    ]);
    expect(missingIn(days(false), days(true))).to.deep.equal([
      'keeps what it acknowledged across a restart',
      'keeps scans and their flags across a restart',
      'goes on with a day after a restart in the middle of it',
      'keeps a removed day removed across a restart',
    ]);
  });

  it('is spared the cases of a lost device if its device cannot be taken away', () => {
    expect(missingIn(source(false), source(true))).to.deep.equal([
      'reports a lost device once and waits for it',
      'delivers again when its device is back',
      'opens without its device and connects when it comes',
      'closes while it waits for its device',
    ]);
  });

  it('may deviate for a reason, and the case is skipped with the reason in its title', () => {
    const reason = 'the display has no room for emoji';
    const cases = collect(mapping(false, [{ reason, cases: ['keeps every character of a name'] }]));
    const skipped = cases.filter(({ run }) => run === undefined);
    expect(skipped).to.deep.equal([
      {
        suite: 'Mine as a MappingStore',
        title: 'keeps every character of a name (deviates: the display has no room for emoji)',
      },
    ]);
    expect(cases).to.have.length(collect(mapping(false)).length);
  });

  it('cannot deviate from a case that the contract does not have', () => {
    const unknown = ['is fast', 'keeps what it acknowledged across a restart'];
    for (const title of unknown) {
      const deviations = [{ reason: 'too slow', cases: ['is empty at first', title] }];
      expect(() => collect(mapping(false, deviations))).to.throw(
        RangeError,
        `Mine as a MappingStore has no case "${title}" to deviate from`,
      );
    }
  });

  it('needs no other test runner than that of Node', async () => {
    const fixture = fileURLToPath(new URL('fixtures/adopting-with-node-test.ts', import.meta.url));
    const args = ['--import', 'tsx', '--conditions', '@tallybook/source', '--test', '--test-reporter', 'tap'];
    // Coverage is measured in this process. The other one compiles the sources to another text.
    const env = { ...process.env, NODE_V8_COVERAGE: '' };
    const { stdout } = await promisify(execFile)(process.execPath, [...args, fixture], { env });
    expect(stdout).to.match(/^# fail 0$/m);
    const [, passed = ''] = /^# pass (\d+)$/m.exec(stdout) ?? [];
    expect(Number(passed)).to.equal(collect(days(true)).length);
  });
});
