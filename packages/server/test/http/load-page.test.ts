import { expect } from 'chai';
import { hasPage, loadPage } from '../../src/http/page.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('loadPage', () => {
  const folder = temporaryFolder();

  it('finds the built page, with the answer of /', async () => {
    const page = await loadPage();
    expect(page?.get('index.html')?.type).to.match(/^text\/html/);
  });

  it('finds none if the package of the page is not installed', async () => {
    expect(await loadPage(folder.path('program.js'))).to.equal(undefined);
    expect([hasPage(folder.path('program.js')), hasPage()]).to.deep.equal([false, true]);
  });
});
