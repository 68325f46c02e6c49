import { expect } from 'chai';
import { loadPage } from '../../src/http/load-page.js';

describe('loadPage', () => {
  it('finds the page that was built, with what / answers', async () => {
    const page = await loadPage();
    expect(page?.get('index.html')?.type).to.match(/^text\/html/);
  });
});
