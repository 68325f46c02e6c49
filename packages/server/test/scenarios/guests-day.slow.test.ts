import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { contentsOf, formsOfId } from '../../../store-level/test/fixtures/leveldb/files-with-bytes.js';
import { importBackup } from '../../src/command-line/backup-commands.js';
import { answersOf } from '../fixtures/people/answers-of.js';
import { secondOf, timeOf, type Desk } from '../fixtures/people/desk.js';
import { expectRows, rangeOf, rowsOfTable, type Rows } from '../fixtures/people/groups-of.js';
import { Places } from '../fixtures/people/places.js';
import { peopleOf } from '../fixtures/people/year-of.js';

const [ANNA, BEN, LISE] = ['04A1000001', '04B1000001', '04F1000001'];
/** Badges of the house. The red one is lent at both doors, and the blue one never comes back. */
const [RED, BLUE, GREEN] = ['0B1DE00001', '0B1DE00002', '0B1DE00003'];

/** What nobody may find of the guests in the end, beside their ids. */
const TEXTS = ['Graziella', 'Hedwigga', 'Idabella', 'Joanetta', 'Katinka', 'Vexley', 'Pianotuning'];

interface Site {
  readonly office: Desk;
  readonly hall: Desk;
}

type Guests = Readonly<Record<'grace' | 'hedy' | 'ida' | 'joan' | 'kay' | 'lise' | 'mary', string>>;

/** On Friday the members are there, each in a group. */
async function register({ office, hall }: Site): Promise<{ readonly carl: string }> {
  await office.name(ANNA, 'Anna Schmidt');
  await office.person({ id: `tag-${ANNA}`, groups: ['7b'] });
  await office.name(BEN, 'Ben Novak');
  await office.person({ id: `tag-${BEN}`, groups: ['7b'] });
  const { id: carl } = await office.person({ name: 'Carl Lang', groups: ['Board'] });
  await hall.tap('03-07 08:00', ANNA);
  await office.tap('03-07 08:10', BEN);
  return { carl };
}

/** On Monday guests come to both doors. The hall is offline. */
async function live({ office, hall }: Site): Promise<Guests> {
  const grace = await office.guest('03-10 08:00', 'Graziella One', {
    ...{ badge: RED, host: 'Otto Vexley', reason: 'Pianotuning' },
  });
  await office.tap('03-10 08:05', ANNA);
  await hall.tap('03-10 08:10', BEN);
  const hedy = await hall.guest('03-10 08:30', 'Hedwigga Two', { badge: BLUE, host: 'Otto Vexley' });
  await hall.takeBack('03-10 09:30', BLUE);
  await office.takeBack('03-10 10:00', RED);
  const ida = await hall.guest('03-10 10:30', 'Idabella Three', { badge: BLUE });
  // Somebody took the badge along from the office to the hall, which knows nothing of the guest who had it.
  const joan = await hall.guest('03-10 11:00', 'Joanetta Four', { badge: RED, reason: 'Pianotuning' });
  const kay = await office.guest('03-10 11:30', 'Katinka Five');
  await office.person({ id: `tag-${BEN}`, groups: ['8a'] });
  const lise = await hall.guest('03-10 12:00', 'Lise Meitner', { badge: GREEN });
  await hall.person({ id: `tag-${BEN}`, groups: ['9c'] });
  const mary = await office.guest('03-10 13:00', 'Mary Jackson');
  // One guest joins in the afternoon, and gets a tag of her own.
  await hall.person({ id: lise, guest: null, groups: ['Board'] });
  await hall.takeBack('03-10 15:00', GREEN);
  await hall.act('03-10 15:05', LISE, 'give', { person: lise });
  await hall.takeBack('03-10 16:00', RED);
  await hall.tap('03-10 16:30', BLUE);
  return { grace, hedy, ida, joan, kay, lise, mary };
}

async function guestsOf(desk: Desk): Promise<readonly string[]> {
  return (await peopleOf(desk)).flatMap(({ id, guest }) => (guest === null ? [] : [id]));
}

