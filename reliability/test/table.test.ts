import { expect } from 'chai';
import { formatTable } from '../table.js';

describe('The table of figures', () => {
  it('is Markdown, with columns as wide as what is in them', () => {
    expect(formatTable(['part', 'n'], [['kills', '300'], ['x']])).to.equal(
      ['| part  | n   |', '| ----- | --- |', '| kills | 300 |', '| x     |     |'].join('\n'),
    );
  });
});
