import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeDamages, inspectFiles, type FileDamage } from '../../src/repair/inspect-files.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { batch, put } from '../fixtures/leveldb/leveldb-batch.js';
import { randomBytes } from 'node:crypto';
import { AcknowledgedCommits } from '../../src/directory/acknowledged-commits.js';
import { IDENTITY_BYTES } from '../../src/rows/format-row.js';
import { logOf } from '../fixtures/leveldb/leveldb-log.js';
import { came, log, manifest, previousLog, went } from '../fixtures/leveldb/leveldb-manifest.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { makeTable } from '../fixtures/leveldb/sound-table.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const MISSING = 'it is missing';
const recordOf = (sequence: bigint): Buffer => batch(sequence, put(Buffer.from('key'), Buffer.from('value')));
const soundLog = logOf([recordOf(1n), recordOf(2n)]);
const damagedLog = Buffer.concat([Buffer.of(soundLog.readUInt8(0) ^ 1), soundLog.subarray(1)]);
let table: Promise<Buffer> | undefined;
const soundTable = (): Promise<Buffer> =>
  (table ??= makeTable([{ key: Buffer.from('key'), value: Buffer.from('value') }]));

describe('inspectFiles', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const pathOf = (name: string): string => join(directory.path, name);

  async function lay(files: Readonly<Record<string, Buffer | string>>): Promise<void> {
    for (const [name, bytes] of Object.entries(files)) await writeFile(pathOf(name), bytes);
  }

  /** A store with two tables and a log. */
  async function layStore(): Promise<void> {
    const bytes = await soundTable();
    await lay({
      CURRENT: 'MANIFEST-000001\n',
      'MANIFEST-000001': manifest([came(5, bytes.length), came(6, bytes.length), log(7)]),
      '000005.ldb': bytes,
      '000006.sst': bytes,
      '000007.log': soundLog,
    });
  }

  const damagesOf = async (): Promise<readonly FileDamage[]> => (await inspectFiles(directory.path)).damages;

  it('finds no damage in a sound store, lists its files, and changes nothing', async () => {
    await layStore();
    const before = await readdir(directory.path);
    expect(await inspectFiles(directory.path)).to.deep.equal({
      tables: ['000005.ldb', '000006.sst'],
      logs: ['000007.log'],
      damages: [],
    });
    expect(await readdir(directory.path)).to.deep.equal(before);
    expect(openFiles(directory.path)).to.be.empty;
  });

  async function layManyTables(): Promise<void> {
    const bytes = await soundTable();
    const numbers = Array.from({ length: 30 }, (_, n) => 10 + n);
    await lay({
      CURRENT: 'MANIFEST-000001\n',
      'MANIFEST-000001': manifest([...numbers.map((number) => came(number, bytes.length)), log(7)]),
      '000007.log': soundLog,
      ...Object.fromEntries(numbers.map((number) => [`0000${number}.ldb`, bytes])),
    });
  }

  it('reads several files at once, but keeps only a few open', async () => {
    await layManyTables();
    let most = 0;
    calls.onRead = () => (most = Math.max(most, openFiles(directory.path).length));
    expect(await damagesOf()).to.be.empty;
    expect(most).to.be.within(2, 8);
  });

  it('has closed all files when it rejects', async () => {
    await layManyTables();
    calls.failReading(pathOf('000012.ldb'), 'EACCES');
    const failure: unknown = await inspectFiles(directory.path).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'EACCES' });
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('leaves out removed tables and former logs, with any content', async () => {
    const bytes = await soundTable();
    await layStore();
    await lay({
      'MANIFEST-000001': manifest(
        [came(4, bytes.length), came(5, bytes.length), came(6, bytes.length), log(7)],
        [went(4), previousLog(2)],
      ),
      '000001.log': damagedLog,
      '000002.log': soundLog,
      '000003.log': damagedLog,
      '000004.ldb': 'rest',
      '000008.log': soundLog,
    });
    expect(await inspectFiles(directory.path)).to.deep.equal({
      tables: ['000005.ldb', '000006.sst'],
      logs: ['000002.log', '000007.log', '000008.log'],
      damages: [],
    });
  });

  it('names missing tables and a missing log, and uses all others', async () => {
    await layStore();
    const { length } = await soundTable();
    await lay({
      'MANIFEST-000001': manifest([came(6, length), came(9, length), came(1_234_567, length), log(8)]),
      '000003.log': soundLog,
    });
    expect(await inspectFiles(directory.path)).to.deep.equal({
      tables: ['000005.ldb', '000006.sst'],
      logs: ['000003.log', '000007.log'],
      damages: [
        { file: '000009.ldb', reason: MISSING },
        { file: '1234567.ldb', reason: MISSING },
        { file: '000008.log', reason: MISSING },
      ],
    });
  });

  describe('with the number of acknowledged commits beside it', () => {
    beforeEach(async () => {
      await layStore();
      new AcknowledgedCommits(directory.path, { identity: randomBytes(IDENTITY_BYTES), commits: 1 }).close();
      const { length } = await soundTable();
      await lay({ 'MANIFEST-000001': manifest([came(5, length), came(6, length), log(8)]) });
    });

    it('reports no missing newest log: a power cut took it before its first commit', async () => {
      expect(await damagesOf()).to.deep.equal([]);
    });

    it('reports a missing log that newer ones follow', async () => {
      await lay({ '000009.log': soundLog });
      expect(await damagesOf()).to.deep.include({ file: '000008.log', reason: MISSING });
    });
  });

  it('reports no missing log for a new store', async () => {
    await lay({ CURRENT: 'MANIFEST-000001\n', 'MANIFEST-000001': manifest([log(0)]) });
    expect(await inspectFiles(directory.path)).to.deep.equal({ tables: [], logs: [], damages: [] });
  });

  it('uses all tables and logs in the order of their numbers if the manifest is lost', async () => {
    const numbers = [2, 10, 999_999, 1_000_000];
    for (const number of numbers) await lay({ [`${number}.ldb`]: 'table', [`${number}.log`]: soundLog });
    await lay({ 'x3.ldb': '', '4.ldb.old': '', 'x5.log': '', '6.log.old': '', LOG: '', LOCK: '' });
    expect(await inspectFiles(directory.path)).to.deep.equal({
      tables: numbers.map((number) => `${number}.ldb`),
      logs: numbers.map((number) => `${number}.log`),
      damages: [
        { file: 'CURRENT', reason: MISSING },
        { file: 'MANIFEST', reason: MISSING },
      ],
    });
  });

  it('gives the place of damage in a log', async () => {
    await layStore();
    await lay({ '000007.log': damagedLog });
    expect(await damagesOf()).to.deep.equal([{ file: '000007.log', reason: 'its record at 0 is damaged' }]);
  });

  it('reports records of a log in a wrong order', async () => {
    await layStore();
    await lay({ '000007.log': logOf([recordOf(1n), recordOf(2n), recordOf(2n)]) });
    expect(await damagesOf()).to.deep.equal([
      { file: '000007.log', reason: 'its records are not in their order' },
    ]);
  });

  it('gives the place of a damaged block of a table', async () => {
    await layStore();
    const bytes = Buffer.from(await soundTable());
    bytes.writeUInt8(bytes.readUInt8() ^ 1);
    await lay({ '000006.sst': bytes });
    expect(await damagesOf()).to.deep.equal([{ file: '000006.sst', reason: 'its block at 0 is damaged' }]);
  });

  it('reports a table with a wrong size or without an index', async () => {
    await layStore();
    const bytes = await soundTable();
    const withoutIndex = Buffer.concat([bytes.subarray(0, -48), Buffer.alloc(48)]);
    await lay({ '000005.ldb': bytes.subarray(1), '000006.sst': withoutIndex });
    expect(await damagesOf()).to.deep.equal([
      { file: '000005.ldb', reason: `it has ${bytes.length - 1} bytes instead of ${bytes.length}` },
      { file: '000006.sst', reason: 'its index is damaged' },
    ]);
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('reports a file that is a folder or unreadable', async () => {
    await layStore();
    await mkdir(pathOf('000008.log'));
    calls.failReading(pathOf('000005.ldb'), 'EIO');
    calls.failReading(pathOf('000007.log'), 'EIO');
    expect(await damagesOf()).to.deep.equal([
      { file: '000007.log', reason: 'the disk does not give it back' },
      { file: '000008.log', reason: 'it is a folder' },
      { file: '000005.ldb', reason: 'the disk does not give it back' },
    ]);
  });

  it('rejects if a file cannot be read because of the system', async () => {
    await layStore();
    calls.failReading(pathOf('000007.log'), 'EMFILE');
    const error: unknown = await damagesOf().catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EMFILE');
  });

  it('uses the manifest that CURRENT names', async () => {
    await layStore();
    await lay({ 'MANIFEST-000009': manifest([log(99)]) });
    expect(await damagesOf()).to.be.empty;
  });

  for (const [what, current] of Object.entries({
    'names none': 'garbage',
    'is empty': '',
    'is cut': 'MANIFEST-000001',
    'begins with something else': ' MANIFEST-000001\n',
    'goes on with something else': 'MANIFEST-000001\n\n',
  })) {
    it(`uses the newest manifest if CURRENT ${what}, and reports that`, async () => {
      await layStore();
      const { length } = await soundTable();
      await lay({
        CURRENT: current,
        'MANIFEST-000001': '',
        'MANIFEST-999999': '',
        'MANIFEST-1000000': manifest([came(6, length), log(7)]),
        'MANIFEST-1000001.old': '',
        'MY-MANIFEST-1000002': '',
      });
      expect(await inspectFiles(directory.path)).to.deep.equal({
        tables: ['000006.sst'],
        logs: ['000007.log'],
        damages: [{ file: 'CURRENT', reason: 'it does not name a manifest' }],
      });
    });
  }

  it('reports damage of the manifest, and uses all files', async () => {
    await layStore();
    await lay({ 'MANIFEST-000001': manifest([came(5, 1)]), '000001.log': soundLog });
    expect(await inspectFiles(directory.path)).to.deep.equal({
      tables: ['000005.ldb', '000006.sst'],
      logs: ['000001.log', '000007.log'],
      damages: [{ file: 'MANIFEST-000001', reason: 'it names no log' }],
    });
  });
});

describe('describeDamages', () => {
  const damages = ['a', 'b', 'c', 'd', 'e'].map((file) => ({ file, reason: MISSING }));

  it('lists up to three', () => {
    expect(describeDamages(damages.slice(0, 1))).to.equal('a: it is missing');
    expect(describeDamages(damages.slice(0, 3))).to.equal(
      'a: it is missing, b: it is missing, c: it is missing',
    );
  });

  it('counts the others', () => {
    const first = 'a: it is missing, b: it is missing, c: it is missing';
    expect(describeDamages(damages.slice(0, 4))).to.equal(`${first}, and 1 more`);
    expect(describeDamages(damages)).to.equal(`${first}, and 2 more`);
  });
});
