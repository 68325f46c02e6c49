import assert from 'node:assert/strict';
import { parseTallyId, toTimestamp, type Change } from '@tallybook/domain';
import type { NewCorrection, Verdict } from '@tallybook/domain/record';
import { casesOf, type ContractCase } from '../../runner.js';
import { ada, at, bob, day, lovelace, nextDay as otherDay } from '../fixtures.js';
import { onJournal, readAll, type JournalStores, type MakeJournal } from './journal-subject.js';

const longest = parseTallyId('FE'.repeat(10));
const held = {
  id: ada,
  reader: 'door',
  bootId: '5a2ce5b8-3f1c-4d5e-9b0a-0c1d2e3f4a5b',
  monotonicMs: 12_345.678_901,
  shown: at(-9),
  notBefore: at(-10),
};

const forgotten: NewCorrection = {
  action: 'add',
  day,
  id: ada,
  at: at(0),
  reason: 'Forgot to tap',
  author: 'desk',
  madeAt: at(9),
  state: 'pending',
};
const approval: Verdict = { state: 'approved', by: 'boss', at: at(10) };

async function changesOf({ journal }: JournalStores): Promise<readonly Change[]> {
  return (await readAll(journal)).map(({ change }) => change);
}

/** The journal's changes for each kind of write of names and days. */
export const changeCases: readonly ContractCase<MakeJournal>[] = casesOf(onJournal, {
  'reports a scan with its day, time, reader and outcome': async (subject) => {
    await subject.days.record(day, ada, at(5), { reader: 'front door' });
    await subject.days.record(day, ada, at(0), { reader: 'Zoë’s gate' });
    await subject.days.record(otherDay, longest, toTimestamp(0));
    await subject.days.record(day, bob, toTimestamp(Number.MAX_SAFE_INTEGER), { reader: '' });
    assert.deepEqual(await changesOf(subject), [
      { kind: 'scan', day, id: ada, at: at(5), reader: 'front door', outcome: 'counted' },
      { kind: 'scan', day, id: ada, at: at(0), reader: 'Zoë’s gate', outcome: 'already-counted' },
      { kind: 'scan', day: otherDay, id: longest, at: 0, reader: undefined, outcome: 'counted' },
      { kind: 'scan', day, id: bob, at: Number.MAX_SAFE_INTEGER, reader: '', outcome: 'counted' },
    ]);
  },
  'reports a scan that was provisional with its sequence and estimate': async (subject) => {
    const estimate = { earliest: at(1), latest: at(9) };
    await subject.days.record(day, ada, at(5), { reader: 'door', filed: { sequence: 7 } });
    await subject.days.record(day, bob, at(6), { reader: 'door', filed: { sequence: 8, estimate } });
    const scan = { kind: 'scan', day, reader: 'door', outcome: 'counted' };
    assert.deepEqual(await changesOf(subject), [
      { ...scan, id: ada, at: at(5), filed: { sequence: 7 } },
      { ...scan, id: bob, at: at(6), filed: { sequence: 8, estimate } },
    ]);
  },
  'reports the flags of a scan, and its day when a scan gets more flags': async (subject) => {
    const { days } = subject;
    await days.record(day, ada, at(5), { flags: Number.MAX_SAFE_INTEGER });
    await days.record(day, ada, at(6), { reader: 'door', flags: 0 });
    await days.record(day, ada, at(6), { flags: 4 });
    await days.record(day, ada, at(6), { flags: 4 });
    const scan = { kind: 'scan', day, id: ada };
    assert.deepEqual(await changesOf(subject), [
      ...[{ ...scan, at: at(5), reader: undefined, outcome: 'counted', flags: Number.MAX_SAFE_INTEGER }],
      { ...scan, at: at(6), reader: 'door', outcome: 'already-counted' },
      { kind: 'day', day, action: 'merged' },
    ]);
  },
  'reports names that are added, replaced and removed, and never the names themselves': async (subject) => {
    await subject.mapping.put(ada, lovelace);
    await subject.mapping.put(ada, { first: 'Augusta', last: '' });
    await subject.mapping.remove(ada);
    assert.deepEqual(await changesOf(subject), [
      { kind: 'name', id: ada, action: 'added' },
      { kind: 'name', id: ada, action: 'replaced' },
      { kind: 'name', id: ada, action: 'removed' },
    ]);
  },
  'reports names that are changed together one by one, in their order': async (subject) => {
    await subject.mapping.put(bob, lovelace);
    const changes = [longest, bob, ada].map((id) => [id, id === bob ? undefined : lovelace] as const);
    await subject.mapping.change(new Map(changes));
    assert.deepEqual((await changesOf(subject)).slice(1), [
      { kind: 'name', id: longest, action: 'added' },
      { kind: 'name', id: bob, action: 'removed' },
      { kind: 'name', id: ada, action: 'added' },
    ]);
  },
  'reports a day that entries are merged into': async (subject) => {
    await subject.days.merge(day, [
      { id: ada, first: at(0), last: at(9), count: 3 },
      { id: bob, first: at(0), last: at(0), count: 1 },
    ]);
    assert.deepEqual(await changesOf(subject), [{ kind: 'day', day, action: 'merged' }]);
  },
  'reports a removed day, and no longer its scans': async (subject) => {
    const { days, mapping } = subject;
    await days.record(day, ada, at(0));
    await days.record(otherDay, ada, at(86_400));
    await mapping.put(ada, lovelace);
    await days.record(day, bob, at(1), { reader: 'door', filed: { sequence: 1 } });
    await days.remove(day);
    assert.deepEqual(await changesOf(subject), [
      { kind: 'scan', day: otherDay, id: ada, at: at(86_400), reader: undefined, outcome: 'counted' },
      { kind: 'name', id: ada, action: 'added' },
      { kind: 'day', day, action: 'removed' },
    ]);
  },
  'reports a scan of a day that was removed before': async (subject) => {
    await subject.days.record(day, ada, at(0));
    await subject.days.remove(day);
    await subject.days.record(day, ada, at(0));
    assert.deepEqual(await changesOf(subject), [
      { kind: 'day', day, action: 'removed' },
      { kind: 'scan', day, id: ada, at: at(0), reader: undefined, outcome: 'counted' },
    ]);
  },
  'reports nothing for a scan that was already there': async (subject) => {
    for (const second of [0, 9, 5, 0, 9, 5]) await subject.days.record(day, ada, at(second));
    assert.equal((await changesOf(subject)).length, 3);
  },
  'reports nothing for a name that is the same, or not there': async (subject) => {
    await subject.mapping.put(ada, lovelace);
    await subject.mapping.put(ada, lovelace);
    await subject.mapping.change(new Map([[ada, lovelace]]));
    await subject.mapping.remove(bob);
    await subject.mapping.change(new Map([[bob, undefined]]));
    assert.equal((await changesOf(subject)).length, 1);
  },
  'reports nothing for entries that are merged again, or for none': async (subject) => {
    const entries = [{ id: ada, first: at(0), last: at(9), count: 3 }];
    await subject.days.merge(day, entries);
    await subject.days.merge(day, entries);
    await subject.days.merge(otherDay, []);
    assert.equal((await changesOf(subject)).length, 1);
  },
  'reports nothing for the removal of a day that was not there': async (subject) => {
    await subject.days.record(day, ada, at(0));
    await subject.days.remove(otherDay);
    assert.equal((await changesOf(subject)).length, 1);
  },
  'reports simultaneous calls in the order of the calls': async (subject) => {
    const { mapping } = subject;
    await Promise.all([
      mapping.put(ada, lovelace),
      mapping.remove(ada),
      mapping.put(ada, lovelace),
      mapping.put(ada, { first: 'Augusta', last: '' }),
      mapping.remove(ada),
    ]);
    const actions = (await changesOf(subject)).map((change) => change.kind === 'name' && change.action);
    assert.deepEqual(actions, ['added', 'removed', 'added', 'replaced', 'removed']);
  },
});

