import { mkdir, readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { fillStore } from '../fixtures/stores/filled-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { TallybookProcess, type ServerProcess } from '../fixtures/processes/server-process.js';

/** Runs before the program, and sends it a signal as soon as it has begun a backup. */
function signalAtBackup(folder: string, signal: 'SIGKILL' | 'SIGTERM'): NodeJS.ProcessEnv {
  const code = `import { watch } from 'node:fs';
    const watching = watch(${JSON.stringify(folder)}, { persistent: false }, () => {
      watching.close();
      process.kill(process.pid, '${signal}');
    });`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"` };
}

describe('Backups that processes write', () => {
  const { add, start } = runningProcesses();
  const folder = temporaryFolder();

  function serveWith(variables: NodeJS.ProcessEnv, ...args: string[]): ServerProcess {
    const store = `level:${folder.path('store')}`;
    return add(TallybookProcess.with(variables, 'serve', '--port', '0', '--store', store, ...args));
  }

  async function run(...args: string[]): Promise<void> {
    const process = start(...args);
    expect(await process.exited, process.text).to.equal(0);
  }

  it('are written by a running service, also after a kill during a backup, and can be imported', async () => {
    await fillStore(`level:${folder.path('store')}`, 6);
    const backups = folder.path('backups');
    await mkdir(backups);
    const killed = serveWith(signalAtBackup(backups, 'SIGKILL'), '--backup', backups);
    expect(await killed.exited, killed.text).to.equal(null);
    const [unfinished, ...others] = await readdir(backups);
    expect(unfinished).to.match(/^\.tallybook-00000001-.*\.unfinished$/);
    expect(others).to.deep.equal([]);

    const server = serveWith({}, '--backup', backups, '--backup-every', '1m', '--backup-keep', '2');
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
    const server = serveWith(signalAtBackup(backups, 'SIGTERM'), '--backup', backups);
    expect(await server.exited, server.text).to.equal(0);
    expect(await readdir(backups)).to.deep.equal([]);
  });
});

/** The backup without the time in its first line. */
function withoutMoment(text: string): string {
  return text.replace(/^(.*),"madeAt":[0-9]+/, '$1');
}
