import type { TallyId, Timestamp } from '@tallybook/domain';
import { CENTRE_ERASURES_MAX, ERASURE_KEYS_MAX, type Erasure } from '@tallybook/domain/record';
import { CentreSync, upstreamCheck, type SyncAnswer } from '@tallybook/domain/sync';
import { expect } from 'chai';
import {
  ada,
  at,
  bob,
  type Centre,
  NOW,
  quiet,
  settle,
  Station,
  TODAY,
  itAtCentre as test,
} from './sync-world.js';

const digits = (number: number): string => number.toString(16).padStart(32, '0');
/** An erasure of a tag that nobody has, by a device with a numbered key. */
const by = (key: number, tag = 0): Erasure => ({
  ...{ key: digits(key), digest: digits(key * 1_000 + tag), from: at(-1_000) },
  ...{ until: at(-5), expiresAt: at(1_000_000) },
});
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

/** Sends erasures like a station, in a run of its own. */
function send(
  centre: Pick<Centre, 'sync'>,
  station: string,
  erasures: readonly Erasure[],
  more: readonly object[] = [],
): Promise<SyncAnswer> {
  const items = [...erasures.map((erasure) => ({ kind: 'erasure', erasure })), ...more].map(
    (item, index) => ({ ...item, cursor: index + 1 }),
  );
  const run = `run ${Math.random()}`;
  return centre.sync.push(station, { run, after: 0, through: items.length, items, status: quiet });
}

const keysOf = async ({ erasures }: Pick<Centre, 'erasures'>): Promise<ReadonlySet<string>> =>
  new Set((await erasures.list()).map(({ key }) => key));
const codesOf = ({ refused }: SyncAnswer): readonly string[] => refused.map(({ code }) => code);
const erase = ({ erasures }: Pick<Centre, 'erasures'>, id: TallyId): Promise<readonly string[]> =>
  erasures.erase({ ids: [id], until: at(0), expiresAt: at(1_000_000) });

describe('erasures at a centre', () => {
  test('do not change when their digests come under another key', async (centre) => {
    await erase(centre, ada);
    const before = await centre.erasures.list();
    const forged = before.map(({ digest }) => ({ ...by(7), digest, until: at(-9) }));
    expect(codesOf(await send(centre, 'hostile', forged))).to.deep.equal([]);
    expect(await centre.erasures.list()).to.deep.include(before[0]);
    const answer = await send(centre, 'gate', [], [{ kind: 'scan', day: TODAY, id: ada, at: at(-9) }]);
    expect(codesOf(answer)).to.deep.equal(['TAG_ERASED']);
    expect(answer.erasures.map(({ key }) => key)).to.deep.equal([centre.erasures.key]);
  });

  test('are looked up in pieces, so that other work can run during a long batch', async (centre) => {
    let pauses = 0;
    const { clock, erasures } = centre;
    const sync = new CentreSync({
      ...centre.parts(),
      people: undefined,
      erasures: {
        key: erasures.key,
        add: (...some) => erasures.add(...some),
        shorten: (some) => erasures.shorten(some),
        list: () => erasures.list(),
        of: (id) => erasures.of(id),
        isRefused: (id: TallyId, time: Timestamp | undefined): boolean => {
          if (pauses < 10) clock.advance(5);
          return erasures.isRefused(id, time);
        },
      },
      pause: () => {
        pauses++;
        return Promise.resolve();
      },
    });
    await sync.open();
    const items = range(0, 20).map((n) => {
      const id = `04${n.toString(16).padStart(8, '0')}`;
      return { kind: 'scan', day: TODAY, id, at: NOW, cursor: n + 1 };
    });
    await sync.push('gate', { run: 'run', after: 0, through: 20, items, status: quiet });
    expect(pauses).to.equal(10);
    await sync.close();
  });
});

