import type { PeoplePage, PersonSummary } from '@tallybook/client';
import { expect } from 'chai';
import { People, fold, foldedOf, searchFor, tagAt, tagsOf } from '../../src/state/people/people.js';
import { ADA, ada, GRACE, grace, personOf, SPARE, StubService } from '../fixtures/stub-service.js';

const king = { first: 'Ada', last: 'King' };
const RANDOM = '9C1E5A7B30D2F4';

function lost(person: PersonSummary, tag: string, since: number): PersonSummary {
  return { ...person, tags: [...person.tags, { id: tag, since, isLost: true }] };
}

describe('People', () => {
  let service: StubService;
  let people: People;

  beforeEach(async () => {
    service = new StubService();
    service.mapping = { [ADA]: ada };
    people = new People(service);
    await people.load();
    service.asked.length = 0;
  });

  const named = (): unknown =>
    Object.fromEntries(people.all.value.flatMap(({ name, tags }) => tags.map(({ id }) => [id, name])));

  it('are known by every id and every tag that they have', async () => {
    const merged = { ...personOf('tag-0011223344', grace, GRACE), aliases: [RANDOM] };
    service.people = [merged, lost(personOf('tag-04A2B3C4D5', ada, ADA), SPARE, 77)];
    await people.load();
    expect(people.byId.value.get(RANDOM)).to.equal(people.byId.value.get('tag-0011223344'));
    expect(people.holders.value.get(GRACE)).to.include({ since: 0, isLost: false });
    expect(people.holders.value.get(SPARE)).to.include({ since: 77, isLost: true });
    expect([people.nameOf(ADA), people.nameOf(SPARE)]).to.deep.equal([ada, undefined]);
  });

  it('are the tags with a name where the service keeps no persons', async () => {
    expect(people.isOffered.value).to.equal(true);
    service.keepsPeople = false;
    await people.load();
    expect(people.isOffered.value).to.equal(false);
    expect(people.all.value).to.deep.equal([personOf(`tag-${ADA}`, ada, ADA)]);
  });

  it('have groups by name, until they are forgotten', async () => {
    service.groups = [{ id: '7b', name: 'Class 7b', members: 1 }];
    await people.load();
    expect(people.groups.value).to.deep.equal(service.groups);
    expect([people.groupName('7b'), people.groupName('board')]).to.deep.equal(['Class 7b', 'board']);
    people.forget();
    expect(people.groups.value).to.deep.equal([]);
  });

  it('name a tag, and take the name away', async () => {
    await people.name(GRACE, grace);
    expect(service.asked).to.deep.equal(['assign']);
    expect(named()).to.deep.equal({ [ADA]: ada, [GRACE]: grace });
    await people.name(GRACE, null);
    expect(service.asked).to.deep.equal(['assign', 'remove']);
    expect(named()).to.deep.equal({ [ADA]: ada });
    expect(service.mapping).to.deep.equal({ [ADA]: ada });
  });

  it('have the new name with all tags, and keep those that are not taken away', async () => {
    service.people = [personOf(RANDOM, ada, ADA, SPARE)];
    await people.load();
    await people.name(ADA, king);
    expect(named()).to.deep.equal({ [ADA]: king, [SPARE]: king });
    await people.name(ADA, null);
    expect(named()).to.deep.equal({ [SPARE]: king });
  });

  it('are another one if a lost tag is named', async () => {
    service.people = [lost(personOf(RANDOM, ada, ADA), SPARE, 77)];
    await people.load();
    await people.name(SPARE, grace);
    expect(named()).to.deep.equal({ [ADA]: ada, [SPARE]: grace });
  });

  it('are read anew when a change fails', async () => {
    service.failure = new Error('busy');
    const failed = await people.name(GRACE, grace).catch(String);
    expect(failed).to.equal('Error: busy');
    expect(service.asked).to.deep.equal(['assign', 'people']);
    expect(people.nameOf(GRACE)).to.equal(undefined);
  });

  it('are not drawn again when the service says that they are unchanged', async () => {
    const pages: readonly PeoplePage[] = [{ people: [personOf(RANDOM, ada, ADA)], next: null }];
    const known: unknown[] = [];
    service.readPeople = (before?: unknown) => {
      known.push(before);
      return Promise.resolve(pages);
    };
    await people.load();
    const before = people.all.value;
    await people.load();
    expect(people.all.value).to.equal(before);
    people.note(GRACE, grace);
    await people.load();
    expect(people.all.value).to.deep.equal(before);
    people.forget();
    await people.load();
    expect(known.slice(1)).to.deep.equal([pages, undefined, undefined]);
  });

  it('are read once more when they change while they are read', async () => {
    let open = (): void => undefined;
    service.gate = new Promise((resolve) => (open = resolve));
    const loading = people.load();
    people.note(GRACE, grace);
    service.mapping = { [ADA]: ada, [GRACE]: grace };
    open();
    await loading;
    expect(service.asked).to.deep.equal(['people', 'people']);
    expect(people.nameOf(GRACE)).to.deep.equal(grace);
  });

  it('share one more reading among all that ask while they are read', async () => {
    await Promise.all([people.load(), people.load(), people.load()]);
    expect(service.asked).to.deep.equal(['people', 'people']);
  });

  it('are read once they have been read, and not before, nor after they were forgotten', async () => {
    const others = new People(service);
    expect(others.isLoaded.value).to.equal(false);
    await others.load();
    expect(others.isLoaded.value).to.equal(true);
    others.forget();
    expect([others.isLoaded.value, others.all.value.length]).to.deep.equal([false, 0]);
  });

  it('are as a tap shows them, and drawn again only if that is new', () => {
    const before = people.all.value;
    people.note(ADA, { ...ada });
    expect(people.all.value).to.equal(before);
    people.note(ADA, king);
    expect(people.nameOf(ADA)).to.deep.equal(king);
    people.note(GRACE, grace, RANDOM);
    expect(people.holders.value.get(GRACE)?.person.id).to.equal(RANDOM);
  });
});

