import { readdir, writeFile } from 'node:fs/promises';
import { createStorage } from '@tallybook/server';
import { expect } from 'chai';
import { storedService } from '../fixtures/processes/stored-service.js';

describe('A command on a store with stored settings', () => {
  const { folder, store, inStore } = storedService();
  beforeEach(async () => {
    await using storage = createStorage(store());
    await storage.open();
  });
  const write = (text: string): Promise<void> => writeFile(folder.path('store', 'settings.json'), text);
  const retention = (...flags: readonly string[]): ReturnType<typeof inStore> =>
    inStore('retention', '--dry-run', ...flags);

  it('uses them', async () => {
    expect((await retention()).output).to.match(/no limit|--keep/);
    await write('{"keep":"24months"}');
    const { exitCode, output, errors } = await retention();
    expect([exitCode, errors]).to.deep.equal([0, '']);
    expect(output).to.include('24months');
  });

  it('still has them after a repair', async () => {
    await write('{"keep":"24months"}');
    await writeFile(folder.path('store', 'CURRENT'), 'nothing\n');
    const { exitCode } = await inStore('repair');
    expect(exitCode).to.equal(0);
    expect(await readdir(folder.path('store'))).to.include('damaged-1');
    expect((await retention()).output).to.include('24months');
  });

  it('prefers its flags', async () => {
    await write('{"keep":"24months"}');
    expect((await retention('--keep', '3years')).output).to.include('3years');
  });

  it('warns of a wrong one on standard error, and does its work', async () => {
    await write('{"keep":"long"}');
    const { exitCode, errors } = await retention();
    expect(exitCode).to.equal(0);
    expect(errors).to.match(/^tallybook: settings\.json: keep: ignored: .*got "long"\n$/);
  });
});
