import { cp } from 'node:fs/promises';
import { BackupService } from '@tallybook/domain/record';
import { expect } from 'chai';
import { createStorage, type FullStorage } from '../../src/config/stores.js';
import { hexOf, writeRawRows } from '../../../store-level/test/fixtures/raw-rows.js';
import { failureOf } from '../fixtures/failure-of.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { contentsOf, sharedOf } from './contents.js';
import { asOfThen, corpora, exchangesIn, linesIn, makeMemory, pathIn, rowsIn } from './corpora.js';
import { replaying } from './exchange.js';
import { openCentre, openStation, settle } from './places.js';

async function restore(storage: FullStorage, lines: readonly string[]): Promise<unknown> {
  return new BackupService(storage).import(async function* () {
    yield* lines;
  });
}

for (const version of corpora) {
  describe(`The files of ${version}`, () => {
    const folder = temporaryFolder();
    const exchanges = exchangesIn(version);

    const copied = async (): Promise<string> => {
      await cp(pathIn(version, 'store'), folder.path('store'), { recursive: true });
      return folder.path('store');
    };

    it('of a store have every row, and the journal', async () => {
      const store = createStorage(`level:${await copied()}`, asOfThen);
      await withStores(store, async (stores) => {
        expect(await contentsOf(stores)).to.deep.equal(rowsIn(version, 'store.jsonl'));
      });
    });

    it('of a store can be written to, with the next change of the journal', async () => {
      const store = createStorage(`level:${await copied()}`, asOfThen);
      await withStores(store, async (stores) => {
        const latest = await stores.journal.latest();
        await stores.mapping.put('0102030405' as never, { first: 'Emmy', last: 'Noether' });
        const page = await stores.journal.read(latest, 10);
        expect(page.isKnown && page.entries.map(({ cursor }) => cursor)).to.deep.equal([latest + 1]);
      });
    });

    it('of a store are refused in words if they have a later format', async () => {
      const path = await copied();
      await writeRawRows(path, { '00': hexOf('{"format":"tallybook","version":2}') });
      const message = await failureOf(
        withStores(`level:${path}`, () => Promise.resolve()),
        'STORE_FORMAT_UNSUPPORTED',
      );
      expect(message).to.match(/version 2.*version 1/);
    });

    it('of a backup have every row, and a second import changes nothing', async () => {
      const lines = linesIn(version, 'backup.jsonl');
      await withStores(makeMemory(), async (stores) => {
        await restore(stores, lines);
        expect(await sharedOf(stores)).to.deep.equal(rowsIn(version, 'restored.jsonl'));
        await restore(
          stores,
          lines.filter((line) => !line.includes('"kind":"provisional"')).map(withoutCount),
        );
        expect(await sharedOf(stores)).to.deep.equal(rowsIn(version, 'restored.jsonl'));
      });
    });

    it('of a backup are refused in words if they have a later format', async () => {
      const [head = '', ...lines] = linesIn(version, 'backup.jsonl');
      await withStores(makeMemory(), async (stores) => {
        const later = [head.replace('"version":1', '"version":2'), ...lines];
        expect(await failureOf(restore(stores, later), 'INVALID_BACKUP')).to.equal(
          'line 1: has format version 2; this program reads version 1',
        );
      });
    });

    it('of a station are taken by a centre, every row', async () => {
      const storage = makeMemory();
      await using place = await openCentre(storage);
      for (const { path, body, answer } of exchanges.filter(({ method }) => method === 'POST')) {
        const { run, acknowledged, refused } = await place.centre.push('gate', body);
        expect({ run, acknowledged, refused }, path).to.deep.equal({
          run: (answer as { run: string }).run,
          acknowledged: (answer as { acknowledged: number }).acknowledged,
          refused: [],
        });
      }
      expect(await sharedOf(storage)).to.deep.equal(rowsIn(version, 'centre.jsonl'));
    });

    it('of a centre are taken by a station, every row', async () => {
      const storage = makeMemory();
      await using station = await openStation(storage, replaying(exchanges));
      await settle(station);
      // The scans of a station are its own.
      const isSent = ([kind]: readonly [string, unknown]): boolean =>
        kind !== 'day' && kind !== 'provisional';
      expect(await sharedOf(storage)).to.deep.equal(rowsIn(version, 'centre.jsonl').filter(isSent));
    });
  });
}

/** The end of a backup without provisional scans. */
function withoutCount(line: string): string {
  return line.startsWith('{"kind":"end"') ? line.replace(/"provisional":\d+/, '"provisional":0') : line;
}
