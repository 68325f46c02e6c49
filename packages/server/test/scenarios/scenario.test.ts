import { expect } from 'chai';
import { Timekeeper, type IdSource } from '@tallybook/domain';
import { serviceId, type TallybookServer } from '@tallybook/server';
import { ManualClock, Recorder, ScriptedIdSource } from '@tallybook/testing';
import { PluggableLine } from '../../../readers/test/serial/pluggable-line.js';
import { encodeFrame } from '../../../readers/test/serial/decoders/rdm6300-frame.js';
import { openServer } from '../fixtures/container-of.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ada = '04A2B3C4D5';
const bob = '0006547886';

/** A reader of the service, and the actions with tags at it. */
interface ReaderUnderTest {
  /** Reader URLs for the configuration. */
  readonly urls: readonly string[];
  /** Replaces the configured readers. */
  readonly source?: IdSource;
  readonly tap: (id: string) => void | Promise<void>;
  readonly pullOut: () => void | Promise<void>;
  readonly putBack: () => void | Promise<void>;
  readonly cleanup: () => Promise<void>;
}

const storeUrls = {
  memory: () => 'memory:',
  LevelDB: (folder: string) => `level:${folder}`,
};

const readers = {
  'a scripted reader': (clock: ManualClock): ReaderUnderTest => {
    const source = new ScriptedIdSource(clock, 'door');
    return {
      urls: ['stdin:'],
      source,
      tap: (id) => source.present(id),
      pullOut: () => source.unplug(),
      putBack: () => source.plug(),
      cleanup: () => source.close(),
    };
  },
  'a serial reader on a pseudo-terminal': async (): Promise<ReaderUnderTest> => {
    const line = await PluggableLine.create();
    return {
      urls: [`serial:${line.path}?name=door`],
      tap: (id) => line.send(encodeFrame(id), encodeFrame(id)),
      pullOut: () => line.unplug(),
      putBack: () => line.plug(),
      cleanup: () => line.dispose(),
    };
  },
};

for (const [storeName, storeUrl] of Object.entries(storeUrls)) {
  for (const [readerName, makeReader] of Object.entries(readers)) {
    describe(`the service on ${storeName} with ${readerName}`, () => {
      const folder = temporaryFolder();
      let clock: ManualClock;
      let reader: ReaderUnderTest;
      let server: TallybookServer;
      let source: IdSource;
      let stream: EventStream;

      beforeEach(async () => {
        clock = new ManualClock();
        reader = await makeReader(clock);
        await startServer();
      });

      afterEach(async () => {
        stream.close();
        await server.close();
        await reader.cleanup();
      });

      async function startServer(): Promise<void> {
        const opened = await openServer(
          { store: storeUrl(folder.path('store')), reader: reader.urls },
          // Without the release date, which is later than the clock of the tests.
          { clock, timekeeper: new Timekeeper(clock), ...(reader.source && { idSources: [reader.source] }) },
        );
        server = opened;
        [source] = opened.container.get(serviceId('idSources')) as [IdSource];
        await until(source, 'connected');
        stream = await EventStream.open(server.url);
      }

      const get = async (path: string): Promise<unknown> => {
        const response = await fetch(`${server.url}${path}`);
        return response.status === 200 ? response.json() : response.status;
      };

      const assign = async (id: string, first: string, last: string): Promise<number> => {
        const body = JSON.stringify({ id, name: { first, last } });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${server.url}/api/mapping`, { method: 'POST', headers, body })).status;
      };

      it('puts a tap of the reader into the record, the live event and the answer', async () => {
        const { day, at } = { day: 20_413, at: clock.now() };
        expect(await get(`/api/day?day=${day}`)).to.equal(404);
        expect(await get('/api/days?from=0&to=18446744073709551615')).to.deep.equal([]);

        await reader.tap(ada);
        expect(await stream.data('msg')).to.equal(ada);
        const first = { id: ada, day, at, outcome: 'counted', name: null, person: null, reader: 'door' };
        expect(JSON.parse(await stream.data('attendance'))).to.deep.equal(first);
        expect(await get(`/api/day?day=${day}`)).to.deep.equal({ date: day, ids: [ada] });

        expect(await assign('04:a2:b3:c4:d5', 'Ada', 'Lovelace')).to.equal(201);
        const name = { first: 'Ada', last: 'Lovelace' };
        expect(await get('/api/mapping')).to.deep.equal({ [ada]: name });

        clock.advance(60_000);
        await reader.tap(ada);
        const second = {
          ...{ id: ada, day, at: at + 60, outcome: 'already-counted' },
          ...{ name, person: `tag-${ada}`, reader: 'door' },
        };
        expect(JSON.parse(await stream.data('attendance', 2))).to.deep.equal(second);
        expect(await get(`/api/day?timestamp=${at}&expand=entries`)).to.deep.equal({
          date: day,
          ids: [ada],
          entries: [{ id: ada, first: at, last: at + 60, count: 2 }],
        });
      });

      it('treats a tag that rests on the reader as one tap', async () => {
        const readings = new Recorder(source.readings);
        for (let n = 1; n <= 5; n++) {
          await reader.tap(ada);
          await readings.count(n);
          clock.advance(1_900);
        }
        await reader.tap(bob);
        expect(JSON.parse(await stream.data('attendance', 2))).to.include({ id: bob });
        expect(
          stream.events.values.filter(({ event }) => event === 'msg').map(({ data }) => data),
        ).to.deep.equal([ada, bob]);
      });

      it('records taps after midnight on the next day', async () => {
        await reader.tap(ada);
        await stream.data('attendance');
        clock.set((20_414 * 24 + 1) * 3_600);
        clock.advance(60_000);
        await reader.tap(bob);
        await stream.data('attendance', 2);
        expect(await get(`/api/days?from=0&to=${clock.now()}`)).to.deep.equal([20_413, 20_414]);
        expect(await get('/api/day?day=20414')).to.deep.equal({ date: 20_414, ids: [bob] });
      });

      it('continues when the reader is unplugged and plugged in', async () => {
        await reader.tap(ada);
        await stream.data('attendance');
        await reader.pullOut();
        await until(source, 'waiting');
        expect(await get('/api/mapping')).to.deep.equal({});
        await reader.putBack();
        await until(source, 'connected');
        await reader.tap(bob);
        expect(JSON.parse(await stream.data('attendance', 2))).to.include({ id: bob, outcome: 'counted' });
      });

      it('keeps the record when it is closed and opened again', async () => {
        await reader.tap(ada);
        await stream.data('attendance');
        await assign(bob, 'Bob', '');
        await server.close();
        await stream.ended;
        if (storeName === 'memory') await server.open();
        else await startServer();
        expect(await get('/api/mapping')).to.deep.equal({ [bob]: { first: 'Bob', last: '' } });
        expect(await get('/api/day?day=20413')).to.deep.equal({ date: 20_413, ids: [ada] });
      });
    });
  }
}

function until(source: IdSource, connection: IdSource['connection']): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (source.connection !== connection) return;
      subscription.unsubscribe();
      resolve();
    };
    const subscription = source.connections.subscribe(check);
    check();
  });
}
