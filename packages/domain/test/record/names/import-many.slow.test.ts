import { parseTallyId } from '@tallybook/domain';
import {
  NAME_LIST_MAX_LINES,
  PeopleImport,
  TagFinder,
  TypedIds,
  type ListedPerson,
  type ListRow,
} from '@tallybook/domain/record';
import { expect } from 'chai';
import { PeoplePlace } from '../../fixtures/people-place.js';

describe('PeopleImport of the longest list', () => {
  let storage: PeoplePlace['storage'];
  let importer: PeopleImport;
  let tags: TagFinder;

  beforeEach(async () => {
    const place = await PeoplePlace.open();
    const { people, timekeeper, calendar } = place;
    ({ storage } = place);
    const { snapshots, mapping } = storage;
    tags = new TagFinder({ typed: new TypedIds(), mapping });
    importer = new PeopleImport({
      ...{ people, snapshots, mapping, timekeeper, calendar, pause: () => Promise.resolve() },
    });
  });

  afterEach(() => storage.close());

  async function* list(of: (index: number) => Partial<ListedPerson>): AsyncGenerator<ListRow> {
    for (let index = 0; index < NAME_LIST_MAX_LINES; index++)
      yield { line: index + 1, tags: [], name: { first: 'Ada', last: `Lovelace ${index}` }, ...of(index) };
  }

  const tagOf = (index: number): string => parseTallyId((0x10_00_00_00 + index).toString(16));

  it('takes tags and names, the same again, and other names, in seconds', async function () {
    // Each import 0.5 to 2 s with two cores that are busy.
    this.timeout(30_000);
    const tagged = (index: number): Partial<ListedPerson> => ({ tags: [tagOf(index)] });
    expect(await importer.import(list(tagged), { tags })).to.include({ new: NAME_LIST_MAX_LINES });
    expect(await storage.people.persons(undefined, 1)).to.deep.equal([]);
    expect(await importer.import(list(tagged), { tags })).to.include({ same: NAME_LIST_MAX_LINES });
    const king = (index: number): Partial<ListedPerson> => ({
      ...tagged(index),
      name: { first: 'Ada', last: 'King' },
    });
    expect(await importer.import(list(king), { tags, isDryRun: true })).to.include({
      changed: NAME_LIST_MAX_LINES,
    });
    expect(await importer.import(list(king), { tags })).to.include({ changed: NAME_LIST_MAX_LINES });
    expect(await importer.import(list(king), { tags })).to.include({ same: NAME_LIST_MAX_LINES });
  });

  it('takes numbers and groups of persons without a tag, and then their tags, in seconds', async function () {
    this.timeout(30_000);
    const numbered = (index: number): Partial<ListedPerson> => ({
      number: String(index),
      groups: [`class ${index % 50}`],
    });
    expect(await importer.import(list(numbered), { tags })).to.include({ new: NAME_LIST_MAX_LINES });
    const all = (index: number): Partial<ListedPerson> => ({ ...numbered(index), tags: [tagOf(index)] });
    expect(await importer.import(list(all), { tags })).to.include({
      changed: NAME_LIST_MAX_LINES,
      withoutTag: 0,
    });
    expect(await importer.import(list(all), { tags })).to.include({ same: NAME_LIST_MAX_LINES });
  });
});
