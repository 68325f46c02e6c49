import type { Random } from '../../random.js';

/** Bytes with a special meaning on serial lines and in text. */
const SPECIAL = Buffer.from('\x02\x03\x04\x06\x15\x1b\r\n\0\xff 0123456789ABCDEFabcdef:-', 'latin1');

/**
 * Bytes of a line with disturbances, with the wrong speed, or with another device.
 *
 * @param frames Sound frames: parts of them are in the noise.
 */
export function makeNoise(random: Random, length: number, frames: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [];
  for (let made = 0; made < length; made += pieces.at(-1)?.length ?? 0)
    pieces.push(makePiece(random, frames));
  return Buffer.concat(pieces).subarray(0, length);
}

function makePiece(random: Random, frames: readonly Buffer[]): Buffer {
  const length = random.between(1, 64);
  const draw = random.between(0, 5);
  if (draw === 0) return Buffer.alloc(length, random.between(0, 255));
  if (draw === 1 && frames.length > 0) return disturb(random, random.pick(frames));
  const bytes = Array.from({ length }, () =>
    draw < 4 ? random.between(0, 255) : (SPECIAL[random.between(0, SPECIAL.length - 1)] ?? 0),
  );
  return Buffer.from(bytes);
}

/** A frame with one wrong bit, or a part of a frame. */
function disturb(random: Random, frame: Buffer): Buffer {
  if (random.chance(0.5)) return frame.subarray(random.between(0, 3), random.between(4, frame.length - 1));
  const disturbed = Buffer.from(frame);
  const at = random.between(0, frame.length - 1);
  disturbed[at] = (disturbed[at] ?? 0) ^ (1 << random.between(0, 7));
  return disturbed;
}
