import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readWornBytes, readWornFile, WholeFile } from '../../src/leveldb-files/read-file.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { noise } from '../fixtures/leveldb/sound-table.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const bytes = noise(1, 20_000);

/** The bytes with zeros from one offset to another one. */
function blanked(...holes: readonly (readonly [from: number, to: number])[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [from, to] of holes) copy.fill(0, from, to);
  return copy;
}

describe('The bytes of a file on a worn disk', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const write = async (content: Buffer = bytes): Promise<string> => {
    const path = join(directory.path, 'file');
    await writeFile(path, content);
    return path;
  };

  it('are complete if all are readable', async () => {
    expect((await readWornFile(await write())).equals(bytes)).to.equal(true);
    expect(await readWornFile(await write(Buffer.alloc(0)))).to.have.length(0);
  });

  it('are zeros for 4 KiB around an unreadable byte', async () => {
    const path = await write();
    calls.failReadingPart(path, 5_000, 5_001);
    expect((await readWornFile(path)).equals(blanked([4_096, 8_192]))).to.equal(true);
  });

  it('are zeros in the last piece up to the end of the file', async () => {
    const path = await write();
    calls.failReadingPart(path, 0, 4_097);
    calls.failReadingPart(path, 19_999, 20_000);
    const expected = blanked([0, 8_192], [16_384, 20_000]);
    expect((await readWornFile(path)).equals(expected)).to.equal(true);
  });

  it('are read from any offset, up to the end of a file that has become shorter', async () => {
    const path = await write();
    calls.failReadingPart(path, 5_000, 5_001);
    await using file = await open(path);
    const read = (offset: number, length: number): Promise<Buffer> =>
      readWornBytes(file, Buffer.alloc(length), offset);
    expect((await read(3_000, 9_000)).equals(blanked([4_096, 8_192]).subarray(3_000, 12_000))).to.equal(true);
    expect((await read(6_000, 500)).equals(Buffer.alloc(500))).to.equal(true);
    expect((await read(19_000, 5_000)).equals(bytes.subarray(19_000))).to.equal(true);
  });

  it('are not given if reading fails for another reason', async () => {
    const path = await write();
    calls.failReading(path, 'ENOMEM');
    const error: unknown = await readWornFile(path).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'ENOMEM');
  });
});

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
