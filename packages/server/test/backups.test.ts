import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { createStores } from '@tallybook/server';
import { temporaryFolder } from './fixtures/temporary-folder.js';
import { TallybookProcess } from './fixtures/server-process.js';

const TAGS = 500;

/** Fills a store with so many days of 500 entries. */
async function fill(store: string, dayCount: number): Promise<void> {
  const { days } = createStores(store);
  await days.open();
  for (let day = 0; day < dayCount; day++) {
    const entries = Array.from({ length: TAGS }, (_, n) => {
      const at = toTimestamp(day * 86_400 + n);
      return { id: parseTallyId(`AB${String(n).padStart(8, '0')}`), first: at, last: at, count: 1 };
    });
    await days.merge(toDay(day), entries);
  }
  await days.close();
}

/** Less than the entries take when all of them are read before one is written. */
const HEAP_MB = 24;

describe('Backups, as processes write them', () => {
  const folder = temporaryFolder();
  const running: TallybookProcess[] = [];

  function start(...args: string[]): TallybookProcess {
    const process = new TallybookProcess(...args);
    running.push(process);
    return process;
  }

  function serve(...args: string[]): TallybookProcess {
    return start('serve', '--port', '0', '--store', `level:${folder.path('store')}`, ...args);
  }

  async function run(...args: string[]): Promise<void> {
    const process = start(...args);
    expect(await process.exited, process.text).to.equal(0);
  }

  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.kill()));
  });

  it('are written by a running service, again after it was killed meanwhile, and can be imported', async () => {
    await fill(`level:${folder.path('store')}`, 60);
    const backups = folder.path('backups');
    await mkdir(backups);
    const stopping = new AbortController();
    const begun = once(watch(backups, { signal: stopping.signal }), 'change');
    const killed = serve('--backup', backups);
    await begun;
    stopping.abort();
    await killed.kill();
    const [unfinished, ...others] = await readdir(backups);
    expect(unfinished).to.match(/^\.tallybook-00000001-.*\.unfinished$/);
    expect(others).to.deep.equal([]);

    const server = serve('--backup', backups, '--backup-every', '1m', '--backup-keep', '2');
    await server.says(/backup written/);
    const [file = '', ...rest] = await readdir(backups);
    expect(file).to.match(/^tallybook-00000001-.*\.jsonl$/);
    expect(rest).to.deep.equal([]);

    const copied = await fetch(`${await server.url()}/api/export`);
    const text = await copied.text();
    expect(text).to.equal(await readFile(folder.path('backups', file), 'utf8'));
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);

    await run('import', '--store', `level:${folder.path('copy')}`, folder.path('backups', file));
    await run('export', '--store', `level:${folder.path('copy')}`, folder.path('copy.jsonl'));
    expect(await readFile(folder.path('copy.jsonl'), 'utf8')).to.equal(text);
  });

  it('are given up when the service stops', async () => {
    await fill(`level:${folder.path('store')}`, 60);
    const backups = folder.path('backups');
    await mkdir(backups);
    const stopping = new AbortController();
    const begun = once(watch(backups, { signal: stopping.signal }), 'change');
    const server = serve('--backup', backups);
    await begun;
    stopping.abort();
    server.child.kill('SIGTERM');
    expect(await server.exited, server.text).to.equal(0);
    expect(await readdir(backups)).to.deep.equal([]);
  });

  it('need no more memory for 200,000 entries than for those of a day', async function () {
    this.timeout(120_000);
    await fill(`level:${folder.path('store')}`, 400);
    // What collects coverage needs more memory than the export.
    const variables = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`, NODE_V8_COVERAGE: '' };
    const args = ['export', '--store', `level:${folder.path('store')}`, folder.path('copy.jsonl')];
    const process = TallybookProcess.with(variables, ...args);
    expect(await process.exited, process.text).to.equal(0);
    expect((await readFile(folder.path('copy.jsonl'), 'utf8')).split('\n')).to.have.length(400 * TAGS + 3);
  });
});
