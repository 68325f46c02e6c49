import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { WholeFile } from '../../src/leveldb-files/whole-file.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

describe('WholeFile', () => {
  const directory = useTempDirectory();

  it('has all bytes of a file, and none when it is disposed of', async () => {
    for (const length of [0, 1, 3_000_000]) {
      const path = join(directory.path, `file-${length}`);
      const bytes = Buffer.alloc(length, 'some bytes, ');
      await writeFile(path, bytes);
      const file = await WholeFile.read(path);
      expect(file.bytes.equals(bytes)).to.equal(true);
      file[Symbol.dispose]();
      expect(file.bytes.buffer.byteLength).to.equal(0);
    }
  });

  it('rejects as the file system does', async () => {
    const codeOf = (path: string): Promise<unknown> =>
      WholeFile.read(path).catch((error: unknown) => (error as NodeJS.ErrnoException).code);
    expect(await codeOf(join(directory.path, 'none'))).to.equal('ENOENT');
    expect(await codeOf(directory.path)).to.equal('EISDIR');
  });
});
