import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { noMidnight } from '../fixtures/processes/no-midnight.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

const ada = '04A2B3C4D5';
const bob = '0006547886';
const eve = '0006547887';

describe('tallybook serve, restarted in the middle of the day', () => {
  const service = storedService();
  const serve = (): TallybookProcess => service.serve(...noMidnight());

  /** Taps one tag after another, and returns the outcomes. */
  async function tap(server: TallybookProcess, ...ids: readonly string[]): Promise<unknown[]> {
    const stream = await EventStream.open(await server.url());
    server.tap(...ids);
    await stream.data('attendance', ids.length);
    const events = stream.events.values.filter(({ event }) => event === 'attendance');
    return events.map(({ data }) => (JSON.parse(data) as { outcome: unknown }).outcome);
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`continues the record of the day after ${signal}`, async () => {
      const first = serve();
      expect(await tap(first, ada, bob)).to.deep.equal(['counted', 'counted']);
      const before = await new HttpClient(await first.url()).allEntries();
      first.child.kill(signal);
      await first.exited;

      const second = serve();
      const client = new HttpClient(await second.url());
      // A second scan of a tag in the same second would change nothing.
      const latest = Math.max(...before.map(({ last }) => last));
      while (Date.now() < (latest + 1) * 1_000) await pause(10);
      expect(await tap(second, bob, eve)).to.deep.equal(['already-counted', 'counted']);
      expect(await client.days()).to.have.length(1);
      const entries = await client.allEntries();
      expect(entries[0]).to.deep.equal(before[0]);
      expect(entries.map(({ id }) => id)).to.deep.equal([ada, bob, eve]);
      for (const { first: from, last: until } of entries) expect(from).to.be.at.most(until);
    });
  }
});
