import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { importBackup } from '../../src/command-line/backup-commands.js';
import type { Desk } from '../fixtures/people/desk.js';
import { Places } from '../fixtures/people/places.js';

const occasion = (id: string, value: unknown, ms = 1_740_000_000_000): string =>
  JSON.stringify({
    kind: 'carried',
    row: { kind: 'occasion', id, stamp: [ms, 0, 'later'], persons: [], tags: [], value },
  });

/** The lines of a backup that only a later version understands. */
async function carriedIn(desk: Desk): Promise<readonly string[]> {
  const lines = (await desk.bytes('/api/export')).toString().split('\n');
  return lines.filter((line) => line.startsWith('{"kind":"carried"'));
}

describe('Rows of a later version, at two servers of one PostgreSQL and a station', () => {
  const postgres = usePostgres();
  const places = new Places('03-07 08:00');

  async function importInto(store: string, ...rows: readonly string[]): Promise<void> {
    const file = places.folder.path('rows.jsonl');
    const end = { kind: 'end', carried: rows.length, names: 0, entries: 0, corrections: 0, provisional: 0 };
    const head = { kind: 'tallybook', version: 1, hasEnd: true };
    await writeFile(file, [JSON.stringify(head), ...rows, JSON.stringify(end), ''].join('\n'));
    await importBackup(store, file);
  }

  it('come everywhere from a backup of any of them, and to a copy from there', async () => {
    const store = postgres.current.site();
    const hallStore = `level:${places.folder.path('hall')}`;
    await importInto(hallStore, occasion('1', { title: 'Übung' }), occasion('2', 'of the hall'));
    const office = await places.start(store);
    const desk = await places.start(store);
    const { token } = (await office.send('POST', '/api/tokens', { label: 'hall', role: 'station' })) as {
      readonly token: string;
    };
    const upstreamTokenFile = places.folder.path('token');
    await writeFile(upstreamTokenFile, token, { mode: 0o600 });
    const hall = await places.start(hallStore, { upstream: office.url, upstreamTokenFile });
    await places.isSent(hall);
    const first = [occasion('1', { title: 'Übung' }), occasion('2', 'of the hall')];
    expect(await carriedIn(desk)).to.deep.equal(first);
    // At the other server, while all run: the second row is replaced, and one is removed.
    await importInto(
      store,
      occasion('2', 'of the office', 1_740_000_000_001),
      occasion('3', null),
      occasion('1', 'too early', 1),
    );
    const second = [first[0], occasion('2', 'of the office', 1_740_000_000_001), occasion('3', null)];
    await places.settle(async () => (await carriedIn(hall)).length === 3);
    for (const place of [office, desk, hall]) expect(await carriedIn(place)).to.deep.equal(second);
    const copy = await places.copyOf(hall, `level:${places.folder.path('copy')}`, 2);
    expect(await carriedIn(copy)).to.deep.equal(second);
  });
});
