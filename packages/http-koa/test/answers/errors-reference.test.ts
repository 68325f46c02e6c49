import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { statusOf } from '../../src/error-map.js';

const text = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8');

/** Codes of items in a batch. The answer itself is 200. */
const ofItems = ['TAG_ERASED', 'DAY_NOT_KEPT'];

describe('docs/reference/errors.md', () => {
  it('names the status of each code, unless it is 400 or 500', () => {
    const sections = text.split(/^### /m).slice(1);
    const wrong = sections.flatMap((section) => {
      const [, code = ''] = /^`([A-Z_]+)`/.exec(section) ?? [];
      const said = [...section.matchAll(/HTTP(?: an?)? (\d{3})|an? (422)/g)].map(([, a, b]) =>
        Number(a ?? b),
      );
      const status: number | undefined = Object.entries(statusOf).find(([each]) => each === code)?.[1];
      const isSilent = said.length === 0 && (status === 400 || status === 500 || ofItems.includes(code));
      return isSilent || said.some((each) => each === status)
        ? []
        : [`${code}: ${status}, not ${said.join()}`];
    });
    expect(wrong).to.deep.equal([]);
  });
});
