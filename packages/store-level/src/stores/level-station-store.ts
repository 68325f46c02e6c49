import type { Cursor } from '@tallybook/domain';
import {
  acknowledgedOf,
  latestRunOf,
  withAcknowledged,
  withRefused,
  type RefusedNote,
  type StationNotes,
  type StationRecord,
  type StationStore,
} from '@tallybook/domain/sync';
import type { StoredRow } from './level-view.js';
import { LevelFacet } from '../database/level-database.js';
import { getNow } from '../level/raw-level.js';
import { decodeRow, unlessDamaged } from '../rows/codec.js';
import { REFUSED, STATION } from '../rows/keys.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import {
  decodeRefused,
  decodeStation,
  encodeRefused,
  encodeStation,
  refusedKey,
  stationKey,
  type StoredStation,
} from '../rows/service/station-rows.js';
import { stationRange, textOfKey } from '../rows/service/service-keys.js';

/**
 * Keeps the stations of a centre in LevelDB: a row for each station, and one for its refused items. While it is open no other
 * process can write.
 */
export class LevelStationStore extends LevelFacet implements StationStore {
  progress(station: string, run: string): Promise<Cursor> {
    const key = stationKey(station);
    return this.database.run(async () => {
      const sealed = await this.database.read((level) => Promise.resolve(getNow(level, key)));
      const its = sealed && (await this.#unlessDamaged([key, sealed], decodeStation));
      return acknowledgedOf(its?.runs ?? [], run);
    });
  }

  acknowledge(station: string, run: string, through: Cursor, notes: StationNotes): Promise<void> {
    const [key, keyOfRefused] = [stationKey(station), refusedKey(station)];
    const { heardAt, status, refused } = notes;
    return this.commit({
      keys: refused.length > 0 ? [key, keyOfRefused] : [key],
      decide: (rows) => {
        const { runs = [] } = find(rows, key, decodeStation) ?? {};
        const acknowledged = withAcknowledged(runs, run, through);
        rows.put(key, encodeStation({ runs: acknowledged, heardAt, status }));
        if (refused.length === 0) return;
        const before = find(rows, keyOfRefused, decodeRefused) ?? [];
        rows.put(keyOfRefused, encodeRefused(withRefused(before, run, notes)));
      },
    });
  }

  list(): Promise<readonly StationRecord[]> {
    return this.database.run(async () => {
      const rows = await this.database.read((level) => level.iterator(stationRange).all());
      const refused = new Map<string, readonly RefusedNote[]>();
      for (const row of rows) {
        const notes = row[0][0] === REFUSED ? await this.#unlessDamaged(row, decodeRefused) : undefined;
        if (notes !== undefined) refused.set(textOfKey(row[0]), notes);
      }
      const records: StationRecord[] = [];
      for (const row of rows) {
        const its = row[0][0] === STATION ? await this.#unlessDamaged(row, decodeStation) : undefined;
        if (its === undefined) continue;
        const name = textOfKey(row[0]);
        records.push(toRecord(name, its, refused.get(name) ?? []));
      }
      return records.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  remove(station: string): Promise<boolean> {
    const [key, keyOfRefused] = [stationKey(station), refusedKey(station)];
    return this.commit({
      keys: [key, keyOfRefused],
      decide: (rows) => {
        rows.delete(keyOfRefused);
        return rows.delete(key);
      },
    });
  }

  /** Decodes a row; `undefined` if it is damaged. The damage is noted for the next opening. */
  #unlessDamaged<T>([key, sealed]: StoredRow, decode: (value: Buffer) => T): Promise<T | undefined> {
    return this.database.handle.decoded(key, () => {
      // An invalid name in the key is damage too.
      textOfKey(key);
      return decode(unseal(key, sealed));
    });
  }
}

function toRecord(
  name: string,
  { runs, heardAt, status }: StoredStation,
  refused: readonly RefusedNote[],
): StationRecord {
  return { name, ...latestRunOf(runs), heardAt, status, refused };
}

/** Decodes a row; `undefined` if there is none, or it is damaged. */
function find<T>(rows: Rows, key: Buffer, decode: (value: Buffer) => T): T | undefined {
  return unlessDamaged(() => {
    const value = rows.get(key);
    return value && decodeRow(key, () => decode(value));
  });
}
