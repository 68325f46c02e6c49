import { openAll, parseTallyId } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { expect } from 'chai';
import { killAfter } from '../fixtures/programs/child.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';

describe('After kill -9 amid writers of stamped names and of stations', () => {
  const directory = useTempDirectory();

  for (const count of [1, 150, 3_000]) {
    it(`all acknowledged data is there, and no name without its own stamp (killed after ${count})`, async () => {
      const lines = await killAfter(count, 'station-writer.ts', directory.path);
      const acknowledged = lines.map((line) => line.split(' '));
      const database = new LevelStorage(directory.path);
      const [names, stamped] = [facetOf(database, 'mapping'), facetOf(database, 'stampedNames')];
      const stations = facetOf(database, 'stations');
      const opened = await openAll([names, stamped, stations]);
      const all = await stamped.page(undefined, 100);
      for (const { name, stamp } of all) expect(stamp?.counter).to.equal(Number(name?.first));
      const records = await stations.list();
      for (const { acknowledged: cursor, heardAt, refused } of records) {
        expect(heardAt).to.equal(1_763_500_000 + cursor);
        // Both rows are of the same batch.
        expect(refused.at(-1)?.cursor).to.equal(cursor);
        expect(refused).to.have.lengthOf(Math.min(cursor, 100));
      }
      for (const [kind, key = '', number] of acknowledged) {
        // The next write may be there too, unacknowledged.
        if (kind === 'name') {
          expect(Number((await names.get(parseTallyId(key)))?.first)).to.be.at.least(Number(number));
        } else {
          expect(await stations.progress(key, 'run')).to.be.at.least(Number(number));
        }
      }
      await opened.close();
    });
  }
});
