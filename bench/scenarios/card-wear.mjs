import { setTimeout as pause } from 'node:timers/promises';
import { tagOf } from '../dataset.mjs';
import { Card } from '../measure/card.mjs';
import { Peer } from '../measure/peer.mjs';

const TAPS = 100_000;
const TAPS_ON_CARD = 2_000;
const QUIET_MS = 2_000;
const IDLE_MS = 30_000;

export async function run({ note }) {
  return [...(await countHandedOver()), ...(await countOnCard(note))];
}

/**
 * Bytes that 100,000 taps pass to the file system, one after another, so that no two share a sync. They are counted by the
 * kernel for the process: with compaction, the journal, and eight bytes for each wake-up of a thread, but without the log.
 * The journal keeps 100,000 changes. After that nobody taps, and nothing may be written.
 */
async function countHandedOver() {
  const peer = await Peer.start('tallybook');
  const before = { written: peer.writtenBytes, disk: peer.diskBytes };
  for (let n = 0; n < TAPS; n++) await peer.record([tagOf(n)]);
  await quiet(() => peer.writtenBytes);
  const written = (peer.writtenBytes - before.written) / TAPS;
  const disk = (peer.diskBytes - before.disk) / TAPS;
  const quietDisk = peer.diskBytes;
  await pause(IDLE_MS);
  const idle = peer.diskBytes - quietDisk;
  await peer.stop();
  return [
    { what: 'bytes handed to the file system for one tap, of 100,000', ours: written, unit: 'B', most: 350 },
    { what: 'bytes in whole pages that the disk gets for it', ours: disk, unit: 'B' },
    { what: 'bytes that the disk gets in 30 s without a tap', ours: idle, unit: 'B', most: 0 },
  ];
}

/**
 * Bytes and flushes that a card gets for taps one after another, while they come: pages of the log, and the journal of the
 * file system.
 */
async function countOnCard(note) {
  const card = await Card.mount(note);
  if (card === undefined) return [];
  try {
    const ours = await tapOn(card, 'tallybook');
    const theirs = await tapOn(card, 'limit');
    const row = (what, counter, unit) => ({
      what,
      ours: ours[counter],
      theirs: theirs[counter],
      peer: 'limit',
      unit,
      isLessBetter: true,
    });
    return [
      row('bytes that a card gets for one tap, ext4', 'written', 'B'),
      row('flushes of a card for one tap, ext4', 'flushes', 'a tap'),
    ];
  } finally {
    await card.remove();
  }
}

async function tapOn(card, name) {
  const peer = await Peer.start(name, { on: card.path });
  try {
    await peer.record([tagOf(0)]);
    const before = { written: card.writtenBytes, flushes: card.flushes };
    for (let n = 1; n <= TAPS_ON_CARD; n++) await peer.record([tagOf(n)]);
    return {
      written: (card.writtenBytes - before.written) / TAPS_ON_CARD,
      flushes: (card.flushes - before.flushes) / TAPS_ON_CARD,
    };
  } finally {
    await peer.stop();
  }
}

/** Waits until a counter no longer changes. */
async function quiet(read) {
  for (let last = NaN; last !== read(); await pause(QUIET_MS)) last = read();
}
