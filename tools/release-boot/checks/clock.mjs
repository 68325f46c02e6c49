import { fileURLToPath } from 'node:url';
import { expect } from '../checks.mjs';

const timeServer = fileURLToPath(new URL('../guest/time-server.mjs', import.meta.url));
const EARLY = '1970-01-01T00:00:00';

/** The machine has no battery clock and no time server: two starts, taps in both, and then a time server. */
export async function checkClock({ machine, service, check }) {
  await machine.run(`
    sed -i '/^clock/d' /etc/tallybook/tallybook.toml
    printf '[Time]\nNTP=127.0.0.1\n' > /etc/systemd/timesyncd.conf
    rm -f /var/lib/systemd/timesync/clock
    sync`);
  await machine.put(timeServer, '/usr/local/lib/time-server.mjs');
  await machine.cutPower();
  const taps = [];
  await check('with a clock of 1970, taps are kept without a day', async () => {
    await machine.switchOn({ clock: EARLY });
    await service.untilReady();
    const { isTrusted, doubt } = await service.read('/api/time');
    expect(isTrusted, false);
    await tapWithoutDay(service, taps);
    return `the machine shows ${await machine.run('date --utc +%F')}, doubt ${doubt}`;
  });
  await check('after a power cut and another start in 1970 they wait still', async () => {
    await machine.cutPower();
    await machine.switchOn({ clock: EARLY });
    await service.untilReady();
    await tapWithoutDay(service, taps);
    const { waiting } = await service.read('/api/provisional');
    expect(waiting.map(({ id }) => id).join(' '), taps.join(' '));
  });
  await check(
    'when a time server sets the clock, all of them are filed, and only those before the restart by estimate',
    async () => {
      await machine.run(
        `systemd-run --unit=time-server /usr/lib/tallybook/node /usr/local/lib/time-server.mjs ${Date.now()} && systemctl restart systemd-timesyncd`,
      );
      await service.until('the clock is trusted', async () => (await service.read('/api/time')).isTrusted);
      await service.until(
        'no tap waits',
        async () => (await service.read('/api/provisional')).waiting.length === 0,
      );
      const { estimated } = await service.read('/api/provisional');
      expect(estimated.map(({ id }) => id).join(' '), taps.slice(0, 2).join(' '));
      const today = await service.read(`/api/day?timestamp=${Math.floor(Date.now() / 1000)}`);
      for (const id of taps.slice(2)) expect(today.ids.includes(id), true);
      const recorded = await service.recorded();
      for (const id of taps) expect(recorded.includes(id), true);
    },
  );
}

async function tapWithoutDay(service, taps) {
  for (const id of [service.nextTag(), service.nextTag()]) {
    expect(await service.send(id), 'provisional');
    taps.push(id);
  }
}
