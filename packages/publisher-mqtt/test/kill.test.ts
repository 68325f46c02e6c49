import { once } from 'node:events';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Recorder } from '@tallybook/testing';
import { PluggableBroker } from '../../devices/test/pluggable-broker.js';
import { parse, type Told } from './fixtures/messages.js';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';

const SCAN = 'home/attendance/scan';
const ROUNDS = 8;
/** More taps than there are in one round. */
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
            if (topic === SCAN) next(parse({ text: payload }));
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
    const program = join(import.meta.dirname, 'fixtures/publishing-service.ts');
    const child = spawn(
      process.execPath,
      [
        '--import=tsx',
        '--conditions=@tallybook/source',
        program,
        directory.path,
        String(broker.port),
        ...args,
      ],
      { env: { ...process.env, NODE_V8_COVERAGE: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    return child;
  }

  it('tells of every scan of the record, each under one id', async function () {
    this.timeout(240_000);
    for (let round = 0; round < ROUNDS; round++) {
      const before = told.values.length;
      const child = start(String(round * ROUND_TAGS));
      await told.count(before + 20 + round * 37);
      // In every third round what happens at last waits for the broker.
      if (round % 3 === 2) {
        await broker.unplug();
        await broker.plug();
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const recorded = (await text(start().stdout)).trim().split('\n');

    const messages = new Map<string, Set<string>>();
    for (const { id, message } of told.values) {
      messages.set(id, (messages.get(id) ?? new Set()).add(message));
    }
    expect(recorded).to.have.length.greaterThan(ROUNDS * 20);
    expect([...messages.keys()].sort()).to.deep.equal([...recorded].sort());
    const ambiguous = [...messages].filter(([, ids]) => ids.size > 1);
    expect(ambiguous).to.deep.equal([]);
  });
});
