import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { rejectionOf } from '../fixtures/throws.js';
import {
  Calendar,
  implicitPerson,
  parseTallyId,
  PeopleService,
  Timekeeper,
  toDay,
  toTimestamp,
  type PersonId,
  type TallyId,
} from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { dataOfPerson, ErasureService } from '@tallybook/domain/personal';
import { ManualClock } from '@tallybook/testing';
import { listOf, reading } from '../fixtures/streams.js';
import { PeoplePlace } from '../fixtures/people-place.js';
import { testOn } from '../fixtures/test-on.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

const NOW = 1_764_000_000;
const DAY = 86_400;
const [first, second, third] = ['04A1', '04A2', '04A3'].map((each) => parseTallyId(`${each}000001`)) as [
  TallyId,
  TallyId,
  TallyId,
];
const ada = { first: 'Ada', last: 'Lovelace' };
const bob = { first: 'Bob', last: 'Noyce' };

/** A place whose clock shows a time 100 days before {@link NOW}. */
class World extends PeoplePlace {
  readonly erasing = new ErasureService({
    ...{ erasures: this.storage.erasures, people: this.storage.people, timekeeper: this.timekeeper },
  });

  constructor() {
    super(NOW - 100 * DAY);
  }

  /** Taps a tag now, and lets a day pass. */
  async tap(tag: TallyId): Promise<void> {
    const at = toTimestamp(this.clock.now());
    await this.storage.days.record(toDay(Math.floor(at / DAY)), tag, at, { reader: 'door' });
    this.clock.set(at + DAY);
  }

  /** Ada taps the first tag, and then it is given to Bob. */
  async handOn(more: { readonly number?: string } = {}): Promise<PersonId> {
    await this.mapping.put(first, ada);
    await this.tap(first);
    const person = await this.people.add({ name: bob, ...more });
    await this.people.act(first, { act: 'give', person });
    return person;
  }

  async daysOf(tag: TallyId): Promise<number> {
    let days = 0;
    for await (const trace of this.storage.erasures.trace(tag)) if (trace.kind === 'entry') days++;
    return days;
  }

  erase(...persons: readonly PersonId[]): ReturnType<ErasureService['erase']> {
    return this.erasing.erase([], { persons, isDryRun: false, actor: 'desk' });
  }
}

const test = testOn(() => World.open());

