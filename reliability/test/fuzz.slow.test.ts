import { expect } from 'chai';
import { temporaryFolder } from '../../packages/server/test/fixtures/temporary-folder.js';
import { fuzz } from '../fuzz/fuzz.js';
import { findImportProblem, fuzzImports } from '../fuzz/imports/fuzz-imports.js';

describe('fuzz', function () {
  this.timeout(600_000);

  it('finds nothing wrong with the service that was built', async () => {
    const { failures, figures } = await fuzz({ seed: 2, isShort: true, count: 300 });
    expect(failures.join('\n')).to.equal('');
    const figure = new Map(figures.map(({ what, value }) => [what, value]));
    expect(figure.get('raw: hostile requests')).to.be.at.least(300);
    expect(figure.get('answers 4xx')).to.be.above(100);
    expect(figure.get('answers 5xx')).to.equal(0);
    expect(figure.get('requests with credentials')).to.be.above(30);
    expect(figure.get('answers to nobody that are no refusal')).to.equal(0);
    expect(figure.get('server: peak RSS, MiB')).to.be.above(30);
  });

  it('plays one case again', async () => {
    const { failures } = await fuzz({ seed: 2, isShort: true, replay: 'raw:17' });
    expect(failures).to.be.empty;
    const error = await fuzz({ seed: 2, isShort: true, replay: 'nothing' }).catch((cause: unknown) => cause);
    expect(String(error)).to.match(/--replay is one of raw:NUMBER, .*; got nothing$/);
  });
});

describe('fuzzImports', function () {
  this.timeout(600_000);
  const folder = temporaryFolder();

  it('finds nothing wrong with the command line that was built', async () => {
    const { files, accepted, refused, failures } = await fuzzImports(folder.path(), 2, 1_000, 3);
    expect(failures).to.be.empty;
    expect(files).to.equal(2 + 5);
    expect(accepted).to.be.at.least(1);
    expect(refused).to.be.at.least(3);
  });

  it('finds a crash, a stack trace, a silent refusal, a message that quotes a name, and noise beside success', () => {
    const run = { output: '', peakRss: 0 };
    const refusal = 'tallybook: line 3: is not JSON (INVALID_BACKUP)\n';
    expect(findImportProblem({ ...run, code: 0, errors: '' })).to.equal(undefined);
    expect(findImportProblem({ ...run, code: 1, errors: refusal })).to.equal(undefined);
    for (const [code, errors] of [
      [null, ''],
      [134, 'out of memory\n'],
      [1, ''],
      [1, 'TypeError: x is undefined\n    at y (z.js:1:1)\n'],
      [1, `${refusal}    at y (z.js:1:1)\n`],
      [1, 'tallybook: line 3: "Zaphod Beeblebrox" is no id\n'],
      [0, 'a warning\n'],
    ] as const) {
      expect(findImportProblem({ ...run, code, errors }), `${code ?? 'signal'} ${errors}`).to.be.a('string');
    }
  });
});
