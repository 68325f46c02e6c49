import {
  carriedKeyOf,
  mergePeople,
  personOfReserved,
  plainCarried,
  toCarried,
  type CarriedRow,
  type PersonId,
} from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { MemorySnapshotSource } from '@tallybook/testing';
import { expect } from 'chai';
import { testOn } from '../fixtures/test-on.js';
import { ada, bob, grace, lovelace, NOW, pass, Station, type Place } from './sync-world.js';
import { openPlaces } from './met-places.js';
import { DAY_MS } from '../../../testing/test/fixtures/known-values.js';
import { listOf, reading } from '../fixtures/streams.js';

/** A row of a kind that nobody here knows. */
function occasion(id: string, more: Partial<Record<keyof CarriedRow, unknown>> = {}): CarriedRow {
  return toCarried({
    ...{ kind: 'occasion', id, stamp: [NOW * 1_000, 0, 'later'], persons: [], tags: [], value: { id } },
    ...more,
  });
}

function carry(place: Place, ...rows: readonly CarriedRow[]): Promise<void> {
  return mergePeople(
    place.people,
    rows.map((row) => ({ kind: 'carried', row })),
  );
}

function rowsAt({ contents: { people } }: Place): readonly unknown[] {
  return [...people.carried.values()].map(plainCarried);
}

/** A centre with two stations that met it. */
const test = testOn(async () => {
  const all = await openPlaces('first', 'second');
  return { ...all, settle: () => all.pass(10) };
});

function backupOf({ contents, mapping, people, days, erasures, timekeeper }: Place): BackupService {
  const { names, days: records, people: rows } = contents;
  const snapshots = new MemorySnapshotSource({ names, days: records, people: rows });
  return new BackupService({ snapshots, mapping, people, days, erasures, timekeeper });
}

function linesOf(place: Place): Promise<readonly string[]> {
  return listOf(backupOf(place).export());
}

function restore(place: Place, lines: readonly string[]): ReturnType<BackupService['import']> {
  return backupOf(place).import(() => reading(lines));
}

