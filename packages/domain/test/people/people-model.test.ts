import * as fc from 'fast-check';
import { answersAgree } from './fixtures/histories.js';
import { mergingAgrees } from './fixtures/merging.js';

describe('Persons and tags', () => {
  it('agree with a plain computation after any history', async () => {
    await fc.assert(answersAgree, { numRuns: 300 });
  });

  it('are the same in several places, in whatever order changes are merged', async () => {
    await fc.assert(mergingAgrees, { numRuns: 30 });
  });
});
