import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startChildWith } from '../fixtures/programs/child.js';
import { findSharedFolder } from '../fixtures/disk/shared-folder.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

/** Two users who are not root. */
const [SERVICE, STRANGER] = [65_531, 65_532];

describe('A folder in which a store was read on a full disk', () => {
  const directory = useTempDirectory();
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  /** Makes folders with names of copies for the service of user `uid`, owned by user `owner`. */
  async function leave(uid: number, owner: number, place = tmpdir(), store = directory.path): Promise<void> {
    const path = await realpath(store);
    const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
    for (const end of ['', '-', '-aBcDeF']) {
      const folder = join(place, `tallybook-reading-${uid}-${hash}${end}`);
      folders.push(folder);
      await mkdir(folder, { mode: 0o700 });
      await writeFile(join(folder, 'CURRENT'), '');
      await chown(folder, owner, owner);
    }
  }

  const own = process.getuid?.() ?? 0;

  it('is removed by the next opening', async () => {
    await leave(own, own);
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    expect(folders.filter(existsSync)).to.be.empty;
  });

  it('is not removed if it is a link', async () => {
    await leave(own, own);
    const target = join(directory.path, 'lost');
    await mkdir(target);
    await writeFile(join(target, 'kept'), '');
    for (const folder of folders) {
      await rm(folder, { recursive: true });
      await symlink(target, folder);
    }
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    expect(await readdir(target)).to.deep.equal(['kept']);
  });

  it('is not removed if it belongs to another user, and the store opens', async function () {
    if (own !== 0) this.skip('only root can give a folder away');
    const place = await findSharedFolder();
    if (place === undefined) return this.skip('no folder for temporary files can be entered by other users');
    const store = await mkdtemp(join(place, 'tallybook-'));
    try {
      await chown(store, SERVICE, SERVICE);
      await leave(SERVICE, STRANGER, place, store);
      const { process, lines } = startChildWith({ TMPDIR: place }, 'holder.ts', store, String(SERVICE));
      expect(await once(lines, 'line')).to.deep.equal(['open']);
      process.stdin.end();
      await once(process, 'exit');
      expect(folders.filter(existsSync)).to.deep.equal(folders);
    } finally {
      await rm(store, { recursive: true });
    }
  });
});
