import { appendFile, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { findTornEdit } from '../../src/leveldb-files/version-edits.js';
import { log, came, manifest } from '../fixtures/leveldb/leveldb-manifest.js';
import { fileOf } from '../fixtures/known-directory.js';
import { contentOf, makeKnownStore } from '../fixtures/known-store.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

/** An edit of full length: its first bytes are on the disk, and zeros or noise take the place of the others. */
const torn: Readonly<Record<string, Buffer>> = {
  zeros: Buffer.from([1, 2, 3, 4, 9, 0, 1, 9, 9, 0, 0, 0, 0, 0, 0, 0]),
  noise: Buffer.from([1, 2, 3, 4, 9, 0, 1, 9, 9, 7, 66, 13, 200, 31, 5, 81]),
  'noise, its header too': Buffer.from([250, 2, 3, 4, 255, 255, 231, 9, 9, 7, 66, 13]),
};

describe('A manifest whose last edit was torn by a power cut', () => {
  const directory = useTempDirectory();
  const storePath = (): string => join(directory.path, 'store');
  const manifestPath = (): Promise<string> => fileOf(storePath(), /^MANIFEST/);

  for (const [what, tail] of Object.entries(torn)) {
    it(`keeps no store from opening with all data: ${what}`, async () => {
      await makeKnownStore(storePath(), 2);
      const content = await contentOf(storePath());
      await appendFile(await manifestPath(), tail);
      expect(await contentOf(storePath())).to.deep.equal(content);
      expect(await contentOf(storePath())).to.deep.equal(content);
    });
  }

  it('stays as it is if a file of the state before is missing: the edit took effect', async () => {
    await makeKnownStore(storePath(), 2);
    const path = await manifestPath();
    await appendFile(path, torn['zeros'] ?? '');
    const bytes = await readFile(path);
    const table = await fileOf(storePath(), /\.ldb$/);
    await rename(table, join(directory.path, 'kept'));
    await rejection(openStores(storePath()), 'STORE_CORRUPT');
    expect(await readFile(path)).to.deep.equal(bytes);
    await rename(join(directory.path, 'kept'), table);
    expect((await contentOf(storePath())).size).to.be.greaterThan(0);
  });

  it('stays as it is if a sound edit follows', async () => {
    await makeKnownStore(storePath(), 2);
    const path = await manifestPath();
    await appendFile(path, Buffer.concat([torn['noise'] ?? Buffer.of(), manifest([log(9_999)])]));
    const bytes = await readFile(path);
    await rejection(openStores(storePath()), 'STORE_CORRUPT');
    expect(await readFile(path)).to.deep.equal(bytes);
  });
});

describe('findTornEdit', () => {
  const sound = manifest([log(3)], [came(5, 1_000)]);

  it('finds nothing in a sound manifest, nor in one that ends within its last edit', () => {
    expect(findTornEdit(sound)).to.equal(undefined);
    expect(findTornEdit(sound.subarray(0, -1))).to.equal(undefined);
  });

  it('finds the last edit if one of its bytes is wrong, and nothing if that is one of an edit before', () => {
    const end = manifest([log(3)]).length;
    for (let at = end; at < sound.length; at++) {
      const bytes = Buffer.from(sound);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x11, at);
      expect([end, undefined]).to.include(findTornEdit(bytes));
      if (at >= end + 7) expect(findTornEdit(bytes)).to.equal(end);
    }
    const early = Buffer.from(sound);
    early.writeUInt8(early.readUInt8(end - 1) ^ 0x11, end - 1);
    expect(findTornEdit(early)).to.equal(undefined);
  });
});
