// Programs for arm64 on another processor. The kernel starts them with QEMU, also inside of other roots.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { NoRoot } from './no-root.mjs';

const FOLDER = '/proc/sys/fs/binfmt_misc';
const QEMU = '/usr/bin/qemu-aarch64-static';
/** Header of a program of ELF for arm64, and which of its bits count. */
const MAGIC = '7f454c460201010000000000000000000200b700';
const MASK = 'ffffffffffffff00fffffffffffffffffeffffff';
/** O: opens the program; C: takes its rights; F: opens QEMU now, so that other roots need no QEMU. */
const FLAGS = 'OCF';

/** Until the end of this process, arm64 programs start. Does nothing on arm64, or if they start already. */
export function emulateArm64() {
  if (process.arch === 'arm64') return;
  if (!existsSync(QEMU)) throw new NoRoot('qemu-user-static is not installed');
  if (!existsSync(`${FOLDER}/register`)) mount();
  if (existsSync(`${FOLDER}/qemu-aarch64`)) return;
  const escaped = (hex) => hex.replaceAll(/../g, '\\x$&');
  writeFileSync(`${FOLDER}/register`, `:qemu-aarch64:M::${escaped(MAGIC)}:${escaped(MASK)}:${QEMU}:${FLAGS}`);
  process.prependOnceListener('exit', () => writeFileSync(`${FOLDER}/qemu-aarch64`, '-1'));
}

function mount() {
  const { status, stderr } = spawnSync('mount', ['-t', 'binfmt_misc', 'none', FOLDER], { encoding: 'utf8' });
  if (status !== 0) throw new NoRoot(`arm64 cannot be emulated: ${stderr?.trim()}`);
  process.once('exit', () => spawnSync('umount', [FOLDER]));
}
