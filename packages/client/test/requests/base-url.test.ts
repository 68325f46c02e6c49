import { expect } from 'chai';
import { TallybookClient } from '../../src/index.js';

const page = globalThis as { document?: { baseURI: string }; location?: { href: string } };

describe('the base URL', () => {
  afterEach(() => {
    delete page.document;
    delete page.location;
  });

  it('goes from the page, if it is relative', () => {
    page.document = { baseURI: 'http://hall.local/ingress/index.html?x=1#/today' };
    expect(new TallybookClient('./').url('/api/export')).to.equal('http://hall.local/ingress/api/export');
    expect(new TallybookClient('..').url('/api/export')).to.equal('http://hall.local/api/export');
  });

  it('goes from the script of a worker', () => {
    page.location = { href: 'http://hall.local/assets/worker.js' };
    expect(new TallybookClient('../').url('/api/export')).to.equal('http://hall.local/api/export');
  });

  it('may lack its last slash', () => {
    expect(new TallybookClient('http://hall.local/a').url('/api/export')).to.equal(
      'http://hall.local/a/api/export',
    );
  });

  it('must be absolute without a page', () => {
    expect(() => new TallybookClient('./')).to.throw(TypeError, 'must be whole');
  });

  it('is an http or https URL without a name and a password', () => {
    for (const base of ['file:///etc/', 'http://ada@hall.local/', 'http://:secret@hall.local/']) {
      expect(() => new TallybookClient(base)).to.throw(TypeError, 'http://');
    }
  });
});
