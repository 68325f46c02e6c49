import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const server = fileURLToPath(new URL('../../', import.meta.url));
const VERSION = /^\d+\.\d+\.\d+\n$/;
/** Since 22.8. The types are those of Node 20. */
const canKeep = 'enableCompileCache' in modules;
const CANNOT_KEEP = 'this version of Node keeps no compiled code';

describe('the compiled code of the program', () => {
  const folder = temporaryFolder();
  // Programs with native parts are found in their installed folder.
  const env = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    NODE_PATH: `${server}node_modules`,
    NODE_V8_COVERAGE: '',
    XDG_CACHE_HOME: folder.path('cache'),
  });

  beforeEach(() => {
    for (const name of ['bin', 'package.json']) cpSync(server + name, folder.path(name), { recursive: true });
    const isProgram = (path: string): boolean => !path.endsWith('/compiled');
    cpSync(`${server}program`, folder.path('program'), { recursive: true, filter: isProgram });
  });

  const sayVersion = (variables: NodeJS.ProcessEnv = {}): string =>
    execFileSync('node', [folder.path('bin/tallybook.cjs'), '--version'], {
      encoding: 'utf8',
      env: { ...env(), ...variables },
    });

  it('is kept beside the program of this user', function () {
    if (!canKeep) return this.skip(CANNOT_KEEP);
    expect(sayVersion()).to.match(VERSION);
    expect(readdirSync(folder.path('program/compiled'))).to.have.length(1);
    expect(existsSync(folder.path('cache'))).to.equal(false);
    expect(sayVersion()).to.match(VERSION);
  });

  it('is kept separately for commands, for the help, and for a server', function () {
    if (!canKeep) return this.skip(CANNOT_KEEP);
    sayVersion();
    execFileSync('node', [folder.path('bin/tallybook.cjs'), 'serve', '--help'], { env: env() });
    expect(readdirSync(folder.path('program/compiled'))).to.deep.equal(['commands']);
  });

  it('is kept in the cache of this user if the program belongs to another', function () {
    if (!canKeep) return this.skip(CANNOT_KEEP);
    if (process.getuid?.() !== 0) return this.skip('only root can give a folder away');
    chownSync(folder.path('program'), 1, 1);
    expect(sayVersion()).to.match(VERSION);
    expect(readdirSync(folder.path('cache/tallybook'))).to.have.length(1);
    expect(existsSync(folder.path('program/compiled'))).to.equal(false);
  });

  it('is kept in the folder of systemd, and is not used without such a folder', function () {
    if (!canKeep) return this.skip(CANNOT_KEEP);
    if (process.getuid?.() !== 0) return this.skip('only root can give a folder away');
    chownSync(folder.path('program'), 1, 1);
    const places = {
      CACHE_DIRECTORY: `${folder.path('first')}:${folder.path('second')}`,
      HOME: folder.path('home'),
    };
    expect(sayVersion(places)).to.match(VERSION);
    expect(readdirSync(folder.path()))
      .to.include('first')
      .and.not.include.members(['second', 'home', 'cache']);
    expect(sayVersion({ XDG_CACHE_HOME: '' })).to.match(VERSION);
  });

  it('is kept while the server runs, for a device whose power is cut', async function () {
    if (!canKeep) return this.skip(CANNOT_KEEP);
    const kept = folder.path('program/compiled/serve');
    mkdirSync(kept, { recursive: true });
    const looking = watch(kept, { recursive: true });
    const command = [folder.path('bin/tallybook.cjs'), 'serve', '--port', '0', '--store', 'memory:'];
    const served = spawn('node', command, { env: env(), stdio: ['pipe', 'ignore', 'inherit'] });
    try {
      const changes = on(looking, 'change') as AsyncIterable<[kind: string, path: string]>;
      // Node makes a folder at once, and the files in it when it keeps the code.
      for await (const [, path] of changes) if (path.includes('/')) break;
    } finally {
      looking.close();
      served.kill('SIGKILL');
      await once(served, 'close');
    }
  });

  it('is optional, and so is its folder', () => {
    writeFileSync(folder.path('program/compiled'), 'this is no folder');
    expect(sayVersion()).to.match(VERSION);
  });

  it('is missing before the first build, which the program reports', () => {
    rmSync(folder.path('program'), { recursive: true });
    const { status, stderr } = spawnSync('node', [folder.path('bin/tallybook.cjs')], {
      encoding: 'utf8',
      env: env(),
    });
    expect(stderr).to.equal(
      'tallybook: the program is not built yet; "npm start" or "npm run build" in the checkout builds it\n',
    );
    expect(status).to.equal(1);
  });
});
