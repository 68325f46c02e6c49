import {
  Calendar,
  implicitPerson,
  parseTallyId,
  PeopleService,
  plainPerson,
  plainTimeline,
  Timekeeper,
  toTimestamp,
} from '@tallybook/domain';
import { ErasureService } from '@tallybook/domain/personal';
import { Gate } from '@tallybook/domain/record';
import {
  CentreSync,
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncChanges,
  StationSync,
  type SyncTransport,
} from '@tallybook/domain/sync';
import { createStorage, type FullStorage } from '@tallybook/server';
import { SystemClock } from '@tallybook/system';
import { expect } from 'chai';
import { until } from '../fixtures/processes/centre.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const tag = parseTallyId('04A2B3C4D5');

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Calls a centre in this process, with JSON. */
function transportTo(centre: CentreSync): SyncTransport {
  return {
    push: async (batch) => parseSyncAnswer(json(await centre.push('gate', json(batch)))),
    changes: async (after) => parseSyncChanges(json(await centre.changes(after, 20))),
    async *snapshot() {
      for await (const part of centre.snapshot()) yield parseSnapshotPart(json(part));
    },
    abort: () => undefined,
  };
}

async function rowsOf({ people, mapping }: FullStorage): Promise<readonly string[]> {
  return [
    ...(await people.persons(undefined, 99)).map((row) => JSON.stringify(plainPerson(row, false))),
    ...(await people.timelines(undefined, 99)).map((row) => JSON.stringify(plainTimeline(row, false))),
    ...[...(await mapping.read())].map(([id, { first }]) => `${id} ${first}`),
  ];
}

/** Waits until two storages have the same persons. */
async function untilSame(one: FullStorage, other: FullStorage): Promise<readonly string[]> {
  await until(async () => (await rowsOf(one)).join() === (await rowsOf(other)).join());
  return rowsOf(one);
}

describe('Persons of a station and a centre, each on LevelDB', () => {
  const folder = temporaryFolder();

  it('are the same after changes at both while they did not meet, and after an erasure', async () => {
    const clock = new SystemClock();
    const timekeeper = new Timekeeper(clock);
    const calendar = new Calendar();
    const centre = createStorage(`level:${folder.path('centre')}`);
    const station = createStorage(`level:${folder.path('station')}`);
    await Promise.all([centre.open(), station.open()]);
    const [atCentre, atStation] = [centre, station].map(
      ({ people }) => new PeopleService({ people, timekeeper, calendar }),
    ) as [PeopleService, PeopleService];
    const now = timekeeper.now();
    await station.mapping.put(tag, { first: 'Ada', last: '' });
    const one = await atStation.add({ name: { first: 'Grace', last: '' }, number: '7' });
    const other = await atCentre.add({ name: { first: 'Charles', last: '' } });
    await atStation.act(tag, { act: 'give', person: one, since: toTimestamp(now - 60) });
    await atCentre.act(tag, { act: 'give', person: other, since: toTimestamp(now - 30) });
    const shared = { timekeeper, clock };
    const up = new CentreSync({ ...shared, ...partsOf(centre) });
    const down = new StationSync({
      ...{ ...shared, ...partsOf(station), provisional: station.provisional, calendar },
      ...{ edits: new Gate(1), transport: transportTo(up), version: '1', random: Math.random },
      removeDay: () => Promise.resolve(false),
    });
    await up.open();
    await down.open();
    try {
      await untilSame(centre, station);
      for (const { people } of [centre, station]) {
        const holders = await Promise.all(
          [90, 45, 0].map((seconds) => people.holderAt(tag, toTimestamp(now - seconds))),
        );
        expect(holders.map(({ person }) => person)).to.deep.equal([implicitPerson(tag), one, other]);
      }
      const { erasures, people } = centre;
      const eraser = new ErasureService({ erasures, people, timekeeper });
      await eraser.erase([], { persons: [one], isDryRun: false, actor: 'desk' });
      expect((await untilSame(centre, station)).join()).to.not.include(one);
    } finally {
      await down.close();
      await up.close();
      await Promise.all([centre.close(), station.close()]);
    }
  });
});

function partsOf({
  days,
  stampedNames: stamped,
  people,
  corrections,
  erasures,
  journal,
  stations,
}: FullStorage) {
  return { days, stamped, people, corrections, erasures, journal, stations };
}
