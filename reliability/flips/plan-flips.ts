import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.js';

/** One bit that differs from the written one. */
export interface Flip {
  /** The folder of the store. It stays unchanged: a copy is damaged. */
  readonly store: string;
  readonly file: string;
  readonly byte: number;
  readonly bit: number;
  /** Whether it happens while the store is open. */
  readonly isWhileOpen: boolean;
}

interface Kind {
  readonly what: string;
  readonly name: RegExp;
  /** Its share of all flips. */
  readonly share: number;
  /**
   * The share of these flips that happens while the store is open. LevelDB reads tables many times, and other files
   * once.
   */
  readonly shareWhileOpen: number;
}

const kinds: readonly Kind[] = [
  { what: 'rows of tables', name: /\.ldb$/, share: 0.3, shareWhileOpen: 0.2 },
  { what: 'ends of tables', name: /\.ldb$/, share: 0.15, shareWhileOpen: 0.2 },
  { what: 'logs', name: /\.log$/, share: 0.25, shareWhileOpen: 0 },
  { what: 'manifests', name: /^MANIFEST/, share: 0.15, shareWhileOpen: 0 },
  { what: 'CURRENT', name: /^CURRENT$/, share: 0.04, shareWhileOpen: 0 },
  { what: 'acknowledged commits', name: /^ACKNOWLEDGED/, share: 0.07, shareWhileOpen: 0 },
  { what: 'messages of LevelDB', name: /^LOG/, share: 0.04, shareWhileOpen: 0 },
];
/** Filter, indexes and footer are small and at the end of a table. In a small table, its second half contains them. */
const END_BYTES = 1_024;
/** Bytes of the room at the end of a log that may be damaged too. */
const ROOM_BYTES = 64;

/** Plans flips that are spread over each kind of file: each flip is at a random place in a stretch of its own. */
export function planFlips(
  stores: readonly string[],
  count: number,
  random: Random,
): ReadonlyMap<string, readonly Flip[]> {
  const plan = new Map<string, readonly Flip[]>();
  for (const { what, name, share, shareWhileOpen } of kinds) {
    const files = stores.flatMap((store) =>
      readdirSync(store)
        .filter((file) => name.test(file))
        .map((file) => ({ store, file, ...stretchOf(what, readFileSync(join(store, file))) }))
        .filter(({ length }) => length > 0),
    );
    const bits = files.reduce((sum, { length }) => sum + length * 8, 0);
    const flips = Math.ceil(count * share);
    plan.set(
      what,
      Array.from({ length: flips }, (_, n) => {
        let at = Math.floor(((n + random.next()) * bits) / flips);
        for (const { store, file, start, length } of files) {
          if (at < length * 8) {
            const isWhileOpen = random.chance(shareWhileOpen);
            return { store, file, byte: start + (at >> 3), bit: at & 7, isWhileOpen };
          }
          at -= length * 8;
        }
        throw new RangeError(`there are no ${what}`);
      }),
    );
  }
  return plan;
}

/** The part of a file in which bits are flipped. */
function stretchOf(what: string, bytes: Buffer): { readonly start: number; readonly length: number } {
  const end = Math.max(0, bytes.length - END_BYTES);
  if (what === 'rows of tables') return { start: 0, length: end };
  if (what === 'ends of tables') return { start: end, length: bytes.length - end };
  if (what !== 'logs') return { start: 0, length: bytes.length };
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return { start: 0, length: Math.min(bytes.length, used + ROOM_BYTES) };
}