describe('Erasing a person', () => {
  test('leaves a namesake alone', async (world) => {
    await world.mapping.put(first, ada);
    await world.mapping.put(second, ada);
    await world.tap(first);
    await world.tap(second);
    await world.erase(implicitPerson(first));
    expect([...(await world.mapping.read())]).to.deep.equal([[second, ada]]);
    expect([await world.daysOf(first), await world.daysOf(second)]).to.deep.equal([0, 1]);
  });

  test('takes all that were merged into them', async (world) => {
    const [one, other] = [await world.people.add({ name: ada }), await world.people.add({ name: ada })];
    await world.people.act(first, { act: 'give', person: one });
    await world.people.act(second, { act: 'give', person: other });
    await world.people.merge(one, other);
    await world.tap(first);
    await world.tap(second);
    await world.erase(other);
    const { people } = world.storage;
    expect([await people.persons(undefined, 10), await people.timelines(undefined, 10)]).to.deep.equal([
      [],
      [],
    ]);
    expect([...(await world.mapping.read())]).to.deep.equal([]);
    expect([await world.daysOf(first), await world.daysOf(second)]).to.deep.equal([0, 0]);
  });

  test('ends now, though a place whose clock was ahead handed their tag on', async (world) => {
    const [one, next] = [await world.people.add({ name: ada }), await world.people.add({ name: bob })];
    await world.people.act(first, { act: 'give', person: one });
    const { people } = world.storage;
    const timekeeper = new Timekeeper(new ManualClock(NOW));
    const ahead = new PeopleService({ people, timekeeper, calendar: new Calendar({}) });
    await ahead.act(first, { act: 'give', person: next });
    await world.erase(one);
    const now = world.clock.now();
    for (const { until, isClosed } of await world.storage.erasures.list())
      expect({ until, isClosed }).to.deep.equal({ until: now, isClosed: undefined });
    expect(world.storage.erasures.isRefused(first, toTimestamp(now + 1))).to.equal(false);
  });

  test('erases only their time with a tag that was handed on, and all their other tags', async (world) => {
    await world.handOn();
    await world.people.act(second, { act: 'give', person: implicitPerson(first) });
    await world.tap(first);
    await world.tap(second);
    const report = await world.erase(implicitPerson(first));
    expect(report.tags.map(({ id, days }) => [id, days])).to.deep.equal([
      [first, 1],
      [second, 1],
    ]);
    expect([await world.mapping.get(first), await world.mapping.get(second)]).to.deep.equal([bob, undefined]);
    expect([await world.daysOf(first), await world.daysOf(second)]).to.deep.equal([1, 0]);
    expect(await world.people.person(implicitPerson(first))).to.equal(undefined);
    expect(JSON.stringify(await world.people.timeline(first))).to.not.include(implicitPerson(first));
  });

  test('erases only the earlier time of a tag that came back to its first holder', async (world) => {
    const next = await world.handOn();
    await world.tap(first);
    await world.people.act(first, { act: 'give', person: implicitPerson(first) });
    await world.tap(first);
    await world.erase(next);
    expect(await world.daysOf(first)).to.equal(2);
    expect(await world.mapping.get(first)).to.deep.equal(ada);
  });

  test('refuses a tag that had other holders, and names the persons', async (world) => {
    await world.mapping.put(first, ada);
    const next = await world.people.add({ name: bob });
    await world.people.act(first, { act: 'give', person: next });
    const erasing = world.erasing.erase([first], { isDryRun: true, actor: 'desk' });
    const { message } = await rejectionOf('PERSON_CONFLICT', erasing);
    expect(message).to.include(next).and.to.include(implicitPerson(first));
  });

  test('reports what was recorded without a tag, and looks for the person in backups', async (world) => {
    const { erasures, people } = world.storage;
    const person = await world.people.add({ name: bob });
    const untagged = people.lastResortOf(person);
    await world.tap(untagged);
    const searched: string[] = [];
    const backups = {
      holding: (ids: ReadonlySet<string>) => {
        searched.push(...ids);
        return Promise.resolve([]);
      },
    };
    const erasing = new ErasureService({ erasures, people, backups, timekeeper: world.timekeeper });
    const { tags } = await erasing.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    expect(tags.map(({ id, days, scans }) => ({ id, days, scans }))).to.deep.equal([
      { id: untagged, days: 1, scans: 1 },
    ]);
    expect(searched).to.deep.equal([untagged, person]);
    expect(await world.daysOf(untagged)).to.equal(0);
  });

  test('finds no person in a storage without people', async (world) => {
    const { erasures } = world.storage;
    const erasing = new ErasureService({ erasures, timekeeper: world.timekeeper });
    const persons = [implicitPerson(first)];
    const asked = { persons, isDryRun: true, actor: 'desk' };
    await rejectionOf('PERSON_NOT_FOUND', erasing.erase([], asked));
  });

  test('takes their changes out of the journal, and tells their digest', async (world) => {
    const person = await world.people.add({ name: bob });
    await world.people.act(third, { act: 'give', person });
    await world.erase(person);
    const page = await world.storage.journal.read(0, 100);
    const changes = page.isKnown ? page.entries.map(({ change }) => change) : [];
    expect(JSON.stringify(changes)).to.not.include(person).and.to.not.include(third);
    expect(changes.map(({ kind }) => kind)).to.deep.equal(['erased', 'erased']);
  });

  test('keeps an older backup from bringing them back, and nobody else', async (world) => {
    const next = await world.handOn({ number: '7' });
    await world.tap(first);
    const { mapping, days, snapshots, people, erasures, corrections, provisional } = world.storage;
    const { timekeeper } = world;
    const stores = { mapping, days, snapshots, people, erasures, corrections, provisional };
    const backup = new BackupService({ ...stores, timekeeper });
    const lines = await listOf(backup.export());
    await world.erase(next);
    const before = [...(await world.mapping.read())];
    await backup.import(() => reading(lines));
    expect([...(await world.mapping.read())]).to.deep.equal(before);
    expect(await world.people.person(next)).to.equal(undefined);
    expect(await world.daysOf(first)).to.equal(1);
  });
});

describe('The data of a person', () => {
  test('have what was recorded while they held their tags, and no more', async (world) => {
    const next = await world.handOn();
    await world.tap(first);
    await world.tap(first);
    const { erasures, people } = world.storage;
    const pieces = dataOfPerson(next, toTimestamp(world.clock.now()), { erasures, people });
    const data = (await json(pieces)) as {
      readonly person: { readonly name: unknown };
      readonly tags: readonly { readonly id: string; readonly days: readonly unknown[] }[];
    };
    expect(data.person).to.deep.include({ name: bob, number: null });
    expect(data.tags.map(({ id, days }) => [id, days.length])).to.deep.equal([
      [first, 2],
      [people.lastResortOf(next), 0],
    ]);
  });

  test('have the provisional scans of their time with a tag, and without a time those of the present holder', async (world) => {
    const next = await world.handOn();
    const since = toTimestamp(world.clock.now());
    const { erasures, people, provisional } = world.storage;
    const times = { before: since - 60, after: since + 60, unknown: undefined };
    for (const [reader, at] of Object.entries(times)) {
      const sequence = await provisional.add(unplacedScan(first, since, { reader, bootId: reader }));
      const day = toDay(Math.floor(since / DAY));
      if (at !== undefined)
        await provisional.settle(sequence, { day, at: toTimestamp(at), isRecorded: true });
    }
    const scansOf = async (person: PersonId): Promise<unknown> => {
      const data = (await json(dataOfPerson(person, toTimestamp(since + DAY), { erasures, people }))) as {
        readonly tags: readonly { readonly provisional: readonly { readonly reader: string }[] }[];
      };
      return data.tags[0]?.provisional.map(({ reader }) => reader);
    };
    expect(await scansOf(implicitPerson(first))).to.deep.equal(['before']);
    expect(await scansOf(next)).to.deep.equal(['after', 'unknown']);
  });
});
