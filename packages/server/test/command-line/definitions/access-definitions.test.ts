import { expect } from 'chai';
import type { Called } from '../../fixtures/processes/called.js';
import { GivenInput } from '../../fixtures/processes/given-input.js';
import { storedService } from '../../fixtures/processes/stored-service.js';

describe('The command that adds users', () => {
  const { inStore } = storedService();

  async function withPassword(...args: readonly string[]): Promise<Called> {
    using _ = new GivenInput('a quiet yellow door 9\n', { isTTY: false });
    return await inStore(...args);
  }

  it('needs no password for a user of a provider, and otherwise always', async () => {
    const add = (name: string, ...more: readonly string[]): Promise<Called> =>
      withPassword('user', 'add', name, '--role', 'admin', ...more);
    expect((await add('ada', '--provider', 's1', '--password-stdin')).errors).to.equal('');
    expect((await add('bob', '--provider', 's2')).errors).to.equal('');
    // The command must ask for a password, but there is no terminal.
    expect((await add('cyd')).errors).to.include('--password-stdin');
    const { output } = await inStore('user', 'list');
    const table = output.trimEnd().split('\n').slice(1);
    expect(table.map((line) => line.replace(/ \d.* UTC/, '').split(/ {2,}/))).to.deep.equal([
      ['ada', 'admin', 'all', 'yes', 's1'],
      ['bob', 'admin', 'all', 'no', 's2'],
    ]);
  });
});

describe('The commands of access', () => {
  const { inStore } = storedService();

  it('list no passkeys and no stations in a new store, and find none', async () => {
    await inStore('user', 'add', 'ada', '--role', 'admin', '--no-password');
    expect((await inStore('passkey', 'list')).output).to.equal('there are no passkeys\n');
    expect((await inStore('passkey', 'remove', 'a')).errors).to.match(/there is no passkey "a"/);
    expect((await inStore('stations', '--json')).output).to.equal('[]\n');
    expect((await inStore('stations', 'forget', 'hall')).errors).to.match(/there is no station "hall"/);
  });

  it('accept only whole days from 1 for a token', async () => {
    for (const days of ['0', '1.5', 'x9', '9x', '-1', '']) {
      const { exitCode, errors } = await inStore('token', 'add', 'gate', '--role', 'device', '--days', days);
      expect(exitCode, days).to.equal(2);
      expect(errors).to.include('a whole number of days, at least 1');
    }
    await inStore('user', 'add', 'ada', '--role', 'admin', '--no-password');
    expect((await inStore('token', 'add', 'gate', '--role', 'device', '--days', '1')).exitCode).to.equal(0);
  });
});
