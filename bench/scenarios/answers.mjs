import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { tagOf } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';
import { median } from '../measure/rounds.mjs';

/** Taps of one round. */
const TAPS = 10;
/** Milliseconds from one tap to the next: longer than every pattern of the light. */
const PATTERN_MS = 2_500;

/**
 * Time from a tap to the light at the reader, which comes when the tap is on the disk. A program replaces `gpioset`, so the
 * figure does not include the time of the kernel.
 */
export async function run({ rounds }) {
  const { folder, lines } = standIn();
  const peer = await Peer.start('tallybook', {
    args: ['--reader', 'stdin:', '--indicator', 'gpio:/dev/null?green=22&red=23'],
    env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
  });
  let onLit = () => undefined;
  lines.on('line', (line) => {
    if (line.endsWith('=1')) onLit();
  });
  await pause(PATTERN_MS);
  const times = [];
  for (let n = 0; n < rounds * TAPS; n++) {
    const before = performance.now();
    const lit = new Promise((resolve) => (onLit = resolve));
    peer.tap([tagOf(n)]);
    await lit;
    times.push(performance.now() - before);
    await pause(PATTERN_MS);
  }
  await peer.stop();
  lines.close();
  return [
    { what: 'tap, alone, to the light at the reader', ours: median(times), unit: 'ms', most: 100 },
    { what: 'the slowest of these', ours: Math.max(...times), unit: 'ms' },
  ];
}

/** A `gpioset` that reports its arguments, and holds lines like the one of libgpiod 1. */
function standIn() {
  const folder = mkdtempSync(join(tmpdir(), 'gpioset-'));
  const told = join(folder, 'told');
  execFileSync('mkfifo', [told]);
  const script = `#!/bin/sh
case $1 in
  --version) echo 'gpioset (libgpiod) v1.6.3' ;;
  --mode=wait) echo "$*" > ${told}; exec cat > /dev/null ;;
esac
`;
  writeFileSync(join(folder, 'gpioset'), script, { mode: 0o755 });
  // Open for reading and writing, so that the pipe does not end when a writer closes it.
  const fd = openSync(told, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  const lines = createInterface({ input: socket }).once('close', () => socket.destroy());
  return { folder, lines };
}
