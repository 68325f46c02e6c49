import { expect } from 'chai';
import { findFailures } from '../ci/step.mjs';
import { runNode } from './mocha-run.js';

/** The output of a program with one lane, and with steps `a` to `d`, which print their names. */
async function run(body: string): Promise<string[]> {
  const program = `import { Lanes } from './tools/ci/step.mjs';
    const step = (name) => ({ name, command: ['node', '--eval', \`process.exit(\${name === 'd' ? 1 : 0})\`] });
    const lanes = new Lanes(1);
    ${body}`;
  return (await runNode(['--input-type=module', '--eval', program])).output.split('\n');
}

const beginningsOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => (line.startsWith('-- begins: ') ? [line.slice(11)] : []));

describe('Lanes', () => {
  it('run steps in the order in which they come, and first what is asked for next', async () => {
    const lines = await run(
      `await Promise.all([lanes.run([step('a'), step('b')]), lanes.run([step('c')], { isNext: true })]);`,
    );
    expect(beginningsOf(lines)).to.deep.equal(['a', 'c', 'b']);
  });

  it('tell what came of steps as soon as these have ended, whatever waits', async () => {
    const lines = await run(
      `const checks = lanes.run([step('a'), step('d')]);
       void lanes.run([step('b'), step('c')]);
       const ended = await checks;
       console.log('ended ' + ended.map(({ name, isDone }) => name + isDone).join());
       process.exit(0);`,
    );
    expect(lines).to.include('ended atrue,dfalse');
    expect(beginningsOf(lines)).to.not.include('c');
  });
});

describe('What failed in a step', () => {
  it('is told by the lines of a proof, of tests, and of an error, without those around them', () => {
    const lines = [
      'kills ...',
      'kills FAILED: after kill 7: the name of A0000001 is gone',
      '    ✔ keeps what it was given',
      '  1) Names',
      '       are kept:',
      '     AssertionError: expected 1 to equal 2',
      '      at Context.<anonymous> (names.test.ts:7:1)',
      '     locator.waitFor: Timeout 30000ms exceeded.',
    ];
    expect(findFailures(lines.join('\n'))).to.deep.equal([
      'kills FAILED: after kill 7: the name of A0000001 is gone',
      '1) Names',
      'AssertionError: expected 1 to equal 2',
      'locator.waitFor: Timeout 30000ms exceeded.',
    ]);
  });

  it('is told by a few short lines', () => {
    const line = `FAILED ${'x'.repeat(1_000)}`;
    const told = findFailures(Array.from({ length: 100 }, () => line).join('\n'));
    expect(told).to.have.lengthOf(8);
    expect(told.at(0)).to.have.lengthOf(300);
  });
});
