import {
  createTallybook,
  Emitter,
  implicitPerson,
  ManagedResource,
  TallybookError,
  toTimestamp,
  type AttendanceEvent,
  type IdSource,
  type Indication,
  type PeopleService,
  type Reading,
  type Tallybook,
} from '@tallybook/domain';
import { ManualClock, MemoryStorage, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { red, lovelace, babbage, NOW } from '../../../testing/test/fixtures/known-values.js';

/** A device with a clock of its own, which sends its readings later. */
class LateSource extends ManagedResource implements IdSource {
  readonly name = 'device';
  readonly faults = new Emitter<never>();
  readonly connections = new Emitter<never>();
  readonly connection = 'connected';
  readonly readings = new Emitter<Reading>();

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}

type Announced = Extract<AttendanceEvent, { kind: 'attendance' | 'provisional' }>;

describe('A tap of a tag', () => {
  let clock: ManualClock;
  let storage: MemoryStorage;
  let device: LateSource;
  let tallybook: Tallybook;
  let people: PeopleService;
  let events: Recorder<AttendanceEvent>;
  let indications: Indication[];

  beforeEach(async () => {
    clock = new ManualClock(NOW);
    storage = new MemoryStorage({ stamps: { now: () => clock.now() * 1_000 } });
    device = new LateSource();
    indications = [];
    tallybook = createTallybook({
      ...{ storage, clock, calendar: {}, readers: [device], builtAt: 1_700_000_000 },
      outputs: [{ show: (indication) => void indications.push(indication) }],
      attendance: { repeatWindowMs: 0 },
    });
    await tallybook.open();
    if (tallybook.people === undefined) throw new Error('a storage in memory has people');
    people = tallybook.people;
    events = new Recorder(tallybook.attendance.events);
  });

  afterEach(() => tallybook.close());

  /** Presents the tag now, or as a device did at an earlier second. Returns the announced holder. */
  async function tap(at?: number): Promise<Pick<Announced, 'kind' | 'name' | 'person' | 'isLost'>> {
    device.readings.emit({
      ...{ id: red, reader: 'device', monotonicMs: clock.monotonicMs() },
      ...(at === undefined ? { at: toTimestamp(clock.now()) } : { at: toTimestamp(at), hasOwnTime: true }),
    });
    await tallybook.attendance.settled();
    const { kind, name, person, isLost } = events.values.at(-1) as Announced;
    return { kind, name, ...(person && { person }), ...(isLost && { isLost }) };
  }

  const ofAda = { kind: 'attendance', name: lovelace, person: implicitPerson(red) };

  it('is announced with the person whom its first name made', async () => {
    await tallybook.names.put(red, lovelace);
    expect(await tap()).to.deep.equal(ofAda);
  });

  it('is of nobody if nobody ever held it', async () => {
    expect(await tap()).to.deep.equal({ kind: 'attendance', name: undefined });
  });

  it('is of who held it in that second, also when a device sends it later', async () => {
    await tallybook.names.put(red, lovelace);
    const charles = await people.add({ name: babbage });
    await people.act(red, { act: 'give', person: charles });
    const ofCharles = { kind: 'attendance', name: babbage, person: charles };
    expect(await tap(NOW - 1)).to.deep.equal(ofAda);
    expect(await tap(NOW)).to.deep.equal(ofCharles);
    expect(await tap()).to.deep.equal(ofCharles);
    expect(indications.map(({ name }) => name)).to.deep.equal([lovelace, babbage, babbage]);
  });

  it('is of nobody while it is lost, recorded all the same, and shows as unknown', async () => {
    await tallybook.names.put(red, lovelace);
    await people.act(red, { act: 'lost' });
    expect(await tap()).to.deep.equal({ kind: 'attendance', name: undefined, isLost: true });
    expect(indications).to.deep.equal([{ signal: 'unknown', id: red, reader: 'device' }]);
    const day = tallybook.calendar.dayOf(toTimestamp(NOW));
    expect((await tallybook.attendance.loadDay(day))?.entries).to.have.length(1);
  });

  it('is of nobody after it was returned', async () => {
    await tallybook.names.put(red, lovelace);
    await people.act(red, { act: 'returned' });
    expect(await tap()).to.deep.equal({ kind: 'attendance', name: undefined });
  });

  it('is of the present holder while the time is unknown, and of the one at its time when it is filed', async () => {
    await tallybook.names.put(red, lovelace);
    const charles = await people.add({ name: babbage });
    await people.act(red, { act: 'give', person: charles });
    clock.setSynchronised(undefined);
    clock.set(10);
    expect(await tap()).to.deep.equal({ kind: 'provisional', name: babbage, person: charles });
    // A minute before the tag was handed on.
    clock.advance(60_000);
    clock.set(NOW);
    clock.setSynchronised(true);
    clock.advance(1_000);
    const filed = await events.find('filed', (each) => each.kind === 'attendance');
    expect(filed).to.include({ person: implicitPerson(red) });
  });

  it('is announced without a holder if that cannot be read', async () => {
    storage.people.holderAt = () => Promise.reject(new TallybookError('STORE_CORRUPT', 'damaged'));
    expect(await tap()).to.deep.equal({ kind: 'attendance', name: undefined });
    expect(events.values.map(({ kind }) => kind)).to.deep.equal(['scan', 'name-unavailable', 'attendance']);
  });
});
