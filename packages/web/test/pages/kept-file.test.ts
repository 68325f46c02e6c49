import { expect } from 'chai';
import { keptFileOf } from '../../src/pages/personal/kept-of-person.js';

describe('a file that may tell of somebody', () => {
  // Texts of the server. The tests of its backup folder check the same texts.
  for (const [said, name, unsearched] of [
    ['folder.jsonl (perhaps: could not be searched, not a file)', 'folder.jsonl', 'not a file'],
    ['link (old).jsonl (perhaps: could not be searched, ENOENT)', 'link (old).jsonl', 'ENOENT'],
    ['with (perhaps).jsonl', 'with (perhaps).jsonl', undefined],
    ['tallybook-00000009.jsonl', 'tallybook-00000009.jsonl', undefined],
  ] as const) {
    it(`is ${name}, ${unsearched === undefined ? 'and does' : `but was not searched (${unsearched})`}`, () => {
      expect(keptFileOf(said)).to.deep.equal({ name, ...(unsearched !== undefined && { unsearched }) });
    });
  }
});
