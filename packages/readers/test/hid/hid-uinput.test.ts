import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { HidIdSource } from '../../src/index.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { type } from './typed-keys.js';
import { idsOf } from '../fixtures/recorded-source.js';

const SOURCE = fileURLToPath(new URL('uinput-keyboard.c', import.meta.url));
/** The kernel with this feature runs on a slow machine. */
const PATIENCE_MS = 20_000;

function findNoUinput(): string | undefined {
  if (!existsSync('/dev/uinput')) return 'the kernel makes no input devices; "npm run uml" has one that does';
  for (const program of ['evtest', 'cc']) {
    if (spawnSync(program, ['--version']).error !== undefined) return `${program} is not installed`;
  }
  return undefined;
}

const reason = findNoUinput();

describe('HidIdSource with a device of the kernel', () => {
  let folder: string | undefined;
  let path: string;
  let keyboard: ChildProcess | undefined;
  let source: HidIdSource;
  let ids: Recorder<string>;
  let reasons: Recorder<unknown>;
  let connections: Recorder<string>;

  before(function () {
    if (reason !== undefined) this.skip(reason);
    folder = mkdtempSync(join(tmpdir(), 'tallybook-uinput-'));
    const { stderr, status } = spawnSync('cc', ['-O1', '-Wall', '-Werror', '-o', within('keyboard'), SOURCE]);
    expect(status, String(stderr)).to.equal(0);
  });

  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  beforeEach(() => {
    path = within('usb-READER-event-kbd');
    source = make();
    ids = idsOf(source, PATIENCE_MS);
    reasons = new Recorder(
      { subscribe: (next) => source.faults.subscribe(({ error }) => next(error.details['reason'])) },
      PATIENCE_MS,
    );
    connections = new Recorder(source.connections, PATIENCE_MS);
  });

  afterEach(async () => {
    await source.close();
    await unplug();
  });

  function within(name: string): string {
    return join(folder ?? '', name);
  }

  function make(): HidIdSource {
    return new HidIdSource({ path, silenceMs: 500, retryDelayMs: () => 100 }, new RunningClock());
  }

  /** Makes a device, and a link to it as udev does. */
  async function plug(...options: readonly string[]): Promise<void> {
    keyboard = spawn(within('keyboard'), options, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (keyboard.stdout === null) throw new Error('it has no output');
    const [file] = (await once(createInterface({ input: keyboard.stdout }), 'line')) as [string];
    symlinkSync(file, path);
  }

  async function unplug(): Promise<void> {
    const leaving = keyboard;
    keyboard = undefined;
    if (leaving === undefined) return;
    rmSync(path);
    leaving.stdin?.end();
    await once(leaving, 'exit');
  }

  function press(text: string): void {
    keyboard?.stdin?.write(
      type(text)
        .map(({ code, value }) => `${code} ${value}\n`)
        .join(''),
    );
  }

  async function connected(times = 1): Promise<void> {
    await connections.find('connected', () => {
      return connections.values.filter((connection) => connection === 'connected').length >= times;
    });
  }

  it('reads its typed ids', async () => {
    await plug();
    await source.open();
    await connected();
    press('0006547886\n6B3D12D6\n');
    expect(await ids.count(2)).to.deep.equal(['0006547886', '6B3D12D6']);
    press('010063E9AE');
    expect(await ids.count(3)).to.include('010063E9AE');
    expect(reasons.values).to.be.empty;
  });

  it('reads again after it was unplugged and plugged in', async () => {
    await source.open();
    expect(reasons.values).to.deep.equal(['missing']);
    await plug();
    await connected();
    await unplug();
    await reasons.count(2);
    await plug();
    await connected(2);
    press('6B3D12D6\n');
    expect(await ids.count(1)).to.deep.equal(['6B3D12D6']);
    expect(reasons.values).to.deep.equal(['missing', 'lost']);
  });

  it('grabs it, and a second reader gets a fault', async () => {
    await plug();
    await source.open();
    await connected();
    const second = make();
    const faults = new Recorder({
      subscribe: (next) => second.faults.subscribe(({ error }) => next(error.details['reason'])),
    });
    const typed: string[] = [];
    second.readings.subscribe(({ id }) => typed.push(id));
    await second.open();
    expect(faults.values).to.deep.equal(['busy']);
    press('6B3D12D6\n');
    await ids.count(1);
    await second.close();
    expect(typed).to.be.empty;
  });

  it('releases it when it is closed', async () => {
    await plug();
    await source.open();
    await connected();
    await source.close();
    await source.open();
    await connected(2);
    press('6B3D12D6\n');
    expect(await ids.count(1)).to.deep.equal(['6B3D12D6']);
  });

  it('refuses a mouse', async () => {
    await plug('mouse');
    await source.open();
    expect(reasons.values).to.deep.equal(['not-keyboard']);
  });
});
