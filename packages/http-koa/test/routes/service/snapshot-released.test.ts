import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { toDay, type AttendanceDay, type Snapshot } from '@tallybook/domain';
import { expect } from 'chai';
import { RecordedTimers } from '../../../../testing/test/fixtures/recorded-timers.js';
import { largeDay } from '../../fixtures/fill-days.js';
import { RunningService, type ServiceOptions, useService } from '../../fixtures/running-service.js';

const request = 'GET /api/export HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Makes snapshots larger than the buffers of any connection, and records whether they were released. */
class Snapshots {
  taken = 0;
  dayCount = 300;
  released = 0;
  /** Error at the third day. */
  failure: Error | undefined;
  /** Taking a snapshot waits for this. */
  ready: Promise<unknown> = Promise.resolve();

  async take(): Promise<Snapshot> {
    this.taken++;
    await this.ready;
    return {
      names: none,
      days: () => this.#days(),
      details: () => this.#days(),
      corrections: none,
      scans: () => Promise.resolve([]),
      provisional: none,
      persons: none,
      timelines: none,
      groups: none,
      carried: none,
      [Symbol.asyncDispose]: async () => void this.released++,
    };
  }

  async allReleased(): Promise<void> {
    while (this.taken === 0 || this.released < this.taken) await new Promise(setImmediate);
  }

  async *#days(): AsyncGenerator<AttendanceDay> {
    for (let n = 0; n < this.dayCount; n++) {
      if (n === 3 && this.failure !== undefined) throw this.failure;
      yield await Promise.resolve(largeDay(toDay(n)));
    }
  }
}

async function* none(): AsyncGenerator<never> {
  // Deliberately empty.
}

describe('The snapshot of an export', () => {
  let snapshots: Snapshots;
  beforeEach(() => (snapshots = new Snapshots()));

  const start = (options: ServiceOptions = {}): Promise<RunningService> =>
    RunningService.start({ snapshots, ...options });
  const service = useService(start);

  it('is released when all of it was sent, without a timer left', async () => {
    using timers = new RecordedTimers();
    snapshots.dayCount = 3;
    const response = await service.begin('/api/export');
    expect(await text(response)).to.contain('"kind":"end","names":0,"entries":3000');
    await snapshots.allReleased();
    while (timers.pending.length > 0) await new Promise(setImmediate);
    expect(snapshots).to.include({ taken: 1, released: 1 });
  });

  it('is released when the client leaves in the middle', async () => {
    (await service.begin('/api/export')).destroy();
    await snapshots.allReleased();
  });

  it('is released when the client leaves before it was taken', async () => {
    let goOn: (value: unknown) => void = () => undefined;
    snapshots.ready = new Promise((resolve) => (goOn = resolve));
    const socket = service.connect();
    socket.write(request);
    while (snapshots.taken === 0) await new Promise(setImmediate);
    socket.destroy();
    await once(socket, 'close');
    // Once a later request is answered, the server has seen the closed connection.
    await service.request('/api/time');
    goOn(undefined);
    await snapshots.allReleased();
  });

  it('is released when the client takes nothing for a while', async () => {
    await using service = await start({ answerStallMs: 100 });
    await service.begin('/api/export');
    await snapshots.allReleased();
  });

  it('is released when the client does not finish in time', async () => {
    await using service = await start({ answerDeadlineMs: 100 });
    await service.begin('/api/export');
    await snapshots.allReleased();
  });

  it('is released when it fails in the middle', async () => {
    snapshots.failure = new Error('the card is gone');
    (await service.begin('/api/export')).resume();
    await snapshots.allReleased();
    expect(service.reports).to.have.length(1);
  });
});

describe('The snapshot of a table', () => {
  for (const query of ['', 'pseudonyms=1&']) {
    it(`is let go when it was sent, and when it cannot be read: ?${query}`, async () => {
      const snapshots = new Snapshots();
      snapshots.dayCount = 3;
      await using service = await RunningService.start({ snapshots });
      const { status } = await service.request(`/api/table?${query}from=0&to=259200`);
      expect(status).to.equal(200);
      await snapshots.allReleased();
      snapshots.dayCount = 5;
      snapshots.failure = new Error('the card is gone');
      await service.request(`/api/table?${query}from=0&to=432000`);
      await snapshots.allReleased();
      expect(snapshots).to.include({ taken: 2, released: 2 });
    });
  }

  it('is let go when its names were sent', async () => {
    const counts = { taken: 0, open: 0 };
    await using service = await RunningService.start();
    const snapshot = service.mapping.snapshot.bind(service.mapping);
    service.mapping.snapshot = async () => {
      counts.taken++;
      counts.open++;
      const taken = await snapshot();
      const dispose = taken[Symbol.asyncDispose].bind(taken);
      taken[Symbol.asyncDispose] = async () => {
        counts.open--;
        await dispose();
      };
      return taken;
    };
    await service.request('/api/mapping');
    while (counts.open > 0) await new Promise(setImmediate);
    expect(counts.taken).to.equal(1);
  });
});
