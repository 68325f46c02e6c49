import { expect } from 'chai';
import { EventStream, type ServerSentEvent } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { storedService } from '../fixtures/processes/stored-service.js';

/** Number of taps in one run of the server, as fast as possible: some thousands a second. */
const TAPS = 2_000;
/** Number of events before each kill of the server. */
const KILLED_AFTER = [1, 600, 1_200];

const tagOf = (event: ServerSentEvent): string => (JSON.parse(event.data) as { id: string }).id;

describe('A client of tallybook serve with Last-Event-ID', () => {
  const { serve } = storedService();

  const isAttendance = ({ event }: ServerSentEvent): boolean => event === 'attendance';

  /** The events of changes so far. */
  const changesOf = (stream: EventStream): ServerSentEvent[] =>
    stream.events.values.filter(({ id }) => id !== '');

  it('gets every change once and in order across SIGKILL in the middle of thousands of taps a second', async () => {
    const received: ServerSentEvent[] = [];
    let tapped = 0;
    const taps = (count: number): string[] =>
      Array.from({ length: count }, () => (++tapped).toString(16).toUpperCase().padStart(8, '0'));
    for (const killedAfter of KILLED_AFTER) {
      const server = serve();
      const stream = await EventStream.open(await server.url(), received.at(-1)?.id);
      // The kill cuts the stream in the middle of an event.
      const ended = stream.ended.catch(() => undefined);
      server.tap(...taps(TAPS));
      let attendances = 0;
      await stream.until((event) => isAttendance(event) && ++attendances === killedAfter);
      server.child.kill('SIGKILL');
      await Promise.all([server.exited, ended]);
      received.push(...changesOf(stream));
    }
    const server = serve();
    const url = await server.url();
    const isLast = (event: ServerSentEvent): boolean => isAttendance(event) && tagOf(event) === 'ABCDEF01';
    const stream = await EventStream.open(url, received.at(-1)?.id);
    server.tap('ABCDEF01');
    await stream.until(isLast);
    received.push(...changesOf(stream));
    const origin = received[0]?.id.split('-')[0] ?? '';
    const fromTheBeginning = await EventStream.open(url, `${origin}-0`);
    await fromTheBeginning.until(isLast);
    const texts = (events: readonly ServerSentEvent[]): string[] =>
      events.map(({ id, data }) => `${id} ${data}`);
    expect(texts(received)).to.deep.equal(texts(changesOf(fromTheBeginning)));

    const cursors = received.map(({ id }) => Number(id.slice(origin.length + 1)));
    for (const [index, cursor] of cursors.entries()) {
      if (index > 0) expect(cursor).to.be.greaterThan(cursors[index - 1] ?? 0);
    }
    const tags = received.map(tagOf);
    expect(new Set(tags).size).to.equal(tags.length);
    const days = new Set(received.map(({ data }) => (JSON.parse(data) as { day: number }).day));
    const client = new HttpClient(url);
    const recorded: string[] = [];
    for (const day of days) recorded.push(...(await client.entries(day)).map(({ id }) => id));
    expect([...tags].sort()).to.deep.equal(recorded.sort());
    for (const each of [stream, fromTheBeginning]) {
      each.close();
      await each.ended;
    }
  });

  it('gets a reset if the store is another one', async () => {
    const stream = await EventStream.open(await serve().url(), '0123456789abcdef-7');
    expect(await stream.data('reset')).to.equal('{"reason":"unknown"}');
    stream.close();
    await stream.ended;
  });
});
