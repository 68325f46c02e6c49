import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { NO_STAMP, NOWHERE } from '@tallybook/domain';
import { SYNC_MAX_WAIT_MS, type SyncChanges } from '@tallybook/domain/sync';
import { expect } from 'chai';
import {
  ada,
  at,
  babbage,
  bob,
  Centre,
  forgotten,
  grace,
  lovelace,
  NOW,
  pass,
  quiet,
  settle,
  TODAY,
  itAtCentre as test,
} from './sync-world.js';
import { rejectionOf } from '../fixtures/throws.js';
import { listOf } from '../fixtures/streams.js';

const scan = (id: string, seconds: number): object => ({
  kind: 'scan',
  day: TODAY,
  id,
  at: at(seconds),
  reader: 'door',
});
const name = (id: string, its: object | null, stamp: object | null): object => ({
  kind: 'name',
  id,
  name: its,
  stamp,
});
const stamp = (
  seconds: number,
  counter = 0,
  node = 'gate',
): { ms: number; counter: number; node: string } => ({
  ms: (NOW + seconds) * 1_000,
  counter,
  node,
});
const key = 'a'.repeat(32);

describe('a batch of a station at its centre', () => {
  test('is added to the record, with readers, names and corrections', async (centre) => {
    const answer = await centre.take(
      scan(ada, 5),
      { ...scan(bob, 7), filed: { sequence: 3, estimate: { earliest: at(1), latest: at(9) } } },
      name(ada, lovelace, stamp(-9)),
      { kind: 'correction', correction: forgotten(bob, 20) },
    );
    expect(answer).to.deep.equal({
      ...{ protocol: 1, run: 'run', acknowledged: 4, refused: [], superseded: [], erasures: [], now: NOW },
    });
    expect(centre.record()).to.deep.equal({
      scans: [`${TODAY} ${bob} ${at(7)}`, `${TODAY} ${ada} ${at(5)}`],
      names: [`${ada} Ada Lovelace`],
      corrections: [`${TODAY} ${bob} ${at(20)} add approved`],
    });
    const told = centre.contents.changes.entries.map(({ change }) => change);
    expect(told[1]).to.deep.include({
      reader: 'door',
      filed: { sequence: 3, estimate: { earliest: at(1), latest: at(9) } },
    });
  });

  test('changes nothing when it is repeated', async (centre) => {
    const batch = {
      ...{ run: 'run', after: 0, through: 5, status: quiet },
      items: [
        { ...scan(ada, 5), cursor: 1 },
        { ...name(ada, lovelace, null), cursor: 2 },
        { kind: 'correction', correction: forgotten(bob, 20), cursor: 3 },
        {
          kind: 'entries',
          day: TODAY,
          entries: [{ id: bob, first: at(1), last: at(4), count: 7 }],
          cursor: 4,
        },
        {
          kind: 'erasure',
          erasure: { key, digest: key, from: 0, until: at(-9), expiresAt: at(99) },
          cursor: 5,
        },
      ],
    };
    await centre.sync.push('gate', batch);
    const [before, latest] = [centre.contents.copy(), await centre.journal.latest()];
    centre.clock.advance(60_000);
    const answer = await centre.sync.push('gate', batch);
    expect(answer).to.include({ acknowledged: 5 });
    expect(await centre.journal.latest()).to.equal(latest);
    before.stations = centre.contents.stations;
    expect(centre.contents).to.deep.equal(before);
  });

  test('must follow the former batch of its run, and is refused as a whole if something is missing', async (centre) => {
    await centre.take(scan(ada, 5));
    const batch = {
      run: 'run',
      after: 3,
      through: 4,
      items: [{ ...scan(bob, 6), cursor: 4 }],
      status: quiet,
    };
    const { details } = await rejectionOf('SYNC_GAP', centre.sync.push('gate', batch));
    expect(details).to.deep.equal({ run: 'run', expected: 1 });
    await rejectionOf('SYNC_GAP', centre.sync.push('gate', { ...batch, run: 'other' }));
    await rejectionOf('SYNC_GAP', centre.sync.push('other', { ...batch, after: 1 }));
    expect(centre.record().scans).to.have.length(1);
    expect(await centre.sync.push('gate', { ...batch, isRestart: true })).to.include({ acknowledged: 4 });
    expect(await centre.sync.push('gate', { ...batch, after: 2 })).to.include({ acknowledged: 4 });
  });

  test('is accepted without its refused items, which are noted', async (centre) => {
    centre.keepFrom = TODAY;
    const old = { ...scan(ada, 5), day: TODAY - 1 };
    const answer = await centre.take(
      ...[
        scan('000000', 1),
        scan(ada, 5),
        { kind: 'later' },
        old,
        scan(bob, 6),
        name(ada, { first: 1 }, null),
      ],
      { kind: 'entries', day: TODAY - 1, entries: [{ id: bob, first: at(1), last: at(4), count: 7 }] },
      { kind: 'correction', correction: forgotten(bob, 20, { day: toDay(TODAY - 1) }) },
    );
    const codes = answer.refused.map(({ cursor, code }) => `${cursor} ${code}`);
    expect(codes).to.deep.equal([
      ...[
        '1 BLANK_TALLY_ID',
        '3 INVALID_SYNC',
        '4 DAY_NOT_KEPT',
        '6 INVALID_NAME',
        '7 DAY_NOT_KEPT',
        '8 DAY_NOT_KEPT',
      ],
    ]);
    expect(answer).to.include({ acknowledged: 8, keepFrom: TODAY });
    expect(centre.record()).to.deep.equal({
      ...{ names: [], corrections: [] },
      scans: [`${TODAY} ${bob} ${at(6)}`, `${TODAY} ${ada} ${at(5)}`],
    });
    const [record] = await centre.sync.stations();
    expect(record?.refused.map(({ code }) => code)).to.deep.equal(answer.refused.map(({ code }) => code));
    expect(JSON.stringify(record?.refused)).to.not.include(ada);
  });

  test('counts scans of entries with known times only once', async (centre) => {
    await centre.take(...[scan(ada, 1), scan(ada, 4), scan(ada, 9)], {
      kind: 'entries',
      day: TODAY,
      entries: [{ id: ada, first: at(1), last: at(9), count: 7 }],
    });
    const [entry] = (await centre.days.load(TODAY))?.entries ?? [];
    expect(entry).to.deep.include({ first: at(1), last: at(9), count: 7 });
  });

  test('does not restore an erased person, and reports that', async (centre) => {
    await centre.erasures.erase({ ids: [ada], until: at(10), expiresAt: at(1_000) });
    const answer = await centre.take(
      ...[scan(ada, 10), scan(ada, 11), name(ada, lovelace, stamp(10)), name(ada, lovelace, null)],
      { kind: 'entries', day: TODAY - 1, entries: [{ id: ada, first: at(1), last: at(4), count: 7 }] },
      { kind: 'entries', day: TODAY - 2, entries: [{ id: ada, first: at(1), last: at(14), count: 7 }] },
      { kind: 'correction', correction: forgotten(ada, 7) },
    );
    const codes = answer.refused.map(({ cursor, code }) => `${cursor} ${code}`);
    expect(codes).to.deep.equal([1, 3, 4, 5, 7].map((cursor) => `${cursor} TAG_ERASED`));
    expect(answer.erasures).to.have.length(1);
    expect(answer.erasures[0]).to.have.all.keys('key', 'digest', 'from', 'until', 'expiresAt');
    expect(centre.record()).to.deep.equal({
      scans: [`${TODAY - 2} ${ada} ${at(14)}`, `${TODAY} ${ada} ${at(11)}`],
      ...{ names: [], corrections: [] },
    });
    expect((await centre.take(name(ada, grace, stamp(11)))).refused).to.deep.equal([]);
    expect(centre.record().names).to.deep.equal([`${ada} Grace Hopper`]);
  });

  test('is applied after its erasures', async (centre) => {
    await using other = await Centre.open();
    await other.erasures.erase({ ids: [ada], until: at(10), expiresAt: at(1_000) });
    const [its] = await other.erasures.list();
    await centre.take(scan(ada, 3));
    centre.clock.advance(60_000);
    const { refused } = await centre.take(scan(ada, 5), scan(ada, 12), { kind: 'erasure', erasure: its });
    expect(refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
    expect(centre.record().scans).to.deep.equal([`${TODAY} ${ada} ${at(12)}`]);
  });
});

describe('the name of a tag at a centre', () => {
  test('is the latest one, in every order of sending', async (centre) => {
    expect((await centre.take(name(ada, lovelace, stamp(-5)))).superseded).to.deep.equal([]);
    const { superseded } = await centre.take(name(ada, babbage, stamp(-6)), name(bob, grace, stamp(-6)));
    expect(superseded).to.deep.equal([name(ada, lovelace, stamp(-5))]);
    await centre.take(name(ada, null, stamp(-4)));
    expect((await centre.take(name(ada, grace, stamp(-4, 0, 'a')))).superseded).to.deep.equal([
      name(ada, null, stamp(-4)),
    ]);
    expect(centre.record().names).to.deep.equal([`${bob} Grace Hopper`]);
  });

  test('has the time of its arrival, if the station did not know the time', async (centre) => {
    await centre.take(name(ada, lovelace, stamp(200)));
    await centre.take(name(ada, babbage, null), name(bob, grace, null));
    const [first, second] = await centre.stamped.get([ada, bob]);
    expect(first).to.deep.include({ name: babbage, stamp: stamp(200, 1, NOWHERE) });
    expect(second?.stamp).to.deep.equal(stamp(0, 0, NOWHERE));
  });

  test('does not get a later stamp when a name without a stamp comes again', async (centre) => {
    const item = { ...name(ada, lovelace, null), cursor: 1 };
    const batch = { run: 'run', after: 0, through: 1, items: [item], status: quiet };
    await centre.sync.push('gate', batch);
    centre.clock.advance(1_000);
    await centre.mapping.put(ada, babbage);
    centre.clock.advance(1_000);
    const { superseded } = await centre.sync.push('gate', batch);
    expect(superseded.map((each) => each.name)).to.deep.equal([babbage]);
    expect(centre.record().names).to.deep.equal([`${ada} Charles Babbage`]);
  });

  test('is not decided for ever by a clock that is far ahead', async (centre) => {
    await centre.take(name(ada, lovelace, stamp(300)), name(bob, lovelace, stamp(301)));
    const [first, second] = await centre.stamped.get([ada, bob]);
    expect(first?.stamp).to.deep.equal(stamp(300));
    expect(second?.stamp).to.deep.equal(stamp(0, 0, NOWHERE));
    await centre.take(name(bob, grace, stamp(1)));
    expect(centre.record().names).to.include(`${bob} Grace Hopper`);
  });

  test('is earlier than all stamped names, if it was never stamped', async (centre) => {
    await centre.take(name(ada, lovelace, stamp(-5)), name(bob, lovelace, NO_STAMP));
    const { superseded } = await centre.take(name(ada, grace, NO_STAMP), name(bob, grace, stamp(-9)));
    expect(superseded).to.have.length(1);
    expect(centre.record().names).to.deep.equal([`${bob} Grace Hopper`, `${ada} Ada Lovelace`]);
  });

  test('is not written if no received name counts', async (centre) => {
    await centre.erasures.erase({ ids: [ada], until: at(10), expiresAt: at(9_999) });
    const written: unknown[] = [];
    centre.stamped.merge = (names) => {
      written.push(names);
      return Promise.resolve([]);
    };
    const stamp = { ms: at(5) * 1_000, counter: 0, node: 'gate' };
    const { superseded } = await centre.take({ kind: 'name', id: ada, name: lovelace, stamp });
    expect(superseded.map(({ id, name }) => [id, name])).to.deep.equal([[ada, null]]);
    expect(written).to.deep.equal([]);
  });
});

describe('the changes that a centre sends', () => {
  const from = (centre: Centre, cursor: number, waitMs = 0): Promise<SyncChanges> =>
    centre.sync.changes({ origin: centre.contents.changes.origin, cursor }, waitMs);

  test('are names, corrections, erasures and removed days, in their present state', async (centre) => {
    await centre.days.record(TODAY, bob, at(1));
    await centre.mapping.put(bob, babbage);
    await centre.mapping.put(bob, lovelace);
    await centre.corrections.correct([forgotten(bob, 20, { state: 'pending' })]);
    await centre.corrections.decide(1, { state: 'approved', by: 'boss', at: at(30) });
    await centre.days.remove(TODAY);
    await centre.days.merge(TODAY, [{ id: bob, first: at(1), last: at(1), count: 1 }]);
    await centre.mapping.remove(bob);
    await centre.erasures.erase({ ids: [ada], until: at(1), expiresAt: at(9) });
    const { items, cursor, origin, now } = await from(centre, 0);
    expect(items.map(({ kind }) => kind)).to.deep.equal([
      'name',
      'correction',
      'correction',
      'day',
      'erasure',
    ]);
    expect(items[0]).to.deep.include({ id: bob, name: null });
    expect(items[1]).to.have.nested.property('correction.state', 'approved');
    expect([cursor, origin, now]).to.deep.equal([
      await centre.journal.latest(),
      centre.contents.changes.origin,
      NOW,
    ]);
    expect((await from(centre, cursor)).items).to.deep.equal([]);
    expect((await centre.sync.changes(undefined, 9_000)).cursor).to.equal(cursor);
  });

  test('are awaited only if they concern stations', async (centre) => {
    const answers: SyncChanges[] = [];
    const waiting = [1, 2, 3].map(async () => answers.push(await from(centre, 0, 20_000)));
    await settle();
    for (let n = 0; n < 20; n++) await centre.days.record(TODAY, bob, at(n));
    await pass([centre], 5);
    expect(answers).to.deep.equal([]);
    await centre.mapping.put(ada, lovelace);
    await Promise.all(waiting);
    for (const { items, cursor } of answers) {
      expect(items).to.have.length(1);
      expect(cursor).to.equal(21);
    }
  });

  test('are empty when the time is over, with a cursor after changes that concern no station', async (centre) => {
    const waiting = from(centre, 0, 20_000);
    await settle();
    await centre.days.record(TODAY, bob, at(1));
    await pass([centre], 20);
    const { items, cursor } = await waiting;
    expect([items.length, cursor]).to.deep.equal([0, 1]);
    const longest = from(centre, 1, 1e9);
    await pass([centre], SYNC_MAX_WAIT_MS / 1_000);
    expect((await longest).items).to.deep.equal([]);
  });

  test('are empty, at once, when the request is aborted', async (centre) => {
    const { origin, cursor } = await centre.sync.changes(undefined, 0);
    const request = new AbortController();
    const waiting = centre.sync.changes({ origin, cursor }, 20_000, { signal: request.signal });
    await settle();
    request.abort();
    expect((await waiting).items).to.deep.equal([]);
    const { items } = await centre.sync.changes({ origin, cursor }, 20_000, { signal: request.signal });
    expect(items).to.deep.equal([]);
  });

  it('are empty, at once, when the centre closes', async () => {
    const centre = await Centre.open();
    const waiting = from(centre, 0, 20_000);
    await settle();
    await centre.sync.close();
    expect((await waiting).items).to.deep.equal([]);
    await centre[Symbol.asyncDispose]();
  });

  test('are refused after a cursor whose next changes are unknown', async (centre) => {
    await rejectionOf('SYNC_TOO_OLD', from(centre, 7));
    await rejectionOf('SYNC_TOO_OLD', centre.sync.changes({ origin: 'other', cursor: 0 }, 0));
    centre.journal.append({ kind: 'repaired' });
    await rejectionOf('SYNC_TOO_OLD', from(centre, 0));
    expect((await from(centre, 1)).items).to.deep.equal([]);
  });

  test('are a snapshot of all data, with the cursor after which changes follow', async (centre) => {
    const gone = parseTallyId('010203');
    await centre.mapping.put(bob, babbage);
    await centre.mapping.put(gone, grace);
    await centre.mapping.remove(gone);
    await centre.corrections.correct([forgotten(bob, 20)]);
    await centre.erasures.erase({ ids: [ada], until: at(1), expiresAt: at(9) });
    centre.keepFrom = toDay(3);
    const parts = await listOf(centre.sync.snapshot());
    expect(parts.map(({ kind }) => kind)).to.deep.equal([
      ...['head', 'erasure', 'name', 'name', 'correction', 'end'],
    ]);
    const origin = centre.contents.changes.origin;
    expect(parts[0]).to.deep.equal({
      ...{ kind: 'head', protocol: 1, origin, cursor: 5, now: toTimestamp(NOW), keepFrom: 3 },
    });
    expect(parts.at(-1)).to.deep.equal({ kind: 'end', items: 4 });
  });
});

describe('the state of a station at its centre', () => {
  test('is the last reported one, and can be removed', async (centre) => {
    await centre.take(scan(ada, 1));
    expect(await centre.sync.stations()).to.deep.equal([
      { name: 'gate', run: 'run', acknowledged: 1, heardAt: NOW, status: quiet, refused: [] },
    ]);
    expect(await centre.sync.removeStation('gate')).to.equal(true);
    expect(await centre.sync.stations()).to.deep.equal([]);
  });
});
