import { json } from 'node:stream/consumers';
import { mergePeople, toCarried, toTimestamp } from '@tallybook/domain';
import { dataOfPerson, personData } from '@tallybook/domain/personal';
import { expect } from 'chai';
import { red, blue, NOW } from '../../../testing/test/fixtures/known-values.js';
import { PeoplePlace } from '../fixtures/people-place.js';

const at = toTimestamp(NOW);

describe('The file for a person of whom a later version has stored something', () => {
  let storage: PeoplePlace['storage'];
  let persons: PeoplePlace['people'];

  beforeEach(async () => {
    ({ storage, people: persons } = await PeoplePlace.open(NOW));
  });

  afterEach(() => storage.close());

  const carry = (id: string, about: object, second = NOW): Promise<void> => {
    const row = { kind: 'excuse', id, stamp: [second * 1_000, 0, 'hall'], persons: [], tags: [], value: id };
    return mergePeople(storage.people, [{ kind: 'carried', row: toCarried({ ...row, ...about }) }]);
  };

  async function valuesIn(pieces: AsyncIterable<string>): Promise<readonly unknown[]> {
    const file = (await json(pieces)) as { readonly carried: readonly { readonly value: unknown }[] };
    expect(file).to.have.nested.property('legend.carried');
    return file.carried.map(({ value }) => value);
  }

  it('has the rows that name them, or a tag while they held it', async () => {
    const { people, erasures } = storage;
    const ada = await persons.add({ name: { first: 'Ada', last: '' } });
    const bob = await persons.add({ name: { first: 'Bob', last: '' } });
    await persons.act(red, { act: 'give', person: ada });
    await persons.act(blue, { act: 'give', person: bob });
    await carry('1', { persons: [bob, ada] });
    await carry('2', { persons: [bob] });
    await carry('3', { tags: [red] });
    await carry('4', { tags: [red] }, NOW + 1_000);
    await carry('5', { tags: [blue] });
    expect(await valuesIn(dataOfPerson(ada, at, { erasures, people }))).to.deep.equal(['1', '3']);
    expect(await valuesIn(dataOfPerson(bob, at, { erasures, people }))).to.deep.equal(['1', '2', '5']);
  });

  it('has those of a tag that nobody has but the person of its name', async () => {
    const { people, erasures, mapping } = storage;
    await mapping.put(red, { first: 'Ada', last: '' });
    await carry('1', { persons: [`tag-${red}`] });
    await carry('2', { tags: [blue, red] });
    await carry('3', { persons: [`tag-${blue}`] });
    expect(await valuesIn(personData(red, at, { erasures, people }))).to.deep.equal(['1', '2']);
  });
});
