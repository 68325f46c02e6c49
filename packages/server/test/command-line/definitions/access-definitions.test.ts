import { expect } from 'chai';
import { call, type Called } from '../../fixtures/processes/called.js';
import { GivenInput } from '../../fixtures/processes/given-input.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('The command that adds users', () => {
  const folder = temporaryFolder();

  async function inStore(...args: readonly string[]): Promise<Called> {
    using _ = new GivenInput('a quiet yellow door 9\n', { isTTY: false });
    return await call(...args, '--store', `level:${folder.path('store')}`);
  }

  it('takes a password for whom a provider knows only if one is given, and for anybody else always', async () => {
    const add = (name: string, ...more: readonly string[]): Promise<Called> =>
      inStore('user', 'add', name, '--role', 'admin', ...more);
    expect((await add('ada', '--provider', 's1', '--password-stdin')).errors).to.equal('');
    expect((await add('bob', '--provider', 's2')).errors).to.equal('');
    // Somebody must be asked, and nobody is there.
    expect((await add('cyd')).errors).to.include('--password-stdin');
    const { output } = await inStore('user', 'list');
    const table = output.trimEnd().split('\n').slice(1);
    expect(table.map((line) => line.replace(/ \d.* UTC/, '').split(/ {2,}/))).to.deep.equal([
      ['ada', 'admin', 'yes', 's1'],
      ['bob', 'admin', 'no', 's2'],
    ]);
  });
});
