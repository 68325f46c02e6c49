import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause, setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Emitter } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { describeEnd, startProgram, type Program } from '../src/index.js';
import { ProgramFolder } from './program-folder.js';

/** Arguments of Node that run a module of this package, given as text, in a new process. */
const MODULE = ['--import=tsx', '--conditions=@tallybook/source', '--input-type=module', '--eval'];
const SOURCE = fileURLToPath(new URL('../src/index.ts', import.meta.url));
/** Made again for each process: mutation testing changes the environment between tests. */
const options = (): { readonly env: NodeJS.ProcessEnv } => ({
  env: { ...process.env, NODE_V8_COVERAGE: '' },
});

/** Runs a shell script. */
function run(script: string): { readonly program: Program; readonly lines: Recorder<string> } {
  const emitter = new Emitter<string>();
  const lines = new Recorder(emitter);
  return { program: startProgram('/bin/sh', ['-c', script], (line) => emitter.emit(line)), lines };
}

describe('A program', () => {
  it('delivers its lines at once, and all of them before its end', async () => {
    const { program, lines } = run('echo one; read word; echo "$word"; printf "the end"');
    await lines.count(1);
    program.write('two\n');
    const end = await program.ended;
    expect(lines.values).to.deep.equal(['one', 'two', 'the end']);
    expect(end).to.deep.equal({ how: 'exited', code: 0, lastWords: '' });
  });

  it('joins a line that comes in pieces, and separates lines that come together', async () => {
    const { program, lines } = run(
      `printf 'a'; sleep 0.05; printf '\\303'; sleep 0.05; printf '\\244\\r'; sleep 0.05; printf '\\nb\\n\\nc\\r\\n'`,
    );
    await program.ended;
    expect(lines.values).to.deep.equal(['aä', 'b', '', 'c']);
  });

  it('gets its arguments unchanged', async () => {
    const lines: string[] = [];
    await startProgram('/bin/echo', ['$HOME; a  b', '*'], (line) => lines.push(line)).ended;
    expect(lines).to.deep.equal(['$HOME; a  b *']);
  });

  it('is found as by a shell, and reported as missing if it is not', async () => {
    expect(await startProgram('true', []).ended).to.include({ how: 'exited', code: 0 });
    const end = await startProgram('tallybook-no-such-program', []).ended;
    expect(end).to.include({ how: 'missing', lastWords: '' });
    expect(describeEnd(end)).to.contain('tallybook-no-such-program');
  });

  it('is reported as missing if a searched folder is not readable, but not if it is there without the right to run it', async () => {
    const programs = new ProgramFolder();
    try {
      const at = (name: string): string => join(programs.path, name);
      // The system refuses to run a folder, also to root. It gives the same reason for programs in a private folder of
      // another user.
      mkdirSync(at('tallybook-folder'));
      expect((await startProgram('tallybook-folder', []).ended).how).to.equal('missing');
      writeFileSync(at('tallybook-text'), '');
      for (const file of ['tallybook-text', at('tallybook-text')]) {
        const end = await startProgram(file, []).ended;
        expect(end.how).to.equal('not-started');
        expect(describeEnd(end)).to.contain('EACCES');
      }
    } finally {
      programs.dispose();
    }
  });

  it('is not started if it is no program, or cannot get its arguments', async () => {
    for (const [file, argument] of [
      ['/', ''],
      ['/bin/true', 'a\0b'],
    ] as const) {
      const program = startProgram(file, [argument]);
      program.write('nobody reads this');
      const end = await program.ended;
      expect(end).to.include({ how: 'not-started', lastWords: '' });
      expect(describeEnd(end)).to.not.equal('');
      await program.kill();
    }
  });

  it('is not started, and ends nothing else, if the process can open no more files', async () => {
    const script = `
      import { closeSync, openSync } from 'node:fs';
      import { describeEnd, startProgram } from '${SOURCE}';
      await startProgram('/bin/true', []).ended;
      const open = [];
      try { for (;;) open.push(openSync('/dev/null')); } catch {}
      const program = startProgram('/bin/true', []);
      program.write('nobody reads this');
      const end = await program.ended;
      await program.kill();
      // Mutation testing writes a file when the process ends.
      open.forEach((file) => closeSync(file));
      process.stdout.write(end.how + ': ' + describeEnd(end));`;
    const limited = ['-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath, ...MODULE, script];
    const { stdout } = await promisify(execFile)('/bin/sh', limited, options());
    expect(stdout).to.match(/^not-started: spawn .* EMFILE$/);
  });

  it('ends when its parent is killed, even if it writes nothing', async () => {
    const script = `
      import { startProgram } from '${SOURCE}';
      startProgram('/bin/sh', ['-c', 'echo $$; exec sleep 60'], (line) => process.stdout.write(line + '\\n'));`;
    const starter = spawn(process.execPath, [...MODULE, script], {
      ...options(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
    expect(existsSync(`/proc/${pid}`)).to.equal(true);
    starter.kill('SIGKILL');
    while (isRunning(pid)) await pause(1);
  });

  it('is started even if nothing can tie it to this process', async () => {
    const folder = new ProgramFolder(true);
    try {
      folder.add('alone', 'echo $PPID');
      const lines: string[] = [];
      const end = await startProgram('alone', [], (line) => lines.push(line)).ended;
      expect(end).to.include({ how: 'exited', code: 0 });
      expect(lines).to.deep.equal([String(process.pid)]);
      folder.add('setpriv', 'echo "setpriv: unrecognized option" >&2; exit 1');
      expect(await startProgram('alone', []).ended).to.include({ how: 'exited', code: 0 });
    } finally {
      folder.dispose();
    }
  });

  it('reports its exit code, and its last three lines of standard error', async () => {
    const end = await run('for n in 1 2 3 4; do echo "line $n" >&2; done; exit 3').program.ended;
    expect(end).to.deep.equal({ how: 'exited', code: 3, lastWords: 'line 2 / line 3 / line 4' });
    expect(describeEnd(end)).to.equal('line 2 / line 3 / line 4');
  });

  it('keeps 1,000 characters of standard error', async () => {
    const { lastWords } = await run('printf "%05000d" 7 >&2').program.ended;
    expect(lastWords).to.have.length(1_000).and.match(/7$/);
  });

  it('is described by its code or its signal if it writes nothing', async () => {
    expect(describeEnd(await run('exit 3').program.ended)).to.equal('exit code 3');
    const end = await run('kill -TERM $$').program.ended;
    expect(end).to.include({ how: 'killed', signal: 'SIGTERM' });
    expect(describeEnd(end)).to.equal('SIGTERM');
  });

  it('ends when it is killed, even if it ignores signals', async () => {
    const { program, lines } = run('trap "" TERM INT HUP; echo $$; while :; do sleep 60; done');
    const [pid] = await lines.count(1);
    expect(existsSync(`/proc/${pid}`)).to.equal(true);
    await program.kill();
    expect(existsSync(`/proc/${pid}`)).to.equal(false);
    expect(await program.ended).to.include({ how: 'killed', signal: 'SIGKILL' });
  });

  it('counts as ended even if a process that it started holds its output', async () => {
    const { program, lines } = run('sleep 600 & echo $!; wait');
    const [pid] = await lines.count(1);
    await program.kill();
    expect(existsSync(`/proc/${pid}`)).to.equal(true);
    process.kill(Number(pid), 'SIGKILL');
  });

  it('delivers no line after it was killed', async () => {
    const lines: string[] = [];
    const program = startProgram('/bin/sh', ['-c', 'printf "one\\ntwo\\n"; sleep 60'], (line) => {
      lines.push(line);
      void program.kill();
    });
    await program.ended;
    expect(lines).to.deep.equal(['one']);
  });

  it('need not read its input', async () => {
    const { program, lines } = run('exec 0<&-; echo closed; exec sleep 60');
    await lines.count(1);
    program.write('nobody reads this\n');
    await nextTurn();
    await nextTurn();
    await program.kill();
    expect(await program.ended).to.include({ how: 'killed' });
  });

  it('can be killed after it has ended, and written to', async () => {
    const { program } = run('exit 0');
    await program.ended;
    program.write('too late\n');
    await program.kill();
    await program.kill();
    expect(await program.ended).to.include({ how: 'exited' });
  });
});

/** Whether a process runs. A zombie does not: its parent has not read its exit code yet. */
function isRunning(pid: string): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
