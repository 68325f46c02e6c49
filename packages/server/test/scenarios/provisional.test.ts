import { expect } from 'chai';
import {
  DAY_MAX,
  TallybookError,
  Timekeeper,
  toDay,
  type AttendanceEvent,
  type AttendanceService,
  type Entry,
} from '@tallybook/domain';
import { serviceId, type FullStorage, type TallybookServer } from '@tallybook/server';
import { ManualClock, Recorder, ScriptedIdSource } from '@tallybook/testing';
import { containerOf } from '../fixtures/container-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ada = '04A2B3C4D5';
const bob = '0006547886';
const cyd = '010203';

const midnight = 20_414 * 86_400;

const storeUrls = {
  memory: () => 'memory:',
  LevelDB: (folder: string) => `level:${folder}`,
};

for (const [storeName, storeUrl] of Object.entries(storeUrls)) {
  describe(`a tap on ${storeName} while the clock cannot be trusted`, () => {
    const folder = temporaryFolder();
    let clock: ManualClock;
    let reader: ScriptedIdSource;
    let stores: FullStorage;
    let server: TallybookServer;
    let attendance: AttendanceService;
    let events: Recorder<AttendanceEvent>;

    beforeEach(async () => {
      clock = new ManualClock();
      clock.setSynchronised(false);
      reader = new ScriptedIdSource(clock, 'door');
      await start();
    });

    afterEach(() => server.close());

    /** Starts a server. One in memory gets the previous stores. */
    async function start(kept?: FullStorage): Promise<void> {
      const container = containerOf(
        { store: storeUrl(folder.path('store')) },
        // Without the release date, which is later than the clock of the tests.
        { clock, timekeeper: new Timekeeper(clock), idSources: [reader], ...(kept && { storage: kept }) },
      );
      stores = container.get(serviceId('storage')) as FullStorage;
      server = container.get(serviceId('server'));
      attendance = container.get(serviceId('tallybook')).attendance;
      events = new Recorder(attendance.events);
      await server.open();
    }

    async function restart(): Promise<void> {
      await server.close();
      await start(storeName === 'memory' ? stores : undefined);
    }

    /** Taps, and waits until the tap is written. */
    async function tap(id: string): Promise<void> {
      reader.present(id);
      await attendance.settled();
    }

    /** Synchronises the clock, and lets a second pass until it is checked. */
    function becomeRight(seconds: number): void {
      clock.set(seconds);
      clock.setSynchronised(true);
      clock.advance(1_000);
    }

    function filed(id: string): Promise<AttendanceEvent> {
      return events.find(
        `${id} to be filed`,
        (event) => event.kind === 'attendance' && event.scan.id === id && event.filed !== undefined,
      );
    }

    const trouble = (): Promise<AttendanceEvent> => events.find('trouble', ({ kind }) => kind === 'trouble');

    async function entries(): Promise<Entry[]> {
      const days = await attendance.listDays(toDay(0), DAY_MAX);
      const records = await Promise.all(days.map((day) => attendance.loadDay(day)));
      return records.flatMap((record) => record?.entries ?? []);
    }

    const once = (id: string, at: number) => ({ id, first: at, last: at, count: 1 });

    it('is kept separately, without a day', async () => {
      clock.set(1_000);
      await tap(ada);
      clock.advance(5_000);
      await tap(bob);
      const provisional = events.values.filter(({ kind }) => kind === 'provisional');
      expect(provisional).to.deep.equal([
        {
          kind: 'provisional',
          scan: { id: ada, reader: 'door', at: 1_000, day: 0 },
          sequence: 1,
          monotonicMs: 0,
          name: undefined,
        },
        {
          kind: 'provisional',
          scan: { id: bob, reader: 'door', at: 1_005, day: 0 },
          sequence: 2,
          monotonicMs: 5_000,
          name: undefined,
        },
      ]);
      const same = { reader: 'door', bootId: 'manual', notBefore: 0 };
      expect(await attendance.listProvisional()).to.deep.equal([
        { ...same, sequence: 1, id: ada, monotonicMs: 0, shown: 1_000 },
        { ...same, sequence: 2, id: bob, monotonicMs: 5_000, shown: 1_005 },
      ]);
      expect(await entries()).to.deep.equal([]);
      const days = await fetch(`${server.url}/api/days?from=0&to=18446744073709551615`);
      expect(await days.json()).to.deep.equal([]);
    });

    it('is filed with its day and second when the clock is right, before and after midnight', async () => {
      clock.set(1_000);
      await tap(ada);
      clock.advance(40_500);
      await tap(bob);
      clock.advance(20_000);
      becomeRight(midnight + 30);
      expect(await filed(ada)).to.deep.include({
        scan: { id: ada, reader: 'door', at: midnight - 31, day: 20_413 },
        outcome: 'counted',
        filed: { sequence: 1 },
      });
      expect(await filed(bob)).to.deep.include({
        scan: { id: bob, reader: 'door', at: midnight + 10, day: 20_414 },
        filed: { sequence: 2 },
      });
      expect(await entries()).to.deep.equal([once(ada, midnight - 31), once(bob, midnight + 10)]);
      expect(await attendance.listProvisional()).to.deep.equal([]);
      const day = await fetch(`${server.url}/api/day?day=20413`);
      expect(await day.json()).to.deep.equal({ date: 20_413, ids: [ada] });
    });

    it('is filed as exactly after a restart of the service before the clock was right', async () => {
      clock.set(1_000);
      await tap(ada);
      clock.advance(10_000);
      await restart();
      clock.advance(50_000);
      await tap(bob);
      becomeRight(midnight + 30);
      // At the same time: each scan is removed from the list by itself.
      await Promise.all([ada, bob].map(filed));
      expect(await entries()).to.deep.equal([once(ada, midnight - 30), once(bob, midnight + 30)]);
      expect(await attendance.listProvisional()).to.deep.equal([]);
    });

    it('is filed at once by a service that starts when the clock is right', async () => {
      clock.set(1_000);
      await tap(ada);
      await server.close();
      clock.advance(60_000);
      becomeRight(midnight + 30);
      await start(storeName === 'memory' ? stores : undefined);
      await filed(ada);
      expect(await entries()).to.deep.equal([once(ada, midnight - 30)]);
    });

    describe('and then the device was restarted', () => {
      const before = midnight - 7_200;

      beforeEach(async () => {
        becomeRight(before);
        await tap(cyd);
        clock.setSynchronised(false);
      });

      /** Restarts the device ten seconds before the clock is right. */
      async function reboot(bootId: string, seconds: number): Promise<void> {
        await server.close();
        clock.reboot(bootId, 0);
        clock.setSynchronised(false);
        await start(storeName === 'memory' ? stores : undefined);
        clock.advance(9_000);
        becomeRight(seconds + 9);
      }

      it('is filed with the shown time if that is possible, with its bounds', async () => {
        clock.set(before + 600);
        await tap(ada);
        await reboot('second', midnight);
        const estimate = { earliest: before + 1, latest: midnight };
        expect(await filed(ada)).to.deep.include({ filed: { sequence: 1, estimate } });
        expect(await entries()).to.deep.equal([once(cyd, before + 1), once(ada, before + 600)]);
        const [kept] = await attendance.listProvisional();
        expect(kept?.filing).to.deep.equal({ day: 20_413, at: before + 600, estimate, isRecorded: true });
      });

      it('is filed before the next start if the shown time is impossible, with the known distances', async () => {
        clock.set(1_000);
        await tap(ada);
        clock.advance(60_000);
        await tap(bob);
        await reboot('second', midnight + 5);
        await Promise.all([ada, bob].map(filed));
        const at = midnight + 5;
        expect(await entries()).to.deep.equal([once(cyd, before + 1), once(ada, at - 60), once(bob, at)]);
        expect((await attendance.listProvisional()).map(({ filing }) => filing?.estimate)).to.deep.equal([
          { earliest: before + 1, latest: at - 60 },
          { earliest: before + 1, latest: at },
        ]);
      });

      it('is not filed again by later starts', async () => {
        clock.set(1_000);
        await tap(ada);
        await reboot('second', midnight);
        await filed(ada);
        const filedOnce = await entries();
        await reboot('third', midnight + 3_600);
        const { values } = events;
        // Closing waits for the filing.
        await restart();
        expect(values).to.deep.equal([]);
        expect(await entries()).to.deep.equal(filedOnce);
      });

      it('is recorded once if the power is cut after the recording of its estimate', async () => {
        clock.set(1_000);
        await tap(ada);
        await server.close();
        clock.reboot('second', 0);
        await start(storeName === 'memory' ? stores : undefined);
        failOnce(stores.provisional, 'settle');
        becomeRight(midnight);
        await trouble();
        const recorded = await entries();
        expect(recorded.map(({ id }) => id)).to.deep.equal([cyd, ada]);
        await reboot('third', midnight + 3_600);
        await filed(ada);
        expect(await entries()).to.deep.equal(recorded);
      });
    });

    describe('and the power is cut while it is filed', () => {
      const cuts = {
        'before its time is noted': () => failOnce(stores.provisional, 'place'),
        'between the note and the record': () => failOnce(stores.days, 'record'),
        'between the record and the removal': () => failOnce(stores.provisional, 'remove'),
      };
      for (const [when, cut] of Object.entries(cuts)) {
        it(`is recorded once at its second if that is ${when}`, async () => {
          await tap(ada);
          clock.advance(60_000);
          cut();
          becomeRight(midnight + 30);
          await trouble();
          await restart();
          await filed(ada);
          expect(await entries()).to.deep.equal([once(ada, midnight - 30)]);
          expect(await attendance.listProvisional()).to.deep.equal([]);
        });

        if (when === 'before its time is noted') continue;
        it(`is recorded once, at the noted time, if that is ${when} and the device restarts`, async () => {
          await tap(ada);
          clock.advance(60_000);
          cut();
          becomeRight(midnight + 30);
          await trouble();
          await server.close();
          clock.reboot('second', midnight + 7_200);
          await start(storeName === 'memory' ? stores : undefined);
          await filed(ada);
          expect(await entries()).to.deep.equal([once(ada, midnight - 30)]);
          expect(await attendance.listProvisional()).to.deep.equal([]);
        });
      }
    });
  });
}

/** Makes one of the next calls of a method fail, as after a power cut; by default the next one. */
function failOnce<S>(store: S, method: keyof S, call = 1): void {
  const works = store[method] as (...args: unknown[]) => Promise<unknown>;
  let calls = 0;
  const fails = (...args: unknown[]): Promise<unknown> => {
    if (++calls < call) return works.apply(store, args);
    store[method] = works as S[keyof S];
    return Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'the disk has lost its power'));
  };
  store[method] = fails as S[keyof S];
}
