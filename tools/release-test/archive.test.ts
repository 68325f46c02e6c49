// The archive where no package was ever configured: libraries of Debian, no users, no systemd. For arm64, QEMU runs its Node.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, chownSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { Chroot, makeNetwork } from './chroot.js';
import { Operator } from './operator.js';
import { findOne } from './packages.js';

const {
  TALLYBOOK_TEST_ROOT: folder = '',
  TALLYBOOK_TEST_ROOT_NAME: name = '',
  TALLYBOOK_TEST_RELEASE: release = '',
} = process.env;
const isEmulated = name.endsWith('-arm64');
const PATIENCE_MS = 120_000;
/** Of nobody in this root. */
const USER = 1000;
const QEMU = 'qemu-aarch64-static';
const TAG = '04A2B3C4D5';

describe(`the archive on ${name}`, function () {
  this.timeout(300_000);
  const root = new Chroot(folder);
  const operator = new Operator('127.0.0.1');
  let command: readonly string[];
  let service: ChildProcess | undefined;

  before(() => {
    const archive = findOne(release, isEmulated ? '-linux-arm64.tar.xz' : '-linux-x64.tar.xz');
    root.unpack(archive, 'opt');
    const unpacked = `/opt/${basename(archive, '.tar.xz')}`;
    const program = `${unpacked}/lib/tallybook`;
    command = isEmulated
      ? [`/${QEMU}`, `${program}/node`, `${program}/bin/tallybook.cjs`]
      : [`${unpacked}/bin/tallybook`];
    if (isEmulated) copyFileSync(`/usr/bin/${QEMU}`, root.path(QEMU));
    mkdirSync(root.path('home/person'), { recursive: true });
    chownSync(root.path('home/person'), USER, USER);
    root.mount();
    makeNetwork();
  });

  after(async () => {
    await end('SIGKILL');
  });

  it('has a Node and a store for the processor', async () => {
    await start();
  });

  it('records a tap', async () => {
    service?.stdin?.write(`${TAG}\n`);
    await operator.waitForTaps(TAG, 1, PATIENCE_MS);
  });

  it('shows the name of the tag, and has its page', async () => {
    await operator.name(TAG, 'Ada');
    expect(await operator.csv()).to.include('Ada');
    expect(await operator.get('/')).to.include('<script');
  });

  it('keeps the tap and the name when it is killed', async () => {
    await end('SIGKILL');
    await start();
    expect(await operator.countOf(TAG)).to.equal(1);
    expect(await operator.csv()).to.include('Ada');
  });

  it('stops when it is asked to', async () => {
    expect(await end('SIGTERM')).to.equal(0);
  });

  async function start(): Promise<void> {
    const args = ['serve', '--store', 'level:/home/person/store', '--reader', 'stdin:'];
    service = spawn('chroot', [`--userspec=${USER}:${USER}`, root.folder, ...command, ...args], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { PATH: '/usr/sbin:/usr/bin:/bin', HOME: '/home/person' },
    });
    await operator.waitUntilReady(PATIENCE_MS);
  }

  /** Ends the program, and resolves with its exit code. */
  async function end(signal: NodeJS.Signals): Promise<number | null | undefined> {
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) return undefined;
    const ended = once(service, 'exit');
    service.kill(signal);
    await ended;
    return service.exitCode;
  }
});
