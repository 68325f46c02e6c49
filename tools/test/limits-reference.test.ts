import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { limits, limitsReference } from '../limits-reference.js';

describe('the limits', () => {
  it('are in the reference (npm run reference writes them there)', async () => {
    const { actual, expected } = await limitsReference();
    expect(actual).to.equal(expected);
  });

  for (const [topic, rows] of Object.entries(limits)) {
    for (const { what, test } of rows) {
      const [file, title] = test;
      it(`have a test that goes beyond each: ${topic}, ${what}`, () => {
        const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
        const titles = [...text.matchAll(/\b(?:it|onStore<\w+>|onStores)\(\s*['`](.*)['`],/g)].map(
          ([, each = '']) => each,
        );
        expect(titles.some((each) => each.startsWith(title))).to.equal(true);
      });
    }
  }
});
