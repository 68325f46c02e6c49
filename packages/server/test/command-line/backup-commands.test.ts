import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import type { StampedName } from '@tallybook/domain';
import type { StampedNames } from '@tallybook/domain/sync';
import { exportBackup, importBackup } from '../../src/command-line/backup-commands.js';
import { ProgressLine } from '../../src/command-line/terminal-output.js';
import { loadStoreUrl } from '../../src/config/config.js';
import { call } from '../fixtures/processes/called.js';
import { failureOf } from '../fixtures/failure-of.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const head = '{"kind":"tallybook","version":1}';
const entry = (n: number): string =>
  `{"kind":"entry","day":20411,"id":"AB${String(n).padStart(8, '0')}","first":1763510400,"last":1763510400,"count":1}`;

describe('exportBackup', () => {
  const folder = temporaryFolder();

  async function store(): Promise<string> {
    const url = `level:${folder.path('store')}`;
    await withStores(url, ({ days }) =>
      days.record(toDay(20_411), parseTallyId('04A2B3C4D5'), toTimestamp(1_763_510_400)),
    );
    return url;
  }

  it('says that the latest writes may be missing, as every command that opens the store then', async () => {
    const url = await store();
    for (const command of [['export'], ['user', 'list']]) {
      await rm(folder.path('store', 'ACKNOWLEDGED'));
      await rm(folder.path('store', 'ACKNOWLEDGED-2'));
      for (const remark of [
        /^tallybook: .*: the files ACKNOWLEDGED and ACKNOWLEDGED-2 are lost, .*\n$/,
        /^$/,
      ]) {
        const { exitCode, errors } = await call(...command, '--store', url);
        expect([exitCode, command]).to.deep.equal([0, command]);
        expect(errors).to.match(remark);
      }
    }
  });

  it('writes a file that only its owner may read, also over an existing file', async () => {
    const file = folder.path('backup.jsonl');
    await writeFile(file, 'old');
    await exportBackup(await store(), file);
    expect((await readFile(file, 'utf8')).split('\n')).to.have.length(4);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect((await readdir(folder.path())).sort()).to.deep.equal(['backup.jsonl', 'store']);
  });

  it('writes to the file that a link names, and leaves the link', async () => {
    const file = folder.path('backup.jsonl');
    const link = folder.path('latest');
    await writeFile(file, 'old');
    await symlink(file, link);
    await exportBackup(await store(), link);
    expect(await readlink(link)).to.equal(file);
    expect(await readFile(file, 'utf8')).to.match(/^\{"kind":"tallybook"/);
  });

  it('writes into a named pipe, and leaves it one', async () => {
    const pipe = folder.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = readFile(pipe, 'utf8');
    await exportBackup(await store(), pipe);
    expect(await reading).to.match(/04A2B3C4D5/);
    expect((await stat(pipe)).isFIFO()).to.equal(true);
  });

  it('reports a missing store, and makes none, also in a folder with other files', async () => {
    await mkdir(folder.path('photos'));
    for (const name of ['nothing', 'photos']) {
      const message = await failureOf(
        exportBackup(`level:${folder.path(name)}`, undefined),
        'STORE_UNAVAILABLE',
      );
      expect(message).to.include(`there is no store at ${folder.path(name)}`);
    }
    expect(await readdir(folder.path())).to.deep.equal(['photos']);
    expect(await readdir(folder.path('photos'))).to.deep.equal([]);
  });

  it('reports why it cannot write, and leaves nothing', async () => {
    const url = await store();
    expect(await failureOf(exportBackup(url, folder.path('no', 'file')), 'INVALID_OPTION')).to.match(
      /cannot write.*ENOENT/,
    );
    expect(await failureOf(exportBackup(url, folder.path('store')), 'INVALID_OPTION')).to.match(
      /cannot write.*EISDIR/,
    );
    expect(await readdir(folder.path())).to.deep.equal(['store']);
  });
});

describe('exportBackup and importBackup', () => {
  const folder = temporaryFolder();

  it('bring all data to another store, byte for byte, and nothing more the second time', async () => {
    await withStores(`level:${folder.path('original')}`, async ({ mapping, days, provisional }) => {
      await mapping.put(parseTallyId('04A2B3C4D5'), { first: 'Zo\u00EB', last: 'a\u2028b' });
      for (let n = 0; n < 300; n++) {
        const id = parseTallyId(`AB${String(n % 90).padStart(8, '0')}`);
        await days.record(toDay(n % 7), id, toTimestamp(1_000_000 - n));
      }
      const scan = { bootId: 'b', monotonicMs: 0.1, shown: toTimestamp(9), notBefore: toTimestamp(0) };
      await provisional.add({ ...scan, id: parseTallyId('000001'), reader: 'T\u00FCr' });
      const filing = { day: toDay(3), at: toTimestamp(5), isRecorded: true };
      const estimate = { earliest: toTimestamp(0), latest: toTimestamp(9) };
      const sequence = await provisional.add({ ...scan, id: parseTallyId('000002'), reader: 'door' });
      await provisional.settle(sequence, { ...filing, estimate });
    });

    const [file, copy] = [folder.path('backup.jsonl'), folder.path('copy.jsonl')];
    await exportBackup(`level:${folder.path('original')}`, file);
    for (let times = 1; times <= 2; times++) {
      const counts = await importBackup(`level:${folder.path('copy')}`, file);
      expect(counts).to.include({ names: 1, provisional: 2 });
      await exportBackup(`level:${folder.path('copy')}`, copy);
      expect(await readFile(copy, 'utf8')).to.equal(await readFile(file, 'utf8'));
    }
  });

  it('explain how to get a copy of a store in use', async () => {
    const url = `level:${folder.path('store')}`;
    await withStores(url, async () => {
      const message = await failureOf(exportBackup(url, folder.path('file')), 'STORE_LOCKED');
      expect(message).to.match(/GET \/api\/export/);
    });
  });
});

describe('importBackup', () => {
  const folder = temporaryFolder();

  it('names the bad line, and makes no store for a refused file', async () => {
    const file = folder.path('backup.jsonl');
    const lines = [head, ...Array.from({ length: 999 }, (_, n) => entry(n))];
    lines[499] = entry(499).replace('20411', '-1');
    await writeFile(file, lines.join('\n'));
    const message = await failureOf(importBackup(`level:${folder.path('store')}`, file), 'INVALID_BACKUP');
    expect(message).to.match(/^line 500: .*from 0 to 4294967295/);
    expect(await readdir(folder.path())).to.deep.equal(['backup.jsonl']);
  });

  it('reports why it cannot read', async () => {
    const missing = importBackup('memory:', folder.path('missing'));
    expect(await failureOf(missing, 'INVALID_OPTION')).to.match(/cannot read.*ENOENT/);
    expect(await failureOf(importBackup('memory:', folder.path()), 'INVALID_OPTION')).to.match(
      /it is not a file/,
    );
  });
});

describe('tallybook import', () => {
  const folder = temporaryFolder();
  const url = (): string => `level:${folder.path('store')}`;
  const id = parseTallyId('04A2B3C4D5');
  const madeAt = 1_763_700_000;
  const week = 7 * 86_400_000;

  async function restore(first: string): Promise<void> {
    const head = { kind: 'tallybook', version: 1, madeAt };
    const lines = [head, { kind: 'name', id, first, last: 'Lovelace' }];
    await writeFile(folder.path('backup.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { errors, exitCode } = await call('import', folder.path('backup.jsonl'), '--store', url());
    expect([errors, exitCode]).to.deep.equal(['', 0]);
  }

  /** Works with the names of a store like a service that merges names of another place. */
  const withNames = <T>(work: (names: StampedNames) => Promise<T>): Promise<T> =>
    withStores(url(), ({ stampedNames }) => work(stampedNames));
  const originOfStore = (): Promise<string> => withStores(url(), ({ journal }) => journal.origin());

  const stampOf = (names: StampedNames) => names.get([id]).then(([found]) => found?.stamp);
  const given = (first: string, ms: number): StampedName => ({
    ...{ id, name: { first, last: 'Lovelace' } },
    stamp: { ms, counter: 0, node: 'hall' },
  });

  it('gives names the time of the backup, so that older names of other places do not replace them', async () => {
    await restore('Ada');
    const node = await originOfStore();
    await withNames(async (names) => {
      expect(await stampOf(names)).to.deep.equal({ ms: madeAt * 1_000, counter: 0, node });
      const older = given('Eve', madeAt * 1_000 - week);
      expect(await names.merge([older])).to.have.lengthOf(1);
      expect((await names.get([id]))[0]?.name?.first).to.equal('Ada');
      expect(await names.merge([given('Eve', madeAt * 1_000 + 1)])).to.deep.equal([]);
    });
  });

  it('keeps the time of a present name', async () => {
    const before = given('Ada', madeAt * 1_000 - week);
    await withNames((names) => names.replace([before]));
    await restore('Ada');
    expect(await withNames(stampOf)).to.deep.equal(before.stamp);
  });

  it('stamps a restored name later than the name that it replaces, so that every station takes it', async () => {
    const ms = madeAt * 1_000 + week;
    await withNames((names) => names.replace([given('Eve', ms)]));
    await restore('Ada');
    expect(await withNames(stampOf)).to.deep.equal({ ms, counter: 1, node: await originOfStore() });
  });
});

describe('loadStoreUrl', () => {
  it('works with wrong other settings', () => {
    expect(loadStoreUrl({}, { TALLYBOOK_PORT: 'x', TALLYBOOK_STORE: 'memory:' })).to.equal('memory:');
    expect(loadStoreUrl({ store: 'level:a' }, { TALLYBOOK_STORE: 'memory:' })).to.equal('level:a');
    expect(() => loadStoreUrl({ store: 'sql:' }, {})).to.throw(/a store is one of level:PATH, memory:/);
  });
});

describe('The progress of an import on a terminal', () => {
  const folder = temporaryFolder();
  let nowMs = 0;
  // Each call is a second later than the one before, so that every line is shown.
  beforeEach(() =>
    Object.defineProperty(performance, 'now', { value: () => (nowMs += 1_000), configurable: true }),
  );
  afterEach(() => Reflect.deleteProperty(performance, 'now'));

  it('has the step, the line and the number of records, and is cleared at its end', async () => {
    const written: string[] = [];
    const terminal = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
    const name = '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}';
    const end = '{"kind":"end","names":1,"entries":2,"corrections":0,"provisional":0}';
    await writeFile(folder.path('b.jsonl'), [head, name, entry(1), entry(2), end, ''].join('\n'));
    const progress = new ProgressLine(terminal as unknown as NodeJS.WriteStream);
    await importBackup(`level:${folder.path('store')}`, folder.path('b.jsonl'), { progress });
    const clear = '\r\u001B[K';
    expect(written).to.deep.equal([
      `${clear}checking line 1`,
      `${clear}checking again line 1`,
      `${clear}importing 3 records, line 1`,
      clear,
    ]);
  });
});
