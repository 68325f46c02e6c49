import { expect } from 'chai';
import {
  implicitPerson,
  parseGroupId,
  parseTallyId,
  plainGroup,
  plainPerson,
  plainTimeline,
  toDay,
  toTimestamp,
  type PersonId,
} from '@tallybook/domain';
import { BackupService, type BackupDependencies } from '@tallybook/domain/record';
import { ErasureService } from '@tallybook/domain/personal';
import { BACKUP_LINE_MAX_LENGTH } from '../../../src/record/backup/backup.js';
import { rejectionOf } from '../../fixtures/throws.js';
import { listOf, reading } from '../../fixtures/streams.js';
import { PeoplePlace } from '../../fixtures/people-place.js';

const NOW = 1_764_000_000;
const [first, second] = [parseTallyId('04A1000001'), parseTallyId('04A2000002')];
const ada = { first: 'Ada', last: 'Lovelace' };
const bob = { first: 'Bob', last: 'Noyce' };

/** A place whose data can be exported and imported. */
class Place extends PeoplePlace {
  backup(without: readonly (keyof BackupDependencies)[] = []): BackupService {
    const { mapping, days, snapshots, corrections, provisional, erasures, people } = this.storage;
    const all = { mapping, days, snapshots, corrections, provisional, erasures, people };
    const parts = Object.entries({ ...all, timekeeper: this.timekeeper });
    return new BackupService(
      Object.fromEntries(
        parts.filter(([name]) => !without.some((each) => each === name)),
      ) as unknown as BackupDependencies,
    );
  }

  lines(): Promise<readonly string[]> {
    return listOf(this.backup().export());
  }

  import(lines: readonly string[]): ReturnType<BackupService['import']> {
    return this.backup().import(() => reading(lines));
  }

  async rows(): Promise<readonly string[]> {
    const { people, stampedNames } = this.storage;
    return [
      ...(await people.groups()).map((row) => JSON.stringify(plainGroup(row))),
      ...(await people.persons(undefined, 99)).map((row) => JSON.stringify(plainPerson(row))),
      ...(await people.timelines(undefined, 99)).map((row) => JSON.stringify(plainTimeline(row))),
      ...(await stampedNames.page(undefined, 99)).map(({ id, name }) => `${id} ${name?.first ?? ''}`),
    ];
  }

  /** Ada's tag is Bob's since a minute ago; her second one is lost. */
  async handOn(): Promise<PersonId> {
    await this.mapping.put(first, ada);
    const person = await this.people.add({ name: bob, number: '7' });
    await this.people.act(second, { act: 'give', person: implicitPerson(first) });
    await this.people.act(first, { act: 'give', person, since: toTimestamp(NOW - 60) });
    await this.people.act(second, { act: 'lost', since: toTimestamp(NOW - 30) });
    return person;
  }
}

