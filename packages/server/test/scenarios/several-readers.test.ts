import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { PluggableLine } from '../../../readers/test/serial/pluggable-line.js';
import { encodeFrame } from '../../../readers/test/serial/decoders/rdm6300-frame.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';

const ada = '04A2B3C4D5';
const bob = '0006547886';
const cyd = '7F00000001';
const dee = '62E3086CED';

interface Reader {
  readonly name: string;
  readonly kind: string;
  readonly connection: string;
  readonly since: number;
  readonly faultySince: number | null;
  readonly lastReading: number | null;
  readonly faults: Readonly<Record<string, number>>;
  readonly lastFault: { readonly code: string; readonly message: string; readonly at: number } | null;
}

describe('several readers on one device', () => {
  let gate: PluggableLine;
  let door: PluggableLine;
  let server: TallybookProcess;
  let url: string;
  let stream: EventStream;

  beforeEach(async () => {
    gate = await PluggableLine.create();
    door = await PluggableLine.create();
    // A process inherits the far ends that exist at its start. Such an end could not be unplugged.
    await Promise.all([gate.unplug(), door.unplug()]);
    server = new TallybookProcess(
      ...['serve', '--port', '0', '--store', 'memory:', '--repeat-window', '0'],
      ...['--reader', `serial:${gate.path}?name=gate&confirm=1`],
      ...['--reader', `serial:${door.path}?name=door&confirm=1`],
      ...['--reader', 'stdin:?name=desk'],
      ...['--reader', 'simulated:?name=demo&every=100ms&tags=1'],
    );
    url = await server.url();
    stream = await EventStream.open(url);
    for (const [name, line] of Object.entries({ gate, door })) {
      await line.plug();
      await until(name, ({ connection }) => connection === 'connected');
    }
  });

  afterEach(async () => {
    stream.close();
    await server.kill();
    await Promise.all([gate.dispose(), door.dispose()]);
  });

  /** Resolves when a tap at a reader is recorded. */
  async function recorded(reader: string, id: string): Promise<void> {
    const isIt = ({ event, data }: { event?: string; data?: string }): boolean => {
      if (event !== 'attendance' || data === undefined) return false;
      const scan = JSON.parse(data) as { id: string; reader: string };
      return scan.id === id && scan.reader === reader;
    };
    await stream.events.find(`${id} at ${reader}`, isIt);
  }

  async function readers(): Promise<Readonly<Record<string, Reader>>> {
    const list = (await (await fetch(`${url}/api/readers`)).json()) as Reader[];
    return Object.fromEntries(list.map((reader) => [reader.name, reader]));
  }

  /** Resolves when the state of a reader passes a check. */
  async function until(name: string, isSo: (reader: Reader) => boolean): Promise<Reader> {
    for (;;) {
      const reader = (await readers())[name];
      if (reader !== undefined && isSo(reader)) return reader;
      await pause(10);
    }
  }

  it('show the reader of each tap, and the state of each reader', async () => {
    await gate.send(encodeFrame(ada));
    await recorded('gate', ada);
    // A second scan of a tag in the same second would change nothing.
    const second = Math.floor(Date.now() / 1_000);
    while (Math.floor(Date.now() / 1_000) === second) await pause(10);
    await door.send(encodeFrame(ada));
    await recorded('door', ada);
    server.tap(bob);
    await recorded('desk', bob);
    await until('demo', ({ lastReading }) => lastReading !== null);
    const found = await readers();
    expect(
      Object.entries(found).map(([name, { kind, connection }]) => [name, kind, connection]),
    ).to.deep.equal([
      ['gate', 'serial', 'connected'],
      ['door', 'serial', 'connected'],
      ['desk', 'stdin', 'connected'],
      ['demo', 'simulated', 'connected'],
    ]);
    for (const { since, faultySince, lastReading } of Object.values(found)) {
      expect(lastReading).to.be.at.least(since);
      expect(faultySince).to.equal(null);
    }
    expect(found['desk']).to.deep.include({ faults: {}, lastFault: null });
  });

  it('continue when one is unplugged, and that one continues when it is back', async () => {
    await gate.unplug();
    const lost = await until('gate', ({ connection }) => connection === 'waiting');
    // Once for the start without it, and once for the loss.
    expect(lost.faults).to.deep.equal({ READER_DISCONNECTED: 2 });
    expect(lost.lastFault?.message).to.equal(`${gate.path} was lost; plug the reader in again`);
    expect(lost.faultySince).to.equal(lost.lastFault?.at);
    await server.says(/"reader":"gate","code":"READER_DISCONNECTED","msg":".* was lost;/);

    await door.send(encodeFrame(bob));
    server.tap(cyd);
    await Promise.all([recorded('door', bob), recorded('desk', cyd)]);

    await gate.plug();
    await until('gate', ({ connection, faultySince }) => connection === 'connected' && faultySince === null);
    await gate.send(encodeFrame(dee));
    await recorded('gate', dee);
    expect((await readers())['door']?.faults).to.deep.equal({ READER_DISCONNECTED: 1 });
  });

  it('continue when one sends endless garbage, and so does that one between the garbage', async () => {
    const broken = Buffer.from('\x0262E3086CED09\x03'.repeat(30), 'latin1');
    const noise = Buffer.from(Array.from({ length: 250 }, (_, n) => (n * 7_919) % 256));
    const flooding = new AbortController();
    const flood = (async () => {
      while (!flooding.signal.aborted) {
        await door.send(broken, noise, encodeFrame(dee));
        // Some 100 kB a second: ten times the rate of a line at 115200 baud.
        await pause(7);
      }
    })();
    for (let n = 0; n < 10; n++) {
      const id = `0A0B0C00${String(n).padStart(2, '0')}`;
      await gate.send(encodeFrame(id));
      await recorded('gate', id);
    }
    server.tap(cyd);
    await Promise.all([recorded('desk', cyd), recorded('door', dee)]);
    await until('door', ({ faults }) => (faults['FRAME_INVALID'] ?? 0) > 1_000);
    flooding.abort();
    await flood;
    expect((await readers())['gate']?.faults).to.deep.equal({ READER_DISCONNECTED: 1 });
    expect(server.text.length).to.be.lessThan(100_000);
  });

  it('continue when the input of one ends permanently', async () => {
    server.child.stdin.end('no id\n');
    const { faults, lastReading } = await until('desk', ({ connection }) => connection === 'waiting');
    expect(faults).to.deep.equal({ INVALID_TALLY_ID: 1, READER_DISCONNECTED: 1 });
    expect(lastReading).to.equal(null);
    await Promise.all([gate.send(encodeFrame(ada)), door.send(encodeFrame(bob))]);
    await Promise.all([recorded('gate', ada), recorded('door', bob)]);
    const taps = stream.events.values.length;
    await stream.events.count(taps + 4);
    server.child.kill('SIGTERM');
    expect(await once(server.child, 'exit')).to.deep.equal([0, null]);
  });
});
