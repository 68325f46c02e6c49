import { expect } from 'chai';
import { People } from '../../src/state/people/people.js';
import { personsOf, type TagOfToday } from '../../src/state/presence.js';
import { ada, personOf, StubService } from '../fixtures/stub-service.js';

function tag(
  id: string,
  first: number | null,
  last: number | null,
  more: Partial<TagOfToday> = {},
): TagOfToday {
  return { id, first, last, count: 1, reader: undefined, holder: undefined, isLost: false, ...more };
}

describe('a person who is here', () => {
  let service: StubService;
  let people: People;
  const early = tag('04A2', 100, 200, { reader: 'door' });
  const late = tag('0011', 150, 300, { reader: 'gate' });

  beforeEach(async () => {
    service = new StubService();
    service.people = [personOf('tag-04A2', ada, '04A2', '0011', '04DE')];
    people = new People(service);
    await people.load();
  });

  const here = (...tags: readonly TagOfToday[]): ReturnType<typeof personsOf> => personsOf(tags, people);

  it('is here from the first tap of any tag to the last, in whatever order they come', () => {
    for (const tags of [
      [early, late],
      [late, early],
    ]) {
      const [person, ...others] = here(...tags).people;
      expect(others).to.deep.equal([]);
      expect(person).to.deep.include({ name: ada, ids: ['0011', '04A2'], first: 100, last: 300, count: 2 });
      expect(person?.reader).to.equal('gate');
    }
  });

  it('has the times of the tags whose time is known', () => {
    const unknown = tag('04DE', null, null, { reader: 'hall' });
    for (const tags of [
      [unknown, late],
      [late, unknown],
    ]) {
      const { people: found } = here(...tags);
      expect(found[0]).to.deep.include({ first: 150, last: 300, count: 2, reader: 'gate' });
    }
    expect(here(unknown, { ...unknown, id: '0011' }).people[0]).to.deep.include({
      ...{ first: null, last: null, count: 2 },
    });
  });

  it('is another one than somebody of the same name, and than a tag without a holder', async () => {
    service.people = [
      personOf('tag-04A2', ada, '04A2'),
      { ...personOf('tag-0011', ada, '0011'), number: '17' },
    ];
    await people.load();
    const found = here(early, late, tag('04DE', 1, 1)).people;
    expect(found.map(({ key, name, mark }) => [key, name, mark])).to.deep.equal([
      ['tag-04A2', ada, '(…04A2)'],
      ['tag-0011', ada, '(17)'],
      ['#04DE', null, ''],
    ]);
  });

  it('is not here by a lost tag, but was by its taps before', async () => {
    const [person] = service.people ?? [];
    if (person === undefined) throw new Error('nobody');
    service.people = [{ ...person, tags: [{ id: '04A2', since: 150, isLost: true }] }];
    await people.load();
    const before = tag('04A2', 100, 120, { holder: 'tag-04A2' });
    const after = tag('04A2', 160, 160, { isLost: true });
    const found = here(before, after);
    expect(found.people.map(({ key, last }) => [key, last])).to.deep.equal([['tag-04A2', 120]]);
    expect(found.lost.map(({ ids, last }) => [ids, last])).to.deep.equal([[['04A2'], 160]]);
  });

  it('is here by the taps from before the tag was handed on', async () => {
    const grace = personOf('tag-04DE', { first: 'Grace', last: '' });
    service.people = [
      personOf('tag-04A2', ada),
      { ...grace, tags: [{ id: '04A2', since: 150, isLost: false }] },
    ];
    await people.load();
    const found = here(tag('04A2', 100, 100, { holder: 'tag-04A2' }), tag('04A2', 160, 160)).people;
    expect(found.map(({ key, first }) => [key, first])).to.deep.equal([
      ['tag-04A2', 100],
      ['tag-04DE', 160],
    ]);
  });
});
