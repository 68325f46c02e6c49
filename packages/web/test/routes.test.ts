import { expect } from 'chai';
import { paths } from '../src/paths.js';
import { routes } from '../src/routes.js';
import { en } from '../src/texts/en.js';

describe('the pages', () => {
  it('have each a path of its own, and a name if they are in the navigation', () => {
    const all = routes.map(({ path }) => path);
    expect(new Set(all).size).to.equal(all.length);
    for (const { label } of routes) expect(label?.(en) ?? 'no name').to.match(/\S/);
  });

  it('are where the links lead', () => {
    const all: readonly string[] = routes.map(({ path }) => path);
    expect(all).to.include.members([paths.today, paths.muster, paths.kiosk]);
    expect(paths.enrol('04A2B3')).to.equal('/enrol/04A2B3');
  });
});
