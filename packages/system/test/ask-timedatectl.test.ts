import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { askTimedatectl } from '../src/ask-timedatectl.js';
import { TimeService } from './time-service.js';

describe('askTimedatectl', () => {
  const { signal } = new AbortController();
  const ask = (program: string, systemdFolder: string) =>
    askTimedatectl(program, 5_000, signal, systemdFolder);

  it('gives `waiting` after a failure where systemd runs the system, so that the clock is not trusted', async () => {
    await using service = await TimeService.create();
    await service.run('echo "Failed to query server: Connection timed out" >&2; exit 1');
    expect(await ask(service.program, tmpdir())).to.equal('waiting');
  });

  it('gives `silent` after a failure where there is no systemd', async () => {
    await using service = await TimeService.create();
    await service.run('exit 1');
    expect(await ask(service.program, `${service.program}-no-folder`)).to.equal('silent');
  });

  it('gives `silent` where systemd has no time service', async () => {
    await using service = await TimeService.create();
    for (const properties of [{ CanNTP: 'no' }, { NTP: 'no', CanNTP: 'no', NTPSynchronized: 'no' }]) {
      await service.answer(properties);
      expect(await ask(service.program, tmpdir())).to.equal('silent');
    }
  });

  it('gives `silent` where the program is missing', async () => {
    await using service = await TimeService.create();
    expect(await ask(`${service.program}-missing`, tmpdir())).to.equal('silent');
  });
});
