import * as fc from 'fast-check';
import { answersAgree } from './fixtures/histories.js';
import { groupsAgree } from './fixtures/group-histories.js';
import { mergingAgrees } from './fixtures/merging.js';

describe('Persons and groups', () => {
  it('agree with a plain computation on each day, after any history', async () => {
    await fc.assert(groupsAgree, { numRuns: 300 });
  });
});

describe('Persons and tags', () => {
  it('agree with a plain computation after any history', async () => {
    await fc.assert(answersAgree, { numRuns: 300 });
  });

  it('are the same in several places, in whatever order changes are merged', async () => {
    await fc.assert(mergingAgrees, { numRuns: 30 });
  });
});