/** Who was there on Monday, as the muster list and Today have it. */
const MONDAY = [
  `Graziella One, guest of Otto Vexley (Pianotuning), in none: ${RED} 08:00-10:00 2`,
  `Anna Schmidt, in 7b: ${ANNA} 08:05-08:05 1`,
  `Ben Novak, in 8a, 9c: ${BEN} 08:10-08:10 1`,
  `Hedwigga Two, guest of Otto Vexley (), in none: ${BLUE} 08:30-09:30 2`,
  `Idabella Three, guest of nobody (), in none: ${BLUE} 10:30-16:30 2`,
  `Joanetta Four, guest of nobody (Pianotuning), in none: ${RED} 11:00-16:00 2`,
  'Katinka Five, guest of nobody (), in none: last resort 11:30-11:30 1',
  `Lise Meitner, in board: ${GREEN} 12:00-15:00 2`,
  'Mary Jackson, guest of nobody (), in none: last resort 13:00-13:00 1',
];

interface TodayAnswer {
  readonly people: readonly {
    readonly person: string;
    readonly name: { readonly first: string; readonly last: string };
    readonly groups: readonly string[];
    readonly isGuest: boolean;
    readonly ids: readonly string[];
    readonly first: number;
    readonly last: number;
    readonly scans: number;
  }[];
}

async function mondayOf(desk: Desk, query = ''): Promise<readonly string[]> {
  const { people } = await desk.json<TodayAnswer>(`/api/today${query}`);
  const guests = new Map((await peopleOf(desk)).map(({ id, guest }) => [id, guest]));
  return people.map(({ person, name, groups, isGuest, ids, first, last, scans }) => {
    const guest = guests.get(person) ?? null;
    expect(guest !== null, person).to.equal(isGuest);
    const host = guest === null ? '' : `guest of ${guest.host ?? 'nobody'} (${guest.reason ?? ''}), `;
    const tags = ids.map((id) => (id === `FF5442${person}` ? 'last resort' : id)).join(' ');
    const times = [first, last].map((second) => timeOf(second).slice('MM-DD '.length)).join('-');
    return `${name.first} ${name.last}, ${host}in ${groups.join(', ') || 'none'}: ${tags} ${times} ${scans}`;
  });
}

/** Both files and the table have these rows, for each group or everybody. */
async function expectFiles(desk: Desk, range: readonly [string, string], files: Files): Promise<void> {
  for (const [group, rows] of Object.entries(files)) {
    await expectRows(desk, rangeOf(...range, group === '' ? undefined : group), rows);
  }
}

type Files = Readonly<Record<string, Rows>>;

/** Friday and Monday, with the guests. */
const FILES: Files = {
  '7b': [
    ['Ben Novak', '1', '03-07 08:10', '(03-10 08:10)'],
    ['Anna Schmidt', '2', '03-07 08:00', '03-10 08:05'],
    ['= 7b', '', '2', '1'],
  ],
  '8a': [
    ['Ben Novak', '1', '(03-07 08:10)', '03-10 08:10'],
    ['= 8a', '', '0', '1'],
  ],
  '9c': [
    ['Ben Novak', '1', '(03-07 08:10)', '03-10 08:10'],
    ['= 9c', '', '0', '1'],
  ],
  board: [
    ['Carl Lang', '0', '', ''],
    ['Lise Meitner', '1', '', '03-10 12:00'],
    ['= Board', '', '0', '1'],
  ],
};

/** Everybody on Monday: the guests are in the file too, in no group. */
const EVERYBODY: Rows = [
  ['Katinka Five', '1', '03-10 11:30'],
  ['Joanetta Four', '1', '03-10 11:00'],
  ['Mary Jackson', '1', '03-10 13:00'],
  ['Carl Lang', '0', ''],
  ['Lise Meitner', '1', '03-10 12:00'],
  ['Ben Novak', '1', '03-10 08:10'],
  ['Graziella One', '1', '03-10 08:00'],
  ['Anna Schmidt', '1', '03-10 08:05'],
  ['Idabella Three', '1', '03-10 10:30'],
  ['Hedwigga Two', '1', '03-10 08:30'],
  ['= 7b', '', '1'],
  ['= 8a', '', '1'],
  ['= 9c', '', '1'],
  ['= Board', '', '1'],
];

