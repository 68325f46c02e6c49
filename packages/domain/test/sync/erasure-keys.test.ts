import { TallybookError, type TallyId, type Timestamp } from '@tallybook/domain';
import {
  CENTRE_ERASURES_MAX,
  CENTRE_KEYS_MAX,
  STATION_KEYS_MAX,
  type Erasure,
  type Finding,
} from '@tallybook/domain/record';
import { CentreSync, upstreamCheck, type SyncAnswer } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { rejectionOf } from '../fixtures/throws.js';
import { ada, at, Centre, NOW, quiet, settle, Station, TODAY } from './sync-world.js';

const digits = (number: number): string => number.toString(16).padStart(32, '0');
/** An erasure of a tag that nobody has, by a device with a numbered key. */
const by = (key: number, tag = 0): Erasure => ({
  ...{ key: digits(key), digest: digits(key * 1_000 + tag), until: at(-5), expiresAt: at(1_000_000) },
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

const keysOf = async (centre: Centre): Promise<number> =>
  new Set((await centre.erasures.list()).map(({ key }) => key)).size;
const codesOf = ({ refused }: SyncAnswer): readonly string[] => refused.map(({ code }) => code);

describe('erasures at a centre', () => {
  it('do not change when their digests come under another key', async () => {
    await using centre = await Centre.open();
    await centre.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(1_000_000) });
    const before = await centre.erasures.list();
    const forged = before.map(({ digest }) => ({ ...by(7), digest, until: at(200) }));
    expect(codesOf(await send(centre, 'hostile', forged))).to.deep.equal(['ERASURE_CONFLICT']);
    expect(await centre.erasures.list()).to.deep.equal(before);
    const answer = await send(centre, 'gate', [], [{ kind: 'scan', day: TODAY, id: ada, at: at(-9) }]);
    expect(codesOf(answer)).to.deep.equal(['TAG_ERASED']);
  });
});

describe('an erasure whose digest was sent before, under another key', () => {
  it('is refused, and stays at its station, which warns and sends it until the centre accepts it', async () => {
    await using centre = await Centre.open();
    await using station = new Station('hall', centre);
    await station.open();
    await station.tap(ada, -9);
    await station.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(1_000_000) });
    const [own] = await station.erasures.list();
    await send(centre, 'hostile', [{ ...by(7), digest: own?.digest ?? '', expiresAt: at(10) }]);
    await station.open(station.sync);
    await settle();
    expect((await station.sync.report()).heldErasures).to.equal(1);
    expect(station.erasures.refusedUntil(ada)).to.equal(at(0));
    await centre.erasures.expire(at(10));
    for (let minute = 0; minute < 70; minute++) {
      station.clock.advance(60_000);
      await settle();
    }
    expect((await station.sync.report()).heldErasures).to.equal(0);
    expect(centre.erasures.refusedUntil(ada)).to.equal(at(0));
  });

  it('is refused also if both come at the same time', async () => {
    await using centre = await Centre.open();
    const { digest } = by(1);
    const both = [by(1), { ...by(2), digest }];
    const answers = await Promise.all(both.map((each) => send(centre, 'hall', [each])));
    expect(answers.flatMap(codesOf)).to.deep.equal(['ERASURE_CONFLICT']);
  });

  it('is refused in a batch that has both', async () => {
    await using centre = await Centre.open();
    const { digest } = by(1);
    const answer = await send(centre, 'hall', [by(1), { ...by(2), digest }, by(3)]);
    expect(answer.refused).to.deep.equal([
      {
        cursor: 2,
        code: 'ERASURE_CONFLICT',
        message: 'its digest is here under another key: one of the two erasures is forged',
      },
    ]);
    expect(await keysOf(centre)).to.equal(2);
  });
});

