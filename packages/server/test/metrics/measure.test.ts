import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  createReading,
  parseTallyId,
  TallybookError,
  toDay,
  toTimestamp,
  type AttendanceEvent,
  type Subscription,
} from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import client from 'prom-client';
import { HttpMeter } from '../../src/http/http-meter.js';
import { measureRequests, measureScans } from '../../src/metrics/measure.js';
import type { MetricsParts } from '../../src/metrics/metrics-parts.js';

const id = parseTallyId('04A2B3C4D5');

/** Samples of a registry by name and labels, without the default metrics. */
async function samplesOf(registry: client.Registry): Promise<Readonly<Record<string, number>>> {
  const samples: Record<string, number> = {};
  for (const line of (await registry.metrics()).split('\n')) {
    const [, name, value] = /^(tallybook_.*) (\S+)$/.exec(line) ?? [];
    if (name !== undefined) samples[name] = Number(value);
  }
  return samples;
}

describe('Measurements of scans', () => {
  it('count each by its reader and outcome, and measure writes', async () => {
    const takers = new Set<(event: AttendanceEvent) => void>();
    // Delivers at once, so that errors of the listeners come back.
    const events = {
      emit: (event: AttendanceEvent): void => takers.forEach((take) => take(event)),
      subscribe: (take: (event: AttendanceEvent) => void): Subscription => {
        takers.add(take);
        return { unsubscribe: () => void takers.delete(take) };
      },
    };
    const registry = new client.Registry();
    const parts = { attendance: { events }, idSources: [{ name: 'door' }] };
    const begin = measureScans(client, registry, parts as unknown as MetricsParts);
    const listening = begin();
    let at = 1_763_700_000;
    const emit = (event: object, reader = 'door'): void => {
      const scan = { id, reader, day: toDay(20_413), at: toTimestamp(++at) };
      events.emit({ kind: 'scan', scan });
      events.emit({ ...event, scan } as AttendanceEvent);
    };
    emit({ kind: 'attendance', outcome: 'counted' });
    emit({ kind: 'attendance', outcome: 'counted' }, 'door/left');
    emit({ kind: 'attendance', outcome: 'already-counted' }, 'doorway');
    emit({ kind: 'attendance', outcome: 'counted', filed: {} });
    emit({ kind: 'provisional' });
    emit({ kind: 'failed', isKept: true });
    emit({ kind: 'failed', isKept: false });
    const reading = createReading(new ManualClock(), 'door', id);
    events.emit({ kind: 'repeated', reading });
    events.emit({ kind: 'trouble', error: new TallybookError('STORE_READ_FAILED', 'no disk') } as never);
    events.emit({ kind: 'name-unavailable' } as never);
    listening.unsubscribe();
    emit({ kind: 'attendance', outcome: 'counted' });
    const samples = await samplesOf(registry);
    const scans = Object.entries(samples).filter(([name]) => name.startsWith('tallybook_scans_total'));
    const of = (reader: string, outcome: string): string =>
      `tallybook_scans_total{reader="${reader}",outcome="${outcome}"}`;
    expect(Object.fromEntries(scans)).to.deep.equal({
      [of('door', 'counted')]: 2,
      [of('other', 'already-counted')]: 1,
      [of('door', 'filed')]: 1,
      [of('door', 'provisional')]: 1,
      [of('door', 'kept')]: 1,
      [of('door', 'lost')]: 1,
      [of('door', 'repeated')]: 1,
    });
    expect(samples['tallybook_scan_write_seconds_count']).to.equal(5);
    expect(Object.keys(samples)).to.include.members([
      ...['0.001', '10', '+Inf'].map((bound) => `tallybook_scan_write_seconds_bucket{le="${bound}"}`),
    ]);
  });
});

describe('Measurements of requests', () => {
  it('count each by its route and its result, from a millisecond to two and a half seconds', async () => {
    const registry = new client.Registry();
    const http = new HttpMeter();
    http.routes = new Set(['/api/days', '/api/idevent']);
    const listening = measureRequests(client, registry, http)();
    const answer = (url: string, statusCode: number, writableFinished = true): void => {
      const response = Object.assign(new EventEmitter(), { req: { url }, statusCode, writableFinished });
      http.noteRequest(response as unknown as ServerResponse);
      response.emit('close');
    };
    const askAll = (): void => {
      answer('/api/days?from=0', 200);
      answer('/api/days', 404);
      answer('/api/nonsense', 404);
      answer('/index.html', 304);
      answer('/', 200, false);
      answer('/api/idevent', 200);
      http.noteRefused('maxReadsPerSecond');
    };
    askAll();
    listening.unsubscribe();
    askAll();
    const samples = await samplesOf(registry);
    const name = 'tallybook_http_request_duration_seconds';
    const counts = Object.entries(samples).filter(([each]) => each.startsWith(`${name}_count`));
    const of = (route: string, status: string): string =>
      `${name}_count{route="${route}",status="${status}"}`;
    expect(Object.fromEntries(counts)).to.deep.equal({
      [of('/api/days', '2xx')]: 1,
      [of('/api/days', '4xx')]: 1,
      [of('other', '4xx')]: 1,
      [of('page', '3xx')]: 1,
      [of('page', 'cut')]: 1,
    });
    const bounds = Object.keys(samples).flatMap(
      (each) => /_bucket\{le="(.*?)".*"page".*cut/.exec(each)?.[1] ?? [],
    );
    expect(bounds).to.deep.equal(['0.001', '0.005', '0.025', '0.1', '0.5', '2.5', '+Inf']);
    expect(samples['tallybook_http_refused_total{limit="maxReadsPerSecond"}']).to.equal(1);
  });
});
