import { createTallybook, TallybookError } from '@tallybook/domain';
import { access } from '@tallybook/domain/access';
import { personal } from '@tallybook/domain/personal';
import { record } from '@tallybook/domain/record';
import { sync, type SyncTransport } from '@tallybook/domain/sync';
import { isCommonPassword, SystemSecrets } from '@tallybook/system';
import { ManualClock, MemoryStorage, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';
import type { TallybookOptions } from '../src/create-tallybook.js';
import type { Fault } from '../src/report.js';
import { rejectionOf } from './fixtures/throws.js';
import { ada, today } from '../../testing/test/fixtures/known-values.js';

const secrets = new SystemSecrets({ workFactor: 10 });

describe('features', () => {
  let storage: MemoryStorage;
  let clock: ManualClock;
  let door: ScriptedIdSource;
  let faults: Fault[];

  beforeEach(() => {
    storage = new MemoryStorage();
    clock = new ManualClock();
    door = new ScriptedIdSource(clock, 'door');
    faults = [];
  });

  afterEach(() => expect(faults).to.deep.equal([]));

  const options = (): TallybookOptions => ({
    ...{ storage, clock, calendar: {}, readers: [door] },
    report: (fault) => faults.push(fault),
  });

  /** The storage without some of its facets. */
  const without = (...facets: string[]): MemoryStorage =>
    Object.assign(storage, Object.fromEntries(facets.map((facet) => [facet, undefined])));

  it('of the record show a corrected day to everybody, and are ready last', async () => {
    await using tallybook = createTallybook({
      ...options(),
      with: [record({ digest: (text) => secrets.digest(text) })],
    });
    const { corrections, health, tags, attendance } = tallybook;
    expect(await health?.read()).to.have.property('isReady', false);
    clock.advance(1_000);
    await tallybook.open();
    door.present(ada);
    await attendance.settled();
    const reason = 'the tag of somebody else';
    const at = clock.now();
    await corrections?.correct([{ action: 'void', day: today, id: ada, at, reason }], 'ada');
    expect((await attendance.loadDay(today))?.entries).to.deep.equal([]);
    expect((await storage.days.load(today))?.entries).to.have.length(1);
    expect((await health?.read())?.parts.map(({ part }) => part)).to.deep.equal([
      'store',
      'backlog',
      'readers',
      'clock',
    ]);
    expect(await health?.read()).to.have.property('isReady', true);
    expect((await tags?.known(new Set([ada])))?.has(ada)).to.equal(true);
  });

  it('of the record do without corrections, tags and health if they are told to', async () => {
    without('corrections');
    const tallybook = createTallybook({
      ...options(),
      with: [record({ corrections: false, health: false })],
    });
    expect(Object.keys(tallybook)).to.include.members(['backup', 'ranges']);
    expect(tallybook).to.not.have.any.keys('corrections', 'health', 'tags');
    await tallybook.open();
    await tallybook.close();
  });

  it('of access note what is done in the audit trail, and tell the app', async () => {
    const acts: unknown[] = [];
    await using tallybook = createTallybook({
      ...options(),
      with: [
        access({ secrets, isCommonPassword, requiresClaim: true, onAct: (...act) => void acts.push(act[1]) }),
      ],
    });
    expect(tallybook.access.state).to.equal('unclaimed');
    await tallybook.open();
    expect(tallybook.access.status).to.equal('open');
    await tallybook.audit.note('ada', 'time-set');
    expect((await tallybook.audit.page(undefined, 10)).entries.map(({ action }) => action)).to.deep.equal([
      'time-set',
    ]);
    expect(acts).to.deep.equal([]);
  });

  it('of personal data erase persons from all features before them', async () => {
    await using tallybook = createTallybook({
      ...options(),
      with: [record(), access({ secrets, isCommonPassword }), personal()],
    });
    await tallybook.open();
    door.present(ada);
    await tallybook.attendance.settled();
    await tallybook.personal?.erasures.erase([ada], { isDryRun: false, actor: 'ada' });
    expect(await tallybook.attendance.loadDay(today)).to.equal(undefined);
    expect(tallybook.personal?.person.sections).to.have.length(1);
    const { entries } = await tallybook.audit.page(undefined, 10);
    expect(entries.map(({ action }) => action)).to.deep.equal(['person-erased']);
    expect((await tallybook.retention.plan()).days).to.deep.equal([]);
  });

  it('of personal data only remove old days without erasures', () => {
    without('erasures');
    const tallybook = createTallybook({ ...options(), with: [record(), personal({ erasures: false })] });
    expect(tallybook).to.have.property('retention');
    expect(tallybook).to.not.have.property('personal');
  });

  it('of synchronisation connect a station to a centre, whose changes do not wait for edits', async () => {
    await using centre = createTallybook({
      ...{ clock, calendar: {}, storage: new MemoryStorage() },
      with: [record(), personal(), sync()],
    });
    await centre.open();
    const noNetwork = (): Promise<never> =>
      Promise.reject(new TallybookError('UPSTREAM_UNAVAILABLE', 'no network'));
    const transport: SyncTransport = {
      push: noNetwork,
      changes: noNetwork,
      snapshot: () => ({ [Symbol.asyncIterator]: () => ({ next: noNetwork }) }),
      abort: () => undefined,
    };
    await using place = createTallybook({
      ...options(),
      with: [record(), sync({ transport, host: 'centre.example.org', version: '1' })],
    });
    expect(place.storage.mapping).to.not.equal(storage.mapping);
    expect(place.storage.days).to.equal(storage.days);
    await place.open();
    expect(place.storage.status).to.equal('open');
    expect(place.station?.status).to.equal('open');
    expect((await place.health?.read())?.parts.at(-1)?.part).to.equal('upstream');
    expect(place).to.have.property('station');
    expect(place).to.not.have.property('centre');
    expect(centre.centre).to.have.property('status', 'open');
    expect((await centre.health?.read())?.parts.at(-1)?.part).to.equal('stations');
  });

  it('say what they need', async () => {
    for (const given of [undefined, {}, { secrets }, { isCommonPassword }]) {
      expect(() => access(given as never)).to.throw(
        TallybookError,
        'access() needs secrets and isCommonPassword',
      );
    }
    expect(() => createTallybook({ ...options(), with: [record as never] })).to.throw(
      TallybookError,
      'with has features, such as record(); got a function',
    );
    const tallybook = createTallybook({ ...options(), with: [personal(), sync()] });
    expect(await rejectionOf('INVALID_OPTION', tallybook.open())).to.have.property(
      'message',
      'personal() needs record() before it; sync() needs record() before it',
    );
  });

  it('say what the storage lacks for each of them when they open', async () => {
    without('corrections', 'erasures', 'access', 'audit', 'stations');
    const tallybook = createTallybook({
      ...options(),
      with: [record(), access({ secrets, isCommonPassword }), personal(), sync()],
    });
    expect(await rejectionOf('INVALID_OPTION', tallybook.open())).to.have.property(
      'message',
      'record() needs corrections, which the storage lacks; access() needs access, audit, which the storage lacks; ' +
        'personal() needs erasures, which the storage lacks; sync() needs corrections, erasures, stations, which the storage lacks',
    );
  });
});
