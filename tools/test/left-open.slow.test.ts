import { expect } from 'chai';
import { runMocha } from './mocha-run.js';

/** Leftovers of tests, and the message about each. */
const LEFTOVERS: Readonly<Record<string, readonly [body: string, message: RegExp]>> = {
  'a timer': [
    `setInterval(() => undefined, 4321)`,
    /timer of 4321 ms of .*some\.test\.cjs: subject leaves it\n/,
  ],
  'a pause': [
    `require('node:timers/promises').setTimeout(1e6)`,
    /1 pauses, .*\n +.*some\.test\.cjs: subject leaves it\n/,
  ],
  'a server': [
    `return new Promise((resolve) => require('node:net').createServer().listen(0, '127.0.0.1', resolve))`,
    /Server 127\.0\.0\.1 \d+, first seen in .*some\.test\.cjs: subject leaves it\n/,
  ],
  'a socket': [
    `const server = require('node:net').createServer((peer) => peer.unref()).listen(0).unref();
     require('node:net').connect(server.address().port)`,
    /Socket .*first seen in .*subject leaves it/,
  ],
  'a process': [`require('node:child_process').spawn('sleep', ['600'])`, /process \d+ still runs: sleep 600/],
  'a process that does not hold it': [
    `require('node:child_process').spawn('sleep', ['601'], { stdio: 'ignore', detached: true }).unref()`,
    /process \d+ still runs: sleep 601/,
  ],
  'an error after the last test': [
    `setTimeout(() => { throw new Error('too late') }, 2_000)`,
    /after the last test: Error: too late/,
  ],
  'a rejection after the last test': [
    `setTimeout(() => Promise.reject(new Error('too late')), 2_000)`,
    /after the last test: Error: too late/,
  ],
  'a rejection that it does not handle': [
    `Promise.reject(new Error('lost'))`,
    /a rejection was not handled in .*some\.test\.cjs: subject leaves it: Error: lost\n(?![^]*was not handled)/,
  ],
  'a worker': [
    `new (require('node:worker_threads').Worker)('setInterval(() => undefined, 1e6)', { eval: true })`,
    /worker \d+ of .*some\.test\.cjs: subject leaves it\n/,
  ],
  'a call of process.exit': [
    `try { process.exit(0) } catch {}`,
    /process\.exit\(0\) was called in .*subject leaves it/,
  ],
  'a call of process.exit after the last test': [
    `setTimeout(() => process.exit(0), 2_000)`,
    /process\.exit\(0\) was called after the last test/,
  ],
};

/** Opens a pipe to which nobody writes, so that the file system answers only after `answering`, or at the exit. */
function waiting(answering = ''): string {
  return `it('leaves it', () => {
     const { closeSync, open, openSync } = require('node:fs');
     const pipe = require('node:path').join(__dirname, 'pipe');
     require('node:child_process').execFileSync('mkfifo', [pipe]);
     const answer = () => closeSync(openSync(pipe, 'r+'));
     open(pipe, 'r', () => undefined);
     process.once('exit', answer);
     ${answering}
   })`;
}

/** Test files by their behaviour, with variables for their run. */
const FILES: Readonly<Record<string, readonly [tests: string, variables?: NodeJS.ProcessEnv]>> = {
  'leaves nothing': [`it('cleans up', () => clearInterval(setInterval(() => undefined, 1_000)))`],
  ...Object.fromEntries(
    Object.entries(LEFTOVERS).map(([what, [body]]) => [
      what,
      [`describe('subject', () => { it('leaves it', () => { ${body} }) })`],
    ]),
  ),
  'requests that end': [waiting('setTimeout(answer, 4_000).unref()')],
  'requests that do not end': [waiting(), { TALLYBOOK_TEST_FILE_WAITS: '2' }],
  'a rejection of an earlier test': [
    `let lose;
     it('leaves it', () => { new Promise((resolve, reject) => { lose = reject }) });
     it('goes on', () => new Promise((resolve) => {
       process.once('unhandledRejection', () => setImmediate(resolve));
       lose('lost');
     }))`,
  ],
  'an early end': [`const { exit } = process; it('vanishes', () => exit.call(process, 0))`],
};

describe('A run of the tests', () => {
  const ended = new Map<string, Awaited<ReturnType<typeof runMocha>>>();
  const outcomeOf = (name: string) => ended.get(name) ?? expect.fail(`nothing was run for ${name}`);

  // Run at the same time, because each waits some seconds for something that does not end.
  before(async () => {
    const runs = Object.entries(FILES).map(async ([name, [tests, variables]]) => {
      ended.set(name, await runMocha(tests, variables));
    });
    await Promise.all(runs);
  });

  it('succeeds when they leave nothing', () => {
    const { code, output } = outcomeOf('leaves nothing');
    expect(output)
      .to.match(/^1 passed, 0 failed$/m)
      .and.not.include('clean up:');
    expect(code).to.equal(0);
  });

  for (const [what, [, message]] of Object.entries(LEFTOVERS)) {
    it(`fails, ends, and says where it comes from when a test leaves ${what}`, () => {
      const { code, output } = outcomeOf(what);
      expect(output)
        .to.match(/^1 passed, 0 failed$/m)
        .and.to.match(message);
      expect(code).to.equal(1);
    });
  }

  it('waits for requests to the file system, which end by themselves', () => {
    const { code, output } = outcomeOf('requests that end');
    expect(output).to.not.include('clean up:');
    expect(code).to.equal(0);
  });

  it('fails when requests to the file system do not end', () => {
    const { code, output } = outcomeOf('requests that do not end');
    expect(output).to.match(/ {2}open: .*FSReqCallback/);
    expect(code).to.equal(1);
  });

  it('fails when a rejection is not handled, of an earlier test too', () => {
    const { code, output } = outcomeOf('a rejection of an earlier test');
    expect(output)
      .to.match(/^2 passed, 0 failed$/m)
      .and.to.match(/a rejection was not handled in .*some\.test\.cjs: goes on: lost\n/);
    expect(code).to.equal(1);
  });

  it('fails when it ends before the last test', () => {
    const { code, output } = outcomeOf('an early end');
    expect(output).to.include('the tests ended before the last one');
    expect(code).to.equal(1);
  });
});
