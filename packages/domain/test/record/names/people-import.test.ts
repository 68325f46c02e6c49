import { parseTallyId, toDay, type PersonFields, type PersonId } from '@tallybook/domain';
import {
  NAME_LIST_MAX_LINES,
  PeopleImport,
  TagFinder,
  TypedIds,
  type ImportReport,
  type ListedPerson,
  type ListRow,
  type RowChoice,
  noPeopleRows,
} from '@tallybook/domain/record';
import { expect } from 'chai';
import { red, blue, NOW } from '../../../../testing/test/fixtures/known-values.js';
import { PeoplePlace } from '../../fixtures/people-place.js';
import { rejectionOf } from '../../fixtures/throws.js';
import { failureOf } from '../../../../testing/test/fixtures/failure-of.js';

const MIDNIGHT = NOW - (NOW % 86_400);
const TODAY = toDay(MIDNIGHT / 86_400);

const green = parseTallyId('0A0B0C0D');

type Cells = Partial<Omit<ListedPerson, 'line' | 'name'>>;

interface Options {
  readonly isDryRun?: boolean;
  readonly choices?: Readonly<Record<number, Omit<RowChoice, 'take'> & { readonly take: string }>>;
  readonly numbers?: 'member' | 'running';
  readonly confirm?: () => void;
}

/** A row of the person with this full name, whose last word is the last name. */
function person(fullName: string, cells: Cells = {}): Omit<ListedPerson, 'line'> {
  return { tags: [], ...cells, name: nameOf(fullName) };
}

function nameOf(fullName: string): { readonly first: string; readonly last: string } {
  const at = fullName.lastIndexOf(' ');
  return { first: fullName.slice(0, Math.max(at, 0)), last: fullName.slice(at + 1) };
}

/** The person of the first row. */
function personIn({ rows: [row] }: ImportReport): PersonId {
  if (row?.person === undefined) throw new Error('the first row is nobody');
  return row.person;
}

