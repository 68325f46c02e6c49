import { openAll, Timekeeper, toDay, toTimestamp } from '@tallybook/domain';
import type { NewCorrection } from '@tallybook/domain/record';
import { CentreSync, type DownItem, type SyncAnswer, type SyncItem } from '@tallybook/domain/sync';
import { LevelStorage } from '@tallybook/store-level';
import { ManualClock, facetOf } from '@tallybook/testing';
import { expect } from 'chai';
import { dayKey } from '../../src/rows/keys.js';
import { writeRows } from '../fixtures/raw-rows.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { correctionKey } from '../../src/rows/correction-rows.js';
import { ada, bob } from '../../../testing/test/fixtures/known-values.js';

const [damaged, sound] = [toDay(20_411), toDay(20_412)];
const NOW = 1_763_700_000;
const at = (seconds: number): ReturnType<typeof toTimestamp> => toTimestamp(NOW - 86_400 + seconds);
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1' };
const scan = (cursor: number, day: typeof sound, id = ada): SyncItem => ({
  ...{ cursor, kind: 'scan', day, id, at: at(cursor) },
});
const correctionOf = (day: typeof sound, seconds: number): NewCorrection => ({
  ...({ action: 'add', day, id: bob, at: at(seconds), reason: 'Forgot to tap', author: 'eve' } as const),
  ...({ madeAt: at(seconds + 1), state: 'approved' } as const),
});

describe('A centre on LevelDB with a damaged row', () => {
  const directory = useTempDirectory();

  async function damage(key: Buffer): Promise<void> {
    await writeRows(directory.path, { [key.toString('hex')]: 'ffff' });
  }

  beforeEach(async () => {
    await using stores = await openStores(directory.path);
    await stores.days.record(damaged, bob, at(0));
    await stores.corrections.correct([correctionOf(damaged, 1), correctionOf(sound, 2)]);
  });

  async function open(): Promise<
    AsyncDisposable & { readonly centre: CentreSync; readonly stores: OpenStores }
  > {
    const stores = await openStores(directory.path, { checkAfterMs: 600_000 });
    const { days, corrections, erasures, journal, database } = stores;
    const [stamped, stations] = [facetOf(database, 'stampedNames'), facetOf(database, 'stations')];
    const clock = new ManualClock(NOW);
    const timekeeper = new Timekeeper(clock);
    const centre = new CentreSync({
      ...{ days, stamped, corrections, erasures, journal, stations, timekeeper, clock },
      isRepairable: true,
    });
    const opened = await openAll([stamped, stations, centre]);
    const close = async (): Promise<void> => {
      await opened.close();
      await stores[Symbol.asyncDispose]();
    };
    return { centre, stores, [Symbol.asyncDispose]: close };
  }

  const push = (centre: CentreSync, after: number, ...items: SyncItem[]): Promise<SyncAnswer> =>
    centre.push('hall', { run: 'run', after, through: after + items.length, items, status });

  it('refuses items of a damaged day, keeps the rest, and continues with its station', async () => {
    await damage(dayKey(damaged));
    await using place = await open();
    const entries = [{ id: ada, first: at(1), last: at(9), count: 3 }];
    const answer = await push(place.centre, 0, ...[scan(1, sound), scan(2, damaged), scan(3, sound, bob)], {
      cursor: 4,
      kind: 'entries',
      day: damaged,
      entries,
    });
    expect(answer.acknowledged).to.equal(4);
    expect(answer.refused.map(({ cursor, code }) => [cursor, code])).to.deep.equal([
      [2, 'STORE_CORRUPT'],
      [4, 'STORE_CORRUPT'],
    ]);
    expect((await place.stores.days.load(sound))?.entries.map(({ id }) => id)).to.deep.equal([ada, bob]);
    expect((await push(place.centre, 4, scan(5, sound))).refused).to.deep.equal([]);
    const [station] = await place.centre.stations();
    expect(station?.refused.map(({ code }) => code)).to.deep.equal(['STORE_CORRUPT', 'STORE_CORRUPT']);
  });

  it('gets all records of its stations again after a repair', async () => {
    await damage(dayKey(damaged));
    {
      await using place = await open();
      await push(place.centre, 0, scan(1, damaged));
    }
    await LevelStorage.repair(directory.path);
    await using place = await open();
    const [station] = await place.centre.stations();
    expect(station).to.include({ name: 'hall', acknowledged: 0 });
    const refusal: unknown = await push(place.centre, 1, scan(2, damaged)).catch((error: unknown) => error);
    expect(refusal).to.deep.include({ code: 'SYNC_GAP', details: { run: 'run', expected: 0 } });
    expect((await push(place.centre, 0, scan(1, damaged))).refused).to.deep.equal([]);
    expect(await place.stores.days.scans(damaged, ada)).to.deep.equal([at(1)]);
  });

  it('refuses a correction of a day with a damaged one, and accepts the others', async () => {
    await damage(correctionKey({ day: damaged, number: 1 }));
    await using place = await open();
    const { refused } = await push(
      place.centre,
      0,
      { cursor: 1, kind: 'correction', correction: correctionOf(damaged, 20) },
      { cursor: 2, kind: 'correction', correction: correctionOf(sound, 21) },
    );
    expect(refused.map(({ cursor, code }) => [cursor, code])).to.deep.equal([[1, 'STORE_CORRUPT']]);
    const made = await place.stores.corrections.list(sound, sound);
    expect(made.map((each) => each.at)).to.deep.equal([at(2), at(21)]);
  });

  it('sends stations all corrections except those of a day with a damaged one', async () => {
    await damage(correctionKey({ day: damaged, number: 1 }));
    await using place = await open();
    const { origin } = await place.centre.changes(undefined, 0);
    const daysOf = (items: readonly DownItem[]): readonly number[] =>
      items.flatMap((item) => (item.kind === 'correction' ? [item.correction.day] : []));
    expect(daysOf((await place.centre.changes({ origin, cursor: 0 }, 0)).items)).to.deep.equal([sound]);
    const parts: DownItem[] = [];
    for await (const part of place.centre.snapshot())
      if (part.kind !== 'head' && part.kind !== 'end') parts.push(part);
    expect(daysOf(parts)).to.deep.equal([sound]);
  });
});
