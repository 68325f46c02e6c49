import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withDirectoryLock } from '../../src/level/directory-lock.js';
import { startChild } from '../fixtures/programs/child.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

describe('withDirectoryLock', () => {
  const directory = useTempDirectory();
  let path = '';
  let temporary = '';
  const usual = process.env['TMPDIR'];

  beforeEach(async () => {
    path = join(directory.path, 'store');
    temporary = join(directory.path, 'temporary');
    await mkdir(path);
    await mkdir(temporary);
    process.env['TMPDIR'] = temporary;
    expect(tmpdir()).to.equal(temporary);
  });
  afterEach(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });

  /** The output of another process that opens the store. */
  async function openElsewhere(): Promise<string> {
    const { process, lines } = startChild('holder.ts', path);
    const [line] = (await once(lines, 'line')) as [string];
    process.stdin.end();
    await once(process, 'close');
    return line;
  }

  it('keeps other processes out until the work is done', async () => {
    expect(await withDirectoryLock(path, openElsewhere)).to.equal('STORE_LOCKED');
    expect(await openElsewhere()).to.equal('open');
  });

  it('rejects with the error of the work, and releases the lock', async () => {
    const failure = new Error('the disk is full');
    const error: unknown = await withDirectoryLock(path, () => Promise.reject(failure)).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.equal(failure);
    expect(openFiles(path)).to.be.empty;
    expect(await readdir(temporary)).to.be.empty;
  });

  it('does not begin the work while another process has the directory', async () => {
    const { process, lines } = startChild('holder.ts', path);
    await once(lines, 'line');
    let hasBegun = false;
    const error: unknown = await withDirectoryLock(path, () => {
      hasBegun = true;
      return Promise.resolve();
    }).catch((reason: unknown) => reason);
    expect(error).to.have.nested.property('cause.code', 'LEVEL_LOCKED');
    expect(hasBegun).to.equal(false);
    expect((await readdir(temporary)).filter((name) => name.startsWith('tallybook'))).to.be.empty;
    process.stdin.end();
    await once(process, 'close');
  });

  it('works even if its own folder is removed meanwhile', async () => {
    const done = await withDirectoryLock(path, async () => {
      for (const name of await readdir(temporary)) await rm(join(temporary, name), { recursive: true });
      return 'done';
    });
    expect(done).to.equal('done');
  });

  it('leaves only the file LOCK, and nothing open', async () => {
    await withDirectoryLock(path, async () => {
      expect(await readdir(temporary)).to.have.lengthOf(1);
      expect((await readdir(temporary))[0]).to.match(/^tallybook-lock-/);
      expect(openFiles(path)).to.deep.equal(['LOCK']);
    });
    expect(openFiles(path)).to.be.empty;
    expect(await readdir(path)).to.deep.equal(['LOCK']);
    expect(await readdir(temporary)).to.be.empty;
  });
});