describe('the key of erasures', () => {
  test('is that of the centre at each station, before anybody is erased', async (centre) => {
    await using hall = await Station.open('hall', centre);
    await using gate = await Station.open('gate', centre);
    await settle();
    expect([hall.erasures.key, gate.erasures.key]).to.deep.equal([centre.erasures.key, centre.erasures.key]);
    for (const station of [hall, gate]) station.transport.fate = () => 'lost';
    await erase(hall, ada);
    await erase(gate, bob);
    await erase(centre, ada);
    for (const station of [hall, gate]) {
      station.transport.fate = () => 'arrives';
      station.sync.wake();
    }
    await settle();
    expect([...(await keysOf(centre))]).to.deep.equal([centre.erasures.key]);
    expect(await centre.erasures.list()).to.have.lengthOf(2);
  });

  test('stays that of a station that erased somebody before it met its centre, which then gets the erasure', async (centre) => {
    await using station = new Station('hall', centre);
    await station.open();
    await centre.days.record(TODAY, ada, at(-9));
    await erase(station, ada);
    await station.open(station.sync);
    await settle();
    expect(centre.record().scans).to.deep.equal([]);
    expect([...(await keysOf(centre))]).to.deep.equal([station.erasures.key]);
    expect(station.erasures.key).to.not.equal(centre.erasures.key);
  });

  test('can be those of 63 other sites; one more is refused, and the rest of the batch is accepted', async (centre) => {
    const others = range(0, ERASURE_KEYS_MAX).map((n) => by(n));
    const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
    const answer = await send(centre, 'hall', others, [scan]);
    expect(answer.refused).to.deep.equal([
      {
        cursor: 64,
        code: 'TOO_MANY_ERASURE_KEYS',
        message:
          'no room for another erasure: the centre has 64 sites with erasures; erase the person at the centre',
      },
    ]);
    expect(centre.record().scans).to.have.lengthOf(1);
    // Under keys that are here already, everybody can always erase.
    await erase(centre, ada);
    const own = { ...by(0), key: centre.erasures.key };
    expect(codesOf(await send(centre, 'gate', [by(0, 7), own]))).to.deep.equal([]);
    expect((await keysOf(centre)).size).to.equal(ERASURE_KEYS_MAX);
  });

  test('is refused at a station that brings one too many, whose health shows it', async (centre) => {
    await send(
      centre,
      'gate',
      range(0, ERASURE_KEYS_MAX).map((n) => by(n)),
    );
    await using station = new Station('hall', centre);
    await station.open();
    await erase(station, ada);
    await station.open(station.sync);
    await settle();
    expect(station.erasures.isRefused(ada, at(0))).to.equal(true);
    const { status, detail } = await upstreamCheck(station.sync, station.timekeeper).check();
    expect(status).to.equal('warn');
    expect(detail).to.match(/^the centre refused \d changes?, the last one with TOO_MANY_ERASURE_KEYS$/);
  });
});

describe('erasures under a known key, at a centre', () => {
  const under = (from: number, to: number): readonly Erasure[] =>
    range(from, to).map((n) => ({ ...by(1), digest: digits(n + 1) }));

  test('are at most 50,000 of all stations; one more is refused, and the rest of the batch is accepted', async (centre) => {
    await centre.erasures.add(under(0, CENTRE_ERASURES_MAX - 1), at(0));
    const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
    const { refused } = await send(centre, 'hall', under(CENTRE_ERASURES_MAX - 2, CENTRE_ERASURES_MAX + 1), [
      scan,
    ]);
    expect(refused).to.deep.equal([
      {
        cursor: 3,
        code: 'TOO_MANY_ERASURES',
        message: 'no room for another erasure: the centre has 50000 erasures; erase the person at the centre',
      },
    ]);
    expect(centre.record().scans).to.have.lengthOf(1);
    expect(await centre.erasures.list()).to.have.lengthOf(CENTRE_ERASURES_MAX);
    // A known erasure may still get a later end, and local people can still be erased.
    const again = under(0, 1).map((erasure) => ({ ...erasure, until: at(-1) }));
    expect(codesOf(await send(centre, 'hall', again))).to.deep.equal([]);
    await centre.erasures.erase({ ids: [ada], until: at(9), expiresAt: at(1_000_000) });
    expect(await centre.erasures.list()).to.have.lengthOf(CENTRE_ERASURES_MAX + 1);
  });
});
