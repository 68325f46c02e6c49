import { expect } from 'chai';
import { Address, inGroup, matchPath, paths } from '../src/routing.js';
import { routes } from '../src/routes.js';
import { en } from '../src/texts/en.js';

describe('the pages', () => {
  it('have each a path of its own, and a name if they are in the navigation', () => {
    const all = routes.map(({ path }) => path);
    expect(new Set(all).size).to.equal(all.length);
    for (const { entry } of routes) expect(entry === undefined ? 'no name' : en[entry].title).to.match(/\S/);
  });

  it('are where the links lead', () => {
    const range = { from: 20_000, to: 20_001 };
    const { days, person, tag, enrol, personalOf, personalOfTag, phoneReader, ...fixed } = paths;
    const links = [
      ...Object.values(fixed),
      days(range),
      person('tag-04A2B3', range),
      tag('04A2B3', range),
      enrol('04A2B3'),
      personalOf('tag-04A2B3'),
      personalOfTag('04A2B3'),
      phoneReader(),
      phoneReader('gate'),
    ];
    for (const link of links) {
      expect(link).to.match(/^#/);
      const found = routes.filter(({ path }) => matchPath(path, link.slice(1)) !== undefined);
      expect(found, link).to.have.length(1);
    }
  });
});

describe('the link to days', () => {
  it('names one date for one day, and two for several', () => {
    expect(paths.days({ from: 20_150, to: 20_150 })).to.equal('#/days/2025-03-03');
    expect(paths.days({ from: 20_150, to: 20_151 })).to.equal('#/days/2025-03-03/2025-03-04');
    expect(paths.person('04A2', { from: 20_150, to: 20_150 })).to.equal('#/person/04A2/2025-03-03');
    expect(paths.person('04A2')).to.equal('#/person/04A2');
  });
});

describe('a path', () => {
  for (const [pattern, path, params] of [
    ['/', '/', {}],
    ['/people', '/people/', {}],
    ['/people', '/', undefined],
    ['/people', '/people/enrol', undefined],
    ['/person/:id/:from?', '/person/04A2', { id: '04A2', from: undefined }],
    ['/person/:id/:from?', '/person/04A2/2026-11-22', { id: '04A2', from: '2026-11-22' }],
    ['/person/:id/:from?', '/person', undefined],
  ] as const) {
    it(`${path} is ${params === undefined ? 'not ' : ''}of ${pattern}`, () => {
      expect(matchPath(pattern, path)).to.deep.equal(params);
    });
  }
});

describe('the address', () => {
  it('says where the page is, and follows links', () => {
    const browser = new EventTarget() as Window;
    const location = { hash: '' } as Location;
    const address = new Address(Object.assign(browser, { location }));
    expect(address.path.value).to.equal('/');
    address.follow();
    address.go('#/people');
    browser.dispatchEvent(new Event('hashchange'));
    expect(address.path.value).to.equal('/people');
  });

  it('can be replaced by another one', () => {
    const location = { hash: '#/days' } as Location;
    const replaceState = (_: unknown, __: string, href: string): void => void (location.hash = href);
    const history = { replaceState } as History;
    const address = new Address(Object.assign(new EventTarget() as Window, { location, history }));
    address.replace('#/days/2026-11-22');
    expect(address.path.value).to.equal('/days/2026-11-22');
  });

  it('remembers a group beside the page, which stays when the page is replaced by another range', () => {
    const location = { hash: inGroup('#/days', '1. mannschaft & co') } as Location;
    const replaceState = (_: unknown, __: string, href: string): void => void (location.hash = href);
    const history = { replaceState } as History;
    const address = new Address(Object.assign(new EventTarget() as Window, { location, history }));
    expect([address.path.value, address.group.value]).to.deep.equal(['/days', '1. mannschaft & co']);
    address.replace('#/days/2026-11-22');
    expect([address.path.value, address.group.value]).to.deep.equal([
      '/days/2026-11-22',
      '1. mannschaft & co',
    ]);
    expect(inGroup('#/days', '')).to.equal('#/days');
  });
});