describe('PeopleImport', () => {
  let place: PeoplePlace;
  let clock: PeoplePlace['clock'];
  let storage: PeoplePlace['storage'];
  let people: PeoplePlace['people'];

  beforeEach(async () => {
    place = await PeoplePlace.open(NOW);
    ({ clock, storage, people } = place);
  });

  afterEach(() => storage.close());

  function importer(parts: Partial<ConstructorParameters<typeof PeopleImport>[0]> = {}): PeopleImport {
    const { snapshots, mapping } = storage;
    const { timekeeper, calendar } = place;
    return new PeopleImport({
      ...{ snapshots, people, mapping, timekeeper, calendar, pause: () => Promise.resolve() },
      ...parts,
    });
  }

  const tags = (): TagFinder => new TagFinder({ typed: new TypedIds(), mapping: storage.mapping });

  async function* each(rows: readonly (Omit<ListedPerson, 'line'> | ListRow)[]): AsyncGenerator<ListRow> {
    yield* rows.map((row, index) => ({ line: index + 1, ...row }));
  }

  function take(
    rows: readonly (Omit<ListedPerson, 'line'> | ListRow)[],
    { choices = {}, ...options }: Options = {},
  ): Promise<ImportReport> {
    const byLine = new Map(
      Object.entries(choices).map(([line, choice]) => [Number(line), choice as RowChoice]),
    );
    return importer().import(each(rows), { ...options, tags: tags(), choices: byLine });
  }

  const dryRun = (
    rows: readonly Omit<ListedPerson, 'line'>[],
    options: Options = {},
  ): Promise<ImportReport> => take(rows, { ...options, isDryRun: true });

  /** What is said of the rows, shortly. */
  const states = ({ rows }: Pick<ImportReport, 'rows'>): readonly string[] =>
    rows.map(({ state, by, changes, doubts }) => [state, by ?? '-', ...changes, ...doubts].join(' '));

  const add = (fullName: string, fields: PersonFields = {}): Promise<PersonId> =>
    people.add({ ...fields, name: nameOf(fullName) });

  async function give(tag: typeof red, id: PersonId): Promise<void> {
    await people.act(tag, { act: 'give', person: id });
  }

  async function holders(tag: typeof red): Promise<readonly (readonly [number, string])[]> {
    const { entries } = await people.timeline(tag);
    return entries.map(({ since, holder, why }) => [since, holder ?? why] as const);
  }

  const nameIn = async (id: PersonId): Promise<string> => {
    const { name } = (await people.person(id)) ?? {};
    return `${name?.value?.first} ${name?.value?.last}`;
  };

  const numberOf = async (id: PersonId): Promise<string | undefined> =>
    (await people.person(id))?.number?.value;

  describe('finds who a row is', () => {
    it('by the id of the person, first of all', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      const report = await take([person('Augusta King', { person: ada, number: '7' })]);
      expect(states(report)).to.deep.equal(['changed person name number']);
      expect([await nameIn(ada), await numberOf(ada)]).to.deep.equal(['Augusta King', '7']);
    });

    it('then by a tag', async () => {
      const ada = await add('Ada Lovelace');
      await give(red, ada);
      const report = await take([person('Ada Lovelace', { tags: ['04-A2-B3-C4-D5'], number: '1' })]);
      expect(states(report)).to.deep.equal(['changed tag number']);
      expect(await numberOf(ada)).to.equal('1');
    });

    it('then by the number', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      const report = await take([person('Ada King', { number: '1', tags: [red] })]);
      expect(states(report)).to.deep.equal(['changed number name tag']);
      expect(report.rows[0]).to.deep.include({ person: ada, changes: ['name', 'tag'] });
      expect(await holders(red)).to.deep.equal([[0, ada]]);
    });

    it('then by a full name, without capitals and accents, that one row and one person alone have', async () => {
      const zoe = await add('Zoë Müller');
      const report = await take([person('ZOE MULLER', { number: '1' })]);
      expect(states(report)).to.deep.equal(['changed name name number']);
      expect(await numberOf(zoe)).to.equal('1');
    });

    it('and does not mind in which part of a name a word is', async () => {
      await add('Ada Lovelace');
      const row = { tags: [], name: { first: '', last: 'Ada Lovelace' } };
      expect(states(await dryRun([row]))).to.deep.equal(['changed name name']);
    });

    it('by the id of somebody who was merged into them', async () => {
      const [one, other] = [await add('Ada Lovelace'), await add('Ada King')];
      const ada = await people.merge(one, other);
      const merged = ada === one ? other : one;
      const report = await take([person('Ada Byron', { person: merged })]);
      expect(report.rows[0]).to.include({ person: ada, by: 'person' });
      expect(await nameIn(ada)).to.equal('Ada Byron');
    });

    it('by their tag of last resort, which is never given', async () => {
      const ada = await add('Ada Lovelace');
      const report = await take([person('Ada King', { tags: [`FF5442${ada}`] })]);
      expect(states(report)).to.deep.equal(['changed tag name']);
    });

    it('as nobody, whom it adds', async () => {
      const report = await take([person('Ada Lovelace', { number: '1' }), person('Alan Turing')]);
      expect(states(report)).to.deep.equal(['new -', 'new -']);
      expect(report).to.include({ new: 2, withoutTag: 2 });
      expect(await nameIn(personIn(report))).to.equal('Ada Lovelace');
    });

    it('also if they are a guest, who becomes a member, but not by an exported list', async () => {
      const guest = await add('Ada Lovelace', { guest: { since: TODAY } });
      const isGuest = async (): Promise<boolean> => (await people.person(guest))?.guest?.value !== undefined;
      expect(await take([person('Ada Lovelace', { person: guest })])).to.include({ same: 1 });
      expect(await isGuest()).to.equal(true);
      const report = await take([person('Ada Lovelace')]);
      expect(states(report)).to.deep.equal(['changed name guest']);
      expect(report.rows[0]?.before).to.include({ id: guest, isGuest: true });
      expect(await isGuest()).to.equal(false);
    });

    it('and takes the id of somebody who is not here for no id', async () => {
      await add('Ada Lovelace');
      expect(
        states(await dryRun([person('Ada Lovelace', { person: '00112233445566', number: '1' })])),
      ).to.deep.equal(['changed name number']);
    });
  });

  describe('is sure of a match by tag or number', () => {
    it('if only the last name is new, as after a marriage', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      await give(red, ada);
      for (const cells of [{ tags: [red] }, { number: '1' }])
        expect(states(await dryRun([person('ada King', cells)]))[0]).to.match(/^changed (tag|number) name$/);
    });

    it('but not with another first name: it is the same person, renamed, or another one, from today', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      await give(red, ada);
      const row = person('Grace Lovelace', { tags: [red], number: '1' });
      const shown = await dryRun([row]);
      expect(states(shown)).to.deep.equal(['doubtful tag another-name']);
      expect(shown.rows[0]?.candidates.map(({ id }) => id)).to.deep.equal([ada]);
      await take([row], { choices: { 1: { take: ada } } });
      expect(await nameIn(ada)).to.equal('Grace Lovelace');
      const again = person('Alan Turing', { tags: [red], number: '1' });
      const alan = personIn(await take([again], { choices: { 1: { take: 'new' } } }));
      expect(await holders(red)).to.deep.equal([
        [0, ada],
        [MIDNIGHT, alan],
      ]);
      expect([await numberOf(ada), await numberOf(alan)]).to.deep.equal([undefined, '1']);
      expect(await nameIn(ada)).to.equal('Grace Lovelace');
    });

    it('but not if the new full name is somebody else’s', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      const king = await add('Ada King', { number: '2' });
      const { rows } = await dryRun([person('Ada King', { number: '1' })]);
      expect(rows[0]).to.deep.include({ state: 'doubtful', doubts: ['another-name'] });
      expect(rows[0]?.candidates.map(({ id }) => id)).to.have.members([ada, king]);
    });

    it('if the name is theirs, though others have it too', async () => {
      await add('Anna Müller', { number: '1' });
      const second = await add('Anna Müller', { number: '2' });
      const report = await take([
        person('Anna Müller', { number: '1' }),
        person('Anna Müller', { number: '2', tags: [red] }),
      ]);
      expect(report).to.include({ same: 1, changed: 1, doubtful: 0 });
      expect(await holders(red)).to.deep.equal([[0, second]]);
    });

    it('but not if both first names are empty', async () => {
      await add('Lovelace', { number: '1' });
      expect(states(await dryRun([person('King', { number: '1' })]))).to.deep.equal([
        'doubtful number another-name',
      ]);
    });
  });

  describe('asks', () => {
    it('which of several persons of a name a row is', async () => {
      const [one, other] = [await add('Anna Müller', { number: '1' }), await add('Anna Müller')];
      const row = person('Anna Müller', { tags: [red] });
      const { rows } = await dryRun([row]);
      expect(rows[0]).to.deep.include({ state: 'doubtful', doubts: ['namesakes'] });
      expect(rows[0]?.candidates.map(({ id }) => id)).to.have.members([one, other]);
      await take([row], { choices: { 1: { take: other } } });
      expect(await holders(red)).to.deep.equal([[0, other]]);
    });

    it('whether two rows of a name are one person, if nothing tells them apart', async () => {
      const rows = [person('Anna Müller'), person('Anna Müller')];
      expect(states(await dryRun(rows))).to.deep.equal(['doubtful - namesakes', 'doubtful - namesakes']);
      const numbered = rows.map((row, index) => ({ ...row, number: String(index) }));
      expect(await take(numbered)).to.include({ new: 2, doubtful: 0 });
      const report = await take(rows, { choices: { 1: { take: 'skip' }, 2: { take: 'new' } } });
      expect(states(report)).to.deep.equal(['skipped -', 'new -']);
    });

    it('nothing about namesakes whom their groups tell apart, as many rows as persons', async () => {
      const [one, other] = [
        await add('Anna Müller', { groups: ['5a'] }),
        await add('Anna Müller', { groups: ['6b', 'Choir'] }),
      ];
      const choir = person('Anna Müller', { groups: ['Choir', '6b'] });
      const rows = [choir, person('Anna Müller', { groups: ['5A'], tags: [red] })];
      expect(await take(rows)).to.include({ same: 1, changed: 1, doubtful: 0 });
      expect(await holders(red)).to.deep.equal([[0, one]]);
      const moved = [choir, person('Anna Müller', { groups: ['6a'] })];
      expect(states(await dryRun(moved))).to.deep.equal(['doubtful - namesakes', 'doubtful - namesakes']);
      expect(states(await dryRun([person('Anna Müller', { groups: ['5a'] })]))).to.deep.equal([
        'doubtful - namesakes',
      ]);
      await people.correct(other, { number: '1' });
      const numbered = rows.map((row, index) => ({ ...row, tags: [], number: String(index + 5) }));
      expect(states(await dryRun(numbered))).to.deep.equal(['doubtful - namesakes', 'doubtful - namesakes']);
    });

    it('adds a further namesake with a number of their own, if all others are in the list', async () => {
      await add('Anna Müller', { number: '1' });
      const known = person('Anna Müller', { number: '1' });
      const rows = [known, person('Anna Müller', { number: '2' })];
      expect(states(await dryRun(rows))).to.deep.equal(['new -']);
      expect(states(await dryRun([known, person('Anna Müller')]))).to.deep.equal(['doubtful - namesakes']);
    });

    it('if tag and number point to two persons', async () => {
      const [ada, alan] = [await add('Ada Lovelace'), await add('Alan Turing', { number: '2' })];
      await give(red, ada);
      const row = person('Ada Lovelace', { tags: [red], number: '2' });
      const { rows } = await dryRun([row]);
      expect(rows[0]).to.deep.include({ state: 'doubtful', by: 'tag', doubts: ['two-persons'] });
      expect(rows[0]?.candidates.map(({ id }) => id)).to.deep.equal([ada, alan]);
      await take([row], { choices: { 1: { take: ada } } });
      expect([await numberOf(ada), await numberOf(alan)]).to.deep.equal(['2', undefined]);
    });

    it('if the tag of a known person is somebody else’s', async () => {
      const [ada, alan] = [await add('Ada Lovelace'), await add('Alan Turing')];
      await give(red, alan);
      const row = person('Ada Lovelace', { person: ada, tags: [red] });
      expect(states(await dryRun([row]))).to.deep.equal(['doubtful person two-persons']);
      await take([row], { choices: { 1: { take: ada } } });
      expect(await holders(red)).to.deep.equal([
        [0, alan],
        [MIDNIGHT, ada],
      ]);
    });

    it('which of two rows with one tag takes it', async () => {
      const rows = [person('Ada Lovelace', { tags: [red] }), person('Alan Turing', { tags: [red, blue] })];
      expect(states(await dryRun(rows))).to.deep.equal(['doubtful - tag-twice', 'doubtful - tag-twice']);
      const report = await take(rows, {
        choices: { 1: { take: 'new' }, 2: { take: 'new', tags: 'add' } },
      });
      expect(report).to.include({ new: 2, withoutTag: 1 });
      expect(await holders(red)).to.deep.equal([[0, report.rows[1]?.person]]);
    });

    it('about two rows with one number, or of one person', async () => {
      const ada = await add('Ada Lovelace');
      const numbered = [person('Ada Byron', { number: '1' }), person('Alan Turing', { number: '1' })];
      expect(states(await dryRun(numbered))).to.deep.equal([
        'doubtful - number-twice',
        'doubtful - number-twice',
      ]);
      const rows = [person('Ada Lovelace', { person: ada }), person('Ada King', { person: ada })];
      expect(states(await dryRun(rows))).to.deep.equal([
        'doubtful person namesakes',
        'doubtful person namesakes',
      ]);
      const { refused } = await take(rows, { choices: { 1: { take: ada }, 2: { take: ada } } });
      expect(refused.map(({ line }) => line)).to.deep.equal([1, 2]);
      expect(await nameIn(ada)).to.equal('Ada Lovelace');
    });

    it('and writes nothing while a row is doubtful, which is refused without a name', async () => {
      await add('Ada Lovelace', { number: '1' });
      const report = await take([person('Alan Turing'), person('Grace Hopper', { number: '1' })]);
      expect(report.refused.map(({ line, code }) => [line, code])).to.deep.equal([[2, 'INVALID_NAME_LIST']]);
      expect(report.refused[0]?.message).to.match(/another name.*: choose who it is$/);
      expect(JSON.stringify(report)).not.to.match(/Grace|Lovelace/);
      expect(await storage.people.persons(undefined, 10)).to.have.length(1);
    });
  });

  describe('takes numbers that count the rows', () => {
    const names = ['Ada A', 'Bob B', 'Cleo C', 'Dan D', 'Eve E'];

    beforeEach(async () => {
      for (const [index, name] of names.entries()) await add(name, { number: String(index + 1) });
    });

    const moved = (by: number): readonly Omit<ListedPerson, 'line'>[] =>
      names.map((name, index) => person(name, { number: String(((index + by) % names.length) + 1) }));

    it('for no numbers of members, and leaves them out', async () => {
      expect(await dryRun(moved(1))).to.include({ runningNumber: true, same: 5, doubtful: 0 });
      expect(await dryRun(moved(0))).to.include({ runningNumber: false, same: 5 });
    });

    it('only if three of them or more, and a tenth, are those of others', async () => {
      const two = moved(0).map((row, index) => (index < 2 ? { ...row, number: String(2 - index) } : row));
      expect(await dryRun(two)).to.include({ runningNumber: false, same: 3, doubtful: 2 });
      const others = Array.from({ length: 30 }, (_, index) => `Zed Z${index}`);
      for (const [index, name] of others.entries()) await add(name, { number: String(100 + index) });
      const many = others.map((name, index) => person(name, { number: String(100 + index) }));
      const three = moved(0).map((row, index) => (index < 3 ? { ...row, number: String(3 - index) } : row));
      expect((await dryRun([...three.slice(0, 2), ...many])).runningNumber).to.equal(false);
      expect((await dryRun([...moved(1).slice(0, 3), ...many.slice(0, 27)])).runningNumber).to.equal(true);
      expect((await dryRun([...moved(1).slice(0, 3), ...many.slice(0, 28)])).runningNumber).to.equal(false);
    });

    it('if somebody says so, and for those of members if somebody says that', async () => {
      const report = await take(moved(1), { numbers: 'running' });
      expect(report).to.deep.include({ runningNumber: false, same: 5, refused: [] });
      expect(await dryRun(moved(1), { numbers: 'member' })).to.include({ doubtful: 5 });
    });

    it('and refuses the list if nobody says what they are', async () => {
      const { refused } = await take(moved(1));
      expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([[1, 'INVALID_NAME_LIST']]);
      expect(refused[0]?.message).to.include('numbers=running');
    });
  });

  describe('gives tags', () => {
    it('as a further one of a known person, or in place of the old one, which is lost', async () => {
      const ada = await add('Ada Lovelace');
      await give(red, ada);
      const report = await take([person('Ada Lovelace', { tags: [blue] })]);
      expect(states(report)).to.deep.equal(['changed name tag']);
      expect(await holders(blue)).to.deep.equal([[0, ada]]);
      await take([person('Ada Lovelace', { tags: [green] })], {
        choices: { 1: { take: ada, tags: 'replace' } },
      });
      expect(await holders(green)).to.deep.equal([[0, ada]]);
      for (const tag of [red, blue])
        expect(await holders(tag)).to.deep.equal([
          [0, ada],
          [NOW, 'lost'],
        ]);
    });

    for (const act of ['returned', 'lost'] as const)
      it(`from today, if they were ${act}`, async () => {
        const [ada, alan] = [await add('Ada Lovelace'), await add('Alan Turing')];
        await give(red, ada);
        await people.act(red, { act, since: (MIDNIGHT - 100) as never });
        await take([person('Alan Turing', { tags: [red] })]);
        expect((await holders(red)).at(-1)).to.deep.equal([MIDNIGHT, alan]);
      });

    it('from the beginning to the person whom the first name of the tag makes, with no further row', async () => {
      await take([person('Ada Lovelace', { tags: [red] })]);
      expect(await storage.people.persons(undefined, 10)).to.deep.equal([]);
      expect(await holders(red)).to.deep.equal([[0, `tag-${red}`]]);
      await take([person('Ada King', { tags: [red] })]);
      expect(await storage.people.persons(undefined, 10)).to.deep.equal([]);
      expect(await nameIn(`tag-${red}` as PersonId)).to.equal('Ada King');
      await take([person('Alan Turing', { tags: [blue, green], number: '2', groups: ['7b'] })]);
      expect(await numberOf(`tag-${blue}` as PersonId)).to.equal('2');
      expect(await holders(green)).to.deep.equal([[0, `tag-${blue}`]]);
    });

    it('in place of the entry of a name that was taken away', async () => {
      const ada = await add('Ada Lovelace');
      await give(red, ada);
      await people.remove(ada);
      const { rows } = await take([person('Alan Turing', { tags: [red] })]);
      expect(await holders(red)).to.deep.equal([[0, rows[0]?.person]]);
    });

    it('and leaves a new person without one in the mapping by their tag of last resort', async () => {
      const { rows } = await take([person('Ada Lovelace')]);
      const [ada] = rows;
      expect((await storage.people.persons(undefined, 1))[0]?.isUntagged).to.equal(true);
      expect([...(await storage.mapping.read()).keys()]).to.deep.equal([`FF5442${ada?.person}`]);
    });

    it('without a clock that is right, unless they were somebody’s before', async () => {
      const ada = await add('Ada Lovelace');
      await give(red, ada);
      clock.setSynchronised(false);
      await take([person('Grace Hopper', { tags: [blue], groups: ['7b'] })]);
      const row = person('Alan Turing', { tags: [red] });
      const work = take([row], { choices: { 1: { take: 'new' } } });
      await rejectionOf('CLOCK_NOT_TRUSTED', work);
      expect(await holders(red)).to.deep.equal([[0, ada]]);
    });
  });

  describe('puts persons into groups', () => {
    it('of the list, from the beginning and later from today, and out of all others', async () => {
      const first = await take([
        person('Ada Lovelace', { groups: ['7b', '1st squad'] }),
        person('Alan Turing'),
      ]);
      expect(first.newGroups).to.deep.equal(['7b', '1st squad']);
      const ada = personIn(first);
      const report = await take([person('Ada Lovelace', { groups: ['8b', '1ST SQUAD'] })]);
      expect(states(report)).to.deep.equal(['changed name groups']);
      expect(report.newGroups).to.deep.equal(['8b']);
      const memberships = (await people.person(ada))?.memberships?.map(({ group, since, until }) => [
        group,
        since,
        until,
      ]);
      expect(memberships).to.have.deep.members([
        ['1st squad', 0, undefined],
        ['7b', 0, TODAY - 1],
        ['8b', TODAY, undefined],
      ]);
    });

    it('only if the list has such a column', async () => {
      await add('Ada Lovelace', { groups: ['7b'] });
      expect(await dryRun([person('Ada Lovelace')])).to.include({ same: 1 });
      expect(states(await dryRun([person('Ada Lovelace', { groups: [] })]))).to.deep.equal([
        'changed name groups',
      ]);
    });

    it('by the name of a group that was renamed or merged', async () => {
      await add('Ada Lovelace', { groups: ['7b'] });
      await add('Alan Turing', { groups: ['Board'] });
      await people.groups.rename('7b' as never, '8b');
      await people.groups.merge('7b' as never, 'board' as never);
      const report = await dryRun([person('Ada Lovelace', { groups: ['BOARD'] })]);
      expect(report).to.deep.include({ same: 1, newGroups: [] });
    });
  });

  describe('reports', () => {
    it('the members who are not in the list, once it has somebody who is known, and leaves them', async () => {
      await add('Ada Lovelace');
      const alan = await add('Alan Turing', { groups: ['7b'] });
      await add('Grace Hopper', { until: toDay(TODAY - 1) });
      await add('Gus Guest', { guest: { since: TODAY } });
      expect((await dryRun([person('Emmy Noether')])).left).to.deep.equal([]);
      const { left } = await take([person('Ada Lovelace'), person('Emmy Noether')]);
      expect(left).to.deep.equal([
        { id: alan, name: nameOf('Alan Turing'), number: undefined, groups: ['7b'], tags: [] },
      ]);
      expect(await nameIn(alan)).to.equal('Alan Turing');
    });

    it('how many persons have no tag yet', async () => {
      const ada = await add('Ada Lovelace');
      await give(red, ada);
      const rows = [person('Ada Lovelace'), person('Alan Turing'), person('Emmy Noether', { tags: [blue] })];
      expect((await dryRun(rows)).withoutTag).to.equal(1);
    });

    it('choices that cannot be', async () => {
      await add('Ada Lovelace');
      const { refused } = await dryRun([person('Ada Lovelace')], {
        choices: { 1: { take: '00112233445566' }, 3: { take: 'new' } },
      });
      expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
        [1, 'PERSON_NOT_FOUND'],
        [3, 'INVALID_NAME_LIST'],
      ]);
    });

    it('and keeps the name of a person if the choice says so', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      const row = person('Augusta King', { number: '1', tags: [red] });
      await take([row], { choices: { 1: { take: ada, rename: false } } });
      expect(await nameIn(ada)).to.equal('Ada Lovelace');
      expect(await holders(red)).to.deep.equal([[0, ada]]);
    });
  });

  describe('writes', () => {
    it('nothing in a dry run', async () => {
      const report = await dryRun([person('Ada Lovelace', { tags: [red], number: '1', groups: ['7b'] })]);
      expect(report).to.include({ isDryRun: true, new: 1 });
      expect([...(await storage.mapping.read())]).to.deep.equal([]);
      expect(await storage.people.groups()).to.deep.equal([]);
    });

    it('nothing if somebody may no longer write', async () => {
      const gone = new Error('gone');
      const work = take([person('Ada Lovelace', { tags: [red] })], {
        confirm: () => {
          throw gone;
        },
      });
      expect(await failureOf(work)).to.equal(gone);
      expect([...(await storage.mapping.read())]).to.deep.equal([]);
    });

    it('what it plans anew, if a person of the list changes meanwhile', async () => {
      const ada = await add('Ada Lovelace', { number: '1' });
      const { snapshots } = storage;
      let plans = 0;
      const racing = importer({
        snapshots: {
          take: async () => {
            const taken = await snapshots.take();
            if (plans++ === 0) await people.correct(ada, { name: nameOf('Grace Lovelace') });
            return taken;
          },
        },
      });
      const rows = [person('Ada King', { number: '1' }), person('Alan Turing')];
      const { refused } = await racing.import(each(rows), { tags: tags() });
      expect(plans).to.equal(2);
      expect(refused.map(({ line }) => line)).to.deep.equal([1]);
      expect(await nameIn(ada)).to.equal('Grace Lovelace');
      expect(await storage.people.persons(undefined, 10)).to.have.length(1);
    });

    it('a tag that a person without a name holds: another place removed them', async () => {
      const ada = await add('Ada Lovelace');
      await give(red, ada);
      const { persons } = await storage.people.read({ persons: [ada] });
      const nameless = { id: ada, tags: [red], aliases: [], isUntagged: true as const };
      const rows = { ...noPeopleRows, persons: new Map([[ada, nameless]]) };
      await storage.people.write(rows, { ...noPeopleRows, persons });
      const alan = personIn(await take([person('Alan Turing', { tags: [red] })]));
      expect((await holders(red)).at(-1)?.[1]).to.equal(alan);
    });

    it('nothing if there would be too many groups', async () => {
      const rows = Array.from({ length: 51 }, (_, row) =>
        person(`Ada L${row}`, { groups: Array.from({ length: 20 }, (__, n) => `group ${row} ${n}`) }),
      );
      await rejectionOf('INVALID_GROUP', take(rows));
      expect(await storage.people.groups()).to.deep.equal([]);
    });

    it('names alone where there are no persons', async () => {
      const here = importer({ people: undefined });
      const rows = [person('Ada Lovelace', { tags: [red] })];
      expect(await here.import(each(rows), { tags: tags() })).to.include({ new: 1 });
      expect(await here.import(each([person('Ada King', { tags: [red] })]), { tags: tags() })).to.include({
        changed: 1,
      });
      expect([...(await storage.mapping.read())]).to.deep.equal([[red, nameOf('Ada King')]]);
      const { refused } = await here.import(
        each([...rows, person('Alan Turing'), person('E N', { number: '1' })]),
        { tags: tags() },
      );
      expect(refused.map(({ line }) => line)).to.deep.equal([2, 3]);
    });
  });

  describe('refuses', () => {
    const bad = [
      person('Ada Lovelace', { tags: ['tag'] }),
      person('Ada Lovelace', { tags: [red] }),
      person(''),
      { line: 4, code: 'INVALID_NAME_LIST', message: 'a quote is not closed' },
      person('Alan Turing', { person: 'alan' }),
      person('Alan Turing', { number: 'x'.repeat(41) }),
      person('Alan Turing', { groups: ['x'.repeat(61)] }),
    ] as const;

    it('a list as a whole because of one line, and names all faulty lines', async () => {
      const { refused, ...rest } = await take(bad);
      expect(rest).to.deep.include({ new: 0, rows: [], left: [] });
      expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
        [1, 'INVALID_TALLY_ID'],
        [3, 'INVALID_NAME'],
        [4, 'INVALID_NAME_LIST'],
        [5, 'INVALID_PERSON'],
        [6, 'INVALID_PERSON'],
        [7, 'INVALID_GROUP'],
      ]);
      expect(JSON.stringify(refused)).not.to.match(/Ada|Lovelace|Alan|04A2/);
      expect([...(await storage.mapping.read())]).to.deep.equal([]);
      const shown = await take(bad, { isDryRun: true });
      expect([shown.new, shown.refused.length]).to.deep.equal([1, 6]);
    });

    it(`more than ${NAME_LIST_MAX_LINES} lines, and does not read the rest`, async () => {
      let read = 0;
      async function* lines(): AsyncGenerator<ListRow, void, undefined> {
        for (read = 0; ; read++) yield { line: read + 1, ...person(`Ada ${read}`) };
      }
      const { refused } = await importer().import(lines(), { tags: tags() });
      expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
        [NAME_LIST_MAX_LINES + 1, 'INVALID_NAME_LIST'],
      ]);
      expect(read).to.equal(NAME_LIST_MAX_LINES);
    });

    it('a thousand lines at most, and names one cause once if it is that of all', async () => {
      const lines = Array.from({ length: 1_500 }, () => person('Ada', { tags: ['x'] }));
      expect((await take([person('Ada'), ...lines])).refused.length).to.equal(1_000);
      const { refused } = await take(lines.slice(0, 60));
      expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([[1, 'INVALID_TALLY_ID']]);
      expect(refused[0]?.message).to.match(/; 59 other lines are refused for the same reason$/);
    });

    it('nothing of its own when the store or the source fails', async () => {
      const gone = new Error('gone');
      // oxlint-disable-next-line require-yield -- it fails before the first line.
      async function* failing(): AsyncGenerator<ListRow, void, undefined> {
        throw gone;
      }
      expect(await failureOf(importer().import(failing(), { tags: tags() }))).to.equal(gone);
      await storage.close();
      await rejectionOf('NOT_OPEN', take([person('Ada Lovelace')]));
    });
  });
});
