import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { ServiceManager } from '../../src/systemd/service-manager.js';
import { Supervision } from '../../src/systemd/supervision.js';
import { recordedLog } from '../fixtures/logged.js';
import { NotifySocket } from '../fixtures/processes/notify-socket.js';
import { TallybookProcess, type ServerProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const QUIET = ['--port', '0', '--store', 'memory:', '--reader', 'simulated:?every=1d'];

/** Receives the messages for systemd. */
class HeardManager extends ServiceManager {
  readonly heard: string[] = [];

  constructor(env: Readonly<Record<string, string>>) {
    super({ env, log: recordedLog().log });
  }

  override notify(...assignments: readonly string[]): Promise<void> {
    this.heard.push(...assignments.filter((each) => !each.startsWith('STATUS=')));
    return Promise.resolve();
  }
}

/** Runs all work that is ready. */
const settled = (): Promise<void> => new Promise(setImmediate);

describe('Supervision', () => {
  const watched = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '10000000' };
  let clock: ManualClock;
  let manager: HeardManager;
  beforeEach(() => {
    clock = new ManualClock();
    manager = new HeardManager(watched);
  });

  it('asks for more time during the start, and not after it', async () => {
    manager = new HeardManager({ NOTIFY_SOCKET: '/run/notify' });
    const supervision = new Supervision(manager, clock, () => Promise.resolve());
    supervision.start();
    clock.advance(19_999);
    expect(manager.heard).to.deep.equal([]);
    clock.advance(20_001);
    expect(manager.heard).to.deep.equal(Array(2).fill('EXTEND_TIMEOUT_USEC=120000000'));
    supervision.ready('listening');
    clock.advance(100_000);
    await settled();
    expect(manager.heard.slice(2)).to.deep.equal(['READY=1']);
  });

  it('sends two signs of life in the time that systemd waits, until it stops', async () => {
    const supervision = new Supervision(manager, clock, () => Promise.resolve());
    supervision.ready('listening');
    for (let round = 0; round < 4; round++) {
      clock.advance(5_000);
      await settled();
    }
    expect(manager.heard).to.deep.equal(['READY=1', ...Array<string>(4).fill('WATCHDOG=1')]);
    supervision.stop();
    clock.advance(50_000);
    await settled();
    expect(manager.heard.slice(5)).to.deep.equal(['STOPPING=1']);
  });

  it('keeps no program alive by its timer', () => {
    const { asked } = watchAppointments(clock);
    const supervision = new Supervision(manager, clock, () => Promise.resolve());
    supervision.start();
    supervision.ready('listening');
    clock.advance(5_000);
    supervision.end();
    expect(asked.length).to.be.at.least(3);
    for (const [, options] of asked) expect(options).to.deep.equal({ holdsProgram: false });
  });

  it('sends no sign of life while an answer of the store is missing, reads only once, and continues after the answer', async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const supervision = new Supervision(manager, clock, () => {
      asked++;
      return new Promise<void>((resolve) => (answer = resolve));
    });
    supervision.ready('listening');
    clock.advance(30_000);
    await settled();
    expect([asked, manager.heard]).to.deep.equal([1, ['READY=1']]);
    answer();
    await settled();
    expect(manager.heard).to.deep.equal(['READY=1', 'WATCHDOG=1']);
    supervision.end();
  });

  it('sends no sign of life if the store answers after the stop', async () => {
    let answer: () => void = () => undefined;
    const supervision = new Supervision(
      manager,
      clock,
      () => new Promise<void>((resolve) => (answer = resolve)),
    );
    supervision.ready('listening');
    clock.advance(5_000);
    supervision.stop();
    answer();
    await settled();
    expect(manager.heard).to.deep.equal(['READY=1', 'STOPPING=1']);
  });

  it('sends signs of life if the store refuses a read, because a restart would lose scans in memory', async () => {
    const supervision = new Supervision(manager, clock, () => Promise.reject(new Error('no disk')));
    supervision.ready('listening');
    clock.advance(5_000);
    await settled();
    expect(manager.heard).to.deep.equal(['READY=1', 'WATCHDOG=1']);
    supervision.end();
  });

  it('reads no store if no sign of life is needed', async () => {
    const others: readonly Readonly<Record<string, string>>[] = [
      {},
      { NOTIFY_SOCKET: '/run/notify' },
      { WATCHDOG_USEC: '10000000' },
      { ...watched, WATCHDOG_PID: String(process.pid + 1) },
      { ...watched, WATCHDOG_USEC: '0' },
    ];
    for (const env of others) {
      const appointments = watchAppointments(clock);
      let asked = 0;
      const supervision = new Supervision(new HeardManager(env), clock, async () => asked++);
      supervision.ready('listening');
      clock.advance(1_000_000);
      await settled();
      expect([asked, appointments.asked], JSON.stringify(env)).to.deep.equal([0, []]);
      supervision.end();
    }
  });
});

