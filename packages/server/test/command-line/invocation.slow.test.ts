import { execSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { expect } from 'chai';
import { CommandRun } from '../../src/command-line/command-run.js';
import { describeCall, findTaken, retype, type Start } from '../../src/command-line/invocation.js';
import { call, callWith } from '../fixtures/processes/called.js';
import { program, ServerProcess, TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };

function startOf(script: string, env: Start['env'] = {}): Start {
  return { argv: ['/usr/bin/node', script], env, folder: '/opt/tallybook' };
}

describe('describeCall', () => {
  it('gives the text that a person types to call the program again', () => {
    const script = '/opt/tallybook/packages/server/bin/tallybook.cjs';
    expect(describeCall(startOf(script))).to.equal('node packages/server/bin/tallybook.cjs');
    expect(describeCall(startOf(script, fromNpm))).to.equal('npm start --');
    expect(describeCall(startOf('/usr/local/bin/tallybook'))).to.equal('tallybook');
    expect(describeCall(startOf('/usr/lib/tallybook/bin/tallybook'))).to.equal('sudo tallybook');
    expect(describeCall(startOf('/opt/app/node_modules/.bin/tallybook'))).to.equal('npx tallybook');
    expect(describeCall(startOf('/x/tallybook', { npm_command: 'exec' }))).to.equal('npx tallybook');
  });

  it('is npx if a package manager has started the program directly, as pnpm does', () => {
    const script = '/opt/tallybook/node_modules/@tallybook/server/bin/tallybook.cjs';
    for (const command of ['exec', 'run-script']) {
      expect(describeCall(startOf(script, { npm_command: command }))).to.equal('npx tallybook');
    }
    expect(describeCall(startOf(script))).to.equal('node node_modules/@tallybook/server/bin/tallybook.cjs');
    const own = '/opt/tallybook/packages/server/bin/tallybook.cjs';
    expect(describeCall(startOf(own, { npm_command: 'exec' }))).to.equal(
      'node packages/server/bin/tallybook.cjs',
    );
  });

  it('is not misled by the script "start" of another package', () => {
    const env = { ...fromNpm, npm_package_name: 'device' };
    expect(describeCall(startOf('/opt/app/node_modules/.bin/tallybook', env))).to.equal('npx tallybook');
  });
});

describe('findTaken', () => {
  const options = ['--reader', '--day-start', '--port'];

  it('finds the options that npm has left in the environment', () => {
    const env = { ...fromNpm, npm_config_reader: 'true', npm_config_day_start: '04:00' };
    expect(findTaken(options, startOf('x', env))).to.deep.equal(['--reader', '--day-start']);
  });

  it('finds none where the program was not started by npm', () => {
    expect(findTaken(options, startOf('x', { npm_config_port: '1' }))).to.deep.equal([]);
  });
});

describe('retype', () => {
  const [zone, dayStart, insecure] = [
    { flag: '--zone', takesValue: true },
    { flag: '--day-start', takesValue: true },
    { flag: '--insecure', takesValue: false },
  ];

  it('puts each argument after its option', () => {
    const words = ['Europe/Berlin'];
    expect(retype([zone], words, { npm_config_zone: 'true' })).to.deep.equal(['--zone', 'Europe/Berlin']);
    const env = { npm_config_zone: 'true', npm_config_insecure: 'true', npm_config_day_start: '04:00' };
    expect(retype([insecure, dayStart, zone], words, env)).to.deep.equal([
      '--insecure',
      '--day-start',
      '04:00',
      '--zone',
      'Europe/Berlin',
    ]);
  });

  it('leaves … where an argument could belong to more than one option', () => {
    const env = { npm_config_zone: 'true', npm_config_day_start: 'true' };
    const expected = ['--zone', '…', '--day-start', '…'];
    expect(retype([zone, dayStart], ['UTC', '04:00'], env)).to.deep.equal(expected);
    expect(retype([zone, dayStart], ['UTC'], env)).to.deep.equal(expected);
    expect(retype([zone], ['out.jsonl', 'UTC'], env)).to.deep.equal(['…', '--zone', '…']);
    expect(retype([zone], [], env)).to.deep.equal(['--zone', '…']);
  });

  it('keeps arguments that belong to no option, repeats an option for each of its values, and quotes', () => {
    const reader = { flag: '--reader', takesValue: true };
    const env = { npm_config_reader: "stdin:?name=a\n\nb's" };
    expect(retype([reader], ['a b'], env)).to.deep.equal([
      "'a b'",
      ...['--reader', "'stdin:?name=a'"],
      ...['--reader', "'b'\\''s'"],
    ]);
  });
});

describe('The command line', () => {
  const folder = temporaryFolder();

  const hintOf = async (server: ServerProcess): Promise<string> => {
    expect(await server.exited).to.equal(2);
    return /\((.*) says more\)/.exec(server.text)?.[1] ?? '';
  };

  it('names a command that shows the help of a command here', async () => {
    const command = await hintOf(new TallybookProcess('serve', '--prot', '80'));
    expect(execSync(command, { encoding: 'utf8' })).to.match(/^Usage: .* serve /);
  });

  it('names itself as it was installed', async () => {
    await symlink(program, folder.path('tallybook'));
    const server = new ServerProcess([folder.path('tallybook'), 'serve', '--prot', '80']);
    expect(await hintOf(server)).to.equal('tallybook serve --help');
  });

  it('shows every command for this installation, and does not change other words', async () => {
    const { output } = await call('help');
    const [, listed = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(output) ?? [];
    const commands = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
    expect(commands).to.include.members(['serve', 'passkey']);
    const run = new CommandRun('npm start --');
    for (const name of commands) {
      expect(run.asCalledHere(`see "tallybook ${name}"`)).to.equal(`see "npm start -- ${name}"`);
    }
    for (const text of ['tallybook of the office', 'tallybook export-names', 'mytallybook export']) {
      expect(run.asCalledHere(text)).to.equal(text);
    }
  });

  it('names the command for the ids of passkeys for this installation', async () => {
    const store = `level:${folder.path('store')}`;
    await call('user', 'add', 'ada', '--role', 'admin', '--no-password', '--store', store);
    const { errors } = await callWith(fromNpm, 'passkey', 'remove', 'x', '--store', store);
    expect(errors).to.include('"npm start -- passkey list"');
  });
});
