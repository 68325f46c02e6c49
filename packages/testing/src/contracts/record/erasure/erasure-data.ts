import assert from 'node:assert/strict';
import {
  isTallybookError,
  parseTallyId,
  toTimestamp,
  type Day,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { ErasureStore, KeptErasure, NewCorrection, Trace } from '@tallybook/domain/record';
import { ada, at, bob, day as first, nextDay as second } from '../../fixtures.js';
import type { ErasureStores } from './erasure-subject.js';

export { ada, at, bob, day as first, nextDay as second } from '../../fixtures.js';
export const now: Timestamp = at(100_000);
/** Time of the erasure, and time until which earlier data is refused. */
export const request: { readonly until: Timestamp; readonly expiresAt: Timestamp } = {
  until: now,
  expiresAt: at(200_000),
};

export function correctionOf(id: TallyId, day: Day, seconds: number): NewCorrection {
  const reason = 'The reader was out of order.';
  const made = { author: 'eve', madeAt: at(90_000), state: 'approved' } as const;
  return { action: 'add', day, id, at: at(seconds), reason, ...made };
}

/** Ada is there on two days, on the second one alone; Bob on the first. Both have corrections. */
export async function fill({ mapping, days, provisional, corrections }: ErasureStores): Promise<void> {
  await mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
  await mapping.put(bob, { first: 'Bob', last: '' });
  for (const seconds of [7, 5, 9]) await days.record(first, ada, at(seconds), { reader: 'door' });
  await days.record(first, bob, at(6), { reader: 'door' });
  await days.record(second, ada, at(86_400), { reader: 'door' });
  for (const id of [ada, bob]) {
    const scan = { id, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) };
    await provisional.add(scan);
  }
  await corrections.correct([
    correctionOf(ada, first, 11),
    correctionOf(bob, first, 12),
    correctionOf(ada, second, 86_500),
  ]);
}

/** Begins to write all kinds of data of Ada in this turn. The day of her scan is being removed at the same time. */
export async function writeAll({
  mapping,
  days,
  provisional,
  corrections,
  stamped,
}: ErasureStores): Promise<void> {
  const stamp = { ms: at(5) * 1_000, counter: 0, node: 'hall' };
  await Promise.all([
    days.record(second, bob, at(86_400)),
    days.remove(second),
    days.record(second, ada, at(86_400), { reader: 'door' }),
    days.record(first, ada, at(5), { reader: 'door' }),
    days.merge(first, [{ id: ada, first: at(4), last: at(9), count: 3 }]),
    corrections.correct([correctionOf(ada, first, 11)]).catch(requireRefused),
    provisional.add({
      ...{ id: ada, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) },
    }),
    mapping.put(ada, { first: 'Ada', last: '' }),
    stamped?.merge([{ id: ada, name: { first: 'Ada', last: 'Lovelace' }, stamp }]),
  ]);
}

/** A store that checks for erasures during the write may refuse a correction. */
function requireRefused(error: unknown): void {
  if (!isTallybookError(error, 'INVALID_CORRECTION')) throw error;
}

const nameStates = ['none', 'given', 'stamped', 'removed'] as const;

/** One tag for each combination of rows: with a name, a stamped name, or the stamp of a removed name; and with all other rows. */
export async function fillVaried(stores: ErasureStores): Promise<readonly TallyId[]> {
  const { mapping, days, provisional, corrections, stamped } = stores;
  const ids: TallyId[] = [];
  for (const [index, nameState] of nameStates.entries()) {
    for (let others = 0; others < 8; others++) {
      const id = parseTallyId(`0A0B0C${String(index * 8 + others).padStart(2, '0')}`);
      ids.push(id);
      const stamp = { ms: at(5) * 1_000, counter: 0, node: 'hall' };
      const name = { first: 'Ada', last: '' };
      if (nameState === 'given') await mapping.put(id, name);
      else if (nameState !== 'none')
        await stamped?.replace([{ id, name: nameState === 'stamped' ? name : undefined, stamp }]);
      if ((others & 1) !== 0) await days.record(first, id, at(7), { reader: 'door' });
      if ((others & 2) !== 0) {
        await provisional.add({
          ...{ id, reader: 'door', bootId: 'boot', monotonicMs: 1.5, shown: at(-9), notBefore: at(-10) },
        });
      }
      if ((others & 4) !== 0) await corrections.correct([correctionOf(id, first, 11)]);
    }
  }
  return ids;
}

/** The last second of the tag that is refused; `undefined` if nothing of it is. */
export function endOf(erasures: ErasureStore, id: TallyId): Timestamp | undefined {
  const ends = erasures.of(id).map(({ until }) => until);
  return ends.find((end) => erasures.isRefused(id, end) && !erasures.isRefused(id, toTimestamp(end + 1)));
}

/** The tags of the first day. */
export async function idsOf(days: ErasureStores['days']): Promise<readonly TallyId[] | undefined> {
  return (await days.load(first))?.entries.map(({ id }) => id);
}

export async function tracesOf(erasures: ErasureStore, id: TallyId): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for await (const trace of erasures.trace(id)) traces.push(trace);
  return traces;
}

/** The kinds of the traces, without stamps, which not all stores keep. */
export async function kindsOf(erasures: ErasureStore, id: TallyId): Promise<readonly string[]> {
  const kinds = (await tracesOf(erasures, id)).map(({ kind }) => kind);
  return kinds.filter((kind) => kind !== 'stamp');
}

/** An erasure of Ada as a backup holds it; the store has forgotten it. */
export async function backupOf(erasures: ErasureStore, until: Timestamp = now): Promise<KeptErasure> {
  const { expiresAt } = request;
  await erasures.erase({ ids: [ada], until, expiresAt });
  const [taken] = await erasures.list();
  assert.ok(taken !== undefined);
  await erasures.expire(expiresAt);
  return taken;
}
