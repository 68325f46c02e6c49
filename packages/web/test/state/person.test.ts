import { expect } from 'chai';
import { personsOf, type TagOfToday } from '../../src/state/presence.js';

const ada = { first: 'Ada', last: 'Lovelace' };

function tag(id: string, first: number | null, last: number | null, reader?: string): TagOfToday {
  return { id, first, last, count: 1, reader };
}

describe('a person with several tags', () => {
  const names = new Map(['04A2', '0011', '04DE'].map((id) => [id, ada]));
  const early = tag('04A2', 100, 200, 'door');
  const late = tag('0011', 150, 300, 'gate');

  it('is here from the first tap of any tag to the last, in whatever order they come', () => {
    for (const tags of [
      [early, late],
      [late, early],
    ]) {
      const [person, ...others] = personsOf(tags, names);
      expect(others).to.deep.equal([]);
      expect(person).to.deep.include({ name: ada, ids: ['0011', '04A2'], first: 100, last: 300, count: 2 });
      expect(person?.reader).to.equal('gate');
    }
  });

  it('has the times of the tags whose time is known', () => {
    const unknown = tag('04DE', null, null, 'hall');
    for (const tags of [
      [unknown, late],
      [late, unknown],
    ]) {
      expect(personsOf(tags, names)[0]).to.deep.include({ first: 150, last: 300, count: 2, reader: 'gate' });
    }
    expect(personsOf([unknown, { ...unknown, id: '0011' }], names)[0]).to.deep.include({
      ...{ first: null, last: null, count: 2 },
    });
  });

  it('is another one than those of other names, and than a tag without one', () => {
    const others = new Map([
      ['04A2', ada],
      ['0011', { ...ada, first: 'Augusta' }],
    ]);
    const persons = personsOf([early, late, tag('04DE', 1, 1)], others);
    expect(new Set(persons.map(({ key }) => key)).size).to.equal(3);
    expect(persons.map(({ name }) => name?.first)).to.deep.equal(['Ada', 'Augusta', undefined]);
  });
});
