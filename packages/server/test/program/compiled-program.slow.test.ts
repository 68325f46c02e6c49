import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const server = fileURLToPath(new URL('../../', import.meta.url));
const VERSION = /^\d+\.\d+\.\d+\n$/;

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

  it('is kept beside the program of this user', () => {
    expect(sayVersion()).to.match(VERSION);
    expect(readdirSync(folder.path('program/compiled'))).to.have.length(1);
    expect(existsSync(folder.path('cache'))).to.equal(false);
    expect(sayVersion()).to.match(VERSION);
  });

  it('is kept separately for commands, for the help, and for a server', () => {
    sayVersion();
    execFileSync('node', [folder.path('bin/tallybook.cjs'), 'serve', '--help'], { env: env() });
    expect(readdirSync(folder.path('program/compiled'))).to.deep.equal(['commands']);
  });

  it('is kept in the cache of this user if the program belongs to another', function () {
    if (process.getuid?.() !== 0) return this.skip('only root can give a folder away');
    chownSync(folder.path('program'), 1, 1);
    expect(sayVersion()).to.match(VERSION);
    expect(readdirSync(folder.path('cache/tallybook'))).to.have.length(1);
    expect(existsSync(folder.path('program/compiled'))).to.equal(false);
  });

  it('is kept in the folder of systemd, and is not used without such a folder', function () {
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

  /** Uses the folder that the program takes on a Node without a cache of its own. */
  describe('before Node 22.8', () => {
    const compiled = (): string => folder.path('compiled/command-line.compiled');

    /** Runs a script as such a Node would, and returns its output. */
    function runKept(script: string, keepAfterMs: number, ...args: readonly string[]): string {
      const options = JSON.stringify({ folder: dirname(compiled()), keepAfterMs });
      const call = `require('./bin/run-kept.cjs').runKept(${JSON.stringify(script)}, ${options})`;
      const { stdout } = spawnSync('node', ['--eval', call, 'tallybook', ...args], {
        cwd: folder.path(),
        encoding: 'utf8',
        env: env(),
      });
      return stdout;
    }

    const sayVersionKept = (): string => runKept(folder.path('program/command-line.js'), 60_000, '--version');

    it('is used unchanged', () => {
      expect(sayVersionKept()).to.match(VERSION);
      const { ino } = statSync(compiled());
      expect(sayVersionKept()).to.match(VERSION);
      expect(statSync(compiled()).ino).to.equal(ino);
    });

    it('is kept for each file separately, also for files that require each other', () => {
      const script = folder.path('program/command-line.js');
      writeFileSync(script, 'exports.word = "both"; require("./other.js"); require("node:fs");');
      writeFileSync(
        folder.path('program/other.js'),
        'const { word } = require("./command-line.js"); console.log(word, require("./other.js") === exports);',
      );
      for (let start = 0; start < 2; start++) {
        expect(runKept(script, 60_000)).to.equal('both true\n');
        const kept = readdirSync(dirname(compiled()));
        expect(kept).to.have.members(['command-line.compiled', 'other.compiled']);
      }
    });

    it('gives the reason at each require of a file that cannot run', () => {
      const script = folder.path('program/command-line.js');
      const attempt = 'try { require("./other.js") } catch (error) { console.log(error.message) }';
      writeFileSync(script, `${attempt}\n${attempt}`);
      writeFileSync(folder.path('program/other.js'), 'throw new Error("broken")');
      expect(runKept(script, 60_000)).to.equal('broken\nbroken\n');
    });

    it('is not kept for a program that failed early', () => {
      expect(runKept(folder.path('program/command-line.js'), 60_000, 'serve', '--port', 'none')).to.equal('');
      expect(existsSync(compiled())).to.equal(false);
    });

    it('is kept while the program runs, for a device whose power is cut', () => {
      const script = folder.path('program/command-line.js');
      mkdirSync(dirname(compiled()));
      writeFileSync(
        script,
        `const { existsSync, watch } = require('node:fs');
        watch(${JSON.stringify(dirname(compiled()))}, () => {
          if (!existsSync(${JSON.stringify(compiled())})) return;
          console.log('kept');
          process.kill(process.pid, 'SIGKILL');
        });`,
      );
      expect(runKept(script, 1)).to.equal('kept\n');
    });

    it('is not used for an updated program after the former one ran during the update', () => {
      const script = folder.path('program/command-line.js');
      const update = 'console.log("new");';
      const old = `require('node:fs').writeFileSync(__filename, ${JSON.stringify(update)}.padEnd(200)); console.log("old");`;
      // V8 compares only the length of a program.
      writeFileSync(script, old.padEnd(200));
      expect(runKept(script, 60_000)).to.equal('old\n');
      expect(existsSync(compiled())).to.equal(true);
      expect(runKept(script, 60_000)).to.equal('new\n');
    });

    const damages: Readonly<Record<string, (compiled: Buffer) => Buffer | undefined>> = {
      'is of another Node': (bytes) => {
        // The version of V8 follows a magic number.
        bytes.writeUInt8(bytes.readUInt8(8) ^ 1, 8);
        bytes.writeUInt32BE(
          crc32(bytes.subarray(4), crc32(readFileSync(folder.path('program/command-line.js')))),
        );
        return bytes;
      },
      'is something else': (bytes) => Buffer.alloc(bytes.length, 'x'),
      'has a block of zeros': (bytes) => bytes.fill(0, 40 * 4_096, 41 * 4_096),
      'is cut': (bytes) => bytes.subarray(0, bytes.length / 2),
      'is empty': () => Buffer.alloc(0),
      'is missing': () => undefined,
    };
    for (const [what, damage] of Object.entries(damages)) {
      it(`is made anew if it ${what}`, () => {
        sayVersionKept();
        const damaged = damage(readFileSync(compiled()));
        if (damaged === undefined) rmSync(compiled());
        else writeFileSync(compiled(), damaged);
        expect(sayVersionKept()).to.match(VERSION);
        const { ino } = statSync(compiled());
        expect(readFileSync(compiled()).equals(damaged ?? Buffer.alloc(0))).to.equal(false);
        expect(sayVersionKept()).to.match(VERSION);
        expect(statSync(compiled()).ino).to.equal(ino);
      });
    }
  });
});
