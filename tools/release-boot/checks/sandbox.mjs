import { fileURLToPath } from 'node:url';
import { expect } from '../checks.mjs';
import { untilConnected } from './installation.mjs';

const probe = fileURLToPath(new URL('../guest/probe.mjs', import.meta.url));
/** The worst exposure that systemd may find, from 0 to 10. */
const MOST_EXPOSED = 2;

export async function checkSandbox({ machine, service, check }) {
  await check('the process has no rights and a filter of system calls', async () => {
    const status = await machine.run(
      'cat /proc/$(systemctl show --property=MainPID --value tallybook)/status',
    );
    for (const line of [/^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m, /^CapBnd:\t0+$/m, /^CapEff:\t0+$/m])
      expect(line.test(status), true);
    const [, uid] = /^Uid:\t(\d+)/m.exec(status);
    expect(await machine.run(`id -nu ${uid}`), 'tallybook');
  });
  await check(`systemd-analyze security finds at most ${MOST_EXPOSED}`, async () => {
    const all = await machine.run('systemd-analyze security tallybook --no-pager');
    const [, exposure] = /exposure level for tallybook\.service: ([\d.]+)/.exec(all);
    expect(Number(exposure) <= MOST_EXPOSED, true);
    return exposure;
  });

  const NEEDED = [
    'write its record',
    'write its cache',
    'read its settings',
    'open its reader',
    'write its own /tmp',
  ];
  await machine.put(probe, '/usr/local/lib/probe.mjs');
  await machine.run(
    'mkdir -p /home/ada && chmod 755 /home/ada && echo private > /home/ada/letter && echo of another > /tmp/of-another && mkdir -p /run/udev/rules.d',
  );
  // The reader is open to one program at a time, and hangs up for all when a program that opened it as its terminal ends.
  await machine.run('systemctl stop tallybook');
  const node = '/usr/lib/tallybook/node /usr/local/lib/probe.mjs';
  // Without the sandbox all of it works: otherwise a probe would prove nothing.
  const free = await machine.run(node);
  await machine.run(
    'rm -f /etc/probe /usr/lib/tallybook/probe /boot/probe /var/lib/probe /var/{lib,cache}/tallybook/probe /run/udev/rules.d/probe.rules',
  );
  const held = await machine.run(`
    sed -e 's|^ExecStart=.*|ExecStart=${node}|' -e 's/^Type=notify/Type=oneshot/' -e '/^Restart/d' -e '/^WatchdogSec/d' \\
      /lib/systemd/system/tallybook.service > /run/systemd/system/probe.service
    systemctl daemon-reload && systemctl start probe && journalctl --unit=probe --output=cat --no-pager`);
  await machine.run('systemctl start tallybook');
  await untilConnected(service);
  for (const line of free.split('\n').filter((each) => /^(?:allowed|refused) /.test(each))) {
    const name = line.replace(/^\w+ /, '').replace(/: .*/, '');
    const isNeeded = NEEDED.includes(name);
    await check(isNeeded ? `the service can ${name}` : `the service cannot ${name}`, () => {
      if (!line.startsWith('allowed ')) throw new Error(`root cannot either: ${line}`);
      const found = held
        .split('\n')
        .findLast((each) => each.replace(/^\w+ /, '').replace(/: .*/, '') === name);
      if (!found?.startsWith(isNeeded ? 'allowed ' : 'refused '))
        throw new Error(found ?? 'the probe did not get there');
    });
  }
}
