// Writes a corpus: files of this version, which later versions have to read. `npm run corpus -- 0.1.0` writes packages/server/test/corpus/0.1.0/.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { mergePeople, parseTallyId, toCarried } from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { migratePostgres } from '@tallybook/store-postgres';
import { writeSettings, type StoredTexts } from '../../src/config/stored-settings.js';
import { createStorage, type FullStorage } from '../../src/config/stores.js';
import { fillVaried, withStores } from '../fixtures/stores/varied-store.js';
import { findPrograms, TestServer } from '../../../store-postgres/test/fixtures/postgres-server.js';
import { contentsOf, sharedOf, type Content } from './contents.js';
import { recording, type Exchange } from './exchange.js';
import { asOfThen, makeMemory } from './corpora.js';
import { openCentre, openStation, settle } from './places.js';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('name the version: npm run corpus -- 0.1.0');
  process.exit(2);
}
const folder = new URL(`./${version}/`, import.meta.url).pathname;

/** Fills stores with every kind of data. They are closed afterwards. */
async function fill(make: () => FullStorage): Promise<void> {
  const storage = make();
  await fillVaried(storage);
  // The second opening writes the rows of the first one into other files.
  await storage.open();
  await storage.mapping.put(parseTallyId('0A0B0C0D'), { first: 'Grace', last: 'Hopper' });
  await mergePeople(storage.people, [
    carried('occasion', 'practice', { value: { title: 'Übung', ends: [1_763_500_000, null] } }),
    carried('occasion', 'cancelled', { value: null }),
    carried('muster-list', '2025-11-19:1', {
      ...{ persons: ['0011223344AABB', 'tag-0A0B0C0D'], tags: ['0A0B0C0D'], value: ['called', true] },
    }),
  ]);
  await storage.journal.advance('corpus', 3);
  await storage.close();
}

function carried(kind: string, id: string, more: object) {
  const row = { kind, id, stamp: [1_763_600_000_000, 0, 'later'], persons: [], tags: [], value: 1, ...more };
  return { kind: 'carried', row: toCarried(row) } as const;
}

async function written(name: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  let text = '';
  for await (const line of lines) text += `${line}\n`;
  await writeFile(join(folder, name), text);
}

const linesOf = (rows: readonly (Content | Exchange)[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row));

async function writeStore(temporary: string): Promise<void> {
  const path = join(temporary, 'store');
  const make = (): FullStorage => createStorage(`level:${path}`, asOfThen);
  await fill(make);
  // The lock and the notes of LevelDB are nothing that is read.
  const filter = (source: string): boolean => !/^LO(?:CK|G|G\.old)$/.test(basename(source));
  await cp(path, join(folder, 'store'), { recursive: true, filter });
  for (const name of await readdir(join(folder, 'store'))) if (name.endsWith('.log')) await cutRoom(name);
  const lines = await withStores(make(), async (storage) => {
    await written('store.jsonl', linesOf(await contentsOf(storage)));
    const exported: string[] = [];
    for await (const line of new BackupService(storage).export()) exported.push(line);
    return exported;
  });
  await written('backup.jsonl', lines);
  await withStores(makeMemory(), async (storage) => {
    await new BackupService(storage).import(async function* () {
      yield* lines;
    });
    await written('restored.jsonl', linesOf(await sharedOf(storage)));
  });
}

/** LevelDB makes room for a log, which stays empty. */
async function cutRoom(name: string): Promise<void> {
  const path = join(folder, 'store', name);
  const bytes = await readFile(path);
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  await truncate(path, Math.min(Math.ceil(end / 4_096) * 4_096, bytes.length));
}

/** Each of the settings that can be stored, and one of a later version. */
async function writeStored(): Promise<void> {
  const texts: StoredTexts = {
    ...{ name: ['Hall „Ö“'], zone: ['Europe/Berlin'], dayStart: ['04:00'], keep: ['2years'] },
    ...{ keepGuests: ['30days'], readers: ['serial:/dev/ttyUSB0', 'stdin:'], backup: ['/media/stick'] },
  } satisfies Required<StoredTexts>;
  const stored = { folder: join(folder, 'store'), texts, others: { later: { a: [1] } } };
  await writeSettings(stored);
  await written('settings.jsonl', [JSON.stringify([stored.texts, stored.others])]);
}

async function writeExchanges(): Promise<void> {
  const exchanges: Exchange[] = [];
  const [atStation, atCentre] = [makeMemory(), makeMemory()];
  await fill(() => atStation);
  await using centre = await openCentre(atCentre);
  await atCentre.mapping.put(parseTallyId('0D0C0B0A'), { first: 'Alan', last: 'Turing' });
  await mergePeople(atCentre.people, [carried('excuse', '7', { persons: ['0011223344AABB'], value: 'ill' })]);
  await using station = await openStation(atStation, recording(centre.centre, exchanges));
  await settle(station, centre);
  await mergePeople(atCentre.people, [
    carried('excuse', '8', { tags: ['0D0C0B0A'], value: { until: 20_500 } }),
  ]);
  await atCentre.mapping.put(parseTallyId('0D0C0B0A'), { first: 'Alan M.', last: 'Turing' });
  await settle(station, centre);
  await written('exchanges.jsonl', linesOf(exchanges));
  await written('centre.jsonl', linesOf(await sharedOf(atCentre)));
}

async function writeDatabase(): Promise<void> {
  const server = await TestServer.start();
  try {
    await migratePostgres(server.url);
    const url = `${server.url}${server.url.includes('?') ? '&' : '?'}site=corpus`;
    const make = (): FullStorage => createStorage(url, asOfThen);
    await fill(make);
    await withStores(make(), async (storage) =>
      written('database.jsonl', linesOf(await contentsOf(storage))),
    );
    const dump = await promisify(execFile)(join(findPrograms() ?? '', 'pg_dump'), [
      ...['--no-owner', '--no-privileges', '--inserts', '--schema=tallybook', server.url],
    ]);
    // Commands of psql and comments name this machine.
    const statements = dump.stdout.split('\n').filter((line) => !/^(?:--|\\|$)/.test(line));
    await written('database.sql', statements);
  } finally {
    await server.stop();
  }
}

const temporary = await mkdtemp(join(tmpdir(), 'tallybook-corpus-'));
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeStore(temporary);
  await writeStored();
  await writeExchanges();
  await writeDatabase();
} finally {
  await rm(temporary, { recursive: true });
}
