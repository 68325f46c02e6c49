import { expect } from 'chai';
import { runMocha } from './mocha-run.js';

/** What tests may leave, and what is said of it. */
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
    `setTimeout(() => { throw new Error('too late') }, 300)`,
    /after the last test: Error: too late/,
  ],
  'a rejection after the last test': [
    `setTimeout(() => Promise.reject(new Error('too late')), 300)`,
    /after the last test: Error: too late/,
  ],
  'a rejection that it does not handle': [
    `Promise.reject(new Error('lost'))`,
    /a rejection was not handled in .*some\.test\.cjs: subject leaves it: Error: lost\n(?![^]*was not handled)/,
  ],
  'a call of process.exit': [
    `try { process.exit(0) } catch {}`,
    /process\.exit\(0\) was called in .*subject leaves it/,
  ],
};

describe('A run of the tests', () => {
  it('succeeds when they leave nothing', async () => {
    const { code, output } = await runMocha(
      `it('cleans up', () => clearInterval(setInterval(() => undefined, 1_000)))`,
    );
    expect(output)
      .to.match(/^1 passed, 0 failed$/m)
      .and.not.include('clean up:');
    expect(code).to.equal(0);
  });

  for (const [what, [body, message]] of Object.entries(LEFTOVERS)) {
    it(`fails, ends, and says where it comes from when a test leaves ${what}`, async () => {
      const { code, output } = await runMocha(
        `describe('subject', () => { it('leaves it', () => { ${body} }) })`,
      );
      expect(output)
        .to.match(/^1 passed, 0 failed$/m)
        .and.to.match(message);
      expect(code).to.equal(1);
    });
  }

  const asking = (until: string): string =>
    `it('leaves it', () => {
       const started = performance.now();
       (function again() { if (${until}) require('node:fs').stat('.', again); })();
     })`;

  it('waits for requests to the file system, which end by themselves', async () => {
    const { code, output } = await runMocha(asking('performance.now() - started < 4_000'));
    expect(output).to.not.include('clean up:');
    expect(code).to.equal(0);
  });

  it('fails when requests to the file system do not end', async () => {
    const { code, output } = await runMocha(asking('true'), { TALLYBOOK_TEST_FILE_WAITS: '2' });
    expect(output).to.match(/ {2}open: .*FSReqCallback/);
    expect(code).to.equal(1);
  });

  it('fails when a rejection is not handled, of an earlier test too', async () => {
    const { code, output } = await runMocha(
      `it('leaves it', () => { setTimeout(() => Promise.reject('lost'), 50) });
       it('goes on', () => new Promise((resolve) => setTimeout(resolve, 500)))`,
    );
    expect(output)
      .to.match(/^2 passed, 0 failed$/m)
      .and.to.match(/a rejection was not handled in .*some\.test\.cjs: goes on: lost\n/);
    expect(code).to.equal(1);
  });

  it('fails when it ends before the last test', async () => {
    const { code, output } = await runMocha(
      `const { exit } = process; it('vanishes', () => exit.call(process, 0))`,
    );
    expect(output).to.include('the tests ended before the last one');
    expect(code).to.equal(1);
  });
});
