import { uptime } from 'node:os';
import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { TallybookProcess, type ServerProcess } from '../fixtures/processes/server-process.js';
import { useShiftedClock } from '../fixtures/processes/shifted-clock.js';
import { leaveOut } from '../fixtures/leave-out.js';
import { otherBoot, whyNoOtherBoot } from '../fixtures/processes/other-boot.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ada = '04A2B3C4D5';
const bob = '0006547886';
const cyd = '010203';

/** Data of `event: attendance`. */
interface Announcement {
  readonly id: string;
  readonly day: number | null;
  readonly at: number | null;
  readonly outcome: string;
  readonly filed?: { readonly estimate?: unknown };
}

/** Body of `GET /api/provisional`. */
interface ProvisionalList {
  readonly waiting: readonly unknown[];
  readonly estimated: readonly Record<'day' | 'at' | 'earliest' | 'latest', number>[];
}

/** A server, its client and its announcements. */
interface Service {
  readonly server: ServerProcess;
  readonly client: HttpClient;
  /** The nth announcement, from 1. */
  readonly announced: (nth: number) => Promise<Announcement>;
}

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000;
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

// All dates are after the release of the program: a clock with an earlier one cannot be right.
describe('tallybook serve, whose clock is set while it runs', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();
  const clock = useShiftedClock();

  const serve = (...args: string[]): Promise<Service> => serveThrough([], ...args);

  async function serveThrough(launcher: readonly string[], ...args: string[]): Promise<Service> {
    const store = `level:${folder.path('store')}`;
    const server = processes.add(
      TallybookProcess.through(
        launcher,
        clock.variables,
        ...['serve', '--port', '0', '--store', store, '--repeat-window', '0', ...args],
      ),
    );
    const url = await server.url();
    const stream = await EventStream.open(url);
    const announced = async (nth: number): Promise<Announcement> =>
      JSON.parse(await stream.data('attendance', nth)) as Announcement;
    return { server, client: new HttpClient(url), announced };
  }

  it('keeps scans from 1970 as provisional, and files them to the second when the clock is right', async () => {
    clock.set('1970-01-01T00:00:20Z');
    const { server, client, announced } = await serve();
    server.tap(ada);
    expect(await announced(1)).to.include({ id: ada, outcome: 'provisional', day: null, at: null });
    expect(await client.days()).to.deep.equal([]);
    expect(await client.json('/api/provisional')).to.have.nested.property('waiting[0].id', ada);

    clock.set('2030-05-06T10:00:00Z');
    const filed = await announced(2);
    expect(filed).to.include({ id: ada, outcome: 'counted', day: dayOf('2030-05-06') });
    expect(filed.filed).not.to.have.property('estimate');
    const at = secondsOf('2030-05-06T10:00:00Z');
    expect(filed.at).to.be.within(at - 30, at);
    // The journal announces it first; the log entry follows when it has left the list.
    await server.says(/"outcome":"counted".*"scan recorded"/);
    expect(await client.json('/api/provisional')).to.deep.equal({ waiting: [], estimated: [] });
    server.tap(bob);
    expect(await announced(3)).to.include({ id: bob, outcome: 'counted', day: dayOf('2030-05-06') });
  });

  describe('and the machine with it', () => {
    beforeEach(function () {
      leaveOut(this, whyNoOtherBoot());
    });

    it('files earlier scans with an estimated time and its bounds', async () => {
      clock.set('2030-05-06T10:00:00Z');
      const { server: first, announced: announcedFirst } = await serve();
      first.tap(cyd);
      await announcedFirst(1);
      await first.kill();
      clock.set('1970-01-01T00:00:20Z');
      const { server: second, announced: announcedSecond } = await serveThrough(otherBoot(folder.path('a')));
      second.tap(ada);
      expect(await announcedSecond(1)).to.include({ id: ada, outcome: 'provisional' });
      await second.kill();

      const started = secondsOf('2040-05-07T10:00:00Z') - uptime();
      clock.set('2040-05-07T10:00:00Z');
      const { server: third, client } = await serveThrough(otherBoot(folder.path('b')));
      await third.says(/estimated time between earliest and latest/);
      const { waiting, estimated } = await client.json<ProvisionalList>('/api/provisional');
      expect(waiting).to.deep.equal([]);
      expect(estimated).to.have.lengthOf(1);
      const { day = 0, at, earliest, latest } = estimated[0] ?? {};
      expect(await client.entries(day)).to.deep.equal([{ id: ada, first: at, last: at, count: 1 }]);
      expect(earliest).to.be.within(secondsOf('2030-05-06T10:00:00Z'), secondsOf('2030-05-06T10:00:30Z'));
      // It was taken before the restart.
      expect(latest).to.be.within(started - 30, started + 30);
      expect(at).to.equal(latest);
    });
  });

  it('uses the time of POST /api/time, and from then on ignores the clock of the system', async () => {
    clock.set('1970-01-01T00:00:20Z');
    const { server, client, announced } = await serve();
    server.tap(ada);
    expect(await announced(1)).to.include({ outcome: 'provisional' });
    const time = secondsOf('2030-05-06T10:00:00Z');
    expect(await client.post('/api/time', { time })).to.equal(409);
    expect(await client.post('/api/time', { time, confirm: true })).to.equal(200);
    expect(await announced(2)).to.include({ id: ada, outcome: 'counted', day: dayOf('2030-05-06') });

    clock.set('2031-01-01T00:00:00Z');
    server.tap(ada);
    const { outcome, at } = await announced(3);
    expect(outcome).to.equal('already-counted');
    expect(at).to.be.within(secondsOf('2030-05-06T10:00:00Z'), secondsOf('2030-05-06T10:00:30Z'));
  });
});
