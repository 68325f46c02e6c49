import { cp, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { ACKNOWLEDGED_FILES } from '../../src/directory/acknowledged-commits.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { usedBytes } from '../fixtures/disk/used-bytes.js';

const early = ['04A2B3C401', '04A2B3C402', '04A2B3C403'].map((id) => parseTallyId(id));
const late = ['04A2B3C404', '04A2B3C405'].map((id) => parseTallyId(id));

/*
 * F2FS and Btrfs make synced files durable, and other names only at the next checkpoint. So after a power cut soon
 * after a start, the log that LevelDB has left may be there again, beside the one that it uses now.
 */
describe('A former log of LevelDB that is there again beside the new one', () => {
  const directory = useTempDirectory();

  /** Makes commits of names, cuts the last record of the log, and continues in a new log. */
  async function leaveLog(cutBytes: number): Promise<void> {
    await putNames(early);
    const [log = ''] = await logs();
    const path = join(directory.path, log);
    await truncate(path, (await usedBytes(path)) - cutBytes);
    const before = await mkdtemp(join(tmpdir(), 'tallybook-log-'));
    await cp(directory.path, before, { recursive: true });
    // The torn commit was not acknowledged.
    for (const name of ACKNOWLEDGED_FILES) await rm(join(directory.path, name));
    await putNames(late);
    await rm(join(before, 'LOCK'));
    for (const name of ACKNOWLEDGED_FILES) await rm(join(before, name));
    await cp(before, directory.path, { recursive: true });
    await rm(before, { recursive: true });
    expect(await logs()).to.have.lengthOf(2);
  }

  async function putNames(ids: typeof early): Promise<void> {
    await using stores = await openStores(directory.path);
    for (const id of ids) await stores.names.put(id, { first: 'Ada', last: id });
  }

  async function logs(): Promise<readonly string[]> {
    return (await readdir(directory.path)).filter((name) => name.endsWith('.log')).sort();
  }

  it('is sound if its torn end is an unacknowledged commit', async () => {
    await leaveLog(1);
    expect((await LevelStorage.repair(directory.path)).damages).to.deep.equal([]);
    await using stores = await openStores(directory.path);
    expect([...(await stores.names.read()).keys()]).to.have.members([...early.slice(0, -1), ...late]);
  });

  it('is damaged if it lacks a commit before the other log', async () => {
    await leaveLog(1);
    const [log = ''] = await logs();
    const path = join(directory.path, log);
    await truncate(path, (await usedBytes(path)) - 150);
    const refused = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(refused.message).to.include(
      `${log}: its end is damaged: the latest acknowledged commit is missing`,
    );
  });
});
