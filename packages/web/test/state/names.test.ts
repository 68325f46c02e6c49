import { expect } from 'chai';
import {
  Names,
  changesTo,
  countTags,
  fold,
  holdersOf,
  searchFor,
  undoing,
} from '../../src/state/names/names.js';
import { StubService } from '../fixtures/stub-service.js';

const ADA = '04A2B3C4D5';
const GRACE = '0011223344';
const SPARE = '04DEADBEEF';
const OTHER = '04CAFEBABE';
const ada = { first: 'Ada', last: 'Lovelace' };
const grace = { first: 'Grace', last: 'Hopper' };

describe('Names', () => {
  let service: StubService;
  let names: Names;

  beforeEach(async () => {
    service = new StubService();
    service.mapping = { [ADA]: ada };
    names = new Names(service);
    await names.load();
    service.asked.length = 0;
  });

  it('gives one name, or several in one request', async () => {
    await names.apply([{ id: GRACE, before: null, after: grace }]);
    expect(service.asked).to.deep.equal(['assign']);
    await names.apply([
      { id: ADA, before: ada, after: grace },
      { id: SPARE, before: null, after: grace },
    ]);
    expect(service.asked).to.deep.equal(['assign', 'import']);
    expect(service.mapping).to.deep.equal({ [ADA]: grace, [GRACE]: grace, [SPARE]: grace });
    expect(Object.fromEntries(names.all.value)).to.deep.equal(service.mapping);
  });

  it('takes names away, and undoes it', async () => {
    const changes = [{ id: ADA, before: ada, after: null }];
    await names.apply(changes);
    expect(service.mapping).to.deep.equal({});
    expect(names.all.value.size).to.equal(0);
    await names.apply(undoing(changes));
    expect(service.mapping).to.deep.equal({ [ADA]: ada });
    expect(names.all.value.get(ADA)).to.deep.equal(ada);
  });

  it('reads the names anew when a change fails', async () => {
    service.failure = new Error('busy');
    const failed = await names.apply([{ id: GRACE, before: null, after: grace }]).catch(String);
    expect(failed).to.equal('Error: busy');
    expect(service.asked).to.deep.equal(['assign', 'mapping']);
    expect(names.all.value.has(GRACE)).to.equal(false);
  });

  it('are not told as changed when they are read again and are the same', async () => {
    const before = names.all.value;
    await names.load();
    expect(names.all.value).to.equal(before);
    service.mapping = { [ADA]: grace };
    await names.load();
    expect(names.all.value.get(ADA)).to.deep.equal(grace);
  });

  it('are read once more when they change while they are read', async () => {
    let open = (): void => undefined;
    service.gate = new Promise((resolve) => (open = resolve));
    const loading = names.load();
    names.note(GRACE, grace);
    service.mapping = { [ADA]: ada, [GRACE]: grace };
    open();
    await loading;
    expect(service.asked).to.deep.equal(['mapping', 'mapping']);
    expect(names.all.value.get(GRACE)).to.deep.equal(grace);
  });

  it('share one more reading among all that ask while they are read', async () => {
    await Promise.all([names.load(), names.load(), names.load()]);
    expect(service.asked).to.deep.equal(['mapping', 'mapping']);
  });

  it('are read once they have been read, and not before, nor after they were forgotten', async () => {
    const others = new Names(service);
    expect(others.isLoaded.value).to.equal(false);
    await others.load();
    expect(others.isLoaded.value).to.equal(true);
    others.forget();
    expect([others.isLoaded.value, others.all.value.size]).to.deep.equal([false, 0]);
  });

  it('are asked for with those that are known, which the service then need not send again', async () => {
    const known: unknown[] = [];
    const readMapping = service.readMapping.bind(service);
    service.readMapping = (before?: unknown) => {
      known.push(before);
      return readMapping();
    };
    await names.load();
    names.forget();
    await names.load();
    expect(known).to.deep.equal([{ [ADA]: ada }, undefined]);
  });

  it('are without one that was taken away elsewhere, once they are read again', async () => {
    service.mapping = { [ADA]: ada, [GRACE]: grace };
    await names.load();
    service.mapping = { [ADA]: ada };
    await names.load();
    expect([...names.all.value.keys()]).to.deep.equal([ADA]);
  });

  it('are as a tap shows them, and told as changed only if they are', () => {
    const before = names.all.value;
    names.note(ADA, { ...ada });
    expect(names.all.value).to.equal(before);
    for (const name of [
      { first: 'Ada', last: 'King' },
      { first: 'Augusta', last: 'King' },
    ]) {
      names.note(ADA, name);
      expect(names.all.value.get(ADA)).to.deep.equal(name);
    }
  });

  it('are taken away without giving any', async () => {
    await names.apply([{ id: ADA, before: ada, after: null }]);
    expect(service.asked).to.deep.equal(['remove']);
  });
});

describe('holders', () => {
  const names = new Map([
    [SPARE, ada],
    [ADA, ada],
    [GRACE, grace],
  ]);

  it('have all tags of their name, ascending', () => {
    const holders = holdersOf(names).map(({ name, ids }) => [name.first, ...ids]);
    expect(holders).to.deep.equal([
      ['Ada', ADA, SPARE],
      ['Grace', GRACE],
    ]);
    expect(countTags(names, { ...ada })).to.equal(2);
  });

  it('are renamed with all their tags, keep what is not changed, and take tags from others', () => {
    const [before] = holdersOf(names);
    expect(changesTo(names, before, ada, [ADA, SPARE])).to.deep.equal([]);
    const king = { first: 'Ada', last: 'King' };
    expect(changesTo(names, before, king, [ADA, SPARE])).to.deep.equal([
      { id: ADA, before: ada, after: king },
      { id: SPARE, before: ada, after: king },
    ]);
    expect(changesTo(names, before, ada, [ADA, GRACE])).to.deep.equal([
      { id: GRACE, before: grace, after: ada },
      { id: SPARE, before: ada, after: null },
    ]);
    expect(changesTo(names, undefined, grace, [OTHER])).to.deep.equal([
      { id: OTHER, before: null, after: grace },
    ]);
  });

  it('are found by every word of name and tag, without accents and case', () => {
    const isFound = searchFor('JURG ab');
    expect(isFound(fold('Jürgen Müller 04AB'))).to.equal(true);
    expect(isFound(fold('Jürgen Müller 04CC'))).to.equal(false);
  });

  it('are told apart by both parts of their name', () => {
    const all = new Map([
      ...names,
      [OTHER, { ...ada, last: 'King' }],
      ['0055', { ...ada, first: 'Augusta' }],
    ]);
    expect(countTags(all, ada)).to.equal(2);
    expect(holdersOf(all)).to.have.length(4);
  });

  it('are found by their name and all their tags, but not by what lies across two of them', () => {
    const [holder] = holdersOf(names);
    const isFound = (search: string): boolean => searchFor(search)(holder?.folded ?? '');
    for (const search of ['ada', 'lovelace', '04a2', '04de', 'love  ada'])
      expect(isFound(search)).to.equal(true);
    for (const search of ['adalove', 'd504de', 'grace', '0011']) expect(isFound(search)).to.equal(false);
  });

  for (const [search, name] of [
    ['ö', 'Özil'],
    ['O', 'Özil'],
    ['strauss', 'Strauß'],
    ['STRAUß', 'Strauss'],
    ['Æsir', 'æsir'],
  ] as const) {
    it(`are found as ${name} by "${search}"`, () => {
      expect(searchFor(search)(fold(name))).to.equal(true);
    });
  }
});
