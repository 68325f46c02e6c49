import fs from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { createStorage } from '@tallybook/server';
import { exportBackup, importBackup } from '../../src/command-line/backup-commands.js';
import { BackupFolder } from '../../src/backup/backup-folder.js';
import { writeBackup } from '../../src/backup/write-backup.js';
import { Deferred } from '../../../domain/test/fixtures/deferred.js';
import { failureOf } from '../fixtures/failure-of.js';
import { leaveOut } from '../fixtures/leave-out.js';
import { openBelow, RecordedFiles } from '../fixtures/disk/recorded-files.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const HEAD = '{"kind":"tallybook","version":1}';
const END = '{"kind":"end","names":0,"entries":0,"corrections":0,"provisional":0}';

async function* lines(...values: (string | Error)[]): AsyncGenerator<string> {
  for (const value of values) {
    if (value instanceof Error) throw value;
    yield await Promise.resolve(value);
  }
}

describe('A backup', () => {
  const folder = temporaryFolder();
  let stores: ReturnType<typeof createStorage>;

  beforeEach(async function () {
    leaveOut(this, process.platform === 'linux' ? undefined : 'only Linux says what a descriptor leads to');
    stores = createStorage('memory:');
    await stores.open();
  });

  const at = toTimestamp(1_795_236_000);
  const unending = new AbortController().signal;
  const backups = (): BackupFolder => new BackupFolder(folder.path('backups'), new BackupService(stores));

  /** Broken streams close their files a little later. */
  async function nothingIsOpen(): Promise<void> {
    while (openBelow(folder.path()).length > 0) await new Promise(setImmediate);
  }

  it('is durable before it gets its name, and its name is durable before the backup counts as written', async () => {
    using files = await RecordedFiles.record();
    await writeBackup(folder.path('b.jsonl'), lines(HEAD, END));
    expect(files.steps).to.deep.equal([
      ['sync', folder.path('.b.jsonl.unfinished')],
      ['rename', folder.path('b.jsonl')],
      ['sync', folder.path()],
    ]);
  });

  it('has a durable folder, if the folder was made for it', async () => {
    using files = await RecordedFiles.record();
    const { file } = await backups().write(at, unending);
    expect(files.steps.map(([step, path]) => [step, path.replaceAll(file, 'FILE')])).to.deep.equal([
      ['sync', folder.path()],
      ['sync', folder.path('backups', '.FILE.unfinished')],
      ['rename', folder.path('backups', 'FILE')],
      ['sync', folder.path('backups')],
    ]);
  });

  it('leaves nothing open, and neither does counting backups before they are removed', async () => {
    const all = backups();
    const signal = unending;
    for (let n = 0; n < 3; n++) await all.write(at, signal);
    const counts = { names: 0, entries: 0, corrections: 0, provisional: 0 };
    await all.prune(1, counts);
    expect(openBelow(folder.path())).to.deep.equal([]);
    expect(await readdir(folder.path('backups'))).to.have.length(1);
  });

  it('leaves neither a file nor a descriptor when its lines fail in the middle', async () => {
    const failure = new Error('the disk is gone');
    const outcome = await writeBackup(folder.path('b.jsonl'), lines(HEAD, failure)).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.equal(failure);
    expect(await readdir(folder.path())).to.deep.equal([]);
    await nothingIsOpen();
  });

  it('leaves no file that the system makes only after the lines have failed', async () => {
    const { open } = fs;
    const made = new Deferred<void>();
    const late = async (...[path, flags, mode, done]: readonly unknown[]): Promise<void> => {
      fs.open = open;
      for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate);
      open(path as string, flags as string, mode as number, (...outcome) => {
        (done as (...outcome: readonly unknown[]) => void)(...outcome);
        made.resolve();
      });
    };
    fs.open = late as unknown as typeof fs.open;
    await writeBackup(folder.path('b.jsonl'), lines(new Error('no lines'))).catch(() => undefined);
    await made.promise;
    await nothingIsOpen();
    expect(await readdir(folder.path())).to.deep.equal([]);
  });

  it('reads no more lines when it is given up, and leaves nothing', async () => {
    const stopping = new AbortController();
    let taken = 0;
    async function* many(): AsyncGenerator<string> {
      yield HEAD;
      stopping.abort();
      for (; taken < 100_000; taken++) yield await Promise.resolve('{"kind":"end"}');
    }
    const outcome = await writeBackup(folder.path('b.jsonl'), many(), stopping.signal).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.have.property('name', 'AbortError');
    expect(taken).to.be.lessThan(100_000);
    expect(await readdir(folder.path())).to.deep.equal([]);
    await nothingIsOpen();
  });

  it('leaves neither a file nor a descriptor when it is no valid backup', async () => {
    await failureOf(writeBackup(folder.path('b.jsonl'), lines(HEAD, 'no line')), 'INVALID_BACKUP');
    expect(await readdir(folder.path())).to.deep.equal([]);
    await nothingIsOpen();
  });

  it('closes file and store after an export and an import, done or failed', async () => {
    const store = `level:${folder.path('store')}`;
    const file = folder.path('b.jsonl');
    await writeFile(file, `${HEAD}\n${END}\n`);
    await importBackup(store, file);
    await nothingIsOpen();
    await exportBackup(store, folder.path('c.jsonl'));
    await nothingIsOpen();

    await mkdir(folder.path('folder'));
    for (const none of [folder.path('folder'), folder.path('missing')]) {
      await failureOf(importBackup(store, none), 'INVALID_OPTION');
      // At once: a forgotten file is closed later, when its memory is freed.
      expect(openBelow(folder.path())).to.deep.equal([]);
    }
    await writeFile(file, 'no backup\n');
    await failureOf(importBackup(store, file), 'INVALID_BACKUP');
    await nothingIsOpen();
  });
});