describe('Rows of a kind that nobody here knows', () => {
  test('come from a station to its centre, and to its other stations', async (all) => {
    const { centre, first, second, places, settle } = all;
    const row = occasion('1', { persons: ['00112233445566'], tags: [ada], value: { title: ['Ö', null] } });
    await carry(first, row);
    await settle();
    for (const place of places) expect(rowsAt(place)).to.deep.equal([plainCarried(row)]);
    await carry(centre, occasion('1', { stamp: [NOW * 1_000, 1, 'later'], value: null }));
    await settle();
    expect(rowsAt(centre)).to.have.lengthOf(1);
    for (const place of places) expect(rowsAt(place)).to.deep.equal(rowsAt(centre));
    expect([...first.faults, ...second.faults]).to.deep.equal([]);
    const sent = first.transport.batches.flatMap(({ items }) => items);
    // The row itself, its removal that came from the centre, and nothing again and again.
    expect(sent.filter(({ kind }) => kind === 'carried')).to.have.lengthOf(2);
  });

  test('come to a station with the whole record', async ({ centre, places }) => {
    await carry(centre, occasion('1'), occasion('2'));
    await using third = await Station.open('third', centre);
    await pass([...places, third], 10);
    expect(rowsAt(third)).to.deep.equal(rowsAt(centre));
    expect(rowsAt(third)).to.have.lengthOf(2);
  });

  test('are the same everywhere, whichever of two changes came first', async (all) => {
    const { centre, first, second, settle } = all;
    const [one, other] = [occasion('1', { value: 'a' }), occasion('1', { value: 'b' })];
    await carry(first, one);
    await carry(second, other);
    await settle();
    for (const place of [centre, first, second]) expect(rowsAt(place)).to.deep.equal([plainCarried(other)]);
  });

  test('come through a backup, and a second restore changes nothing', async ({ centre, first }) => {
    const row = occasion('1', { persons: ['00112233445566'] });
    await carry(first, row);
    const lines = await linesOf(first);
    expect(lines).to.include(JSON.stringify({ kind: 'carried', row: plainCarried(row) }));
    await using empty = new Station('empty', centre);
    await empty.open();
    expect((await restore(empty, lines)).carried).to.equal(1);
    expect(rowsAt(empty)).to.deep.equal([plainCarried(row)]);
    const { latest } = empty.contents.changes;
    await restore(empty, lines);
    expect(empty.contents.changes.latest).to.equal(latest);
    expect((await linesOf(empty)).slice(1)).to.deep.equal(lines.slice(1));
  });

  test('are erased with a person whom they name, and do not come back', async (all) => {
    const { centre, first, second, settle } = all;
    const id = await centre.persons.add({ name: lovelace });
    await settle();
    const [theirs, other] = [occasion('1', { persons: [id, '00112233445566'] }), occasion('2')];
    await carry(first, theirs, other);
    await settle();
    const lines = await linesOf(second);
    // A station that is away changes it, and sends it afterwards.
    second.transport.fate = () => 'lost';
    await carry(second, occasion('1', { persons: [id], stamp: [NOW * 1_000, 9, 'later'] }));
    await centre.eraser.erase([], { persons: [id], isDryRun: false, actor: 'boss' });
    await settle();
    for (const place of [centre, first]) expect(rowsAt(place)).to.deep.equal([plainCarried(other)]);
    second.transport.fate = () => 'arrives';
    second.sync.wake();
    await pass([centre, first, second], 60);
    for (const place of [centre, first, second]) expect(rowsAt(place)).to.deep.equal([plainCarried(other)]);
    expect(await restore(centre, lines)).to.deep.include({ carried: 2, refused: 2 });
    expect(rowsAt(centre)).to.deep.equal([plainCarried(other)]);
  });

  test('are erased with a tag, unless they were written later', async ({ centre, settle }) => {
    const later = occasion('2', { tags: [ada], stamp: [NOW * 1_000 + DAY_MS, 0, 'later'] });
    await centre.names.put(ada, lovelace);
    await carry(centre, occasion('1', { tags: [bob, ada] }), later);
    await centre.eraser.erase([ada], { isDryRun: false, actor: 'boss' });
    await settle();
    expect(rowsAt(centre)).to.deep.equal([plainCarried(later)]);
  });

  test('do not bring back a guest who is gone', async ({ centre, first, places }) => {
    const [guest, member] = ['0A112233445566' as PersonId, await centre.persons.add({ name: grace })];
    const old = [(NOW - 86_400 * 60) * 1_000, 0, 'later'];
    await centre.take(
      { kind: 'carried', row: plainCarried(occasion('guest', { persons: [guest], stamp: old })) },
      { kind: 'carried', row: plainCarried(occasion('member', { persons: [member], stamp: old })) },
      { kind: 'carried', row: plainCarried(occasion('lately', { persons: [personOfReserved(first.people.lastResortOf(guest))] })) }, // prettier-ignore
    );
    await pass(places, 1);
    // Whoever is named lately is there, so the same batch brings all of theirs.
    expect([...centre.contents.people.carried.keys()]).to.have.members([
      ...['guest', 'member', 'lately'].map((id) => carriedKeyOf({ kind: 'occasion', id })),
    ]);
    await centre.take({
      kind: 'carried',
      row: plainCarried(occasion('alone', { persons: ['0B112233445566'], stamp: old })),
    });
    expect(centre.contents.people.carried.size).to.equal(3);
  });

  test('are refused alone, in words, if they are not such rows', async ({ centre }) => {
    const wrong = [
      [{ kind: 'occasion', id: '1' }, 'INVALID_SYNC', 'kind must be scan'],
      [{ kind: 'carried', row: 7 }, 'INVALID_ROW', 'a row must be an object'],
      [{ kind: 'carried', row: { ...plainCarried(occasion('1')), kind: 'No' } }, 'INVALID_ROW', 'the kind'],
      [{ kind: 'carried', row: { ...plainCarried(occasion('1')), id: 'a b' } }, 'INVALID_ROW', 'the id'],
      [{ kind: 'carried', row: { ...plainCarried(occasion('1')), tags: 'x' } }, 'INVALID_ROW', 'the tags'],
      [{ kind: 'carried', row: { ...plainCarried(occasion('1')), persons: ['x'] } }, 'INVALID_PERSON', ''],
      [{ kind: 'carried', row: { ...plainCarried(occasion('1')), value: undefined } }, 'INVALID_ROW', 'null'],
      [
        { kind: 'carried', row: { ...plainCarried(occasion('1')), value: 'x'.repeat(8_192) } },
        ...['INVALID_ROW', 'at most 8192 characters'],
      ],
      [
        { kind: 'carried', row: { ...plainCarried(occasion('1')), value: JSON.parse('['.repeat(17) + ']'.repeat(17)) as unknown } }, // prettier-ignore
        ...['INVALID_ROW', 'at most 16'],
      ],
    ] as const;
    const { refused, acknowledged } = await centre.take(...wrong.map(([item]) => item), {
      kind: 'carried',
      row: plainCarried(occasion('2')),
    });
    expect(acknowledged).to.equal(wrong.length + 1);
    expect(refused.map(({ code }) => code)).to.deep.equal(wrong.map(([, code]) => code));
    for (const [index, [, , words]] of wrong.entries()) expect(refused[index]?.message).to.include(words);
    expect(rowsAt(centre)).to.have.lengthOf(1);
  });

  test('are sent in answers that are not too large', async ({ centre, first, places }) => {
    first.transport.fate = () => 'lost';
    const rows = Array.from({ length: 300 }, (_, n) => occasion(String(n), { value: 'x'.repeat(8_000) }));
    await carry(centre, ...rows);
    const origin = await centre.journal.origin();
    const { items, cursor } = await centre.sync.changes({ origin, cursor: 0 }, 0);
    expect(items.length).to.be.within(50, 125);
    expect(cursor).to.equal(items.length);
    first.transport.fate = () => 'arrives';
    first.sync.wake();
    await pass(places, 60);
    expect(rowsAt(first)).to.have.lengthOf(300);
  });
});
