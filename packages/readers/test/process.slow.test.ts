import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

/** Runs a program in a process of its own, with open standard input, and resolves with its output. */
async function run(program: string, input = ''): Promise<string> {
  const options = ['--import', 'tsx', '--conditions', '@tallybook/source', '--input-type', 'module'];
  // The sources are compiled to another text here than in the process of the tests, and coverage uses offsets.
  const env = { ...process.env, NODE_V8_COVERAGE: '' };
  const child = spawn(process.execPath, [...options, '--eval', program], {
    env,
    cwd: new URL('..', import.meta.url),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(input);
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  child.stdin.destroy();
  expect(child.exitCode).to.equal(0);
  return printed.trim();
}

const setUp = `
  import { createRequire } from 'node:module';
  import { createReader } from './src/index.ts';
  const clock = { now: () => 0, monotonicMs: () => 0 };
  const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => /serialport/.test(file));
`;

describe('A process with readers', () => {
  it('exits when its standard input reader is closed, while the input is still open', async () => {
    const program = `${setUp}
      const reader = createReader('stdin:', { clock });
      reader.readings.subscribe(({ id }) => {
        console.log(id);
        void reader.close();
      });
      await reader.open();
    `;
    expect(await run(program, '62E3086CED\n')).to.equal('62E3086CED');
  });

  it('exits when the others are closed', async () => {
    const program = `${setUp}
      const readers = ['simulated:', 'serial:/dev/null'].map((url) => createReader(url, { clock }));
      for (const reader of readers) await reader.open();
      for (const reader of readers) await reader.close();
      console.log(readers.map(({ status }) => status).join());
    `;
    expect(await run(program)).to.equal('closed,closed');
  });

  it('loads serialport when a serial reader is opened, not before', async () => {
    const program = `${setUp}
      const serial = createReader('serial:/dev/null', { clock });
      const other = createReader('simulated:', { clock });
      await other.open();
      await other.close();
      const before = isLoaded();
      await serial.open();
      await serial.close();
      console.log(before, isLoaded());
    `;
    expect(await run(program)).to.equal('false true');
  });
});
