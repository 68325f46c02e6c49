// A virtual machine with a disk, a network, an agent that runs commands, and a USB serial adapter as the reader.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Agent } from './agent.mjs';
import { LossyDisk } from './lossy-disk.mjs';

/** A Raspberry Pi Zero 2 W has as much, the smallest one that can run a release. */
const MEMORY_MIB = 512;
/** The processors of emulated machines are old ones, because qemu emulates the newest slowly. The Zero 2 W has the second. */
const KINDS = {
  amd64: { program: 'qemu-system-x86_64', machine: 'q35', cpu: 'Nehalem', console: 'ttyS0', host: 'x64' },
  arm64: {
    program: 'qemu-system-aarch64',
    machine: 'virt',
    cpu: 'cortex-a53',
    console: 'ttyAMA0',
    host: 'arm64',
  },
};

export class Machine {
  #image;
  #kind;
  #folder;
  #agent;
  #qemu;
  #reader;
  #disks;
  #packages;
  #port;

  /**
   * @param image From `obtainImage`.
   * @param folder An empty folder for the disks of this machine.
   * @param packages A folder that the machine sees as /packages.
   */
  constructor({ image, architecture, folder, packages }) {
    this.#image = image;
    this.#kind = KINDS[architecture];
    this.#folder = folder;
    this.#packages = join(folder, 'packages.disk');
    mkdirSync(folder, { recursive: true });
    execFileSync('cp', ['--sparse=always', image.disk, join(folder, 'disk')]);
    execFileSync('mke2fs', ['-q', '-t', 'ext4', '-d', packages, this.#packages, '512M']);
    execFileSync('truncate', ['--size=1M', join(folder, 'control')]);
    this.#disks = ['disk', 'control'].map((name) => new LossyDisk(join(folder, name)));
  }

  /** Whether this processor runs the program itself. A `/dev/kvm` of another kind, as in nested clouds, boots no Debian. */
  get isAccelerated() {
    if (this.#kind.host !== process.arch) return false;
    if (!['kvm_intel', 'kvm_amd'].some((name) => existsSync(`/sys/module/${name}`))) return false;
    try {
      accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** How many times longer than with KVM something may take. */
  get patience() {
    return this.isAccelerated ? 1 : 10;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** @param clock What the battery clock shows, such as `1970-01-01T00:00:00`. Without it, the present time. */
  async switchOn({ clock = 'utc' } = {}) {
    const path = (name) => join(this.#folder, name);
    for (const disk of this.#disks) await disk.plugIn();
    this.#agent = new Agent();
    this.#port = await freePort();
    await this.#agent.listen(path('agent'));
    const { program, machine, cpu, console: name } = this.#kind;
    const args = [
      ...['-M', machine],
      ...(this.isAccelerated
        ? ['-accel', 'kvm', '-cpu', 'host,-arch-capabilities']
        : ['-accel', 'tcg,thread=multi', '-cpu', cpu]),
      ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none'],
      ...['-m', String(MEMORY_MIB), '-smp', '2'],
      ...['-rtc', `base=${clock}`, '-kernel', this.#image.kernel, '-initrd', this.#image.initrd],
      ...['-append', `root=/dev/vda rw quiet console=${name}`],
      ...['-chardev', `file,id=console,path=${path('console.log')},append=on`, '-serial', 'chardev:console'],
      ...this.#disks.flatMap(({ socket }, index) => [
        ...['-blockdev', `driver=nbd,node-name=disk${index},server.type=unix,server.path=${socket}`],
        ...['-device', `virtio-blk-pci,drive=disk${index}`],
      ]),
      ...['-blockdev', `driver=file,node-name=packages,read-only=on,filename=${this.#packages}`],
      ...['-device', 'virtio-blk-pci,drive=packages'],
      ...['-netdev', `user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:${this.#port}-:8080`],
      ...['-device', 'virtio-net-pci,netdev=net,romfile=', '-device', 'virtio-rng-pci'],
      ...['-chardev', `socket,id=agent,path=${path('agent')}`, '-device', 'virtio-serial-pci'],
      ...['-device', 'virtserialport,chardev=agent,name=agent'],
      ...['-chardev', `socket,id=reader,path=${path('reader')},server=on,wait=off`],
      ...['-device', 'qemu-xhci', '-device', 'usb-serial,chardev=reader'],
    ];
    this.#qemu = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const kill = () => this.#qemu.kill('SIGKILL');
    process.once('exit', kill);
    const agent = this.#agent;
    // Otherwise a machine that cannot start would be waited for.
    this.#qemu.once('exit', () => {
      process.off('exit', kill);
      agent.close();
    });
    this.#qemu.once('error', () => agent.close());
    await this.booted();
    this.#reader = await this.plugInReader();
    await this.run('mkdir -p /packages && mount -o ro /dev/vdc /packages');
  }

  async booted() {
    const ms = 60_000 * this.patience;
    const boot = await this.#agent.booted(ms);
    await this.run('systemctl is-system-running --wait', { mayFail: true, withinMs: ms });
    return boot;
  }

  /** The power is cut: the machine ends at once, and what it has not flushed is not on its disks. */
  async cutPower() {
    const ended = once(this.#qemu, 'exit');
    // The disks first, so that they get no last flush.
    await Promise.all(this.#disks.map((disk) => disk.cut()));
    this.#qemu.kill('SIGKILL');
    await ended;
    this.#agent.close();
    this.#reader?.destroy();
  }

  async switchOff() {
    await this.#goDown('poweroff');
  }

  async #goDown(how) {
    const ended = once(this.#qemu, 'exit', { signal: AbortSignal.timeout(120_000 * this.patience) });
    // It may go down before it answers.
    await this.#agent.run(`systemctl ${how}`, 60_000 * this.patience).catch(() => undefined);
    await ended;
    this.#agent.close();
    this.#reader?.destroy();
    for (const disk of this.#disks) await disk.unplug();
  }

  /** The machine goes down by itself and is switched on again, because qemu emulates a processor badly after a reset. */
  async reboot() {
    await this.#goDown('reboot');
    await this.switchOn();
  }

  /** @returns What the command printed. Rejects if its exit code is not 0. */
  async run(command, { mayFail = false, withinMs = 60_000 * this.patience } = {}) {
    const { code, output } = await this.#agent.run(command, withinMs);
    if (code !== 0 && !mayFail) throw new Error(`${command.slice(0, 200)} ended with ${code}: ${output}`);
    return output;
  }

  /** Copies a file of this checkout into the machine. */
  async put(file, place) {
    await this.run(`base64 -d > ${place} <<'end'\n${readFileSync(file).toString('base64')}\nend`);
  }

  /** The adapter is plugged in while something is connected to its socket. */
  async plugInReader() {
    const socket = connect(join(this.#folder, 'reader'));
    await once(socket, 'connect');
    socket.on('error', () => undefined).resume();
    this.#reader = socket;
    return socket;
  }

  unplugReader() {
    this.#reader.destroy();
  }

  tap(id) {
    this.#reader.write(`${id}\r\n`);
  }

  /** What the machine printed on its console, for a failed run. */
  get console() {
    return join(this.#folder, 'console.log');
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
