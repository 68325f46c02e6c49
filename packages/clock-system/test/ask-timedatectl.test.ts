import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { askTimedatectl } from '../src/ask-timedatectl.js';
import { TimeService } from './time-service.js';

describe('askTimedatectl', () => {
  const { signal } = new AbortController();
  const ask = (program: string, systemdFolder: string) =>
    askTimedatectl(program, 5_000, signal, systemdFolder);

  it('takes a failure for no answer where systemd runs the system: the clock is not to be believed', async () => {
    await using service = await TimeService.create();
    await service.run('echo "Failed to query server: Connection timed out" >&2; exit 1');
    expect(await ask(service.program, tmpdir())).to.equal('waiting');
  });

  it('takes a failure for nobody who knows where there is no systemd', async () => {
    await using service = await TimeService.create();
    await service.run('exit 1');
    expect(await ask(service.program, `${service.program}-no-folder`)).to.equal('silent');
  });

  it('says that nobody knows where systemd tells of no time service', async () => {
    await using service = await TimeService.create();
    for (const properties of [{ CanNTP: 'no' }, { NTP: 'no', CanNTP: 'no', NTPSynchronized: 'no' }]) {
      await service.answer(properties);
      expect(await ask(service.program, tmpdir())).to.equal('silent');
    }
  });

  it('says that nobody knows where the program is missing', async () => {
    await using service = await TimeService.create();
    expect(await ask(`${service.program}-missing`, tmpdir())).to.equal('silent');
  });
});
