import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { program } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

describe('The files of the program', () => {
  const { folder, start, serve } = storedService();
  let umask: number;

  // The usual mask of most systems, whatever mask runs the tests.
  beforeEach(() => (umask = process.umask(0o022)));
  afterEach(() => process.umask(umask));

  /** Every file and folder in the folder of the test that other users may access. */
  async function openToOthers(): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(folder.path(), { recursive: true })) {
      const { mode } = await stat(folder.path(name));
      if ((mode & 0o077) !== 0) found.push(name);
    }
    return found.sort();
  }

  /** Damages a table: each start turns the log of LevelDB into one. */
  async function damageTable(): Promise<void> {
    const table = (await readdir(folder.path('store'))).find((name) => name.endsWith('.ldb')) ?? '';
    await using file = await open(folder.path('store', table), 'r+');
    await file.write(Buffer.from([0xff]), 0, 1, 10);
  }

  it('are for their owner only, also in folders that others may read', async () => {
    for (const name of ['store', 'backups']) {
      await mkdir(folder.path(name));
      await chmod(folder.path(name), 0o755);
    }
    const server = serve('--backup', folder.path('backups'));
    await server.url();
    server.tap('04A2B3C4D5', 'AB12CD34');
    await server.says(/scan recorded[^]*scan recorded/);
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);

    expect(await start('export', folder.path('copy.jsonl')).exited).to.equal(0);
    expect(await start('import', folder.path('copy.jsonl')).exited).to.equal(0);
    await damageTable();
    expect(await start('repair').exited).to.equal(0);

    const names = await readdir(folder.path(), { recursive: true });
    for (const name of ['copy.jsonl', 'store/CURRENT', 'store/LOG', 'store/damaged-1/ACKNOWLEDGED']) {
      expect(names).to.include(name);
    }
    expect(await openToOthers()).to.deep.equal(['backups', 'store']);
  });

  it('do not change the umask of a program that uses the server as a library', () => {
    const code = `import('@tallybook/server').then(({ runCommandLine }) => runCommandLine(['--version']))
      .then(() => console.log(process.umask().toString(8)))`;
    const output = execFileSync(process.execPath, ['--eval', code], {
      cwd: join(program, '..', '..'),
      encoding: 'utf8',
    });
    expect(output).to.match(/\n22\n$/);
  });
});
