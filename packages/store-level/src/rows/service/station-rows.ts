import { toTimestamp } from '@tallybook/domain';
import type { RefusedNote, StationRecord, StationRun, StationStatus } from '@tallybook/domain/sync';
import { REFUSED, STATION } from '../keys.js';
import { parseJson, parseObject, readText, type Unchecked } from './json-value.js';
import { textKey } from './service-keys.js';

/*
 * A station has two rows: one that is written with each batch, and one with refused items, which is larger and seldom changes.
 * The name is in the key, everything else is JSON. Neither row is about a tag.
 */

/** The content of a station's row. */
export interface StoredStation extends Pick<StationRecord, 'heardAt' | 'status'> {
  /** Runs of the station, the one that was acknowledged last at the end. */
  readonly runs: readonly StationRun[];
}

export function stationKey(name: string): Buffer {
  return textKey(STATION, name);
}

export function refusedKey(name: string): Buffer {
  return textKey(REFUSED, name);
}

export function encodeStation({ runs, heardAt, status }: StoredStation): Buffer {
  const { waiting, oldestWaitingAt, provisional, isClockTrusted, version } = status;
  const its = { waiting, oldestWaitingAt, provisional, isClockTrusted, version };
  return Buffer.from(JSON.stringify({ runs, heardAt, status: its }));
}

/** Throws if the value is no station. */
export function decodeStation(value: Buffer): StoredStation {
  const { runs, heardAt, status }: Unchecked<StoredStation> = parseObject(value);
  return {
    runs: readList(runs).map(readRun),
    heardAt: toTimestamp(heardAt),
    status: readStatus(status),
  };
}

/** The same station without its acknowledged progress. Throws if the value is no station. */
export function forgetProgress(value: Buffer): Buffer {
  const station = decodeStation(value);
  return encodeStation({ ...station, runs: station.runs.map(([run]) => [run, 0]) });
}

/** @param notes In the order in which they came. */
export function encodeRefused(notes: readonly RefusedNote[]): Buffer {
  const kept = notes.map(({ run, cursor, at, code, message }) => ({ run, cursor, at, code, message }));
  return Buffer.from(JSON.stringify(kept));
}

/** Throws if the value is no list of refused items. */
export function decodeRefused(value: Buffer): readonly RefusedNote[] {
  return readList(parseJson(value)).map((note) => {
    const { run, cursor, at, code, message } = note as Unchecked<RefusedNote>;
    return {
      run: readText(run),
      cursor: readCount(cursor),
      at: toTimestamp(at),
      code: readText(code),
      message: readText(message),
    };
  });
}

function readRun(value: unknown): StationRun {
  const [run, acknowledged] = readList(value);
  return [readText(run), readCount(acknowledged)];
}

function readStatus(value: unknown): StationStatus {
  if (typeof value !== 'object' || value === null) throw new TypeError('the status is missing');
  const { waiting, oldestWaitingAt, provisional, isClockTrusted, version } =
    value as Unchecked<StationStatus>;
  if (typeof isClockTrusted !== 'boolean')
    throw new TypeError('it does not say whether the clock is trusted');
  return {
    waiting: readCount(waiting),
    ...(oldestWaitingAt === undefined ? {} : { oldestWaitingAt: toTimestamp(oldestWaitingAt) }),
    provisional: readCount(provisional),
    isClockTrusted,
    version: readText(version),
  };
}

function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a list is missing');
  return value;
}

function readCount(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('a number is missing');
  return value as number;
}
