import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId, toTimestamp } from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { createStorage } from '@tallybook/server';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { BackupFolder } from '../../src/backup/backup-folder.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const nothing = { names: 0, entries: 0, corrections: 0, provisional: 0 };

describe('BackupFolder', () => {
  const folder = temporaryFolder();
  const backups = (): BackupFolder =>
    new BackupFolder(folder.path('backups'), new BackupService(createStorage('memory:')));

  it('reads number and date from names of backups, the oldest first, and ignores other files', async () => {
    await mkdir(folder.path('backups'));
    const names = [
      'tallybook-00000010-2026-11-21T04-40-05Z.jsonl',
      'tallybook-00000009.jsonl',
      'tallybook-00000003-1970-01-01T00-00-00Z.jsonl',
      'tallybook-00000002-1969-12-31T23-59-59Z.jsonl',
      'tallybook-00000001-2026-13-01T00-00-00Z.jsonl',
      'tallybook-123456789-1970-01-01T00-00-01Z.jsonl',
      'tallybook-1.jsonl',
      'tallybook-00000011.jsonl.old',
      'my-tallybook-00000012.jsonl',
    ];
    for (const name of names) await writeFile(folder.path('backups', name), '');
    const list = await backups().list();
    expect(list.map(({ sequence, at }) => [sequence, at])).to.deep.equal([
      [1, undefined],
      [2, undefined],
      [3, 0],
      [9, undefined],
      [10, Date.UTC(2026, 10, 21, 4, 40, 5) / 1000],
      [123_456_789, 1],
    ]);
    expect(list[4]?.name).to.equal(names[0]);
    // An unknown date is not before any other.
    const before = async (moment: number): Promise<readonly string[]> =>
      backups().madeBefore(toTimestamp(moment));
    expect(await before(1)).to.deep.equal([names[2]]);
    expect(await before(2)).to.deep.equal([names[2], names[5]]);
  });

  it('names files that could not be searched for a tag, and searches all other files *.jsonl, its own first', async () => {
    await mkdir(folder.path('backups/folder.jsonl'), { recursive: true });
    await symlink(folder.path('nowhere'), folder.path('backups/link.jsonl'));
    execFileSync('mkfifo', [folder.path('backups/pipe.jsonl')]);
    await writeFile(folder.path('backups/with.jsonl'), '{"id":"0A0B0C"}');
    await writeFile(folder.path('backups/without.jsonl'), '{"id":"1A1B1C"}');
    for (const name of ['tallybook-00000001.jsonl', 'notes.txt', 'with.jsonl.old'])
      await writeFile(folder.path('backups', name), '{"id":"0A0B0C"}');
    expect(await backups().holding(new Set([parseTallyId('0A0B0C')]))).to.deep.equal([
      'tallybook-00000001.jsonl',
      'folder.jsonl (perhaps: could not be searched, not a file)',
      'link.jsonl (perhaps: could not be searched, ENOENT)',
      'pipe.jsonl (perhaps: could not be searched, not a file)',
      'with.jsonl',
    ]);
  });

  it('keeps and lists folders, pipes and links with names of backups, and removes old backups', async () => {
    await mkdir(folder.path('backups/tallybook-00000002.jsonl'), { recursive: true });
    execFileSync('mkfifo', [folder.path('backups/tallybook-00000003.jsonl')]);
    await symlink(folder.path('nowhere'), folder.path('backups/tallybook-00000009.jsonl'));
    await writeFile(folder.path('elsewhere'), '');
    await symlink(folder.path('elsewhere'), folder.path('backups/tallybook-00000001.jsonl'));
    for (const number of [4, 5]) await writeFile(folder.path(`backups/tallybook-0000000${number}.jsonl`), '');
    const all = backups();
    const noFiles = [2, 3, 9].map((number) => `tallybook-0000000${number}.jsonl`);
    expect(await all.prune(1, nothing)).to.deep.equal({ spared: undefined, noFiles });
    expect((await all.list()).map(({ sequence }) => sequence)).to.deep.equal([5]);
    await all.remove(['tallybook-00000002.jsonl', 'tallybook-00000003.jsonl', 'tallybook-00000005.jsonl']);
    expect((await readdir(folder.path('backups'))).sort()).to.deep.equal(noFiles);
  });

  it('numbers a backup after the highest number in the folder, also one of a subfolder', async () => {
    await mkdir(folder.path('backups/tallybook-00000041.jsonl'), { recursive: true });
    const stores = createStorage('memory:');
    await stores.open();
    const all = new BackupFolder(folder.path('backups'), new BackupService(stores));
    expect(await all.write(undefined, new AbortController().signal)).to.include({
      file: 'tallybook-00000042.jsonl',
    });
  });

  it('keeps an old backup that holds far more than the latest, by the counts in its last line', async () => {
    await mkdir(folder.path('backups'));
    const end = { kind: 'end', names: 3, entries: 0, corrections: 0, provisional: 0 };
    const lines = ['{"kind":"tallybook","version":1}', '{"n":1}', '{"n":2}', '{"n":3}', JSON.stringify(end)];
    const names = [1, 2, 3].map((number) => `tallybook-0000000${number}.jsonl`);
    for (const name of names) await writeFile(folder.path('backups', name), `${lines.join('\n')}\n`);
    const pruned = await backups().prune(1, { ...nothing, names: 1 });
    expect(pruned).to.deep.equal({ spared: names[1], noFiles: [] });
    expect((await readdir(folder.path('backups'))).sort()).to.deep.equal(names.slice(1));
    expect(await backups().prune(1, { ...nothing, names: 2 })).to.have.property('spared', undefined);
  });

  it('is made if it is missing, and is not made again after its removal', async () => {
    const all = backups();
    expect(await all.list()).to.deep.equal([]);
    await rm(folder.path('backups'), { recursive: true });
    const { details } = await rejectionOf('BACKUP_FAILED', all.list());
    expect(details).to.deep.equal({ folder: folder.path('backups') });
  });
});
