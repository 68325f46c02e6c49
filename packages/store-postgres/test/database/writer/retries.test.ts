import assert from 'node:assert/strict';
import { ConsumerPositions } from '@tallybook/domain/record';
import { RecordedTimers } from '../../../../testing/test/fixtures/recorded-timers.js';
import type { Connections } from '../../../src/connection/connections.js';
import { PostgresWriter, type WriterOptions } from '../../../src/database/writer/postgres-writer.js';
import { has } from '../../fixtures/has.js';

/** Doubled each time, half a second at most. */
const PAUSES = [20, 40, 80, 160, 320, 500];

describe('A write to a PostgreSQL that is away', () => {
  const { random } = Math;
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 0;
    // Neither is there a pause by chance, nor is anything given up because a machine is slow.
    Math.random = () => 0.5;
    performance.now = () => nowMs;
  });

  afterEach(() => {
    Math.random = random;
    Reflect.deleteProperty(performance, 'now');
  });

  it('is tried again after 20 ms, then after twice as long each time, half a second at most', async () => {
    let attempts = 0;
    const connections = {
      take: () => {
        if (++attempts > PAUSES.length) nowMs = 5_000;
        return Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
      },
    } as unknown as Connections;
    const options = { retryMs: 5_000, target: 'db', limit: 1_000, seconds: 1 } as WriterOptions;
    const writer = new PostgresWriter(connections, new ConsumerPositions(), options, () => undefined);
    using timers = new RecordedTimers();
    await assert.rejects(
      writer.submit(() => Promise.resolve([undefined]), undefined),
      has('STORE_WRITE_FAILED'),
    );
    assert.deepEqual(timers.delays, PAUSES);
    assert.equal(attempts, PAUSES.length + 1);
  });
});
