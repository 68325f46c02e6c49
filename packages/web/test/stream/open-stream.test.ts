import type { StreamMessage, TallybookClient } from '@tallybook/client';
import { expect } from 'chai';
import type { ServiceEvent } from '../../src/state/service.js';
import { streamOf } from '../../src/event-stream.js';

type Streaming = Pick<TallybookClient, 'events'>;
type Options = Parameters<TallybookClient['events']>[0];

/** A client whose stream has these messages. */
function clientWith(messages: readonly StreamMessage[]): {
  readonly client: Streaming;
  readonly asked: Options[];
  readonly reconnected: readonly string[];
  readonly ended: Promise<void>;
} {
  const asked: Options[] = [];
  const reconnected: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const stream = {
    reconnect: () => void reconnected.push('at once'),
    async *[Symbol.asyncIterator](): AsyncGenerator<StreamMessage, void, undefined> {
      try {
        for (const message of messages) yield await Promise.resolve(message);
      } finally {
        end();
      }
    },
  };
  const client = {
    events: (options: Options) => {
      asked.push(options);
      return stream;
    },
  };
  return { client: client as unknown as Streaming, asked, reconnected, ended };
}

const attendance = {
  id: '04A2B3C4D5',
  day: 1,
  at: 90_000,
  outcome: 'counted',
  name: null,
  reader: 'door',
} as const;

describe('the stream of a client', () => {
  it('tells taps, changes of names and people, losses and the state, each with the place after it', async () => {
    const { client, ended } = clientWith([
      { kind: 'connection', state: 'connecting', since: 1 },
      { kind: 'connection', state: 'open', since: 2 },
      { kind: 'reset', reason: 'opened' },
      { kind: 'scan', cursor: 'a-1', id: attendance.id },
      { kind: 'attendance', cursor: 'a-2', attendance },
      { kind: 'failed', cursor: 'a-3', failed: { id: attendance.id, reader: 'door', isKept: true } },
      { kind: 'names', cursor: 'a-4', counts: { named: 1, removed: 0 } },
      { kind: 'people', cursor: 'a-5', counts: { persons: 1, tags: 1 } },
      { kind: 'day', cursor: 'a-6', change: { day: 1, change: 'removed' } },
      { kind: 'reset', reason: 'too-old', cursor: 'b-9' },
    ] as unknown as StreamMessage[]);
    const told: [ServiceEvent | string, (string | number)?][] = [];
    streamOf(client)(
      {
        onEvent: (event, cursor) => told.push(cursor === undefined ? [event] : [event, cursor]),
        onState: (state, sinceMs) => told.push([state, sinceMs]),
      },
      undefined,
    );
    await ended;
    expect(told).to.deep.equal([
      ['connecting', 1],
      ['open', 2],
      [{ kind: 'reset' }],
      [{ kind: 'tap', tap: attendance }, 'a-2'],
      [{ kind: 'tap', tap: { id: attendance.id, reader: 'door', isKept: true, outcome: 'failed' } }, 'a-3'],
      [{ kind: 'people' }, 'a-4'],
      [{ kind: 'people' }, 'a-5'],
      [{ kind: 'day' }, 'a-6'],
      [{ kind: 'reset' }, 'b-9'],
    ]);
  });

  it('goes on after an event', () => {
    const { client, asked } = clientWith([]);
    streamOf(client)({ onEvent: () => undefined, onState: () => undefined }, 'a-7');
    expect(asked[0]).to.include({ lastEventId: 'a-7' });
  });

  it('is lost after 20 seconds without a packet', () => {
    const { client, asked } = clientWith([]);
    streamOf(client)({ onEvent: () => undefined, onState: () => undefined }, undefined);
    expect(asked[0]).to.include({ silenceMs: 20_000 });
  });

  it('begins with what happens from now on where no event is known', () => {
    const { client, asked } = clientWith([]);
    streamOf(client)({ onEvent: () => undefined, onState: () => undefined }, undefined);
    expect(asked[0]).not.to.have.property('lastEventId');
  });

  it('opens its connection anew when it is asked to', () => {
    const { client, reconnected } = clientWith([]);
    const stream = streamOf(client)({ onEvent: () => undefined, onState: () => undefined }, undefined);
    expect(reconnected).to.deep.equal([]);
    stream.reconnect();
    expect(reconnected).to.deep.equal(['at once']);
  });

  it('tells nothing after it was closed', async () => {
    const { client, asked, ended } = clientWith([{ kind: 'reset', reason: 'opened' }]);
    const told: ServiceEvent[] = [];
    const stream = streamOf(client)(
      { onEvent: (event) => told.push(event), onState: () => undefined },
      undefined,
    );
    stream.reconnect();
    stream.close();
    await ended;
    expect(told).to.deep.equal([]);
    expect(asked[0]?.signal?.aborted).to.equal(true);
  });
});