describe('ServiceManager', () => {
  const folder = temporaryFolder();

  it('logs once that systemd cannot be reached, and continues', async () => {
    const { log, lines } = recordedLog();
    const env = { NOTIFY_SOCKET: folder.path('nobody') };
    const manager = new ServiceManager({ env, log, command: folder.path('no-such-program') });
    await manager.notify('READY=1');
    await manager.notify('WATCHDOG=1');
    expect(lines.values.map(({ msg }) => msg)).to.deep.equal([
      'could not notify systemd; is systemd-notify installed?',
    ]);
  });

  it('sends a message after the one before has arrived, to the address of systemd, with the id of this process', async () => {
    const [sent, goOn] = [folder.path('sent'), folder.path('go-on')];
    await writeFile(sent, '');
    const command = folder.path('notify-slowly');
    const heads = `echo "$1 $NOTIFY_SOCKET" > ${folder.path('heads')}`;
    const wait = `[ "$2" = first ] && while [ ! -e ${goOn} ]; do sleep 0.01; done`;
    const script = `#!/bin/sh\n${heads}\necho "begin $2" >> ${sent}\n${wait}\necho "end $2" >> ${sent}\n`;
    await writeFile(command, script, { mode: 0o755 });
    const env = { ...process.env, NOTIFY_SOCKET: folder.path('nobody') } as Record<string, string>;
    const manager = new ServiceManager({ env, log: recordedLog().log, command });
    const arrived = ['first', 'second'].map((message) => manager.notify(message));
    while (!(await readFile(sent, 'utf8')).includes('begin first')) await settled();
    await writeFile(goOn, '');
    await Promise.all(arrived);
    expect(await readFile(sent, 'utf8')).to.equal('begin first\nend first\nbegin second\nend second\n');
    expect(await readFile(folder.path('heads'), 'utf8')).to.equal(
      `--pid=${process.pid} ${folder.path('nobody')}\n`,
    );
  });

  it('starts no program without systemd', async () => {
    const { log, lines } = recordedLog();
    await new ServiceManager({ env: {}, log, command: folder.path('no-such-program') }).notify('READY=1');
    expect(lines.values).to.deep.equal([]);
  });
});

describe('tallybook serve under systemd', () => {
  const folder = temporaryFolder();
  let server: ServerProcess | undefined;
  before(function () {
    for (const program of ['systemd-notify', 'perl']) {
      if (spawnSync(program, ['--version']).error !== undefined) this.skip(`${program} is not installed`);
    }
  });
  afterEach(() => server?.kill());

  it('reports that it is ready, that it is alive, and that it stops', async () => {
    await using systemd = await NotifySocket.open(folder.path('notify'));
    server = TallybookProcess.with(
      { NOTIFY_SOCKET: systemd.path, WATCHDOG_USEC: '400000' },
      'serve',
      ...QUIET,
    );
    await systemd.says(/WATCHDOG=1/, 2);
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
    await systemd.says(/STOPPING=1/);
    const [first = ''] = systemd.messages;
    expect(first).to.match(/^MAINPID=[0-9]+\|READY=1\|STATUS=listening on http:\/\/127\.0\.0\.1:[0-9]+$/);
    expect(first).to.include(`MAINPID=${server.child.pid}|`);
    expect(systemd.messages.at(-1)).to.match(/STOPPING=1\|STATUS=stopping$/);
  });

  it('sends no sign of life when its event loop is blocked', async () => {
    await using systemd = await NotifySocket.open(folder.path('notify'));
    const hang = `process.on('SIGUSR2', () => { process.stdout.write('hangs'); for (;;); })`;
    server = TallybookProcess.with(
      {
        NOTIFY_SOCKET: systemd.path,
        WATCHDOG_USEC: '200000',
        NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hang)}"`,
      },
      'serve',
      ...QUIET,
    );
    await systemd.says(/WATCHDOG=1/);
    server.child.kill('SIGUSR2');
    await server.says(/hangs/);
    const before = systemd.messages.length;
    // Another program can still send, so the socket itself works. One message may still be in transit.
    for (let round = 0; round < 5; round++) {
      spawnSync('systemd-notify', ['X_ROUND=1'], { env: { ...process.env, NOTIFY_SOCKET: systemd.path } });
    }
    await systemd.says(/X_ROUND/, 5);
    const signs = systemd.messages.slice(before).filter((message) => message.includes('WATCHDOG=1'));
    expect(signs.length).to.be.at.most(1);
  });
});
