import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settings } from '@tallybook/server';
import { expect } from 'chai';
import { serveOnce } from '../packages/serve-once.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The most packages of an installation by npm. */
const MOST_PACKAGES = 25;
/** What must be answered besides the record: the page, and the health of the service. */
const PATHS = ['/', '/api/health'];

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly object[];
}

describe('npm run release', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-release-test-'));
  const first = join(folder, 'first');

  before(function () {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      this.skip('the archive for x64 runs only there');
    for (const program of ['dpkg-deb', 'xz']) {
      if (!isInstalled(program)) this.skip(`${program} is not installed`);
    }
    release('first');
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes the same bytes twice', () => {
    release('second');
    expect(sums('second')).to.equal(sums('first'));
    expect(files()).to.include.members([
      fileOf('.tar.xz'),
      fileOf('.deb'),
      fileOf('.cdx.json'),
      fileOf('.tgz'),
    ]);
  });

  it('makes an archive that records a tap and answers with its own Node', async () => {
    const archive = unpackArchive();
    await serveOnce(join(archive, 'bin/tallybook'), join(folder, 'store'), PATHS);
  });

  it('says in the archive how to start it, where the guides are, and its license', () => {
    const archive = unpackArchive();
    expect(readdirSync(archive).sort()).to.deep.equal(['LICENSE', 'README.md', 'bin', 'lib']);
    const readme = readFileSync(join(archive, 'README.md'), 'utf8');
    expect(readme)
      .to.match(/^bin\/tallybook serve$/m)
      .and.match(/`docs` of <https:\/\/\S+>\.$/m);
    expect(readFileSync(join(archive, 'LICENSE'), 'utf8')).to.match(/^MIT License/);
  });

  it('lists each bundled package with its version and license, and Node', () => {
    const text = readFileSync(join(first, fileOf('.cdx.json')), 'utf8');
    const { components, serialNumber } = JSON.parse(text) as {
      readonly components: readonly Component[];
      readonly serialNumber: string;
    };
    expect(serialNumber).to.match(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    const names = new Set(components.map(({ name }) => name));
    for (const name of bundledPackages()) expect(names).to.include(name);
    expect(names).to.include.members(['node', 'preact', 'classic-level', '@serialport/bindings-cpp']);
    for (const { name, version, purl, licenses } of components) {
      expect(version, name).to.match(/^\d+\.\d+\.\d+/);
      expect(purl).to.contain(version);
      expect(licenses, name).to.have.length(1);
    }
    const inside = readFileSync(join(unpackArchive(), 'lib/tallybook/sbom.cdx.json'), 'utf8');
    expect(inside).to.equal(text);
  });

  it('makes a package for npm that installs few packages, records a tap and shows the page', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const file = join(first, fileOf(/^tallybook-[^/]*\.tgz$/));
    const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', ...options, file], { cwd: project });
    const lock = readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, object>> };
    expect(Object.keys(packages)).to.have.length.within(3, MOST_PACKAGES);
    await serveOnce(join(project, 'node_modules/.bin/tallybook'), join(folder, 'store-npm'), PATHS);
  });

  it('packs each library beside it', () => {
    const libraries = files().filter((file) => file.startsWith('npm/'));
    expect(libraries.some((file) => /^npm\/tallybook-domain-[\d.]+\.tgz$/.test(file))).to.equal(true);
    expect(libraries).to.have.length.above(10);
  });

  it('makes a package for Debian whose settings stay as they are', () => {
    const place = join(folder, 'debian');
    execFileSync('dpkg-deb', ['--raw-extract', join(first, fileOf('.deb')), place]);
    expect(readFileSync(join(place, 'DEBIAN/conffiles'), 'utf8')).to.equal('/etc/tallybook/tallybook.toml\n');
    // An upgrade writes a new file over one that nobody has changed. So these lines never change.
    const lines = readFileSync(join(place, 'etc/tallybook/tallybook.toml'), 'utf8').split('\n');
    expect(lines.filter((line) => /^\w/.test(line))).to.deep.equal([
      'host = "0.0.0.0"',
      'store = "level:/var/lib/tallybook"',
    ]);
    const page = execFileSync('gzip', ['-dc', join(place, 'usr/share/man/man1/tallybook.1.gz')]).toString();
    for (const { flag } of Object.values(settings)) {
      expect(page).to.contain(`\\-\\-${flag.replaceAll('-', '\\-')} `);
    }
  });

  it('makes a manual that man shows on a terminal without a warning', function () {
    if (!isInstalled('man')) this.skip('man is not installed');
    const place = join(folder, 'manual');
    execFileSync('dpkg-deb', ['--extract', join(first, fileOf('.deb')), place]);
    const page = join(place, 'usr/share/man/man1/tallybook.1.gz');
    const env = { ...process.env, MANWIDTH: '80' };
    const { stdout, stderr } = spawnSync('man', ['--warnings', '--local-file', page], {
      encoding: 'utf8',
      env,
    });
    expect(stderr).to.equal('');
    expect(stdout).to.contain('TALLYBOOK_PUBLISH');
  });

  it('makes a package for Debian without mistakes that lintian finds', function () {
    if (!isInstalled('lintian')) this.skip('lintian is not installed');
    const { stdout, status } = spawnSync('lintian', ['--fail-on', 'warning', join(first, fileOf('.deb'))]);
    expect(stdout.toString()).to.equal('');
    expect(status).to.equal(0);
  });

  it('is signed by a key of minisign', function () {
    if (!isInstalled('minisign')) this.skip('minisign is not installed');
    const key = join(folder, 'minisign');
    run('minisign', '-G', '-W', '-s', key, '-p', `${key}.pub`);
    sign(key);
    run('minisign', '-V', '-p', `${key}.pub`, '-m', join(first, 'SHA256SUMS'));
  });

  it('is signed by a key of gpg', function () {
    if (!isInstalled('gpg')) this.skip('gpg is not installed');
    const home = join(folder, 'gpg');
    mkdirSync(home, { mode: 0o700 });
    const gpg = ['--homedir', home, '--batch', '--quiet'];
    run('gpg', ...gpg, '--passphrase', '', '--quick-generate-key', 'release', 'ed25519', 'sign');
    const key = execFileSync('gpg', [...gpg, '--armor', '--export-secret-keys', 'release']);
    writeFileSync(join(folder, 'gpg.key'), key);
    sign(join(folder, 'gpg.key'));
    run('gpg', ...gpg, '--verify', join(first, 'SHA256SUMS.asc'), join(first, 'SHA256SUMS'));
    run('gpgconf', '--homedir', home, '--kill', 'all');
  });

  it('is not signed if a file has changed', function () {
    if (!isInstalled('gpg')) this.skip('gpg is not installed');
    writeFileSync(join(folder, 'second', fileOf('.cdx.json')), '{}');
    const args = ['tools/release/sign.mjs', join(folder, 'second'), '--key', join(folder, 'gpg.key')];
    const { status, stderr } = spawnSync('node', args, { cwd: root, encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(stderr).to.contain('sha256sum has failed');
  });

  function release(name: string): void {
    const options = ['--out', join(folder, name), '--compression', '0', '--cpu', 'x64'];
    execFileSync('node', ['tools/release/release.mjs', ...options], { cwd: root });
  }

  function sign(key: string): void {
    execFileSync('node', ['tools/release/sign.mjs', first, '--key', key], { cwd: root, stdio: 'ignore' });
  }

  function sums(name: string): string {
    return readFileSync(join(folder, name, 'SHA256SUMS'), 'utf8');
  }

  function files(): readonly string[] {
    return sums('first')
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1] ?? '');
  }

  /** The file that ends so. */
  function fileOf(end: string | RegExp): string {
    const found = files().find((file) => (typeof end === 'string' ? file.endsWith(end) : end.test(file)));
    if (found === undefined) throw new Error(`there is no ${String(end)} in ${files().join()}`);
    return found;
  }

  function unpackArchive(): string {
    const archive = fileOf('.tar.xz');
    execFileSync('tar', ['-xJf', join(first, archive), '-C', folder]);
    return join(folder, archive.replace('.tar.xz', ''));
  }
});

/** The packages whose files the bundler has put into the program, by its source maps. */
function bundledPackages(): ReadonlySet<string> {
  const text = readFileSync(join(root, 'node_modules/.tallybook-program-maps.json'), 'utf8');
  const maps = JSON.parse(text) as Readonly<Record<string, { readonly sources: readonly string[] } | null>>;
  const sources = Object.values(maps).flatMap((map) => map?.sources ?? []);
  const names = sources.map((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}
