import { readdir } from 'node:fs/promises';
import { serviceId } from '@tallybook/server';
import { createReading, parseTallyId, TallybookError } from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { expect } from 'chai';
import { createStorage } from '../../src/config/stores.js';
import { restorerOf } from '../../src/backup/restore-backup.js';
import { openServer } from '../fixtures/container-of.js';
import { failureOf } from '../fixtures/failure-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const HEAD = '{"kind":"tallybook","version":1}\n';
const steps = { received: () => Promise.resolve(), confirm: () => undefined };

async function* bytesOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

/** Lines of names: `0004000000` and the next ones. */
function* manyNames(count: number): Generator<string> {
  for (let n = 0; n < count; n++) {
    const id = (0x04_00_00_00 + n).toString(16).toUpperCase().padStart(10, '0');
    yield `${JSON.stringify({ kind: 'name', id, first: 'Ada', last: String(n) })}\n`;
  }
}

describe('The restore of a backup by a service that records', () => {
  const folder = temporaryFolder();
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeEach(async () => {
    server = await openServer({ store: `level:${folder.path('store')}`, reader: ['simulated:?every=1d'] });
  });
  afterEach(() => server.close());

  const restore = (body: string): Promise<Response> =>
    fetch(`${server.url}/api/restore`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/jsonl' },
    });
  const read = async (path: string): Promise<string> => (await fetch(server.url + path)).text();

  it('merges it, while taps are recorded', async () => {
    const { attendance } = server.container.get(serviceId('tallybook'));
    const clock = server.container.get(serviceId('clock'));
    const tags = Array.from({ length: 50 }, (_, n) => parseTallyId(`0A0B0C0D${String(n).padStart(2, '0')}`));
    const restoring = restore(HEAD + [...manyNames(2_000)].join(''));
    for (const id of tags) {
      await attendance.take(createReading(clock, 'door', id));
      await new Promise(setImmediate);
    }
    const answer = await restoring;
    expect([answer.status, await answer.json()]).to.deep.equal([
      200,
      { persons: 0, names: 2_000, entries: 0, corrections: 0, provisional: 0, refused: 0, isChanged: true },
    ]);
    expect(Object.keys(JSON.parse(await read('/api/mapping')) as object)).to.have.length(2_000);
    const { ids } = JSON.parse(await read(`/api/day?timestamp=${clock.now()}`)) as { ids: readonly string[] };
    expect(ids).to.deep.equal(tags);
  });

  it('brings another service to the same record, by its export', async () => {
    await restore(HEAD + [...manyNames(20)].join(''));
    const { attendance } = server.container.get(serviceId('tallybook'));
    const clock = server.container.get(serviceId('clock'));
    await attendance.take(createReading(clock, 'door', parseTallyId('0004000003')));
    const backup = await read('/api/export');
    const withoutHead = (text: string): string => text.slice(text.indexOf('\n'));
    await server.close();
    server = await openServer({ store: `level:${folder.path('other')}` });
    for (let times = 0; times < 2; times++) {
      expect((await restore(backup)).status).to.equal(200);
      expect(withoutHead(await read('/api/export'))).to.equal(withoutHead(backup));
    }
  });

  it('changes nothing if the last line is wrong, and leaves no file', async () => {
    const before = await readdir(folder.path('store'));
    const answer = await restore(`${HEAD}${[...manyNames(1_000)].join('')}{"kind":"nonsense"}\n`);
    expect(answer.status).to.equal(422);
    expect(await answer.text()).to.match(/^line 1002: .*nonsense/);
    expect(await read('/api/mapping')).to.equal('{}');
    expect(await readdir(folder.path('store'))).to.have.members(before);
  });
});

describe('What restores a backup', () => {
  const folder = temporaryFolder();

  it('keeps the bytes in a file without a name, so that a power cut leaves nothing', async () => {
    const names: string[][] = [];
    await using storage = createStorage('memory:');
    await storage.open();
    const restore = restorerOf({ backup: new BackupService(storage), folder: folder.path() });
    await restore(bytesOf(HEAD, ...manyNames(3)), {
      received: async () => void names.push(await readdir(folder.path())),
      confirm: () => undefined,
    });
    expect(names).to.deep.equal([[]]);
  });

  it('takes pieces of any size', async () => {
    await using storage = createStorage('memory:');
    await storage.open();
    const restore = restorerOf({ backup: new BackupService(storage), folder: folder.path() });
    const counts = await restore(bytesOf(...Array.from(HEAD + [...manyNames(3)].join(''))), steps);
    expect(counts.names).to.equal(3);
  });

  it('stops before the disk of the record is full', async () => {
    const restore = restorerOf({
      ...{ backup: { import: () => Promise.reject(new Error('not reached')) }, folder: folder.path() },
      readFreeBytes: () => Promise.resolve(100_000_000),
    });
    await failureOf(restore(bytesOf(HEAD), steps), 'STORE_WRITE_FAILED');
    expect(await readdir(folder.path())).to.deep.equal([]);
  });

  it('says so if nothing can be kept in the folder', async () => {
    const restore = restorerOf({
      backup: { import: () => Promise.reject(new Error('not reached')) },
      folder: '/proc',
    });
    await failureOf(restore(bytesOf(HEAD), steps), 'STORE_WRITE_FAILED');
  });

  it('writes nothing if the right is lost before the first write', async () => {
    await using storage = createStorage('memory:');
    await storage.open();
    const restore = restorerOf({ backup: new BackupService(storage), folder: folder.path() });
    const confirm = (): never => {
      throw new TallybookError('NOT_SIGNED_IN', 'revoked');
    };
    const restoring = restore(bytesOf(HEAD, ...manyNames(3)), { ...steps, confirm });
    await failureOf(restoring, 'NOT_SIGNED_IN');
    expect((await storage.mapping.read()).size).to.equal(0);
  });
});