async function expectMonday(desk: Desk): Promise<void> {
  expect(await mondayOf(desk)).to.deep.equal(MONDAY);
  expect(await mondayOf(desk, '?group=8a')).to.deep.equal([MONDAY[2]]);
  expect(await mondayOf(desk, '?group=7b')).to.deep.equal([MONDAY[1]]);
  await expectFiles(desk, ['03-07', '03-10'], FILES);
  await expectFiles(desk, ['03-10', '03-10'], { '': EVERYBODY });
}

/** The days of those who are no guests, by name, without rows of groups. */
async function membersOf(desk: Desk): Promise<Readonly<Record<string, readonly string[]>>> {
  const guests = (await peopleOf(desk)).flatMap(({ guest, name }) =>
    guest === null ? [] : [`${name?.first} ${name?.last}`],
  );
  const rows = await rowsOfTable(desk, rangeOf('03-01', '04-30'));
  return Object.fromEntries(
    rows
      .filter(([name = '']) => !name.startsWith('= ') && !guests.includes(name))
      .map(([name = '', , ...times]) => [name, times.filter((time) => time !== '')]),
  );
}

const MEMBERS = {
  'Carl Lang': [],
  'Anna Schmidt': ['03-07 08:00', '03-10 08:05', '03-20 08:00', '04-12 09:00'],
  'Ben Novak': ['03-07 08:10', '03-10 08:10'],
  'Lise Meitner': ['03-10 12:00'],
  'Mary Jackson': ['03-10 13:00'],
};

interface PersonData {
  readonly days: readonly object[];
  readonly corrections: readonly object[];
  readonly provisional: readonly object[];
  readonly journal: readonly { readonly kind: string }[];
}

const TAGS = [ANNA, BEN, LISE, RED, BLUE, GREEN];