/** Those of a storage with provisional scans. */
export const provisionalCases: readonly ContractCase<MakeJournal>[] = casesOf(onJournal, {
  'reports a provisional scan when it is held, and not when it is settled or removed': async (subject) => {
    const sequence = await subject.provisional.add(held);
    await subject.provisional.settle(sequence, { day, at: at(5), isRecorded: true });
    await subject.provisional.remove(sequence);
    const { id, reader, bootId, monotonicMs } = held;
    assert.deepEqual(await changesOf(subject), [
      { kind: 'provisional', sequence, id, reader, bootId, monotonicMs },
    ]);
  },
  'reports nothing for a provisional scan that is already held': async (subject) => {
    await subject.provisional.add(held);
    await subject.provisional.add(held);
    assert.equal((await changesOf(subject)).length, 1);
  },
});

/** Those of a storage with corrections. */
export const correctionCases: readonly ContractCase<MakeJournal>[] = casesOf(onJournal, {
  'reports a correction when it is made, and when it is decided': async ({ corrections, journal }) => {
    const [one, other] = await corrections.correct([forgotten, { ...forgotten, id: longest }]);
    await corrections.decide(one?.number ?? 0, approval);
    const tellOne = { kind: 'correction', number: one?.number, day, id: ada };
    const told = (await readAll(journal)).map(({ change }) => change);
    assert.deepEqual(told, [tellOne, { ...tellOne, number: other?.number, id: longest }, tellOne]);
  },
  'reports nothing for a correction that is already there, or already decided': async (subject) => {
    const [one] = await subject.corrections.correct([forgotten]);
    await subject.corrections.correct([forgotten]);
    await subject.corrections.decide(one?.number ?? 0, approval);
    await subject.corrections.decide(one?.number ?? 0, approval);
    await subject.corrections.remove(otherDay);
    assert.equal((await changesOf(subject)).length, 2);
  },
  'reports a day whose corrections are removed, and no longer the corrections': async (subject) => {
    await subject.corrections.correct([forgotten, { ...forgotten, day: otherDay }]);
    await subject.days.record(day, ada, at(0));
    await subject.corrections.remove(day);
    assert.deepEqual(
      (await changesOf(subject)).map((change) => [change.kind, 'day' in change && change.day]),
      [
        ['correction', otherDay],
        ['scan', day],
        ['day', day],
      ],
    );
  },
});
