import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Recorder } from '@tallybook/testing';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { parse, type Told } from './fixtures/messages.js';
import { bundledProgram } from '../../../store-level/test/fixtures/bundled-program.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';

const SCAN = 'home/attendance/scan';
/** More tags than one round taps. */
const ROUND_TAGS = 1_000_000;
const PATIENCE_MS = 30_000;

describe('A service that publishes and is killed in the middle, again and again', () => {
  const directory = useTempDirectory();
  const children: ChildProcessByStdio<null, Readable, null>[] = [];
  let broker: PluggableBroker;
  let told: Recorder<Told>;
  beforeEach(async () => {
    broker = await PluggableBroker.create();
    told = new Recorder<Told>(
      {
        subscribe: (next) =>
          broker.published.subscribe(({ topic, payload }) => {
            if (topic === SCAN) next(parse(payload));
          }),
      },
      PATIENCE_MS,
    );
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await broker.dispose();
  });

  function start(...args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
    const program = bundledProgram(join(import.meta.dirname, 'fixtures/publishing-service.ts'));
    const child = spawn(process.execPath, [program, directory.path, String(broker.port), ...args], {
      env: { ...process.env, NODE_V8_COVERAGE: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  /**
   * Runs a service until it has recorded this many scans, then kills it. Resolves with the ids that it printed as
   * recorded.
   */
  async function killAfter(count: number, first: number): Promise<readonly string[]> {
    const child = start(String(first));
    const recorded: string[] = [];
    const lines = createInterface({ input: child.stdout });
    for await (const [line] of on(lines, 'line', { close: ['close'] }) as AsyncIterable<[string]>) {
      recorded.push(line);
      if (recorded.length === count) child.kill('SIGKILL');
    }
    return recorded;
  }

  /** Lets a service deliver the waiting messages, and checks that each recorded scan was published under one id. */
  async function checkAll(): Promise<readonly string[]> {
    const recorded = (await text(start().stdout)).trim().split('\n');
    const messages = new Map<string, Set<string>>();
    for (const { id, message } of told.values) {
      messages.set(id, (messages.get(id) ?? new Set()).add(message));
    }
    expect([...messages.keys()].sort()).to.deep.equal([...recorded].sort());
    const ambiguous = [...messages].filter(([, ids]) => ids.size > 1);
    expect(ambiguous).to.deep.equal([]);
    return recorded;
  }

  it('publishes every scan, each with one id, when it is killed five times while the broker is away', async function () {
    this.timeout(240_000);
    const before = start('0');
    before.stdout.resume();
    await told.count(20);
    await broker.unplug();
    before.kill('SIGKILL');
    await once(before, 'exit');
    const promised: string[] = [];
    for (let round = 1; round <= 5; round++) {
      promised.push(...(await killAfter(100 + round * 37, round * ROUND_TAGS)));
    }
    await broker.plug();
    const recorded = await checkAll();
    expect(recorded).to.include.members(promised);
    expect(promised).to.have.length.greaterThan(500);
    // The first copies arrive in the order of recording. Repeated messages do not count.
    const first = [...new Map(told.values.map(({ id }) => [id, id])).keys()];
    const places = promised.filter((_, n) => n % 8 === 0).map((id) => first.indexOf(id));
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
  });
});
