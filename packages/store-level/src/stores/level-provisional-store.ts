import type { Filing, ProvisionalScan, ProvisionalStore } from '@tallybook/domain';
import {
  decodeProvisional,
  decodeRow,
  decodeSequence,
  encodeProvisional,
  encodeSequence,
} from '../rows/codec.js';
import {
  latestSequenceKey,
  momentKey,
  provisionalKey,
  provisionalRange,
  sequenceOfKey,
} from '../rows/keys.js';
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import type { RawLevel } from '../level/raw-level.js';
import { readProvisional } from '../queries/read-provisional.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';

/**
 * Keeps provisional scans in LevelDB: one row for each scan; one for its moment, which identifies the scan; and one with the
 * latest sequence. While it is open no other process can write.
 */
export class LevelProvisionalStore extends LevelFacet implements ProvisionalStore {
  /** The highest sequence at the opening. Every new sequence is higher, even if the row of the latest sequence is lost. */
  #highestSequence = 0;

  constructor(database: LevelDatabase) {
    super(database);
    database.onOpening(async () => {
      this.#highestSequence = await database.read(highestSequence);
    });
  }

  add(scan: Omit<ProvisionalScan, 'sequence'>): Promise<number> {
    // It may write once more.
    return this.database.run(() => this.database.writeLate(() => this.#add(scan)));
  }

  list(): Promise<readonly ProvisionalScan[]> {
    return this.run(() =>
      this.database.handle.goingBy((goBy) =>
        this.database.read((level) => readProvisional(level, undefined, goBy)),
      ),
    );
  }

  place(sequence: number, filing: Filing): Promise<Filing | undefined> {
    return this.#decide(sequence, (known) => known ?? filing);
  }

  async settle(sequence: number, filing: Filing): Promise<void> {
    await this.#decide(sequence, () => filing);
  }

  remove(sequence: number): Promise<void> {
    return this.database.run(async () => {
      const scan = await this.#find(sequence);
      if (scan === undefined) return;
      const keys = [provisionalKey(sequence), momentKey(scan)] as const;
      await this.database.write({
        keys,
        decide: (rows) => {
          // If the scan was removed meanwhile, the moment may belong to another scan.
          if (rows.has(keys[0])) for (const key of keys) rows.delete(key);
        },
      });
    });
  }

  /** @param gone A sequence that no longer has a scan, even if the row of the moment names it. */
  async #add(scan: Omit<ProvisionalScan, 'sequence'>, gone?: number): Promise<number> {
    const key = momentKey(scan);
    const { sequence, isNew } = await this.database.write({
      keys: [latestSequenceKey, key],
      decide: (rows) => {
        const known = sequenceIn(rows, key);
        if (known !== undefined && known !== gone) return { sequence: known, isNew: false };
        const sequence = Math.max(sequenceIn(rows, latestSequenceKey) ?? 0, this.#highestSequence) + 1;
        rows.put(latestSequenceKey, encodeSequence(sequence));
        rows.put(key, encodeSequence(sequence));
        rows.put(provisionalKey(sequence), encodeProvisional(scan));
        const { id, reader, bootId, monotonicMs } = scan;
        rows.tell({ kind: 'provisional', sequence, id, reader, bootId, monotonicMs });
        return { sequence, isNew: true };
      },
    });
    // A known scan may have been removed meanwhile, or lost by damage: then it must not count as kept.
    if (isNew || (await this.#find(sequence)) !== undefined) return sequence;
    return this.#add(scan, sequence);
  }

  /** Resolves with the filing of the scan afterwards; `undefined` if there is no such scan. */
  #decide(sequence: number, choose: (known: Filing | undefined) => Filing): Promise<Filing | undefined> {
    const key = provisionalKey(sequence);
    return this.commit({
      keys: [key],
      decide: (rows) => {
        const value = rows.get(key);
        if (value === undefined) return undefined;
        const scan = decodeRow(key, () => decodeProvisional(sequence, value));
        const filing = choose(scan.filing);
        if (filing !== scan.filing) rows.put(key, encodeProvisional({ ...scan, filing }));
        return filing;
      },
    });
  }

  #find(sequence: number): Promise<ProvisionalScan | undefined> {
    const key = provisionalKey(sequence);
    return this.database.read(async (level) => {
      const [value] = await level.getMany([key]);
      if (value === undefined) return undefined;
      return decodeRow(key, () => decodeProvisional(sequence, unseal(key, value)));
    });
  }
}

async function highestSequence(level: RawLevel): Promise<number> {
  const [key] = await level.keys({ ...provisionalRange, reverse: true, limit: 1 }).all();
  return key === undefined ? 0 : decodeRow(key, () => sequenceOfKey(key));
}

function sequenceIn(rows: Rows, key: Buffer): number | undefined {
  const value = rows.get(key);
  return value === undefined ? undefined : decodeRow(key, () => decodeSequence(value));
}
