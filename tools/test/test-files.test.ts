import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { findTestFiles, listAllTests, listQuickTests, parseTestArguments } from '../test-files.mjs';
import { runMocha } from './mocha-run.js';

describe('npm test --', () => {
  const patterns: Readonly<Record<string, readonly string[]>> = {
    domain: ['packages/domain/test/**/*.test.ts'],
    'device-app': ['examples/device-app/test/**/*.test.ts'],
    reliability: ['reliability/test/**/*.test.ts'],
    tools: ['tools/test/**/*.test.ts'],
    'packages/domain/test/values': ['packages/domain/test/values/**/*.test.ts'],
    'packages/domain/test/values/day.test.ts': ['packages/domain/test/values/day.test.ts'],
  };
  for (const [word, files] of Object.entries(patterns)) {
    it(`takes ${word} for files`, () => {
      expect(parseTestArguments([word])).to.deep.equal({ files, options: [] });
    });
  }

  it('passes the first option and all words after it to mocha', () => {
    const { files, options } = parseTestArguments(['tools', 'domain', '--grep', 'readers']);
    expect(files).to.deep.equal(['tools/test/**/*.test.ts', 'packages/domain/test/**/*.test.ts']);
    expect(options).to.deep.equal(['--grep', 'readers']);
  });

  it('knows the tests of random values', () => {
    expect(parseTestArguments(['properties']).files).to.include('packages/domain/test/values/day.test.ts');
  });

  it('splits all tests into those that count for the coverage and the others', () => {
    const { covering, others } = listAllTests();
    expect(covering).to.include.members([
      'packages/domain/test/values/day.test.ts',
      'packages/store-level/test/repair/fatal-damage.slow.test.ts',
      'packages/store-postgres/test/stores/contract.slow.test.ts',
      'packages/testing/test/contracts-bite.slow.test.ts',
    ]);
    expect(others).to.include.members([
      'packages/domain/test/time/calendar-zones.slow.test.ts',
      'packages/store-level/test/repair/rescued-rows.slow.test.ts',
      'packages/server/test/command-line/copy-command.slow.test.ts',
      'tools/test/test-files.test.ts',
      'packages/web/test/browser/today.slow.test.ts',
    ]);
    const all = [...listQuickTests(), ...parseTestArguments(['slow']).files];
    expect([...covering, ...others]).to.have.members(all);
  });

  it('knows the quick tests and the slow ones, which are all tests together', () => {
    const quick = listQuickTests();
    const { files: slow } = parseTestArguments(['slow']);
    expect(quick).to.include.members([
      'packages/domain/test/values/day.test.ts',
      'tools/test/test-files.test.ts',
    ]);
    expect(quick.join()).to.not.contain('.slow.');
    expect(slow).to.include('packages/domain/test/time/calendar-zones.slow.test.ts');
    for (const folder of ['packages/domain/test', 'packages/web/test', 'reliability/test']) {
      const there = readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true })
        .map((file) => `${folder}/${String(file)}`)
        .filter((file) => file.endsWith('.test.ts'));
      const found = [...quick, ...slow].filter((file) => file.startsWith(folder));
      expect(found).to.have.members(there);
    }
  });
});

describe('a list of tests', () => {
  it('is packages and files', () => {
    expect(findTestFiles(['domain', 'tools/test/test-files.test.ts'])).to.deep.equal([
      'packages/domain/test/**/*.test.ts',
      'tools/test/test-files.test.ts',
    ]);
  });

  it('finds a file also in a room', () => {
    expect(findTestFiles(['packages/web/test/kiosk.slow.test.ts'])).to.deep.equal([
      'packages/web/test/browser/kiosk.slow.test.ts',
    ]);
  });

  it('with a name of several files is refused', () => {
    expect(() => findTestFiles(['packages/corrections.test.ts'])).to.throw(/^one of \S+, \S+/);
  });

  it('with a file or a package that does not exist is refused, wherever that stands', () => {
    const gone = 'packages/domain/test/gone.test.ts';
    expect(() => findTestFiles(['domain', gone])).to.throw(`there are no tests ${gone}`);
    expect(() => findTestFiles(['gone', 'domain', '--grep'])).to.throw('there are no tests gone, --grep');
  });
});

describe('TALLYBOOK_TEST_SEED', () => {
  const tests = `const fc = require(${JSON.stringify(require.resolve('fast-check'))});
    it('is the seed', () => console.log('seed is', fc.readConfigureGlobal().seed))`;

  it('is fixed unless it is given', async () => {
    expect((await runMocha(tests, { TALLYBOOK_TEST_SEED: undefined })).output).to.match(
      /^seed is 20261121$/m,
    );
    expect((await runMocha(tests, { TALLYBOOK_TEST_SEED: '7' })).output).to.match(/^seed is 7$/m);
  });

  it('is drawn anew by `random`, and printed', async () => {
    const { output } = await runMocha(tests, { TALLYBOOK_TEST_SEED: 'random' });
    const [, said] = /TALLYBOOK_TEST_SEED=(\d+)/.exec(output) ?? [];
    expect(output).to.include(`seed is ${String(said)}`);
    expect(said).to.not.equal('20261121');
  });

  it('is refused if it is no number', async () => {
    expect((await runMocha(tests, { TALLYBOOK_TEST_SEED: 'x' })).code).to.not.equal(0);
  });
});
