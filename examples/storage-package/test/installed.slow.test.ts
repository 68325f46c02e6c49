import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { installProgramWith } from '../../../tools/packages/packing.mjs';

const NAME = '@tallybook-examples/storage-package';
const TAG = '04A2B3C4D5';
const CANNOT_RUN = 'this version of Node has no node:sqlite';

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

describe('the storage package beside the installed program', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'storage-package-'));
  const project = join(scratch, 'project');
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:TALLYBOOK|npm)_/.test(name)),
  );

  const run = (...args: readonly string[]): Program =>
    spawn(
      join(project, 'node_modules/.bin/tallybook'),
      [...args, '--store', 'sqlite:./data.db', '--use', NAME],
      {
        cwd: project,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );

  /** Serves while `use` goes on, and returns the log. */
  async function serving(use: (url: string, server: Program) => Promise<void>): Promise<string> {
    const server = run('serve', '--port', '0');
    const lines: string[] = [];
    try {
      const reader = createInterface({ input: server.stdout });
      const listening = new Promise<string>((resolve) => {
        reader.on('line', (line) => {
          lines.push(line);
          const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
          if (url !== undefined) resolve(url);
        });
        reader.once('close', () => resolve('nowhere'));
      });
      await use(await listening, server);
    } finally {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    return lines.join('\n');
  }

  before(function () {
    if (process.getBuiltinModule('node:sqlite') === undefined) this.skip(CANNOT_RUN);
    this.timeout(300_000);
    installProgramWith(scratch, fileURLToPath(new URL('..', import.meta.url)));
  });

  after(() => rmSync(scratch, { recursive: true }));

  it('keeps names and taps over a restart, and the start says what is off', async () => {
    const daysOf = async (url: string): Promise<unknown> =>
      (await fetch(`${url}/api/days?from=0&to=18446744073709551615`)).json();
    let days: unknown;
    const log = await serving(async (url, { stdin, stdout }) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ id: TAG, name: { first: 'Ada', last: '' } });
      expect((await fetch(`${url}/api/mapping`, { method: 'POST', headers, body })).status).to.equal(201);
      const recorded = new Promise<void>((resolve) =>
        stdout.on('data', (chunk: Buffer) => chunk.includes('scan recorded') && resolve()),
      );
      stdin.write(`${TAG}\n`);
      await recorded;
      days = await daysOf(url);
    });
    expect(log).to.match(/"off, as the storage has no corrections, erasures, .*: corrections, stations, /);
    expect(days).to.have.lengthOf(1);
    await serving(async (url) => {
      expect(await daysOf(url)).to.deep.equal(days);
      expect(await (await fetch(`${url}/api/mapping`)).json()).to.deep.equal({
        [TAG]: { first: 'Ada', last: '' },
      });
    });
  });

  it('is only for serve: other commands name the stores that they open', async () => {
    const { stderr, stdout } = run('export');
    stdout.resume();
    expect(await text(stderr)).to.match(
      /^tallybook: a store is one of level:PATH, .*; got "sqlite:\.\/data\.db"\n$/,
    );
  });
});