describe('A backup with persons', () => {
  it('gives an empty storage the same rows, and changes nothing the second time', async () => {
    const from = await Place.open(NOW);
    await from.handOn();
    const lines = await from.lines();
    expect(lines.filter((line) => line.includes('"kind":"person"'))).to.have.lengthOf(2);
    expect(lines.some((line) => line.includes('"kind":"name"'))).to.equal(false);
    const to = await Place.open(NOW);
    await to.import(lines);
    expect(await to.rows()).to.deep.equal(await from.rows());
    const latest = await to.storage.journal.latest();
    await to.import(lines);
    expect(await to.rows()).to.deep.equal(await from.rows());
    expect(await to.storage.journal.latest()).to.equal(latest);
    expect(await to.lines()).to.deep.equal(lines);
  });

  it('from before a hand-over leaves the tag to its holder, and keeps an undone act undone', async () => {
    const place = await Place.open(NOW);
    await place.mapping.put(first, ada);
    const other = await place.people.add({ name: bob });
    await place.people.act(second, { act: 'give', person: other });
    await place.people.act(first, { act: 'give', person: other, since: toTimestamp(NOW - 60) });
    const lines = await place.lines();
    place.clock.advance(5_000);
    await place.people.act(first, { act: 'undo' });
    const next = await place.people.add({ name: { first: 'Cy', last: '' } });
    await place.people.act(second, { act: 'give', person: next });
    const before = await place.rows();
    await place.import(lines);
    expect(await place.rows()).to.deep.equal(before);
    expect(await place.mapping.get(first)).to.deep.equal(ada);
  });

  it('gives a name of a tag with a timeline to its first holder, never to the present one', async () => {
    const place = await Place.open(NOW);
    const old = await Place.open(NOW);
    old.clock.advance(5_000);
    await old.mapping.put(first, { first: 'Ada', last: 'King' });
    const person = await place.handOn();
    await place.import(await old.lines());
    expect(await place.mapping.get(first)).to.deep.equal(bob);
    expect((await place.people.person(person))?.name?.value).to.deep.equal(bob);
    const entries = (await place.people.timeline(first)).entries.map(({ holder }) => holder);
    expect(entries).to.deep.equal([implicitPerson(first), person]);
    expect((await place.people.person(implicitPerson(first)))?.name?.value?.last).to.equal('King');
  });

  it('brings nobody back who was erased, and leaves the others what they had', async () => {
    const place = await Place.open(NOW);
    const person = await place.handOn();
    const lines = await place.lines();
    place.clock.advance(5_000);
    const { erasures, people } = place.storage;
    const eraser = new ErasureService({ erasures, people, timekeeper: place.timekeeper });
    await eraser.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    const before = await place.rows();
    const counts = await place.import(lines);
    expect(await place.rows()).to.deep.equal(before);
    expect(counts.refused).to.equal(1);
    expect(JSON.stringify(await place.lines())).to.not.include(person);
  });

  it('has groups before persons, with all memberships and guests, and gives them back once', async () => {
    const from = await Place.open(NOW);
    const person = await from.people.add({ name: ada, groups: ['Chöre', '7b'] });
    await from.people.add({ name: bob, guest: { since: toDay(20_000), host: 'Ada', reason: 'Visit' } });
    await from.people.correct(person, { groups: ['8b'] });
    await from.people.groups.merge(parseGroupId('8b'), parseGroupId('chore'));
    const lines = await from.lines();
    const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).to.deep.equal(['tallybook', 'group', 'group', 'group', 'person', 'person', 'end']);
    expect(JSON.parse(lines.at(-1) ?? '')).to.include({ groups: 3, persons: 2 });
    const to = await Place.open(NOW);
    await to.import(lines);
    expect(await to.rows()).to.deep.equal(await from.rows());
    const latest = await to.storage.journal.latest();
    await to.import(lines);
    expect(await to.storage.journal.latest()).to.equal(latest);
    expect(await to.lines()).to.deep.equal(lines);
  });

  it('does not bring back the memberships and the host of a guest who was erased', async () => {
    const place = await Place.open(NOW);
    const guest = { since: toDay(20_000), host: 'Grace Hopper' };
    const person = await place.people.add({ name: ada, groups: ['Choir'], guest });
    const lines = await place.lines();
    place.clock.advance(5_000);
    const { erasures, people } = place.storage;
    const eraser = new ErasureService({ erasures, people, timekeeper: place.timekeeper });
    await eraser.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    await place.import(lines);
    const left = await place.lines();
    expect(left.filter((line) => line.includes('Hopper') || line.includes(person))).to.deep.equal([]);
    expect(await place.people.groups.list()).to.have.lengthOf(1);
  });

  it('reads each line of a person with the most memberships, of the longest names', async () => {
    const from = await Place.open(NOW);
    const longest = (n: number): string => `${'\uFDFA'.repeat(10)} ${n} ""`;
    const person = await from.people.add({ name: ada, groups: [longest(0)], groupsSince: toDay(0) });
    for (let n = 1; n < 100; n++)
      await from.people.correct(person, { groups: [longest(n)], groupsSince: toDay(n) });
    const lines = await from.lines();
    expect(Math.max(...lines.map(({ length }) => length))).to.be.within(20_000, BACKUP_LINE_MAX_LENGTH);
    const to = await Place.open(NOW);
    await to.import(lines);
    expect(await to.rows()).to.deep.equal(await from.rows());
  });

  it('with nothing but a group is refused by a storage without persons', async () => {
    const from = await Place.open(NOW);
    const person = await from.people.add({ name: ada, groups: ['Choir'] });
    const lines = (await from.lines()).filter((line) => !line.includes(person));
    const [end, ...others] = [...lines].reverse();
    const all = [...others.reverse(), (end ?? '').replace('"persons":1,', '')];
    const to = await Place.open(NOW);
    const error = await rejectionOf(
      'INVALID_BACKUP',
      to.backup(['people']).import(() => reading(all)),
    );
    expect(error.message).to.equal(
      'the backup has persons, groups or carried rows, and there is no store for them here',
    );
  });

  it('is refused by a storage without persons, which is left as it was', async () => {
    const from = await Place.open(NOW);
    await from.handOn();
    const to = await Place.open(NOW);
    const lines = await from.lines();
    const importing = to.backup(['people']).import(() => reading(lines));
    await rejectionOf('INVALID_BACKUP', importing);
    expect(await to.rows()).to.deep.equal([]);
  });
});
