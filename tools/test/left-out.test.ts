import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { temporaryFolder } from '../../packages/server/test/fixtures/temporary-folder.js';
import { findWronglyLeftOut, readAllowed } from '../ci/check-left-out.mjs';
import { listAllTests } from '../test-files.mjs';
import { runMocha } from './mocha-run.js';

describe('A test that is left out', () => {
  const folder = temporaryFolder();

  it('is reported with the reason, whether it, its hook or its suite leaves it out', async () => {
    const file = folder.path('results.json');
    const { code, output } = await runMocha(
      `it('one', function () { this.skip('no printer') });
       describe('two', () => { beforeEach(function () { this.skip('no paper') }); it('a', () => undefined) });
       describe('three', () => { before(function () { this.skip('no ink') }); it('b', () => undefined) });
       it.skip('four (deviates: no power)', () => undefined);
       it.skip('five', () => undefined);
       it('six', () => undefined);`,
      { TALLYBOOK_TEST_RESULTS: file },
    );
    expect(code).to.equal(0);
    expect(output).to.match(/^left out: 1 of .*some\.test\.cjs: no paper$/m);
    expect(output.trimEnd().split('\n').at(-1)).to.equal('1 passed, 0 failed, 5 skipped');
    const { leftOut, ...totals } = JSON.parse(await readFile(file, 'utf8')) as {
      leftOut: readonly { readonly title: string; readonly reason: string }[];
    };
    expect(totals).to.deep.equal({ passed: 1, failed: 0 });
    expect(leftOut.map(({ title, reason }) => `${title}: ${reason}`)).to.have.members([
      'one: no printer',
      'two a: no paper',
      'three b: no ink',
      'four (deviates: no power): no power',
      'five: nobody said why',
    ]);
  });

  it('is allowed with a reason of the list that holds, and with no other', () => {
    const allowed = [{ file: '^a', reason: '^no printer$', unless: ['lp', 'root'] }];
    const test = { file: 'a.test.ts', title: 'prints', reason: 'no printer' };
    const judge = (changed: Partial<typeof test>, there: readonly string[]): readonly string[] =>
      findWronglyLeftOut([{ ...test, ...changed }], allowed, (what: string) => there.includes(what));
    expect(judge({}, ['root'])).to.be.empty;
    expect(judge({}, ['root', 'lp']).join()).to.match(/^left out although there is lp and root: a\.test\.ts/);
    expect(judge({ reason: 'no paper' }, []).join()).to.match(
      /^not in \.ci\/left-out\.json: a\.test\.ts: prints/,
    );
    expect(judge({ file: 'b.test.ts' }, []).join()).to.match(/^not in/);
  });

  it('is not allowed where there is one of several programs that would do', () => {
    const allowed = [{ file: '^a', reason: '^no browser$', unless: ['lynx or w3m'] }];
    const leftOut = [{ file: 'a.test.ts', title: 'shows', reason: 'no browser' }];
    const judge = (...there: readonly string[]): readonly string[] =>
      findWronglyLeftOut(leftOut, allowed, (what: string) => there.includes(what));
    expect(judge('lp')).to.be.empty;
    expect(judge('w3m').join()).to.match(/^left out although there is lynx or w3m/);
  });

  it('is allowed in files only that there are', () => {
    const { covering, others } = listAllTests();
    const patterns = (readAllowed() as readonly { readonly file: string }[]).map(({ file }) => file);
    const unused = patterns.filter((pattern) =>
      [...covering, ...others].every((file) => !new RegExp(pattern).test(file)),
    );
    expect(unused).to.deep.equal([]);
  });
});
