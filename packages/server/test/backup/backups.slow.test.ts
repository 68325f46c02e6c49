import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { fillStore } from '../fixtures/stores/filled-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';

describe('Backups, as processes write them', () => {
  const { start } = runningProcesses();
  const folder = temporaryFolder();

  function serve(...args: string[]): TallybookProcess {
    return start('serve', '--port', '0', '--store', `level:${folder.path('store')}`, ...args);
  }

  async function run(...args: string[]): Promise<void> {
    const process = start(...args);
    expect(await process.exited, process.text).to.equal(0);
  }

  it('are written by a running service, again after it was killed meanwhile, and can be imported', async () => {
    await fillStore(`level:${folder.path('store')}`, 60);
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
    const text = withoutMoment(await copied.text());
    expect(text).to.equal(withoutMoment(await readFile(folder.path('backups', file), 'utf8')));
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);

    await run('import', '--store', `level:${folder.path('copy')}`, folder.path('backups', file));
    await run('export', '--store', `level:${folder.path('copy')}`, folder.path('copy.jsonl'));
    expect(await readFile(folder.path('copy.jsonl'), 'utf8')).to.equal(text);
  });

  it('are given up when the service stops', async () => {
    await fillStore(`level:${folder.path('store')}`, 60);
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
});

/** When a backup was made, its first line says. */
function withoutMoment(text: string): string {
  return text.replace(/^(.*),"madeAt":[0-9]+/, '$1');
}
