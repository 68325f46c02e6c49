import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { commitKey, formatKey, identityKey, nameKey, siteKeyKey } from '../../src/rows/keys.js';
import { requireFormat, stamp } from '../../src/rows/format-row.js';
import { openLevel, reopenLevel } from '../../src/database/open-level.js';
import { openRaw } from '../../src/level/raw-level.js';
import {
  readAcknowledgedCommits,
  ACKNOWLEDGED_FILES,
  type CommitCount,
} from '../../src/directory/acknowledged-commits.js';
import { parseTallyId } from '@tallybook/domain';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { deleteRawRows, hexOf, writeRawRows, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const hex = (key: Buffer): string => key.toString('hex');
const names = Array.from({ length: 50 }, (_, n) => hex(nameKey(parseTallyId(String(n).padStart(6, '0')))));

describe('openLevel', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const probe = useLevelProbe();
  const pathOf = (name: string): string => join(directory.path, name);

  /** Opens it once, and gives whether it was new. */
  async function openOnce(): Promise<boolean> {
    const { level, isNew } = await openLevel(directory.path);
    await level.close();
    return isNew;
  }

  const refusal = () => rejection(openLevel(directory.path), 'STORE_CORRUPT');

  it('makes the names of a new store durable once, before the first write', async () => {
    expect(await openOnce()).to.equal(true);
    expect(calls.synced).to.deep.equal([directory.path]);
    expect(await openOnce()).to.equal(false);
    expect(calls.synced).to.deep.equal([directory.path]);
  });

  it('reads few rows of a store of any size', async () => {
    await openOnce();
    await writeRows(directory.path, Object.fromEntries(names.map((key) => [key, hexOf('{}')])));
    await openOnce();
    expect(probe.current.yielded).to.be.below(10);
  });

  it('opens a store without a commit', async () => {
    await openOnce();
    for (const name of ACKNOWLEDGED_FILES) await rm(pathOf(name));
    expect(await openOnce()).to.equal(false);
    expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.equal(0);
  });

  it('refuses a store that lost all rows, also without the files of acknowledged commits', async () => {
    await openOnce();
    const rows = [formatKey, identityKey, siteKeyKey].map(hex);
    await deleteRawRows(directory.path, rows);
    for (const name of ACKNOWLEDGED_FILES) await rm(pathOf(name));
    // Opening moves it from the log to a table.
    await writeRawRows(directory.path, {});
    expect((await refusal()).message).to.include('all of its rows are missing');
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('refuses a store without any rows, also without a table', async () => {
    await openOnce();
    const acknowledged = await readFile(pathOf('ACKNOWLEDGED'));
    await rm(directory.path, { recursive: true });
    await writeRawRows(directory.path, {});
    await writeFile(pathOf('ACKNOWLEDGED'), acknowledged);
    expect((await refusal()).message).to.include('all of its rows are missing');
  });

  it('refuses a store with acknowledged commits and no sound row', async () => {
    await openOnce();
    await writeRawRows(directory.path, { [hex(formatKey)]: 'ff', [hex(identityKey)]: '00' });
    expect((await refusal()).message).to.include('the row of its format is damaged');
  });

  it('names the first damaged file in the details', async () => {
    await openOnce();
    await writeFile(pathOf('CURRENT'), 'garbage');
    const { details } = await refusal();
    expect(details).to.deep.equal({
      path: directory.path,
      file: 'CURRENT',
      reason: 'CURRENT: it does not name a manifest',
    });
  });

  it('checks files again that did not seem sound, because another process may have been writing', async () => {
    await openOnce();
    calls.failReading(pathOf('CURRENT'), 'ENOENT', 1);
    expect(await openOnce()).to.equal(false);
    calls.failReading(pathOf('CURRENT'), 'ENOENT', 2);
    await refusal();
  });

  for (const [what, damage] of Object.entries<() => Promise<void>>({
    'its identity is missing': () => deleteRawRows(directory.path, [hex(identityKey)]),
    'its identity is damaged': () => writeRawRows(directory.path, { [hex(identityKey)]: '00' }),
    'the number of its commits is damaged': () => writeRawRows(directory.path, { [hex(commitKey)]: '00' }),
  })) {
    it(`refuses a store if ${what}`, async () => {
      await openOnce();
      await damage();
      expect((await refusal()).message).to.include('the rows that describe it are damaged');
      expect(openFiles(directory.path)).to.be.empty;
    });
  }
});

describe('reopenLevel', () => {
  const directory = useTempDirectory();

  async function make(): Promise<CommitCount> {
    const { level } = await openLevel(directory.path);
    await level.close();
    return level.acknowledged;
  }

  it('opens the store that was open before, and an unknown one', async () => {
    const before = await make();
    for (const expected of [before, undefined]) await (await reopenLevel(directory.path, expected)).close();
  });

  it('refuses another one, and releases it', async () => {
    const { commits } = await make();
    const error = await rejection(
      reopenLevel(directory.path, { identity: Buffer.from('identity'), commits }),
      'STORE_UNAVAILABLE',
    );
    expect(error.details).to.deep.equal({ path: directory.path });
    expect(openFiles(directory.path)).to.be.empty;
  });
});

describe('The mark of a LevelDB as a store', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  it('is written durably, with another identity each time', async () => {
    const raw = await openRaw(directory.path, true);
    const identities: (Buffer | undefined)[] = [];
    for (let time = 0; time < 2; time++) {
      await stamp(raw);
      identities.push(await raw.get(identityKey));
    }
    await raw.close();
    expect(probe.current.batches.map(({ isSynced }) => isSynced)).to.deep.equal([true, true]);
    expect(identities[0]).not.to.deep.equal(identities[1]);
  });

  it('has the versions in the details of a refusal', () => {
    const refuse = (row: string): void => {
      requireFormat('somewhere', Buffer.from(row));
    };
    refuse('{"format":"tallybook","version":1}');
    for (const row of [
      '{"format":"tallybook","version":0}',
      '{"format":"tallybook","version":2}',
      '{"format":"ledger","version":1}',
      'garbage',
      'null',
    ])
      expect(() => {
        refuse(row);
      })
        .to.throw()
        .that.deep.includes({
          code: 'STORE_FORMAT_UNSUPPORTED',
          details: { path: 'somewhere', supported: 1 },
        });
    expect(() => {
      requireFormat('somewhere', undefined);
    }).to.throw();
  });
});
