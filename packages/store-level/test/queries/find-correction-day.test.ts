import { expect } from 'chai';
import { findCorrectionDay } from '../../src/queries/read-corrections.js';

type Level = Parameters<typeof findCorrectionDay>[0];

describe('The search for a correction by its number', () => {
  for (const [what, page] of [
    ['none', []],
    ['a damaged one', [Buffer.from('no key')]],
  ] as const) {
    it(`leaves nothing open when there is ${what}`, async () => {
      let open = 0;
      const keys = (): object => {
        open++;
        return { nextv: () => Promise.resolve(page), close: () => Promise.resolve(void open--) };
      };
      const level = { keys } as unknown as Level;
      const [outcome] = await Promise.allSettled([findCorrectionDay(level, 1)]);
      expect(outcome.status).to.equal(page.length === 0 ? 'fulfilled' : 'rejected');
      expect(open).to.equal(0);
    });
  }
});
