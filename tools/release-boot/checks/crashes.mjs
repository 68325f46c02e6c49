import { expect } from '../checks.mjs';
import { untilConnected } from './installation.mjs';

/** How often the power is cut, and after how many acknowledged taps. */
const CUTS_AFTER = [40, 120];
const SENDERS = 4;
const CONTROL = '/dev/vdb';

export async function checkCrashes({ machine, service, check }) {
  await check('after kill -9 systemd starts it again, with the last tap', async () => {
    const id = await service.tap();
    const pid = await service.show('MainPID');
    await machine.run(`kill -KILL ${pid}`);
    await untilRestarted(service, pid);
    expect((await service.recorded()).includes(id), true);
    expect(await service.show('NRestarts'), '1');
  });
  await check(
    'a service that hangs is ended and started again by the watchdog, shortened for this',
    async () => {
      const seconds = 5 * machine.patience;
      const id = await service.tap();
      const folder = '/run/systemd/system/tallybook.service.d';
      await machine.run(
        `mkdir -p ${folder} && printf '[Service]\\nWatchdogSec=${seconds}\\n' > ${folder}/watchdog.conf && systemctl daemon-reload && systemctl restart tallybook`,
      );
      const pid = await service.show('MainPID');
      let last = await service.show('WatchdogTimestampMonotonic');
      for (const sign of [1, 2])
        await service.until(`sign of life ${sign} arrives`, async () => {
          const before = last;
          last = await service.show('WatchdogTimestampMonotonic');
          return last !== before;
        });
      await machine.run(`kill -STOP ${pid}`);
      await untilRestarted(service, pid);
      const log = await machine.run('journalctl --unit=tallybook --output=cat --no-pager | grep -i watchdog');
      expect(/watchdog timeout/i.test(log), true);
      expect((await service.recorded()).includes(id), true);
      await machine.run(`rm -r ${folder} && systemctl daemon-reload && systemctl restart tallybook`);
      await service.untilReady();
      return `WatchdogSec=${seconds}`;
    },
  );
  await check('after a reboot it starts by itself, with the last tap', async () => {
    await untilConnected(service);
    const id = await service.tap();
    await machine.reboot();
    await service.untilReady();
    expect((await service.recorded()).includes(id), true);
    await untilConnected(service);
    await service.tap();
  });
  for (const count of CUTS_AFTER) {
    await check(
      `after a power cut in the middle of taps, each of ${count} acknowledged taps is there`,
      async () => {
        const sent = await tapUntilCut(machine, service, count);
        await machine.switchOn();
        await service.untilReady();
        const blocks = await machine.run(`head -c 8192 ${CONTROL} | tr -d '\\0' | cut -c 1-8`);
        // Otherwise the virtual disk would keep what was not flushed, and this would prove nothing.
        expect(blocks, 'flushed');
        const recorded = new Set(await service.recorded());
        const lost = sent.acknowledged.filter((id) => !recorded.has(id));
        expect(lost.join(' '), '');
        expect((await service.read('/api/health')).status === 'fail', false);
        const others = sent.all.filter((id) => recorded.has(id)).length - sent.acknowledged.length;
        return `and ${others} of ${sent.all.length - sent.acknowledged.length} that were under way`;
      },
    );
  }
}

/** Several senders tap without a pause. The power is cut when so many taps are acknowledged, while others are under way. */
async function tapUntilCut(machine, service, count) {
  const acknowledged = [];
  const all = [];
  let isOff = false;
  await machine.run(
    `echo flushed | dd of=${CONTROL} bs=4096 conv=sync,fsync && echo unflushed > /dev/shm/block && truncate --size=4096 /dev/shm/block`,
  );
  let cut;
  const send = async () => {
    while (!isOff) {
      const id = service.nextTag();
      all.push(id);
      const outcome = await service.send(id).catch(() => undefined);
      if (outcome === 'counted' && !isOff) acknowledged.push(id);
      if (acknowledged.length >= count && !cut) cut = cutNow();
    }
  };
  const cutNow = async () => {
    await machine.run(`dd if=/dev/shm/block of=${CONTROL} bs=4096 seek=1 oflag=direct`);
    isOff = true;
    await machine.cutPower();
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  await cut;
  return { acknowledged, all };
}

async function untilRestarted(service, pid) {
  await service.until('another process is active', async () => {
    const [state, next] = [await service.show('ActiveState'), await service.show('MainPID')];
    return state === 'active' && next !== '0' && next !== pid;
  });
  await service.untilReady();
}
