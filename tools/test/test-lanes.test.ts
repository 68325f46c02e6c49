import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { temporaryFolder } from '../../packages/server/test/fixtures/temporary-folder.js';
import { runNode } from './mocha-run.js';

const PROGRAM = `import { runInLanes, TestParts } from './tools/test-lanes.mjs';
  const reporter = ['--reporter', 'tools/mocha/totals-reporter.mjs'];
  const mocha = ['node', 'node_modules/mocha/bin/mocha.js', '--no-config', '--require', 'tools/mocha/left-out.cjs', ...reporter];
  const parts = new TestParts(mocha, [{ name: 'tests', files: process.argv.slice(1) }]);
  process.exitCode = (await runInLanes(parts)) ? 0 : 1;`;

describe('Tests in two processes', () => {
  const folder = temporaryFolder();

  async function run(...tests: readonly string[]): Promise<{ code: unknown; lines: string[] }> {
    const files = tests.map((_test, index) => folder.path(`${index}.test.cjs`));
    await Promise.all(files.map((file, index) => writeFile(file, tests[index] ?? '')));
    const args = ['--input-type=module', '--eval', PROGRAM, ...files];
    const { code, output } = await runNode(args, { TALLYBOOK_TEST_RESULTS: folder.path('results.json') });
    return { code, lines: output.trimEnd().split('\n') };
  }

  it('add up their totals in the last line, and in the file that was asked for', async () => {
    const { code, lines } = await run(
      `it('a', () => undefined); it('b', function () { this.skip('no printer') })`,
      `it('c', () => undefined); it('d', () => undefined)`,
      `it('e', () => undefined)`,
    );
    expect(lines.at(-1)).to.equal('4 passed, 0 failed, 1 skipped');
    expect(code).to.equal(0);
    const { passed, failed, leftOut } = JSON.parse(
      await readFile(folder.path('results.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect({ passed, failed }).to.deep.equal({ passed: 4, failed: 0 });
    expect(leftOut).to.have.length(1);
  });

  it('fail when a test of one fails', async () => {
    const { code, lines } = await run(
      `it('a', () => undefined)`,
      `it('b', () => { throw new Error('wrong') })`,
    );
    expect(lines.at(-1)).to.equal('1 passed, 1 failed');
    expect(code).to.equal(1);
  });

  it('fail when one ends before its last test', async () => {
    const { code, lines } = await run(`it('a', () => process.exit(0))`, `it('b', () => undefined)`);
    expect(lines.at(-1)).to.equal('1 passed, 1 failed');
    expect(code).to.equal(1);
  });
});
