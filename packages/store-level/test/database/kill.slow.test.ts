import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp, type DayStore } from '@tallybook/domain';

import { checkRows } from '../fixtures/check-rows.js';
import { killAfter } from '../fixtures/programs/child.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

describe('After kill -9 amid 32 writers', () => {
  const directory = useTempDirectory();

  for (const count of [1, 150, 3_000]) {
    it(`all acknowledged data is there, and nothing is half written (killed after ${count})`, async () => {
      const lines = await killAfter(count, 'writer.ts', directory.path);
      const acknowledged = lines.map((line) => line.split(' '));
      expect(acknowledged.length).to.be.at.least(count);
      await checkRows(directory.path, { areCountsExact: true });

      await using stores = await openStores(directory.path);
      const mapping = await stores.names.read();
      const before = await loadAll(stores.days);
      const together = [...mapping]
        .filter(([id]) => id.startsWith('FF'))
        .map(([, { first }]) => Number(first));
      expect(together.length, 'names that are changed together').to.be.oneOf([0, 10]);
      expect(new Set(together).size, 'numbers that they have').to.be.at.most(1);
      const { audit, receipts, stations } = stores.database;
      const [station] = await stations.list();
      const counts = {
        audit: (await audit.read(0, 100_000)).length,
        receipt: await receipts.latest('door', 'run'),
        station: await stations.progress('hall', 'run'),
      };
      // Both rows of a station are of the same batch.
      expect(station?.refused.at(-1)?.cursor).to.equal(station?.acknowledged);
      for (const [kind, ...fields] of acknowledged) {
        if (kind === 'audit' || kind === 'receipt' || kind === 'station') {
          expect(counts[kind]).to.be.at.least(Number(fields[0]));
        } else if (kind === 'name') {
          const [id, number] = fields;
          // The name after it may be there too, unacknowledged.
          expect(Number(mapping.get(parseTallyId(id))?.first)).to.be.at.least(Number(number));
        } else if (kind === 'names') {
          // All ten are equal, as is checked above.
          expect(together[0]).to.be.at.least(Number(fields[0]));
        } else {
          const [day, id, at] = fields;
          const outcome = stores.days.record(toDay(Number(day)), parseTallyId(id), toTimestamp(Number(at)));
          expect(await outcome).to.equal('already-counted');
        }
      }
      expect(await loadAll(stores.days)).to.deep.equal(before);
    });
  }
});

function loadAll(days: DayStore): Promise<unknown> {
  return Promise.all([20_411, 20_412, 20_413].map((day) => days.load(toDay(day))));
}
