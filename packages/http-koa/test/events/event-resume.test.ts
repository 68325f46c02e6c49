import { parseName, parseTallyId, toDay, toTimestamp, type ScanChange } from '@tallybook/domain';
import type { MemoryPeopleStore } from '@tallybook/testing';
import { expect } from 'chai';
import { RunningService, useService } from '../fixtures/running-service.js';
import { StreamClient, type Block } from '../fixtures/stream-client.js';
import { ada, bob } from '../../../testing/test/fixtures/known-values.js';

/** A scan of the tag with this number. */
function scanOf(number: number, reader = 'door'): ScanChange {
  const id = parseTallyId(number.toString(16).padStart(6, '0'));
  return { kind: 'scan', day: toDay(20_413), id, at: toTimestamp(1_763_700_000), reader, outcome: 'counted' };
}

const scansOf = (first: number, last: number): ScanChange[] =>
  Array.from({ length: last - first + 1 }, (_, index) => scanOf(first + index));

/** The tags of the events of a kind, in order. */
function tagsOf(events: readonly Block[], kind: 'msg' | 'attendance'): string[] {
  return events
    .filter(({ event }) => event === kind)
    .map(({ data = '' }) => (kind === 'msg' ? data : (JSON.parse(data) as { id: string }).id));
}

/** The events with an id. */
const changesOf = (events: readonly Block[]): readonly Block[] => events.filter(({ id }) => id !== undefined);

async function idOf(service: RunningService, cursor: number): Promise<string> {
  return `${await service.journal.origin()}-${cursor}`;
}

describe('Last-Event-ID', () => {
  const service = useService();

  it('gives each change after it, in order, and then new events', async () => {
    const before = await StreamClient.connect(service);
    for (const id of [ada, bob, '0A0B0C']) await service.tap(id);
    const seen = changesOf(await before.receive(6));
    for (const [index, { id }] of seen.entries()) {
      const after = await StreamClient.connect(service, id);
      const missed = await after.receive(2 * (2 - index));
      expect(changesOf(missed)).to.deep.equal(seen.slice(index + 1));
      expect(tagsOf(missed, 'msg')).to.deep.equal(tagsOf(missed, 'attendance'));
      after.abort();
    }
    const after = await StreamClient.connect(service, seen[1]?.['id']);
    await after.receive(2);
    await service.tap('0D0E0F');
    expect(tagsOf(await after.receive(4), 'attendance')).to.deep.equal(['0A0B0C', '0D0E0F']);
  });

  it('is in the first event, so that nothing is missed before the first change', async () => {
    await service.tap(ada);
    const before = await StreamClient.connect(service);
    const [greeting] = await before.blocks.count(1);
    before.abort();
    await service.tap(bob);
    const after = await StreamClient.connect(service, greeting?.['id']);
    expect(tagsOf(await after.receive(2), 'attendance')).to.deep.equal([bob]);
  });

  it('is known to a feed that was opened again', async () => {
    const before = await StreamClient.connect(service);
    await service.tap(ada);
    const { id } = (await before.receive(2))[1] ?? {};
    await service.events.close();
    await service.tap(bob);
    await service.events.open();
    const after = await StreamClient.connect(service, id);
    const [msg, attendance] = await after.receive(2);
    expect([msg?.['data'], attendance?.['id']]).to.deep.equal([bob, await idOf(service, 2)]);
  });

  it('gives a filed scan without another `msg`, which came with the provisional one', async () => {
    service.clock.setSynchronised(false);
    service.clock.set(5);
    await service.tap(ada);
    service.clock.set(1_763_700_000);
    service.clock.setSynchronised(true);
    const watcher = await StreamClient.connect(service);
    service.clock.advance(1_000);
    await watcher.receive(1);
    const after = await StreamClient.connect(service, await idOf(service, 0));
    const events = await after.receive(3);
    expect(events.map(({ event }) => event)).to.deep.equal(['msg', 'attendance', 'attendance']);
    expect(JSON.parse(events[2]?.['data'] ?? '')).to.deep.include({ filed: { sequence: 1 } });
  });

  it('gives the present names, not former ones', async () => {
    await service.tap(ada);
    await service.mapping.put(parseTallyId(ada), { first: 'Ada', last: 'Byron' });
    await service.mapping.put(parseTallyId(ada), { first: 'Ada', last: 'Lovelace' });
    const after = await StreamClient.connect(service, await idOf(service, 0));
    const [, attendance, names] = await after.receive(3);
    expect(JSON.parse(attendance?.['data'] ?? '')).to.deep.include({
      name: { first: 'Ada', last: 'Lovelace' },
    });
    expect([names?.['id'], names?.['data']]).to.deep.equal([
      await idOf(service, 3),
      '{"added":1,"changed":1,"removed":0}',
    ]);
  });

  it('gives `reset`, and then new events, if this journal never gave it', async () => {
    await service.tap(ada);
    const id = await idOf(service, 1);
    const origin = await service.journal.origin();
    const before = await StreamClient.connect(service);
    const unknown = ['x', '-1', '1', origin, `${origin}-`, `${origin}-01`, `${origin}-1.0`, `${origin}--1`];
    unknown.push(`${origin}-NaN`, ` , ${id}`, `${'0'.repeat(16)}-1`, 'é', `${origin}-9007199254740993`);
    for (const each of unknown) {
      const client = await StreamClient.connect(service, each);
      const [reset] = await client.receive(1);
      expect(reset, each).to.deep.equal({ id, event: 'reset', data: '{"reason":"unknown"}' });
      client.abort();
    }
    const client = await StreamClient.connect(service, 'x');
    await client.receive(1);
    await service.tap(bob);
    expect((await client.receive(3)).slice(1)).to.deep.equal(await before.receive(2));
  });

  it('gives `reset` if the journal ends before it', async () => {
    await service.tap(ada);
    const client = await StreamClient.connect(service, await idOf(service, 2));
    expect(await client.receive(1)).to.deep.equal([
      { id: await idOf(service, 1), event: 'reset', data: '{"reason":"ahead"}' },
    ]);
    await service.tap(bob);
    expect(tagsOf(await client.receive(3), 'attendance')).to.deep.equal([bob]);
  });

  it('gives `reset` if the changes after it are no longer kept', async () => {
    await using service = await RunningService.start({ journalLimit: 10 });
    const watcher = await StreamClient.connect(service);
    service.journal.append(...scansOf(1, 20));
    // So many changes at once were too many for connected clients too.
    expect(await watcher.receive(1)).to.deep.equal([
      { id: await idOf(service, 20), event: 'reset', data: '{"reason":"too-old"}' },
    ]);
    const late = await StreamClient.connect(service, await idOf(service, 9));
    expect(await late.receive(1)).to.deep.equal([
      { id: await idOf(service, 20), event: 'reset', data: '{"reason":"too-old"}' },
    ]);
    const early = await StreamClient.connect(service, await idOf(service, 10));
    expect(tagsOf(await early.receive(20), 'attendance')).to.have.length(10);
  });

  it('gives thousands of changes, each once and in order', async () => {
    for (let first = 1; first < 5_000; first += 500) service.journal.append(...scansOf(first, first + 499));
    // After this event its consumer has sent all changes.
    const watcher = await StreamClient.connect(service, await idOf(service, 4_999));
    await watcher.receive(1);
    service.journal.forget((change) => change.kind === 'scan' && Number.parseInt(change.id, 16) % 7 > 3);
    const kept = scansOf(1, 5_000).filter(({ id }) => Number.parseInt(id, 16) % 7 <= 3);
    for (const cursor of [0, 1, 255, 256, 257, 4_999]) {
      const client = await StreamClient.connect(service, await idOf(service, cursor));
      const expected = kept.map(({ id }) => id).filter((id) => Number.parseInt(id, 16) > cursor);
      await client.reach(await idOf(service, 5_000));
      expect(tagsOf(client.events, 'attendance')).to.deep.equal(expected);
      expect(tagsOf(client.events, 'msg')).to.deep.equal(expected);
      client.abort();
    }
  });

  it('loses and repeats nothing across many reconnects under load', async () => {
    const watcher = await StreamClient.connect(service);
    let taps = 0;
    const stop = new AbortController();
    const tapping = (async () => {
      while (!stop.signal.aborted) {
        await service.tap((++taps).toString(16).padStart(6, '0'));
        await new Promise(setImmediate);
      }
    })();
    const received: Block[] = [];
    const reconnect = async (): Promise<void> => {
      const client = await StreamClient.connect(service, received.at(-1)?.['id']);
      await client.blocks.find('a change', ({ event }) => event === 'attendance');
      received.push(...changesOf(client.events));
      client.abort();
    };
    await watcher.receive(1);
    for (let round = 0; round < 40; round++) await reconnect();
    stop.abort();
    await tapping;
    await service.tap('FFFFFF');
    await watcher.blocks.find('the last', ({ data }) => data?.includes('"FFFFFF"') === true);
    const all = changesOf(watcher.events);
    const first = all.findIndex(({ id }) => id === received[0]?.['id']);
    expect(received).to.deep.equal(all.slice(first, first + received.length));
    expect(tagsOf(all, 'attendance').slice(0, -1)).to.deep.equal(
      Array.from({ length: taps }, (_, n) => (n + 1).toString(16).padStart(6, '0').toUpperCase()),
    );
  });
});

