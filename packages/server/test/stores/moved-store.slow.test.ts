import { chown, cp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { isTallybookError, parseTallyId, toDay, toTimestamp, type Name } from '@tallybook/domain';
import { useDisks } from '../fixtures/disk/disks.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { leaveOut } from '../fixtures/leave-out.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { program, ServerProcess } from '../fixtures/processes/server-process.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const COPIES = 8;
/** The user and the group `nobody`. */
const NOBODY = 65_534;

const day = toDay(20_411);
const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('0006547886');

/** Gives a tag a name and taps it, in the store of a folder. */
async function write(path: string, id = ada): Promise<void> {
  await withStores(`level:${path}`, async ({ mapping, days }) => {
    await mapping.put(id, { first: 'Ada', last: 'Lovelace' });
    await days.record(day, id, toTimestamp(1_763_500_000));
  });
}

interface Content {
  readonly names: readonly (readonly [string, Name])[];
  readonly ids: readonly string[];
}

/** Contents of the store of a folder, read by opening it. */
function contentOf(path: string): Promise<Content> {
  return withStores(`level:${path}`, async ({ mapping, days }) => {
    const names = [...(await mapping.read())];
    return { names, ids: (await days.load(day))?.entries.map(({ id }) => id) ?? [] };
  });
}

describe('A store that is moved or copied', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();

  it('has the same content at another path, moved or copied while it is closed, and each copy is independent', async () => {
    const [store, copy, moved] = [folder.path('store'), folder.path('copy'), folder.path('moved')];
    await write(store);
    const content = await contentOf(store);
    expect(content.ids).to.deep.equal([ada]);
    await cp(store, copy, { recursive: true });
    await rename(store, moved);
    expect(await contentOf(copy)).to.deep.equal(content);

    await write(copy, bob);
    expect((await contentOf(copy)).ids).to.deep.equal([ada, bob]);
    expect(await contentOf(moved)).to.deep.equal(content);
  });

  it('has the first part of the writes or is refused as damaged, if it was copied during writes', async () => {
    const store = folder.path('store');
    const server = processes.start('serve', '--port', '0', '--store', `level:${store}`);
    const client = new HttpClient(await server.url());
    const idOf = (n: number): string => `AB${String(n).padStart(8, '0')}`;
    let written = 0;
    let isCopying = true;
    const writeNames = async (): Promise<void> => {
      while (isCopying) {
        expect(await client.putName(idOf(written), `name ${written}`)).to.equal(201);
        written++;
      }
    };
    const copyAll = async (): Promise<readonly number[]> => {
      const before: number[] = [];
      for (let n = 0; n < COPIES; n++) {
        before.push(written);
        // Without the socket: `cp -r` of Node cannot copy one, but other programs skip it.
        const filter = (path: string): boolean => !path.endsWith('control.sock');
        await cp(store, folder.path(`copy ${n}`), { recursive: true, filter });
      }
      isCopying = false;
      return before;
    };
    const [before] = await Promise.all([copyAll(), writeNames()]);

    for (const [n, least] of before.entries()) {
      let names: Content['names'];
      try {
        ({ names } = await contentOf(folder.path(`copy ${n}`)));
      } catch (error) {
        expect(isTallybookError(error, 'STORE_CORRUPT'), String(error)).to.equal(true);
        continue;
      }
      // The name that was being written may be in the copy.
      expect(names.length).to.be.within(least, written + 1);
      const first = names.map((_, index) => [idOf(index), { first: 'Ada', last: `name ${index}` }]);
      expect(names).to.deep.equal(first);
    }
  });

  describe('to a read-only disk', () => {
    const disks = useDisks();

    it('is refused with its path, and not damaged', async () => {
      const card = disks.makeCard();
      const path = join(card.slot, 'store');
      card.insert();
      await write(path);
      card.remove();
      card.insert('ro');
      for (const command of [['serve', '--port', '0'], ['export']]) {
        const refused = processes.start(...command, '--store', `level:${path}`);
        expect(await refused.exited).to.equal(1);
        expect(refused.text).to.include('(STORE_UNAVAILABLE)').and.to.include(path);
      }
      card.remove();
      card.insert();
      expect((await contentOf(path)).ids).to.deep.equal([ada]);
    });
  });

  describe('by another user', () => {
    beforeEach(function () {
      leaveOut(this, process.getuid?.() === 0 ? undefined : 'only root can become another user');
    });

    it('is refused with its path until it belongs to the user of the service', async () => {
      const path = folder.path('store');
      await write(path);
      // This checkout and the store may be in a private folder of another user. So the user may read everything, and
      // the store is mounted elsewhere.
      const bind = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /mnt && exec "$@"', path];
      const user = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
      const rights = ['--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search'];
      const become = [...bind, 'setpriv', ...user, ...rights];
      const args = [program, 'serve', '--port', '0', '--store', 'level:/mnt'];

      const refused = processes.add(new ServerProcess(args, {}, become));
      expect(await refused.exited).to.equal(1);
      expect(refused.text)
        .to.include('(STORE_UNAVAILABLE)')
        .and.to.include('/mnt')
        .and.to.include('sudo -u USER');
      for (const name of ['', ...(await readdir(path))]) await chown(join(path, name), NOBODY, NOBODY);
      const client = new HttpClient(await processes.add(new ServerProcess(args, {}, become)).url());
      expect((await client.allEntries()).map(({ id }) => id)).to.deep.equal([ada]);
    });
  });
});