describe('persons of one name', () => {
  it('are told apart by the number, or else by the end of a tag', async () => {
    const service = new StubService();
    const numbered = { ...personOf(RANDOM, { first: 'ADA', last: 'Lovelace' }, SPARE), number: '17' };
    const plain = personOf(`tag-${ADA}`, ada, ADA);
    const other = personOf(`tag-${GRACE}`, grace, GRACE);
    service.people = [numbered, plain, other];
    const people = new People(service);
    await people.load();
    expect([numbered, plain, other].map((each) => people.markOf(each))).to.deep.equal([
      '(17)',
      '(…C4D5)',
      '',
    ]);
    expect(people.namesakesOf({ first: 'ada', last: 'LOVELACE' })).to.deep.equal([numbered, plain]);
    expect(people.namesakesOf({ first: 'Ada', last: '' })).to.deep.equal([]);
  });
});

describe('the tags under which the record has a person', () => {
  it('are those they hold or lost, and their tag of last resort', () => {
    expect(tagsOf(personOf(RANDOM, ada, ADA))).to.deep.equal([ADA, `FF5442${RANDOM}`]);
    expect(tagsOf({ ...personOf(`tag-${ADA}`, ada, ADA), aliases: [RANDOM] })).to.deep.equal([
      ADA,
      `FF5442${RANDOM}`,
    ]);
    expect(tagsOf(personOf(`tag-${ADA}`, ada))).to.deep.equal([]);
  });

  it('are for a forgotten tap the one they held then, or that of last resort', () => {
    const person = {
      ...personOf(RANDOM, ada),
      tags: [
        { id: ADA, since: 700, isLost: false },
        { id: SPARE, since: 500, isLost: true },
      ],
    };
    expect([400, 600, 700].map((at) => tagAt(person, at))).to.deep.equal([SPARE, `FF5442${RANDOM}`, ADA]);
    expect(tagAt(personOf(`tag-${ADA}`, ada), 1)).to.equal(undefined);
  });

  it('lead to the person', async () => {
    const service = new StubService();
    service.people = [personOf(RANDOM, ada)];
    const people = new People(service);
    await people.load();
    expect(people.nameOf(`FF5442${RANDOM}`)).to.deep.equal(ada);
  });
});

describe('a search for people', () => {
  const folded = foldedOf({ name: { first: 'Jürgen', last: 'Müller' }, number: 'A-17', ids: [ADA, SPARE] });

  it('finds by every word of name, number and tags, without accents and case', () => {
    for (const search of ['JURG mull', 'a-17', '04a2', '04de', 'müller  17'])
      expect(searchFor(search)(folded), search).to.equal(true);
    for (const search of ['jurgmull', 'd504de', 'a-18', '0011'])
      expect(searchFor(search)(folded), search).to.equal(false);
  });

  for (const [search, name] of [
    ['ö', 'Özil'],
    ['O', 'Özil'],
    ['strauss', 'Strauß'],
    ['STRAUß', 'Strauss'],
    ['Æsir', 'æsir'],
  ] as const) {
    it(`finds ${name} by "${search}"`, () => {
      expect(searchFor(search)(fold(name))).to.equal(true);
    });
  }
});
