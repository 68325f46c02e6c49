import { expect } from 'chai';
import { BrowserStore, isLastKnown } from '../../src/state/kept.js';

const isText = (value: unknown): value is string => typeof value === 'string';

describe('what a browser keeps for the page', () => {
  it('is nothing where the browser refuses to keep anything, which the page is told', () => {
    const store = new BrowserStore(undefined, '/hall/');
    expect(store.write('word', 'open')).to.equal(false);
    expect(store.read('word', isText)).to.equal(undefined);
    expect(() => store.remove('word')).not.to.throw();
  });
});

describe('who was here when the service could be asked last', () => {
  const known = { at: 1_000, zone: 'Europe/Berlin', people: [] };

  for (const kept of [
    null,
    { ...known, at: '1000' },
    { ...known, at: undefined },
    { ...known, zone: undefined },
    { ...known, people: {} },
    // As earlier versions of the page kept it.
    { ...known, people: [{ key: 'ada' }] },
    { people: [] },
  ]) {
    it(`is not known where ${JSON.stringify(kept)} is kept`, () => {
      expect(isLastKnown(kept)).to.equal(false);
    });
  }
});
