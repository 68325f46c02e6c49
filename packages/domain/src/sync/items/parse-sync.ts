import { isTallybookError, quote, type ErrorCode } from '../../errors.js';
import { toDay, type Day } from '../../values/day.js';
import {
  SYNC_MAX_CURSOR,
  SYNC_MAX_ITEMS,
  type LeftOut,
  type ReadSnapshotPart,
  type RefusedItem,
  type StationStatus,
  type SyncAnswer,
  type SyncBatch,
  type SyncChanges,
  type SyncItem,
  type SyncMessage,
  type SyncPosition,
} from '../values/sync.js';
import { toOutsideTime } from '../../values/timestamp.js';
import type { Fields } from '../../record/values/valid-fields.js';
import { invalidSync, toDownItem, toName, toUpItem, valid } from './parse-items.js';

const RUN_LENGTHS = [1, 64] as const;
const CODE_LENGTHS = [1, 64] as const;
const MESSAGE_LENGTHS = [0, 1_000] as const;
const REFUSED_MESSAGE_LENGTH = 500;
const CURSORS = [0, SYNC_MAX_CURSOR] as const;

/** A batch as a centre reads it: an invalid item does not make the others invalid. */
export interface ParsedBatch extends SyncBatch {
  /** Items that cannot be read. */
  readonly refused: readonly RefusedItem[];
}

/**
 * Reads a batch of a station.
 *
 * @param value As `JSON.parse` gives it.
 * @throws {TallybookError} `INVALID_SYNC` if it is no batch: then no item is taken.
 */
export function parseSyncBatch(value: unknown): ParsedBatch {
  const fields = valid.object(value, 'a batch');
  const run = valid.text(fields['run'], 'run', RUN_LENGTHS);
  const after = valid.count(fields['after'], 'after', CURSORS);
  const through = valid.count(fields['through'], 'through', [after, SYNC_MAX_CURSOR]);
  const { isRestart = false } = fields;
  const refused: RefusedItem[] = [];
  const items: SyncItem[] = [];
  let last = after;
  for (const [index, element] of valid.list(fields['items'], 'items', SYNC_MAX_ITEMS).entries()) {
    const item = valid.object(element, `items[${index}]`);
    const cursor = valid.count(item['cursor'], `items[${index}].cursor`, [
      Math.max(last, after + 1),
      through,
    ]);
    last = cursor;
    try {
      items.push({ ...toUpItem(item), cursor });
    } catch (error) {
      refused.push(refusalOf(cursor, error));
    }
  }
  return {
    ...toProtocol(fields),
    ...{ run, after, through, items, refused },
    ...(valid.boolean(isRestart, 'isRestart') && { isRestart: true }),
    status: toStatus(fields['status']),
  };
}

/** @throws The error itself if it is no {@link TallybookError}. */
function refusalOf(cursor: number, error: unknown): RefusedItem {
  if (!isTallybookError(error)) throw error;
  return { cursor, code: error.code, message: error.message.slice(0, REFUSED_MESSAGE_LENGTH).toWellFormed() };
}

function toStatus(value: unknown): StationStatus {
  const fields = valid.object(value, 'status');
  const { oldestWaitingAt } = fields;
  return {
    waiting: valid.count(fields['waiting'], 'status.waiting'),
    ...(oldestWaitingAt !== undefined && { oldestWaitingAt: toOutsideTime(oldestWaitingAt) }),
    provisional: valid.count(fields['provisional'], 'status.provisional'),
    isClockTrusted: valid.boolean(fields['isClockTrusted'], 'status.isClockTrusted'),
    version: valid.text(fields['version'], 'status.version', RUN_LENGTHS),
  };
}

/**
 * Reads the answer of a centre to a batch.
 *
 * @throws {TallybookError} `INVALID_SYNC` if it is no answer.
 */
export function parseSyncAnswer(value: unknown): SyncAnswer & LeftOut {
  const fields = valid.object(value, 'an answer');
  // Each list has at most as many elements as a batch may have items.
  const list = (name: string): readonly Fields[] =>
    valid
      .list(fields[name], name, SYNC_MAX_ITEMS)
      .map((each, index) => valid.object(each, `${name}[${index}]`));
  return asWhole('an answer', () => ({
    run: valid.text(fields['run'], 'run', RUN_LENGTHS),
    acknowledged: valid.count(fields['acknowledged'], 'acknowledged'),
    refused: list('refused').map(toRefused),
    ...leavingOut((read) => ({
      superseded: read(list('superseded'), toName),
      erasures: read(list('erasures'), (fields) => valid.erasure(fields)),
    })),
    ...toTerms(fields),
  }));
}

