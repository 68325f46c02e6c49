import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { finish, finishReplacing, replaceFiles } from '../../src/directory/replace-files.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

describe('Replacing the files of a store', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const pathOf = (...names: readonly string[]): string => join(directory.path, ...names);
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  async function layOld(): Promise<void> {
    for (const name of ['CURRENT', 'LOCK', '000003.log', 'letter.txt']) await writeFile(pathOf(name), 'old');
  }

  const fill = async (folder: string): Promise<void> => {
    for (const name of ['CURRENT', 'LOCK', '000009.log']) await writeFile(join(folder, name), 'new');
  };

  it('moves the old ones aside and the new ones to their place, and leaves other files', async () => {
    await layOld();
    const aside = await replaceFiles(directory.path, fill);
    expect(aside).to.equal(pathOf('damaged-1'));
    expect(await readdir(aside)).to.have.members(['CURRENT', '000003.log']);
    expect(await readdir(directory.path)).to.have.members([
      'CURRENT',
      'LOCK',
      '000009.log',
      'letter.txt',
      'damaged-1',
    ]);
    expect(await readFile(pathOf('CURRENT'), 'utf8')).to.equal('new');
    // It is the held lock.
    expect(await readFile(pathOf('LOCK'), 'utf8')).to.equal('old');
    expect(await readFile(join(aside, 'CURRENT'), 'utf8')).to.equal('old');
  });

  it('makes its folders for their owner only', async () => {
    let mode: number | undefined;
    const aside = await replaceFiles(directory.path, async (folder) => {
      mode = await modeOf(folder);
    });
    expect(mode).to.equal(0o700);
    expect(await modeOf(aside)).to.equal(0o700);
  });

  it('removes the new files of an interrupted replacement', async () => {
    await mkdir(pathOf('repair-new', 'folder'), { recursive: true });
    await replaceFiles(directory.path, async (folder) => {
      expect(await readdir(folder)).to.be.empty;
    });
    expect(await readdir(directory.path)).to.deep.equal(['damaged-1']);
  });

  it('changes nothing if the new files cannot be made', async () => {
    await layOld();
    const before = await readdir(directory.path);
    const failure = new Error('the disk is full');
    const error: unknown = await replaceFiles(directory.path, async (folder) => {
      await fill(folder);
      throw failure;
    }).catch((reason: unknown) => reason);
    expect(error).to.equal(failure);
    expect(await readdir(directory.path)).to.deep.equal(before);
  });

  it('rejects with the error of making the new files, also if their folder is missing, as after pulling a disk', async () => {
    const failure = new Error('the disk is gone');
    const error: unknown = await replaceFiles(directory.path, async (folder) => {
      await rm(folder, { recursive: true });
      throw failure;
    }).catch((reason: unknown) => reason);
    expect(error).to.equal(failure);
  });

  it('makes each step durable before the next one', async () => {
    await layOld();
    await replaceFiles(directory.path, fill);
    const { path } = directory;
    expect(calls.synced).to.deep.equal([pathOf('repair-new'), path, pathOf('damaged-1'), path, path]);
  });

  for (const [what, names, expected] of [
    ['the first one', [], 'damaged-1'],
    ['one more than the last', ['damaged-1', 'damaged-9', 'damaged-12'], 'damaged-13'],
    ['not one more than a similar name', ['old-damaged-7', 'damaged-8.tar', 'damaged-'], 'damaged-1'],
  ] as const) {
    it(`puts the old ones into a folder with a number that is ${what}`, async () => {
      for (const name of names) {
        await mkdir(pathOf(name));
        await writeFile(pathOf(name, 'CURRENT'), '');
      }
      expect(await replaceFiles(directory.path, fill)).to.equal(pathOf(expected));
    });
  }

  it('uses the last folder again if it is empty', async () => {
    await mkdir(pathOf('damaged-1'));
    await writeFile(pathOf('damaged-1', 'CURRENT'), '');
    await mkdir(pathOf('damaged-2'));
    expect(await replaceFiles(directory.path, fill)).to.equal(pathOf('damaged-2'));
  });

  describe('that was interrupted', () => {
    it('is finished if the new ones were complete', async () => {
      await layOld();
      await mkdir(pathOf('damaged-1'));
      await mkdir(pathOf('repair-complete'));
      await fill(pathOf('repair-complete'));
      await finishReplacing(directory.path);
      expect(await readdir(pathOf('damaged-1'))).to.have.members(['CURRENT', '000003.log']);
      expect(await readFile(pathOf('CURRENT'), 'utf8')).to.equal('new');
      expect(await readdir(directory.path)).not.to.include.members(['repair-complete']);
    });

    it('is finished if some of the new ones were in their place', async () => {
      await fill(directory.path);
      await mkdir(pathOf('damaged-1'));
      await mkdir(pathOf('repair-moving'));
      await writeFile(pathOf('repair-moving', '000010.log'), 'new');
      await finishReplacing(directory.path);
      expect(await readdir(pathOf('damaged-1'))).to.be.empty;
      expect(await readdir(directory.path)).to.have.members([
        'CURRENT',
        'LOCK',
        '000009.log',
        '000010.log',
        'damaged-1',
      ]);
    });

    it('is not assumed without a reason: then nothing is changed', async () => {
      await mkdir(pathOf('repair-new'));
      for (const work of [finishReplacing, finish]) {
        await work(directory.path);
        expect(await readdir(directory.path)).to.deep.equal(['repair-new']);
      }
    });
  });
});
