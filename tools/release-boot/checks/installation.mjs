import { expect } from '../checks.mjs';

/** The clock of the virtual machine is right. `clock.mjs` is about other clocks. */
const SETTINGS = `reader = ["serial:/dev/ttyUSB0?protocol=lines&name=door", "http:gate"]
clock = "trusted"`;

export async function checkInstallation({ machine, service, check }) {
  let log = '';
  await check('apt installs the package, and the service is ready when apt has ended', async () => {
    log = await machine.run('apt-get install --yes /packages/tallybook.deb', {
      withinMs: 120_000 * machine.patience,
    });
    expect(await service.show('Type'), 'notify');
    expect(await service.show('ActiveState'), 'active');
    expect(await service.show('NRestarts'), '0');
    const { status } = await service.request('GET', '/api/health/ready');
    expect(status, 200);
    return `status "${await service.show('StatusText')}"`;
  });
  await check('the unit is enabled, and nothing has failed', async () => {
    expect(await machine.run('systemctl is-enabled tallybook'), 'enabled');
    expect(await machine.run('systemctl --failed --plain --no-legend'), '');
  });
  await check('the installation says where to go, and does not show the setup code', async () => {
    expect(/http:\/\/\S+:8080\//.test(log) && log.includes('sudo tallybook setup-code'), true);
    const code = await machine.run("tallybook setup-code | grep -oE '[0-9A-Z]{4}(-[0-9A-Z]{4})+'");
    expect(log.includes(code), false);
  });
  await check('nobody reads or changes anything before the first user', async () => {
    for (const path of ['/api/today', '/api/mapping', '/api/export', '/api/users'])
      expect((await service.request('GET', path)).status, 401);
    expect(
      (await service.request('POST', '/api/mapping', { id: '04A2B3C4D5', name: { first: 'A', last: 'B' } }))
        .status,
      401,
    );
    await service.claim();
    await service.read('/api/today');
  });
  await check('a tap at a USB serial adapter is recorded', async () => {
    await machine.run(`echo '${SETTINGS}' >> /etc/tallybook/tallybook.toml && systemctl restart tallybook`);
    await service.untilReady();
    await untilConnected(service);
    await service.tap();
  });
  await check('an adapter that is unplugged and plugged in again is used again', async () => {
    machine.unplugReader();
    await service.until(
      'the reader is missing',
      async () => (await doorOf(service)).connection === 'waiting',
    );
    await machine.plugInReader();
    await untilConnected(service);
    await service.tap();
  });
}

export async function untilConnected(service) {
  await service.until(
    'the reader is connected',
    async () => (await doorOf(service)).connection === 'connected',
  );
}

async function doorOf(service) {
  const readers = await service.read('/api/readers');
  return readers.find(({ name }) => name === 'door');
}
