import * as fc from 'fast-check';
import { answersAgree } from './fixtures/histories.js';
import { groupsAgree } from './fixtures/group-histories.js';
import { mergingAgrees } from './fixtures/merging.js';

describe('Persons and groups, tried at length', () => {
  it('agree with a plain computation after any of 10,000 histories', async () => {
    await fc.assert(groupsAgree, { numRuns: 10_000 });
  }).timeout(480_000);
});

describe('Persons and tags, tried at length', () => {
  it('agree with a plain computation after any of 10,000 histories', async () => {
    await fc.assert(answersAgree, { numRuns: 10_000 });
  }).timeout(480_000);

  it('are the same in several places after any of 1,000 orders of merging', async () => {
    await fc.assert(mergingAgrees, { numRuns: 1_000 });
  }).timeout(480_000);
});
