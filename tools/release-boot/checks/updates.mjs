import { expect } from '../checks.mjs';
import { untilConnected } from './installation.mjs';

const APT = 'DEBIAN_FRONTEND=noninteractive apt-get --yes';

/** @param next Version of the package /packages/next.deb. */
export async function checkUpdates({ machine, service, check, next }) {
  const withinMs = 120_000 * machine.patience;
  await check('an upgrade restarts the service, and keeps record and settings', async () => {
    await untilConnected(service);
    const id = await service.tap();
    const pid = await service.show('MainPID');
    const settings = await machine.run('cat /etc/tallybook/tallybook.toml');
    await machine.run(`${APT} install /packages/next.deb`, { withinMs });
    expect(await machine.run("dpkg-query --show --showformat='${Version}' tallybook"), next);
    expect(await service.show('ActiveState'), 'active');
    expect((await service.show('MainPID')) === pid, false);
    expect(await service.show('NRestarts'), '0');
    expect(await machine.run('cat /etc/tallybook/tallybook.toml'), settings);
    await service.untilReady();
    expect((await service.recorded()).includes(id), true);
  });
  let last;
  await check('a removal stops the service, removes the unit and keeps the record', async () => {
    await untilConnected(service);
    last = await service.tap();
    const pid = await service.show('MainPID');
    await machine.run(`${APT} remove tallybook`, { withinMs });
    expect(await service.show('ActiveState'), 'inactive');
    expect(await machine.run(`ls /proc/${pid} 2>/dev/null`, { mayFail: true }), '');
    expect(
      await machine.run('ls /lib/systemd/system/tallybook.service /usr/lib/tallybook 2>/dev/null', {
        mayFail: true,
      }),
      '',
    );
    expect(await machine.run('systemctl --failed --plain --no-legend'), '');
    await machine.run('test -d /var/lib/tallybook');
  });
  await check('a new installation starts with the kept record', async () => {
    await machine.run(`${APT} install /packages/next.deb`, { withinMs });
    expect(await service.show('ActiveState'), 'active');
    expect(await machine.run('systemctl is-enabled tallybook'), 'enabled');
    await service.untilReady();
    expect((await service.recorded()).includes(last), true);
  });
  await check('a purge leaves no unit, no settings and no failed service', async () => {
    await machine.run(`${APT} purge tallybook`, { withinMs });
    expect(await service.show('LoadState'), 'not-found');
    const left =
      'ls -d /etc/tallybook /etc/systemd/system/multi-user.target.wants/tallybook.service 2>/dev/null';
    expect(await machine.run(left, { mayFail: true }), '');
    expect(await machine.run('systemctl --failed --plain --no-legend'), '');
  });
}
