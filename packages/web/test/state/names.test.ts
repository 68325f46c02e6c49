import { expect } from 'chai';
import { ServiceClock } from '../../src/state/service/clock.js';
import { Enrolment } from '../../src/state/names/enrolment.js';
import { changesTo, countTags, holdersOf } from '../../src/state/names/holder.js';
import { Names, undoing } from '../../src/state/names/names.js';
import { fold, searchFor } from '../../src/state/names/search.js';
import type { Tap } from '../../src/state/service/service.js';
import { readTagId } from '../../src/state/names/tag-id.js';
import { NOON, StubService, TODAY } from '../fixtures/stub-service.js';

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

describe('the number of a tag', () => {
  for (const [text, id] of [
    ['04a2b3c4d5', ADA],
    [' 04 A2:B3-C4 D5 ', ADA],
    ['001122', '001122'],
    ['00112', undefined],
    ['0011', undefined],
    ['04A2B3C4D5E6F708090A0B', undefined],
    ['04A2B3C4DX', undefined],
    ['', undefined],
  ] as const) {
    it(`is ${id ?? 'none'} in "${text}"`, () => {
      expect(readTagId(text)).to.equal(id);
    });
  }
});

describe('Enrolment', () => {
  let service: StubService;
  let names: Names;
  let enrolment: Enrolment;

  beforeEach(async () => {
    service = new StubService();
    service.mapping = { [ADA]: ada };
    names = new Names(service);
    await names.load();
    enrolment = new Enrolment({ service, names, clock: new ServiceClock(service, () => NOON * 1_000) });
  });

  function tapOf(id: string, at = NOON): Tap {
    return { id, at, day: TODAY, outcome: 'counted', name: null, reader: 'door' };
  }

  it('takes tags without a name in the order in which they are held', async () => {
    for (const id of [SPARE, SPARE, GRACE, OTHER, GRACE]) enrolment.take(tapOf(id));
    expect(enrolment.current.value).to.equal(SPARE);
    expect(enrolment.waiting.value).to.deep.equal([GRACE, OTHER]);
    await enrolment.give(SPARE, ada);
    expect(enrolment.current.value).to.equal(GRACE);
    enrolment.next();
    expect(enrolment.current.value).to.equal(OTHER);
    enrolment.next();
    expect(enrolment.current.value).to.equal('');
    expect(service.mapping).to.deep.equal({ [ADA]: ada, [SPARE]: ada });
  });

  it('says whose a tag is that has a name, and names nothing by it', () => {
    enrolment.take(tapOf(ADA));
    expect(enrolment.known.value).to.deep.equal({ id: ADA, name: ada });
    expect(enrolment.current.value).to.equal('');
    enrolment.take(tapOf(GRACE));
    expect(enrolment.known.value).to.equal(undefined);
    expect(enrolment.current.value).to.equal(GRACE);
  });

  it('leaves a tag out of those that wait when somebody else has named it', () => {
    for (const id of [SPARE, GRACE]) enrolment.take(tapOf(id));
    names.note(GRACE, grace);
    expect(enrolment.waiting.value).to.deep.equal([]);
    enrolment.next();
    expect(enrolment.current.value).to.equal('');
  });

  it('undoes a name, and the tag is the next one', async () => {
    enrolment.take(tapOf(GRACE));
    await enrolment.give(GRACE, grace);
    const [done] = enrolment.done.value;
    expect(done).to.deep.equal({ id: GRACE, before: null, after: grace });
    if (done !== undefined) await enrolment.undo(done);
    expect(service.mapping).to.deep.equal({ [ADA]: ada });
    expect(enrolment.done.value).to.deep.equal([]);
    expect(enrolment.current.value).to.equal(GRACE);
  });

  it('stays at a tag whose name could not be given', async () => {
    enrolment.take(tapOf(GRACE));
    service.failure = new Error('busy');
    expect(await enrolment.give(GRACE, grace).catch(String)).to.equal('Error: busy');
    expect(enrolment.current.value).to.equal(GRACE);
    expect(enrolment.done.value).to.deep.equal([]);
  });

  it('lists a tag that was held while the list was asked for, once', async () => {
    service.unnamed = [{ id: SPARE, at: NOON, day: TODAY, scans: 2 }];
    const loaded = enrolment.load();
    for (const id of [SPARE, GRACE]) enrolment.take(tapOf(id));
    await loaded;
    expect(enrolment.unnamed.value).to.deep.equal([
      { id: GRACE, at: NOON, day: TODAY, scans: 1, reader: 'door' },
      { id: SPARE, at: NOON, day: TODAY, scans: 2 },
    ]);
  });

  it('lists tags without a name, goes on with every tap, and drops those that are named', async () => {
    service.unnamed = [{ id: SPARE, at: 100, day: 1, scans: 2 }];
    await enrolment.load();
    for (const id of [GRACE, SPARE]) enrolment.take(tapOf(id));
    expect(enrolment.unnamed.value).to.deep.equal([
      { id: SPARE, at: NOON, day: TODAY, scans: 3, reader: 'door' },
      { id: GRACE, at: NOON, day: TODAY, scans: 1, reader: 'door' },
    ]);
    await enrolment.give(GRACE, grace);
    expect(enrolment.unnamed.value?.map(({ id }) => id)).to.deep.equal([SPARE]);
  });
});
