import { expect } from 'chai';
import { parseTestArguments } from '../test-files.mjs';
import { runMocha } from './mocha-run.js';

describe('npm test --', () => {
  const patterns: Readonly<Record<string, readonly string[]>> = {
    domain: ['packages/domain/test/**/*.test.ts'],
    'device-app': ['examples/device-app/test/**/*.test.ts'],
    reliability: ['reliability/test/**/*.test.ts'],
    tools: ['tools/test/**/*.test.ts'],
    'packages/domain/test/day.test.ts': ['packages/domain/test/day.test.ts'],
  };
  for (const [word, files] of Object.entries(patterns)) {
    it(`takes ${word} for files`, () => {
      expect(parseTestArguments([word])).to.deep.equal({ files, options: [] });
    });
  }

  it('takes for options of mocha what comes behind the first, whatever it is', () => {
    const { files, options } = parseTestArguments(['tools', 'domain', '--grep', 'readers']);
    expect(files).to.deep.equal(['tools/test/**/*.test.ts', 'packages/domain/test/**/*.test.ts']);
    expect(options).to.deep.equal(['--grep', 'readers']);
  });

  it('knows the tests of random values, and the quick ones', () => {
    expect(parseTestArguments(['properties']).files).to.include('packages/domain/test/day.test.ts');
    expect(parseTestArguments(['quick']).files.join())
      .to.include('packages/*/test')
      .and.not.include('reliability');
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

  it('random is another each time, which is said', async () => {
    const { output } = await runMocha(tests, { TALLYBOOK_TEST_SEED: 'random' });
    const [, said] = /TALLYBOOK_TEST_SEED=(\d+)/.exec(output) ?? [];
    expect(output).to.include(`seed is ${String(said)}`);
    expect(said).to.not.equal('20261121');
  });

  it('that is no number is refused', async () => {
    expect((await runMocha(tests, { TALLYBOOK_TEST_SEED: 'x' })).code).to.not.equal(0);
  });
});
