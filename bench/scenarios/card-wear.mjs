import { setTimeout as pause } from 'node:timers/promises';
import { tagOf } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';

const TAPS = 100_000;
const QUIET_MS = 2_000;

/**
 * What 100,000 taps hand to the file system, one after another, so that no two share a sync: the kernel's counter of
 * the process, compaction and eight bytes for each wake-up of a thread included, the log not.
 */
export async function run() {
  const peer = await Peer.start('tallybook');
  const before = { written: peer.writtenBytes, disk: peer.diskBytes };
  for (let n = 0; n < TAPS; n++) await peer.record([tagOf(n)]);
  await quiet(() => peer.writtenBytes);
  const written = (peer.writtenBytes - before.written) / TAPS;
  const disk = (peer.diskBytes - before.disk) / TAPS;
  await peer.stop();
  return [
    { what: 'bytes handed to the file system for one tap, of 100,000', ours: written, unit: 'B', most: 512 },
    { what: 'bytes in whole pages that the disk gets for it', ours: disk, unit: 'B' },
  ];
}

/** Waits until a counter stands still. */
async function quiet(read) {
  for (let last = NaN; last !== read(); await pause(QUIET_MS)) last = read();
}