describe('keys of erasures, at a centre', () => {
  it('are accepted from a station up to 16; the rest of its batch is accepted', async () => {
    await using centre = await Centre.open();
    const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
    const answer = await send(
      centre,
      'hall',
      range(0, STATION_KEYS_MAX + 2).map((n) => by(n)),
      [scan],
    );
    expect(answer.refused).to.deep.equal(
      [17, 18].map((cursor) => ({
        cursor,
        code: 'TOO_MANY_ERASURE_KEYS',
        message:
          'no room for an erasure of another device: this station has brought erasures of 16 devices, the most that one may',
      })),
    );
    expect(answer.acknowledged).to.equal(19);
    expect(await keysOf(centre)).to.equal(STATION_KEYS_MAX);
    expect(centre.record().scans).to.have.lengthOf(1);
    const [record] = await centre.sync.stations();
    expect(record?.refused.map(({ code }) => code)).to.deep.equal([
      'TOO_MANY_ERASURE_KEYS',
      'TOO_MANY_ERASURE_KEYS',
    ]);
  });

  it('leave room for others, and known keys can be used by everybody', async () => {
    await using centre = await Centre.open();
    await send(
      centre,
      'hostile',
      range(0, 900).map((n) => by(n)),
    );
    expect(await keysOf(centre)).to.equal(STATION_KEYS_MAX);
    expect(codesOf(await send(centre, 'hall', [by(2_000)]))).to.deep.equal([]);
    // Under keys that are already here, its own or others', a station can always erase.
    expect(codesOf(await send(centre, 'hostile', [by(0, 7), by(2_000, 7)]))).to.deep.equal([]);
    expect(await keysOf(centre)).to.equal(STATION_KEYS_MAX + 1);
  });

  it('are not more for a station that sends many batches at the same time', async () => {
    await using centre = await Centre.open();
    const batches = range(0, 20).map((batch) => range(0, 16).map((n) => by(batch * 16 + n)));
    await Promise.all(batches.map((batch) => send(centre, 'hostile', batch)));
    expect(await keysOf(centre)).to.equal(STATION_KEYS_MAX);
  });

  it('can be those of 100 stations that were each replaced twice', async () => {
    await using centre = await Centre.open();
    for (const station of range(0, 100)) {
      for (const device of range(0, 3)) {
        expect(codesOf(await send(centre, `s${station}`, [by(station * 3 + device)]))).to.deep.equal([]);
      }
    }
    expect(await keysOf(centre)).to.equal(300);
  });

  it('come back to a centre that lost them, from several stations that have all of them', async () => {
    await using centre = await Centre.open();
    const all = range(0, 40).map((n) => by(n));
    for (const station of ['hall', 'gate', 'lab']) await send(centre, station, all);
    expect(await keysOf(centre)).to.equal(40);
  });

  it('are at most 512 of all stations, and one more is refused', async () => {
    await using centre = await Centre.open();
    for (const station of range(0, CENTRE_KEYS_MAX / 16)) {
      await send(
        centre,
        `s${station}`,
        range(station * 16, station * 16 + 16).map((n) => by(n)),
      );
    }
    expect(await keysOf(centre)).to.equal(CENTRE_KEYS_MAX);
    const { refused } = await send(centre, 'late', [by(900)]);
    expect(refused).to.deep.equal([
      {
        cursor: 1,
        code: 'TOO_MANY_ERASURE_KEYS',
        message:
          'no room for an erasure of another device: erasures of 512 devices are here, and 512 are the most that stations can bring',
      },
    ]);
    // The refused station has used up none of its own room.
    await centre.erasures.expire(at(1_000_000));
    expect(
      codesOf(
        await send(
          centre,
          'late',
          range(900, 916).map((n) => by(n)),
        ),
      ),
    ).to.deep.equal([]);
  });

  it('are at most 512 also if many stations come at once; the rest of their batches is accepted', async () => {
    await using centre = await Centre.open();
    const stations = range(0, 100);
    const answers = await Promise.all(
      stations.map((station) =>
        send(
          centre,
          `s${station}`,
          range(station * 16, station * 16 + 16).map((n) => by(n)),
          [{ kind: 'scan', day: TODAY, id: ada, at: at(station) }],
        ),
      ),
    );
    expect(await keysOf(centre)).to.equal(CENTRE_KEYS_MAX);
    const refused = answers.flatMap(codesOf);
    expect(refused).to.have.lengthOf(100 * 16 - CENTRE_KEYS_MAX);
    expect(new Set(refused)).to.deep.equal(new Set(['TOO_MANY_ERASURE_KEYS']));
    expect(centre.record().scans).to.have.lengthOf(100);
  });

  it('are looked up in pieces, so that other work can run during a long batch', async () => {
    await using centre = await Centre.open();
    let pauses = 0;
    const { days, stamped, corrections, timekeeper, journal, stations, clock, erasures } = centre;
    const sync = new CentreSync({
      ...{ days, stamped, corrections, timekeeper, journal, stations, clock },
      erasures: {
        add: (...some) => erasures.add(...some),
        list: () => erasures.list(),
        refusedUntil: (id: TallyId): Timestamp | undefined => {
          if (pauses < 10) clock.advance(5);
          return erasures.refusedUntil(id);
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

describe('erasures under a known key, at a centre', () => {
  const under = (from: number, to: number): readonly Erasure[] =>
    range(from, to).map((n) => ({ ...by(1), digest: digits(n + 1) }));

  it('are at most 50,000 of all stations; one more is refused, and the rest of the batch is accepted', async () => {
    await using centre = await Centre.open();
    await centre.erasures.add(under(0, CENTRE_ERASURES_MAX - 1), at(0));
    const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
    const { refused } = await send(centre, 'hall', under(CENTRE_ERASURES_MAX - 2, CENTRE_ERASURES_MAX + 1), [
      scan,
    ]);
    expect(refused).to.deep.equal([
      {
        cursor: 3,
        code: 'TOO_MANY_ERASURES',
        message:
          'no room for another erasure: 50000 are here, and 50000 are the most that stations can bring',
      },
    ]);
    expect(centre.record().scans).to.have.lengthOf(1);
    expect(await centre.erasures.list()).to.have.lengthOf(CENTRE_ERASURES_MAX);
    // A known erasure may still get an earlier end, and local people can still be erased.
    const again = under(0, 1).map((erasure) => ({ ...erasure, until: at(-1) }));
    expect(codesOf(await send(centre, 'hall', again))).to.deep.equal([]);
    await centre.erasures.erase({ ids: [ada], until: at(9), expiresAt: at(1_000_000) });
    expect(await centre.erasures.list()).to.have.lengthOf(CENTRE_ERASURES_MAX + 1);
  });

  it('use up no key of their station when they are refused', async () => {
    await using centre = await Centre.open();
    await centre.erasures.add(under(0, CENTRE_ERASURES_MAX - 1), at(0));
    const others = range(2_000, 2_000 + STATION_KEYS_MAX).map((key) => by(key));
    const { refused } = await send(centre, 'hall', others);
    expect(refused.map(({ cursor, code }) => `${cursor} ${code}`)).to.deep.equal(
      range(2, STATION_KEYS_MAX + 1).map((cursor) => `${cursor} TOO_MANY_ERASURES`),
    );
    const [record] = await centre.stations.list();
    expect(record?.keys.map(([key]) => key)).to.deep.equal([digits(2_000)]);
  });

  it('are not more if many stations come at once', async () => {
    await using centre = await Centre.open();
    await centre.erasures.add(under(0, CENTRE_ERASURES_MAX - 30), at(0));
    const answers = await Promise.all(
      range(0, 10).map((station) => {
        const from = CENTRE_ERASURES_MAX - 30 + station * 10;
        return send(centre, `s${station}`, under(from, from + 10));
      }),
    );
    expect(await centre.erasures.list()).to.have.lengthOf(CENTRE_ERASURES_MAX);
    expect(answers.flatMap(codesOf)).to.deep.equal(Array.from({ length: 70 }, () => 'TOO_MANY_ERASURES'));
  });
});

describe('a store of a centre that has less room than its list says', () => {
  /** A centre whose store rejects refused erasures with a given code. */
  const withStore = async (
    centre: Centre,
    code: 'TOO_MANY_ERASURES' | 'TOO_MANY_ERASURE_KEYS',
    isRefused: (digests: readonly string[]) => boolean,
  ): Promise<{ readonly sync: CentreSync; readonly tries: number[] }> => {
    const tries: number[] = [];
    const { days, stamped, corrections, timekeeper, journal, stations, clock, erasures } = centre;
    const sync = new CentreSync({
      ...{ days, stamped, corrections, timekeeper, journal, stations, clock },
      erasures: {
        add: (some, ...more) => {
          tries.push(some.length);
          if (tries.length > 9) return Promise.reject(new Error('is asked again and again'));
          if (isRefused(some.map(({ digest }) => digest)))
            return Promise.reject(new TallybookError(code, 'no room here'));
          return erasures.add(some, ...more);
        },
        list: () => erasures.list(),
        refusedUntil: (id) => erasures.refusedUntil(id),
      },
    });
    await sync.open();
    return { sync, tries };
  };

  for (const code of ['TOO_MANY_ERASURES', 'TOO_MANY_ERASURE_KEYS'] as const) {
    it(`gets erasures for its room, and the rest is refused with its code ${code}`, async () => {
      await using centre = await Centre.open();
      await centre.erasures.add([by(0)], at(0));
      const { sync, tries } = await withStore(centre, code, (digests) => digests.length > 1);
      const later = { ...by(0), until: at(-1) };
      const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
      const { refused } = await send({ sync }, 'hall', [later, by(1), by(2)], [scan]);
      const message = 'the store of the centre has no room for another erasure';
      expect(refused).to.deep.equal([2, 3].map((cursor) => ({ cursor, code, message })));
      expect(tries).to.deep.equal([3, 1]);
      expect((await centre.erasures.list()).map(({ until }) => until)).to.deep.equal([at(-1)]);
      expect(centre.record().scans).to.have.lengthOf(1);
      await sync.close();
    });
  }

  it('is not asked again when it refuses known erasures', async () => {
    await using centre = await Centre.open();
    await centre.erasures.add([by(0)], at(0));
    const { sync, tries } = await withStore(centre, 'TOO_MANY_ERASURES', () => true);
    await rejectionOf('TOO_MANY_ERASURES', send({ sync }, 'hall', [by(0)]));
    expect(tries).to.deep.equal([1]);
    await sync.close();
  });
});

describe('an erasure that the centre has no room for, at a station', () => {
  const healthOf = async (station: Station): Promise<Finding> =>
    upstreamCheck(station.sync, station.timekeeper).check();
  const passMinutes = async (station: Station, minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      station.clock.advance(60_000);
      await settle();
    }
  };
  const full = async (): Promise<Centre> => {
    const centre = await Centre.open();
    await send(
      centre,
      'hall',
      range(0, STATION_KEYS_MAX).map((n) => by(n)),
    );
    return centre;
  };
  /** A station that knows no other key, because it connects to the centre only after its own erasure. */
  const erased = async (centre: Centre): Promise<Station> => {
    const station = new Station('hall', centre);
    await station.open();
    await station.tap(ada, -9);
    await station.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(1_000_000) });
    await station.open(station.sync);
    await settle();
    return station;
  };

  it('stays there, is shown in its health, and is sent again each hour until it is accepted', async () => {
    await using centre = await full();
    await using station = await erased(centre);
    const refused: string[] = [];
    station.sync.refusals.subscribe((items) => refused.push(...items.map(({ code }) => code)));
    expect(await station.sync.report()).to.include({ heldErasures: 1, refusedCount: 0 });
    expect(await healthOf(station)).to.deep.equal({
      status: 'warn',
      detail:
        'the centre did not take 1 erasure: these persons can come back there; see TOO_MANY_ERASURE_KEYS, TOO_MANY_ERASURES and ERASURE_CONFLICT',
    });
    expect(station.erasures.refusedUntil(ada)).to.equal(at(0));
    await passMinutes(station, 62);
    expect(refused.length).to.be.within(1, 3);
    expect((await station.sync.report()).heldErasures).to.equal(1);
    await centre.sync.removeStation('hall');
    await passMinutes(station, 70);
    expect((await station.sync.report()).heldErasures).to.equal(0);
    expect(await healthOf(station)).to.deep.equal({ status: 'ok' });
    expect(centre.erasures.refusedUntil(ada)).to.equal(at(0));
  });

  it('is known after a restart', async () => {
    await using centre = await full();
    const first = await erased(centre);
    await first[Symbol.asyncDispose]();
    await using station = new Station('hall', centre, first.contents);
    station.transport.fate = () => 'lost';
    await station.open(station.sync);
    await settle();
    expect((await station.sync.report()).heldErasures).to.equal(1);
    station.transport.fate = () => 'arrives';
    await passMinutes(station, 7);
    expect((await station.sync.report()).heldErasures).to.equal(1);
  });
});
