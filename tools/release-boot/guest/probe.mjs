// What the sandbox must refuse, each tried. Prints one line each: "allowed NAME" or "refused NAME REASON".
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const shell = (command) => execFileSync('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
const write = (file) => () => writeFileSync(file, 'probe');
const own = '/var/lib/tallybook/probe';

const PROBES = {
  'write /etc': write('/etc/probe'),
  'write its own program': write('/usr/lib/tallybook/probe'),
  'change its settings': () => appendFileSync('/etc/tallybook/tallybook.toml', ''),
  'write /boot': write('/boot/probe'),
  'write another folder of /var/lib': write('/var/lib/probe'),
  'write a udev rule': write('/run/udev/rules.d/probe.rules'),
  'read a home folder': () => readFileSync('/home/ada/letter'),
  'read the home of root': () => readdirSync('/root'),
  'read the passwords of the system': () => readFileSync('/etc/shadow'),
  'see the files of others in /tmp': () => readFileSync('/tmp/of-another'),
  'see the processes of others': () => readFileSync('/proc/1/cmdline'),
  'read the disk': () => openSync('/dev/vda', 'r'),
  'read the log of the kernel': () => shell('dmesg'),
  'change the kernel': () => writeFileSync('/proc/sys/kernel/panic', '0'),
  'change the limits of services': () => writeFileSync('/sys/fs/cgroup/system.slice/memory.high', 'max'),
  'set the clock': () => shell('date --set="$(date)"'),
  'set the host name': () => shell('hostname probe'),
  'mount a file system': () => shell('mount -t tmpfs none /mnt && umount /mnt'),
  'make a namespace': () => shell('unshare --mount true'),
  'end a process of another user': () => process.kill(1, 0),
  'become root': () => process.setuid(0),
  'make a program that runs as its owner': () => {
    writeFileSync(own, '');
    chmodSync(own, 0o4755);
  },
  'open a raw socket': () => shell(`perl -e 'socket(S, 17, 3, 0) || die "$!\\n"'`),
};
/** What it needs. */
const NEEDS = {
  'write its record': write(own),
  'write its cache': write('/var/cache/tallybook/probe'),
  'read its settings': () => readFileSync('/etc/tallybook/tallybook.toml'),
  'open its reader': () => openSync('/dev/ttyUSB0', 'r+'),
  'write its own /tmp': write('/tmp/probe'),
};

for (const [name, attempt] of Object.entries({ ...PROBES, ...NEEDS })) {
  try {
    attempt();
    console.log(`allowed ${name}`);
  } catch (error) {
    console.log(`refused ${name}: ${String(error.message).split('\n').join(' ').slice(0, 120)}`);
  }
}
