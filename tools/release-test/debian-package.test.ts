// The life of the Debian package on a device, in order: each test goes on where the test before it ended.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Chroot, makeNetwork, OUTER_ADDRESS } from './chroot.js';
import { Operator } from './operator.js';
import { edit, findOne, repack } from './packages.js';
import { SerialReader } from './serial-reader.js';

const {
  TALLYBOOK_TEST_ROOT: folder = '',
  TALLYBOOK_TEST_ROOT_NAME: name = '',
  TALLYBOOK_TEST_RELEASE: release = '',
} = process.env;
const [, architecture = ''] = name.split('-');
/** Also of an emulated start on a busy machine. */
const PATIENCE_MS = 120_000;
const CONFFILE = 'etc/tallybook/tallybook.toml';
const STORE = 'var/lib/tallybook';
/** Versions after every released one. */
const [NEXT, LATER] = ['99.0.0', '99.0.1'] as const;
const POLICY = 'usr/sbin/policy-rc.d';
const [ADA, GRACE] = ['04A2B3C4D5', '0011223344'] as const;

describe(`the Debian package on ${name}`, function () {
  this.timeout(900_000);
  const root = new Chroot(folder);
  const operator = new Operator(OUTER_ADDRESS);
  let reader: SerialReader;
  let installedAt: number;
  let version: string;
  let pid: string;

  before(async () => {
    root.mount();
    makeNetwork();
    const made = findOne(release, `_${architecture}.deb`);
    copyFileSync(made, root.path('tmp/tallybook.deb'));
    repack(made, root.path('tmp/next.deb'), { version: NEXT, scratch: root.path('tmp/next') });
    const later = { version: LATER, scratch: root.path('tmp/later') };
    repack(made, root.path('tmp/later.deb'), later, (unpacked) => {
      edit(join(unpacked, CONFFILE), /^/, '# A line of a later version.\n');
    });
    root.run('mv /usr/bin/systemctl /usr/bin/systemctl.real');
    copyFileSync(new URL('systemctl.sh', import.meta.url), root.path('usr/bin/systemctl'));
    root.run('chmod 755 /usr/bin/systemctl');
    // Where it asks systemd, a time server has set the clock.
    root.write('usr/local/bin/timedatectl', '#!/bin/sh\necho NTPSynchronized=yes\n', 0o755);
    reader = await SerialReader.plugInto(root);
  });

  after(async () => {
    root.try('systemctl stop tallybook.service');
    await reader.dispose();
  });

  it('is installed from the file alone where systemd does not run, and starts nothing', () => {
    const output = install('tallybook.deb');
    expect(output)
      .to.match(/ 1 newly installed/)
      .and.to.match(/Need to get 0 B/);
    expect(isActive()).to.equal(false);
    expect(root.run('systemctl is-enabled tallybook.service')).to.equal('enabled\n');
    expect(root.run('stat -c "%U %G %a" /var/lib/tallybook')).to.equal('tallybook tallybook 700\n');
    expect(root.run(`stat -c "%U %G %a" /${CONFFILE}`)).to.equal('root tallybook 640\n');
    expect(root.run('id -nG tallybook')).to.equal('tallybook dialout gpio\n');
  });

  it('brings no compiler and needs no registry', () => {
    for (const program of ['cc', 'g++', 'make', 'python3', 'npm', 'node']) {
      expect(root.try(`command -v ${program}`).status, program).not.to.equal(0);
    }
  });

  it('is purged where systemd does not run, and keeps the folder of the record', () => {
    root.run('apt-get purge --yes tallybook');
    expect(['usr/lib/tallybook', CONFFILE, STORE].map((each) => root.has(each))).to.deep.equal([
      false,
      false,
      true,
    ]);
  });

  it('starts nothing where policy-rc.d forbids it', () => {
    root.write('run/systemd/system/.placeholder', '');
    root.write(POLICY, '#!/bin/sh\nexit 101\n', 0o755);
    expect(install('tallybook.deb')).to.include('policy-rc.d returned 101');
    expect(isActive()).to.equal(false);
    root.run(`apt-get purge --yes tallybook && rm /${POLICY}`);
  });

  it('starts at the installation, and says what to do next, without the code', async () => {
    installedAt = performance.now();
    const output = install('tallybook.deb');
    expect(output)
      .to.match(/http:\/\/[^/]+:8080\//)
      .and.to.include('sudo tallybook setup-code');
    await operator.waitUntilReady(PATIENCE_MS);
    console.log(`      ${seconds(installedAt)} s from apt install until ready`);
    const code = root.run('tallybook setup-code').trim();
    expect(code).to.match(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}$/);
    expect(output).not.to.include(code);
    expect(root.run(`grep -r ${code} /var/log/apt /var/log/dpkg.log || true`)).to.equal('');
  });

  it('lets nobody in from another address before the first user, but for the setup and its health', async () => {
    const paths = ['/api/today', '/api/mapping', '/api/csv', '/api/users', '/api/export', '/api/events'];
    for (const path of paths) expect(await operator.statusOf(path), path).to.equal(401);
    for (const path of ['/', '/api/health', '/api/session']) {
      expect(await operator.statusOf(path), path).to.equal(200);
    }
  });

  it('makes the first user with the code of "tallybook setup-code"', async () => {
    await operator.claim(root.run('tallybook setup-code').trim());
    expect(await operator.statusOf('/api/users')).to.equal(200);
  });

  it('records a tap at the serial reader that the file names', async () => {
    root.append(CONFFILE, `${SerialReader.setting}\n`);
    root.run('systemctl restart tallybook.service');
    await operator.waitUntilReady(PATIENCE_MS);
    await reader.tap(ADA);
    await operator.waitForTaps(ADA, 1, PATIENCE_MS);
    console.log(`      ${seconds(installedAt)} s from apt install until the first tap`);
  });

  it('shows the name of the tag on the page, and in the file for spreadsheets', async () => {
    await operator.name(ADA, 'Ada');
    const { people } = await operator.today();
    expect(people.map((person) => person.name?.first)).to.deep.equal(['Ada']);
    expect(await operator.csv()).to.include('Ada');
    const page = await operator.get('/');
    const [, script = ''] = /<script[^>]* src="\.?\/?([^"]+)"/.exec(page) ?? [];
    expect(await operator.get(`/${script}`)).to.have.length.above(1_000);
  });

  it('runs "tallybook doctor" without options', () => {
    expect(root.run('tallybook doctor'))
      .to.include('Serial lines')
      .and.include("sudo tallybook doctor --reader 'URL'");
  });

  it('runs a command with the variables of the service, which only root may read', () => {
    root.write('etc/tallybook/env', 'TALLYBOOK_STORE=level:/var/lib/tallybook/elsewhere\n', 0o600);
    expect(root.try('tallybook user list').output).to.include('no store at /var/lib/tallybook/elsewhere');
    root.run('rm /etc/tallybook/env');
  });

  it('has a manual', () => {
    expect(root.run('man tallybook')).to.include('attendance service');
  });

  it('keeps the tap when it is killed', async () => {
    root.run('kill -KILL $(cat /run/release-test.pid); while systemctl is-active; do sleep 0.1; done');
    root.run('systemctl start tallybook.service');
    await operator.waitUntilReady(PATIENCE_MS);
    expect(await operator.countOf(ADA)).to.equal(1);
    await reader.tap(GRACE);
    await operator.waitForTaps(GRACE, 1, PATIENCE_MS);
  });

  it('is upgraded: starts the new program, and keeps the edited file, the taps and the session', async () => {
    const edited = root.read(CONFFILE);
    version = root.run('tallybook --version');
    pid = root.read('run/release-test.pid');
    install('next.deb');
    expect(root.run('tallybook --version')).to.equal(`${NEXT}\n`);
    expect(root.read(CONFFILE)).to.equal(edited);
    await expectKept();
  });

  it('keeps the edited file, also if the new version brings another one', async () => {
    const edited = root.read(CONFFILE);
    pid = root.read('run/release-test.pid');
    root.run('apt-get install --yes -o Dpkg::Options::=--force-confold /tmp/later.deb');
    expect(root.read(CONFFILE)).to.equal(edited);
    expect(root.read(`${CONFFILE}.dpkg-dist`)).to.include('A line of a later version');
    await expectKept();
  });

  it('is downgraded, and keeps all', async () => {
    pid = root.read('run/release-test.pid');
    root.run(
      'apt-get install --yes --allow-downgrades -o Dpkg::Options::=--force-confold /tmp/tallybook.deb',
    );
    expect(root.run('tallybook --version')).to.equal(version);
    await expectKept();
  });

  it('is removed: stops, and keeps the file, the record and the user', () => {
    const edited = root.read(CONFFILE);
    root.run('apt-get remove --yes tallybook');
    expect(isActive()).to.equal(false);
    expect(['usr/lib/tallybook', 'usr/bin/tallybook'].map((each) => root.has(each))).to.deep.equal([
      false,
      false,
    ]);
    expect(root.read(CONFFILE)).to.equal(edited);
    expect(root.run('id -un tallybook')).to.equal('tallybook\n');
    expect(root.run('systemctl is-enabled tallybook.service || true')).not.to.equal('enabled\n');
  });

  it('is installed again with the record', async () => {
    pid = '';
    install('tallybook.deb');
    await expectKept();
    expect(root.run('systemctl is-enabled tallybook.service')).to.equal('enabled\n');
  });

  it('is purged: removes the file, and keeps the record unless debconf says otherwise', async () => {
    root.run('apt-get purge --yes tallybook');
    expect(root.has(CONFFILE)).to.equal(false);
    expect(root.has('var/cache/tallybook')).to.equal(false);
    expect(root.has(STORE)).to.equal(true);
    pid = '';
    install('tallybook.deb');
    await operator.waitUntilReady(PATIENCE_MS);
    expect([await operator.countOf(ADA), await operator.countOf(GRACE)]).to.deep.equal([1, 1]);
  });

  it('is purged with the record if debconf says so, and leaves no file of its user', () => {
    root.run('echo "tallybook tallybook/remove-record boolean true" | debconf-set-selections');
    root.run('apt-get purge --yes tallybook');
    expect(isActive()).to.equal(false);
    expect(root.run('find / -xdev -user tallybook')).to.equal('');
    expect(
      root.run('find /etc /usr /var -path /var/cache/man -prune -o -name "*tallybook*" -print'),
    ).to.equal('');
  });

  /** After a change of the program: another process runs, with the same record, which takes taps. */
  async function expectKept(): Promise<void> {
    await operator.waitUntilReady(PATIENCE_MS);
    expect(root.read('run/release-test.pid')).not.to.equal(pid);
    expect([await operator.countOf(ADA), await operator.countOf(GRACE)]).to.deep.equal([1, 1]);
    const { people } = await operator.today();
    expect(people.map((person) => person.name?.first)).to.deep.equal(['Ada']);
  }

  function install(file: string): string {
    return root.run(`apt-get install --yes /tmp/${file}`);
  }

  function isActive(): boolean {
    return root.try('systemctl is-active tallybook.service').status === 0;
  }
});

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
