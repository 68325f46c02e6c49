import { closeSync, cpSync, existsSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Contents } from '../ledger/contents.js';
import { countLost, judgeSaved, judgeSound } from './judge-contents.js';
import type { Opening } from './opener-process.js';
import type { OpenRequest } from './opener.js';
import type { Flip } from './plan-flips.js';

/** A store must answer requests after at most this many starts. */
const MOST_STARTS = 3;

/** Opens stores: an `OpenerProcess`, or the whole service. */
export interface Opener {
  open: (request: OpenRequest, whileOpen?: () => void) => Promise<Opening>;
}

/** The result of a flip. */
export interface FlipOutcome {
  /** `unnoticed`: nothing is missing. `ended`: by a signal, which only damage to an open store may cause. */
  readonly result: 'unnoticed' | 'repaired' | 'ended and repaired';
  readonly starts: number;
  /** Names, entries and provisional scans that are missing or older than before. */
  readonly lost: number;
  readonly problems: readonly string[];
}

/** Damages a copy of a store, and starts it again until it serves. */
export async function flipStore(
  flip: Flip,
  before: Contents,
  folder: string,
  opener: Opener,
): Promise<FlipOutcome> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(flip.store, folder, { recursive: true });
  const damage = (): void => {
    const path = join(folder, flip.file);
    // LevelDB joins tables after the opening. A table that it has removed already cannot be damaged, and then nothing
    // may be missing.
    if (!flip.isWhileOpen || existsSync(path)) invertBit(path, flip);
  };
  if (!flip.isWhileOpen) damage();
  const notices: string[] = [];
  let isEnded = false;
  // Damage to an open store happens during a first opening. That opening does not count as one of the three starts.
  const tries = flip.isWhileOpen ? MOST_STARTS + 1 : MOST_STARTS;
  let last = '';
  for (let start = 1; start <= tries; start++) {
    const isDamaging = flip.isWhileOpen && start === 1;
    const opening = await opener.open({ path: folder }, isDamaging ? damage : undefined);
    if ('signal' in opening) {
      last = `was ended by ${opening.signal}`;
      if (!isDamaging)
        return { result: 'repaired', starts: start, lost: 0, problems: [`start ${start} ${last}`] };
      isEnded = true;
      continue;
    }
    notices.push(...opening.notices);
    last = opening.refusal ?? '';
    // A compaction may be the first to read the damage, after all data was shown. So the next start shows whether the
    // store is sound.
    if (isDamaging || opening.contents === undefined || opening.refusal !== undefined) continue;
    const isReported = notices.length > 0 || isEnded;
    const problems = (isReported ? judgeSaved : judgeSound)(opening.contents, before);
    const repaired = isEnded ? 'ended and repaired' : 'repaired';
    const lost = countLost(opening.contents, before);
    return { result: isReported ? repaired : 'unnoticed', starts: start, lost, problems };
  }
  return {
    result: 'repaired',
    starts: tries,
    lost: 0,
    problems: [`it does not serve after ${tries} starts: ${last}`],
  };
}

/** Flips a bit in place, as a disk does, even while a process has the file open. */
export function invertBit(path: string, { byte, bit }: Pick<Flip, 'byte' | 'bit'>): void {
  const file = openSync(path, 'r+');
  const bytes = Buffer.alloc(1);
  readSync(file, bytes, 0, 1, byte);
  bytes.writeUInt8(bytes.readUInt8() ^ (1 << bit));
  writeSync(file, bytes, 0, 1, byte);
  closeSync(file);
}
