import { join } from 'node:path';
import { parseTallyId, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { nameOf } from '../ledger/names.js';

const FIRST_DAY = 24_000;
const DAYS = 5;
const TAGS = 120;
const SHARE_OF_TAGS = 3;
const PROVISIONAL = 4;

/** Sessions of each kind of store. LevelDB makes a table of its log at each opening, and joins four tables. */
const sessionsOf = { 'a log': 1, 'a log and tables': 3, 'joined tables': 6 } as const;

/** Makes stores with names of several versions, scans and provisional scans. Resolves with their folders. */
export async function makeKnownStores(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [shape, sessions] of Object.entries(sessionsOf)) {
    const path = join(folder, shape.replaceAll(' ', '-'));
    for (let session = 1; session <= sessions; session++) await write(path, session);
    paths.push(path);
  }
  return paths;
}

/** Gives each tag a name of the version of this session, and taps it on each day. */
async function write(path: string, session: number): Promise<void> {
  await using storage = new LevelStorage(path);
  const { mapping, days, provisional } = storage;
  await storage.open();
  for (let tag = 0; tag < TAGS; tag += SHARE_OF_TAGS) {
    // Some writes alone, some together, so that commits differ in size.
    const together = Array.from({ length: SHARE_OF_TAGS }, (_, n) => idOf(tag + n));
    await Promise.all(together.map((id) => mapping.put(id, nameOf(id, session))));
  }
  for (let day = FIRST_DAY; day < FIRST_DAY + DAYS; day++) {
    const scans = Array.from({ length: TAGS / 2 }, (_, tag) =>
      days.record(toDay(day), idOf(tag * 2), toTimestamp(day * 86_400 + session * 1_000 + tag)),
    );
    await Promise.all(scans);
  }
  for (let n = 0; n < PROVISIONAL; n++) {
    await provisional.add({
      id: idOf(n),
      shown: toTimestamp(session * 100 + n),
      bootId: `boot ${session}`,
      monotonicMs: n,
      reader: 'one',
      notBefore: toTimestamp(0),
    });
  }
}

function idOf(tag: number): TallyId {
  return parseTallyId(`04${(tag * 0x1f351).toString(16).padStart(8, '0')}`);
}