type ReadAll = <T>(elements: readonly Fields[], read: (fields: Fields) => T) => T[];

/**
 * Reads items of a centre. One with a wrong value is left out, and its error code is in `invalid`: it must not keep the others
 * back for ever. An item that this version does not know is an error, because a later version can take it.
 */
function leavingOut<T>(readItems: (read: ReadAll) => T): T & LeftOut {
  const invalid: ErrorCode[] = [];
  const items = readItems((elements, read) =>
    elements.flatMap((fields) => {
      try {
        return [read(fields)];
      } catch (error) {
        if (!isTallybookError(error) || error.code === 'INVALID_SYNC') throw error;
        invalid.push(error.code);
        return [];
      }
    }),
  );
  return { ...items, ...(invalid.length > 0 && { invalid }) };
}

function toRefused({ cursor, code, message }: Fields): RefusedItem {
  return {
    cursor: valid.count(cursor, 'cursor'),
    code: valid.text(code, 'code', CODE_LENGTHS),
    message: valid.text(message, 'message', MESSAGE_LENGTHS),
  };
}

/**
 * Reads the changes of a centre.
 *
 * @throws {TallybookError} `INVALID_SYNC` if it is something else.
 */
export function parseSyncChanges(value: unknown): SyncChanges & LeftOut {
  const fields = valid.object(value, 'changes');
  return asWhole('changes', () => ({
    ...toPosition(fields),
    ...leavingOut((read) => ({
      items: read(
        valid
          .list(fields['items'], 'items', SYNC_MAX_ITEMS)
          .map((each, index) => valid.object(each, `items[${index}]`)),
        toDownItem,
      ),
    })),
    ...('erasureKey' in fields && { erasureKey: valid.halfDigest(fields['erasureKey'], 'erasureKey') }),
    ...toTerms(fields),
  }));
}

/**
 * Reads one part of a snapshot of a centre.
 *
 * @throws {TallybookError} `INVALID_SYNC` if it is none.
 */
export function parseSnapshotPart(value: unknown): ReadSnapshotPart {
  const fields = valid.object(value, 'a part of a snapshot');
  return asWhole('a part of a snapshot', () => {
    if (fields['kind'] === 'head') return { kind: 'head', ...toPosition(fields), ...toTerms(fields) };
    if (fields['kind'] === 'end') return { kind: 'end', items: valid.count(fields['items'], 'items') };
    const { items, invalid = [] } = leavingOut((read) => ({ items: read([fields], toDownItem) }));
    const [item] = items;
    if (item === undefined) return { kind: 'invalid', invalid };
    if (item.kind !== 'day') return item;
    throw invalidSync(`kind must be head, name, correction, erasure or end; got ${quote(fields['kind'])}`);
  });
}

function toPosition({ origin, cursor }: Fields): SyncPosition {
  return {
    origin: valid.text(origin, 'origin', RUN_LENGTHS),
    cursor: valid.count(cursor, 'cursor', CURSORS),
  };
}

function toTerms(fields: Fields): Pick<SyncChanges, 'protocol' | 'keepFrom' | 'now'> {
  const { keepFrom, now } = fields;
  const first: { keepFrom?: Day } = keepFrom === undefined ? {} : { keepFrom: toDay(keepFrom) };
  return { ...toProtocol(fields), ...first, now: toOutsideTime(now) };
}

/** Any number is taken: a later one means no less than this one. */
function toProtocol({ protocol }: Fields): SyncMessage {
  return protocol === undefined
    ? {}
    : { protocol: valid.count(protocol, 'protocol', [1, Number.MAX_SAFE_INTEGER]) };
}

/** Turns other errors of the domain into `INVALID_SYNC`. */
function asWhole<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isTallybookError(error) || error.code === 'INVALID_SYNC') throw error;
    throw invalidSync(`${what}: ${error.message}`, error);
  }
}
