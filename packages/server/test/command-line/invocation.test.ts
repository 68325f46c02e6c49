import { execSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { expect } from 'chai';
import { describeCall, findTaken, type Start } from '../../src/command-line/invocation.js';
import { program, ServerProcess, TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };

function startOf(script: string, env: Start['env'] = {}): Start {
  return { argv: ['/usr/bin/node', script], env, folder: '/opt/tallybook' };
}

describe('describeCall', () => {
  it('names what a person types to call the program again', () => {
    const script = '/opt/tallybook/packages/server/bin/tallybook.cjs';
    expect(describeCall(startOf(script))).to.equal('node packages/server/bin/tallybook.cjs');
    expect(describeCall(startOf(script, fromNpm))).to.equal('npm start --');
    expect(describeCall(startOf('/usr/local/bin/tallybook'))).to.equal('tallybook');
    expect(describeCall(startOf('/opt/app/node_modules/.bin/tallybook'))).to.equal('npx tallybook');
    expect(describeCall(startOf('/x/tallybook', { npm_command: 'exec' }))).to.equal('npx tallybook');
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

describe('The command line', () => {
  const folder = temporaryFolder();

  const hintOf = async (server: ServerProcess): Promise<string> => {
    expect(await server.exited).to.equal(2);
    return /\((.*) says more\)/.exec(server.text)?.[1] ?? '';
  };

  for (const [args, title] of [
    [['serve', '--prot', '80'], 'serve'],
    [['import'], 'import'],
    [['repair', 'now'], 'repair'],
  ] as const) {
    it(`names a command that shows the help of ${title} here`, async () => {
      const command = await hintOf(new TallybookProcess(...args));
      expect(execSync(command, { encoding: 'utf8' })).to.match(new RegExp(`^Usage: .* ${title} `));
    });
  }

  it('names a command that shows all commands here', async () => {
    const command = await hintOf(new TallybookProcess('sreve'));
    expect(execSync(command, { encoding: 'utf8' })).to.match(/Commands:[^]*serve[^]*export[^]*doctor/);
  });

  it('names itself as it was installed', async () => {
    await symlink(program, folder.path('tallybook'));
    const server = new ServerProcess([folder.path('tallybook'), 'serve', '--prot', '80']);
    expect(await hintOf(server)).to.equal('tallybook serve --help');
  });

  it('says that the options were taken by npm, and where -- belongs', async () => {
    const taken = { ...fromNpm, npm_config_reader: 'true', npm_config_port: '9000' };
    const server = TallybookProcess.with(taken, 'serial:/dev/ttyUSB0');
    expect(await server.exited).to.equal(2);
    expect(server.text).to.include('npm took --port and --reader for itself');
    expect(server.text).to.include('npm start -- serial:/dev/ttyUSB0 --port');
  });

  it('names commands as they can be called here in what it advises', async () => {
    const store = `level:${folder.path('none')}`;
    const doctor = TallybookProcess.with(fromNpm, 'doctor');
    expect(await doctor.exited).to.equal(0);
    expect(doctor.text).to.include('npm start -- doctor --reader');
    const missing = new TallybookProcess('export', '--store', store);
    expect(await missing.exited).to.equal(1);
    expect(missing.text).to.include('--store');
  });
});