describe('A day with guests at two doors, and a station offline', () => {
  const places = new Places('03-07 07:00');
  const postgres = usePostgres();

  const kinds = [
    ['LevelDB', (name: string) => `level:${places.folder.path(name)}`],
    ['PostgreSQL', () => postgres.current.site()],
  ] as const;

  for (const [kind, storeOf] of kinds)
    it(`is told at a centre on ${kind}, and is erased there and at the station after the limit`, async () => {
      const { office, offline, before, meet } = await places.part(
        storeOf('centre'),
        register,
        ({ carl }) => carl,
      );
      const { carl } = before;
      const { lise, mary, ...guests } = await live({ office, hall: offline });
      const hall = await meet();
      await expectMonday(office);
      const copy = await places.copyOf(office, `level:${places.folder.path('copy')}`, 2);
      await expectMonday(copy);
      expect(await peopleOf(copy)).to.deep.equal(await peopleOf(office));
      await places.end(copy);
      const old = places.folder.path('old.jsonl');
      await writeFile(old, await office.bytes('/api/export'));

      await office.person({ id: mary, guest: null });
      await hall.tap('03-20 08:00', ANNA);
      await office.tap('03-20 08:05', `FF5442${guests.kay}`);
      await places.isSent(hall);
      const ids = Object.values(guests);
      const wanted = [...TEXTS, ...ids, RED, BLUE];
      const folders = [
        ...(kind === 'LevelDB' ? [places.folder.path('centre')] : []),
        places.folder.path('station'),
      ];
      const said = async (desk: Desk): Promise<readonly string[]> => {
        const asked = { tags: TAGS, people: [...ids, lise, mary, carl] };
        const answers = await answersOf(desk, '03-07', '04-30', asked);
        return wanted.filter((text) => answers.includes(text));
      };
      const written = async (): Promise<readonly string[]> => {
        const found: string[] = [];
        for (const folder of folders) {
          const contents = [...(await contentsOf(folder)).values()].flat();
          const has = (form: Buffer): boolean => contents.some((content) => content.includes(form));
          found.push(...TEXTS.filter((text) => has(Buffer.from(text))));
          found.push(...ids.filter((id) => formsOfId(id).some(has)));
        }
        return found;
      };
      expect(await said(office)).to.deep.equal(wanted);
      expect(await said(hall)).to.deep.equal(wanted);
      expect(await written()).to.deep.equal(folders.flatMap(() => [...TEXTS, ...ids]));

      /** Resolves when the centre has only these guests, the station heard of it, and both wrote their files anew. */
      const isErased = async (...left: readonly string[]): Promise<void> => {
        const areDone = (desk: Desk): Promise<void> =>
          places.settle(async () => {
            const erasures = await desk.json<readonly { readonly state: string }[]>('/api/erasures');
            return erasures.every(({ state }) => state === 'done');
          }, 600_000);
        await places.settle(async () => (await guestsOf(office)).join() === left.join(), 600_000);
        // The station hears of an erasure when it is done: after the rows are gone here.
        await areDone(office);
        await places.isCaughtUp(hall, office, carl);
        expect(await guestsOf(hall)).to.deep.equal(left);
        await areDone(hall);
      };
      await hall.tap('04-12 09:00', ANNA);
      await places.isSent(hall);
      await isErased(guests.kay);
      places.clock.set(secondOf('04-25 09:00'));
      await isErased();

      // Of a badge it may still be told that it was lent, but not to whom: see below.
      const ofGuests = async (desk: Desk): Promise<readonly string[]> =>
        (await said(desk)).filter((text) => text !== RED && text !== BLUE);
      for (const desk of [office, hall]) {
        expect(await ofGuests(desk)).to.deep.equal([]);
        // That a badge was lent and came back stays in the journal: no person, and no time.
        for (const badge of [RED, BLUE]) {
          const { days, corrections, provisional, journal } = await desk.json<PersonData>(
            `/api/person/data?id=${badge}`,
          );
          expect([...days, ...corrections, ...provisional]).to.deep.equal([]);
          expect(journal.filter(({ kind }) => kind !== 'tag' && kind !== 'name')).to.deep.equal([]);
          for (const change of journal) expect(change).to.not.have.any.keys('at', 'day', 'person');
        }
        expect((await desk.detail(lise)).timelines.map(({ tag }) => tag)).to.include(GREEN);
      }
      expect(await written()).to.deep.equal([]);
      expect(await membersOf(office)).to.deep.equal(MEMBERS);
      await expectFiles(office, ['03-07', '03-10'], FILES);
      const later = await places.copyOf(office, `level:${places.folder.path('later')}`);
      expect(await ofGuests(later)).to.deep.equal([]);
      expect(await membersOf(later)).to.deep.equal(MEMBERS);

      // The badge that never came back is lent again.
      const nora = await hall.guest('04-26 08:00', 'Nora Six', { badge: BLUE });
      expect(await mondayOf(hall)).to.deep.equal([
        `Nora Six, guest of nobody (), in none: ${BLUE} 08:00-08:00 1`,
      ]);
      await places.isSent(hall);
      expect((await peopleOf(office)).find(({ guest }) => guest !== null)?.id).to.equal(nora);

      // A backup of the day itself brings them back for no longer than until the next look.
      await places.end(later);
      await importBackup(`level:${places.folder.path('later')}`, old);
      const restored = await places.start(`level:${places.folder.path('later')}`);
      expect(await guestsOf(restored)).to.have.members(ids.filter((id) => id !== guests.kay));
      await places.settle(async () => (await guestsOf(restored)).length === 0, 600_000);
      expect(await said(restored)).to.deep.equal([]);
      expect(await membersOf(restored)).to.deep.equal(MEMBERS);
    }).timeout(180_000);
});
