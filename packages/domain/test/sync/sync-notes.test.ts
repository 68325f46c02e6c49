import { formatDay, TallybookError, toDay, type Day } from '@tallybook/domain';
import { SyncNotes } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { applyKeepFrom } from '../../src/sync/station/apply-items.js';
import {
  ada,
  at,
  bob,
  Centre,
  forgotten,
  grace,
  lovelace,
  pass,
  Station,
  TODAY,
  itAtCentre as test,
} from './sync-world.js';
import { rejectionOf } from '../fixtures/throws.js';
import { notingIn, type Note } from '../fixtures/notes.js';

const digest = 'b'.repeat(32);
const erasure = { key: 'a'.repeat(32), digest, from: 0, until: at(-9), expiresAt: at(99) };
const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
const name = {
  kind: 'name',
  id: ada,
  name: lovelace,
  stamp: { ms: at(-1) * 1_000, counter: 0, node: 'gate' },
};

describe('What synchronisation changes, in the audit trail', () => {
  const taken: Note[] = [];
  const audit = notingIn(taken);

  beforeEach(() => taken.splice(0));

  it('is noted at a centre with the station as the author, and scans are not', async () => {
    await using centre = await Centre.open(undefined, audit);
    await centre.take(scan, { ...scan, id: bob });
    expect(taken).to.deep.equal([]);
    const correction = { kind: 'correction', correction: forgotten(bob, 20) };
    await centre.take(scan, name, correction, { kind: 'erasure', erasure });
    expect(taken).to.deep.equal([
      ['token gate', 'person-erased', { digest }],
      ['token gate', 'synchronised', { names: 1, corrections: 0 }],
      ['token gate', 'synchronised', { names: 0, corrections: 1, number: 1 }],
    ]);
  });

  it('is noted once, even if it comes again', async () => {
    await using centre = await Centre.open(undefined, audit);
    const correction = { kind: 'correction', correction: forgotten(bob, 20) };
    await centre.take(name, correction, { kind: 'erasure', erasure });
    taken.splice(0);
    await centre.take(name, correction, { kind: 'erasure', erasure });
    expect(taken).to.deep.equal([]);
  });

  it('is noted even if a later item of the same batch fails', async () => {
    await using centre = await Centre.open(undefined, audit);
    const { corrections, stamped } = centre;
    const [list, get] = [corrections.list.bind(corrections), stamped.get.bind(stamped)];
    const fail = (): Promise<never> =>
      Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'the disk is full'));
    const items = [
      name,
      { kind: 'correction', correction: forgotten(bob, 20) },
      { kind: 'erasure', erasure },
    ];
    stamped.get = fail;
    await rejectionOf('STORE_WRITE_FAILED', centre.take(...items));
    stamped.get = get;
    corrections.list = fail;
    await rejectionOf('STORE_WRITE_FAILED', centre.take(...items));
    corrections.list = list;
    await centre.take(...items);
    expect(taken).to.deep.equal([
      ['token gate', 'person-erased', { digest }],
      ['token gate', 'synchronised', { names: 1, corrections: 0 }],
      ['token gate', 'synchronised', { names: 0, corrections: 1, number: 1 }],
    ]);
  });

  it('is noted as the number of removed days that the centre does not keep, unless it is 0', async () => {
    await using centre = await Centre.open();
    await using station = await Station.open('hall', centre);
    const notes = new SyncNotes(audit, 'centre hq');
    const old = [TODAY - 9, TODAY - 8, TODAY - 7].map(toDay);
    for (const day of old) await station.days.record(day, ada, at(5));
    const removeDay = async (day: Day): Promise<boolean> => {
      if (day === old[2]) throw new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
      return station.days.remove(day);
    };
    const { days, stamped, corrections, erasures, calendar, timekeeper } = station;
    const parts = { days, stamped, corrections, erasures, calendar, timekeeper, notes, removeDay };
    await applyKeepFrom(toDay(TODAY - 9), parts);
    expect(taken).to.deep.equal([]);
    await rejectionOf('STORE_WRITE_FAILED', applyKeepFrom(toDay(TODAY - 6), parts));
    const details = { before: formatDay(toDay(TODAY - 6)), days: 2, backups: 0 };
    expect(taken).to.deep.equal([['centre hq', 'retention-applied', details]]);
  });

  test('is noted at a station with the centre as the author, except changes of the station itself', async (centre) => {
    await using station = await Station.open('hall', centre, undefined, {
      notes: new SyncNotes(audit, 'centre hq'),
    });
    await station.mapping.put(ada, lovelace);
    await station.corrections.correct([forgotten(ada, 20)]);
    await pass([centre, station], 40);
    expect(taken).to.deep.equal([]);
    await centre.mapping.put(bob, grace);
    await centre.corrections.correct([forgotten(bob, 30)]);
    await pass([centre, station], 40);
    expect(taken).to.deep.equal([
      ['centre hq', 'synchronised', { names: 1, corrections: 0 }],
      ['centre hq', 'synchronised', { names: 0, corrections: 1, number: 2 }],
    ]);
    taken.splice(0);
    await station.tap(bob, 50, toDay(20_410));
    await centre.days.record(toDay(20_410), bob, at(50));
    await pass([centre, station], 40);
    await centre.days.remove(toDay(20_410));
    const [erased] = await centre.erasures.erase({ ids: [ada], until: at(90), expiresAt: at(9_999) });
    await pass([centre, station], 40);
    expect(taken).to.deep.equal([
      ['centre hq', 'day-removed', { day: 20_410 }],
      ['centre hq', 'person-erased', { digest: erased }],
    ]);
  });
});
