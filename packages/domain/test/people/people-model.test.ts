import * as fc from 'fast-check';
import { histories, Place } from './fixtures/histories.js';

describe('Persons and tags', () => {
  it('agree with a plain computation after any history', async () => {
    const agrees = fc.asyncProperty(histories, async (history) => {
      const place = new Place();
      await place.run(history);
      await place.check();
      await place.storage.close();
    });
    await fc.assert(agrees, { numRuns: 300 });
  });
});
