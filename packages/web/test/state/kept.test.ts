import { expect } from 'chai';
import { BrowserStore, isLastKnown } from '../../src/state/kept.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';

const isText = (value: unknown): value is string => typeof value === 'string';

describe('what a browser keeps for the page', () => {
  it('is there for the same service, and not for another one below the same host', () => {
    const storage = new MemoryStorage();
    const [hall, gate] = [new BrowserStore(storage, '/hall/'), new BrowserStore(storage, '/gate/')];
    expect(hall.write('word', 'open')).to.equal(true);
    expect([hall.read('word', isText), gate.read('word', isText)]).to.deep.equal(['open', undefined]);
    gate.remove('word');
    expect(hall.read('word', isText)).to.equal('open');
    hall.remove('word');
    expect(hall.read('word', isText)).to.equal(undefined);
  });

  it('is told apart by its name', () => {
    const store = new BrowserStore(new MemoryStorage(), '/hall/');
    store.write('one', 'first');
    store.write('two', 'second');
    expect(store.read('one', isText)).to.equal('first');
  });

  it('is nothing where the browser refuses to keep anything, which the page is told', () => {
    const store = new BrowserStore(undefined, '/hall/');
    expect(store.write('word', 'open')).to.equal(false);
    expect(store.read('word', isText)).to.equal(undefined);
    expect(() => store.remove('word')).not.to.throw();
  });
});

describe('who was here when the service could be asked last', () => {
  const known = { at: 1_000, zone: 'Europe/Berlin', people: [] };

  it('is taken from what the browser keeps', () => {
    expect(isLastKnown(known)).to.equal(true);
  });

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