describe('Events of changes', () => {
  it('report removed and merged days, once for merges that come together', async () => {
    await using service = await RunningService.start();
    const client = await StreamClient.connect(service);
    const day = toDay(20_413);
    service.journal.append(
      { kind: 'day', day, action: 'merged' },
      { kind: 'day', day, action: 'merged' },
      { kind: 'day', day: toDay(20_414), action: 'merged' },
    );
    await service.tap(ada);
    await service.attendance.removeDay(day);
    const days = (await client.receive(5)).filter(({ event }) => event === 'day');
    expect(days.map(({ id, data }) => [id, data])).to.deep.equal([
      [await idOf(service, 2), '{"day":20413,"change":"merged"}'],
      [await idOf(service, 3), '{"day":20414,"change":"merged"}'],
      [await idOf(service, 5), '{"day":20413,"change":"removed"}'],
    ]);
  });

  it('report the repair of the store', async () => {
    await using service = await RunningService.start();
    const client = await StreamClient.connect(service);
    service.journal.append({ kind: 'repaired' });
    expect(await client.receive(1)).to.deep.equal([
      { id: await idOf(service, 1), event: 'reset', data: '{"reason":"repaired"}' },
    ]);
  });

  it('have no holder if it cannot be read, and `null` for an unknown reader', async () => {
    await using service = await RunningService.start();
    await service.mapping.put(parseTallyId(ada), parseName({ first: 'Ada', last: '' }));
    const client = await StreamClient.connect(service);
    await (service.storage.people as MemoryPeopleStore).close();
    service.journal.append({ ...scanOf(1), id: parseTallyId(ada), reader: undefined });
    const [, attendance] = await client.receive(2);
    expect(JSON.parse(attendance?.['data'] ?? '')).to.include({ name: null, person: null, reader: null });
  });
});
