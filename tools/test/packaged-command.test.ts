// The command of the package for Debian, with folders of this test and a program that shows its environment.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const source = fileURLToPath(new URL('../../packaging/debian/tallybook.sh', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** As root, it becomes another user. */
const user = isRoot ? 'daemon' : userInfo().username;

describe('The command of the package', function () {
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-packaged-command-'));
  const command = join(folder, 'tallybook');
  const variables = join(folder, 'etc/env');

  before(function () {
    if (process.platform !== 'linux') this.skip('the command is for Linux');
    chmodSync(folder, 0o755);
    for (const each of ['etc', 'lib']) mkdirSync(join(folder, each), { mode: 0o755 });
    const script = readFileSync(source, 'utf8')
      .replace('/usr/lib/tallybook', join(folder, 'lib'))
      .replaceAll('/etc/tallybook', join(folder, 'etc'))
      .replace('user=tallybook', `user=${user}`);
    writeFileSync(command, script);
    writeFileSync(join(folder, 'lib/node'), '#!/bin/sh\nexec env -0 USER="$(id -un)" ARGUMENTS="$*"\n');
    for (const each of [command, join(folder, 'lib/node')]) chmodSync(each, 0o755);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (env: Readonly<Record<string, string>> = {}, args = ['user', 'list']) => {
    const { PATH = '' } = process.env;
    const { stdout, stderr, status } = spawnSync(command, args, {
      encoding: 'utf8',
      env: { PATH, ...env },
    });
    const lines = stdout.split('\0').filter((line) => line !== '');
    const seen = new Map(
      lines.map((line) => [line.replace(/=.*/s, ''), line.replace(/^[^=]*=/, '')] as const),
    );
    return { seen: Object.fromEntries(seen), stderr, status };
  };

  /** Runs it with a file of variables, which only root may read where that is possible. */
  const runWith = (text: string, env?: Readonly<Record<string, string>>) => {
    writeFileSync(variables, text);
    chmodSync(variables, 0o600);
    return run(env);
  };

  it('runs as the user of the service, with its settings', () => {
    rmSync(variables, { force: true });
    const { seen } = run();
    expect(seen).to.include({ USER: user, TALLYBOOK_CONFIG: join(folder, 'etc/tallybook.toml') });
    expect(seen['ARGUMENTS']).to.match(/\/bin\/tallybook user list$/);
  });

  it('reads plain lines of its variables as systemd does, for the other user alone', () => {
    const { seen, stderr } = runWith(
      [
        '# a comment, with a \\ in it',
        '; another',
        'TALLYBOOK_STORE=postgres://ada:a#b$c&d=e@db/x?site=a',
        '  A=not a name',
        'SPACES=  two words \t\r',
        'QUOTED="  $HOME `id` # "',
        'SINGLE=\'it is "so"\'',
        'INSIDE=x"y z"',
        'EMPTY=',
        'TWICE=1',
        'TWICE=2',
        'line=1',
        'LAST=no end of line',
      ].join('\n'),
    );
    expect(stderr).to.equal('');
    expect(seen).to.include({
      TALLYBOOK_STORE: 'postgres://ada:a#b$c&d=e@db/x?site=a',
      A: 'not a name',
      SPACES: 'two words',
      QUOTED: '  $HOME `id` # ',
      SINGLE: 'it is "so"',
      INSIDE: 'x"y z"',
      EMPTY: '',
      TWICE: '2',
      LAST: 'no end of line',
      USER: user,
    });
  });

  it('prefers a variable that it was given to one of the file', () => {
    const { seen } = runWith('TALLYBOOK_STORE=level:/file\nFROM_FILE=1\n', {
      TALLYBOOK_STORE: 'level:/given',
    });
    expect(seen).to.include({ TALLYBOOK_STORE: 'level:/given', FROM_FILE: '1' });
  });

  it('takes no variable with small letters, which its own script has', () => {
    const { seen, stderr } = runWith('program=/nowhere\nsettings=/other\nnumber=abc\nFINE=1\n');
    expect(stderr).to.equal('');
    expect(seen).to.include({ FINE: '1', TALLYBOOK_CONFIG: join(folder, 'etc/tallybook.toml') });
  });

  it('needs no variables to explain itself', () => {
    writeFileSync(variables, 'A=b\\\n');
    for (const args of [['--version'], ['help'], ['user', '--help']]) {
      const { seen, stderr } = run({}, args);
      expect(stderr).to.equal('');
      expect(seen['ARGUMENTS']).to.match(new RegExp(`/bin/tallybook ${args.join(' ')}$`));
    }
  });

  it('does not read them where other settings are given', () => {
    const { seen } = runWith('TALLYBOOK_STORE=memory:\n', { TALLYBOOK_CONFIG: '/mine.toml' });
    expect(seen).to.include({ TALLYBOOK_CONFIG: '/mine.toml' }).and.not.to.have.property('TALLYBOOK_STORE');
  });

  for (const line of [
    'A=b\\',
    '# a comment that would go on\\',
    'A=b\\nc',
    'A="b',
    'A="b" c',
    'A="b"c"',
    "A='b'c'",
    'export A=b',
    'A',
    '=b',
    '1A=b',
  ]) {
    it(`refuses a line that systemd may read in another way: ${line}`, () => {
      const { stderr, status } = runWith(`FINE=1\n${line}\nSECRET=2\n`);
      expect(stderr).to.match(/^tallybook: line 2 of \S+\/env is not a plain NAME=value: .*\n$/);
      expect(status).to.equal(2);
    });
  }
});
