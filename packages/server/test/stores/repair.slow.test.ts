import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { makeOneTable } from '../../../store-level/test/fixtures/known-store.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { storedService } from '../fixtures/processes/stored-service.js';

describe('A damaged store', () => {
  const { folder, start, serve } = storedService();

  /** Records a tag, ends the server, and deletes a file of its store. */
  async function damage(): Promise<void> {
    const server = serve();
    const stream = await EventStream.open(await server.url());
    server.child.stdin.write('04A2B3C4D5\n');
    await stream.data('attendance');
    stream.close();
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
    expect(server.text).to.match(/created a new, empty store/);
    await rm(folder.path('store', 'CURRENT'));
  }

  it('keeps the server from starting, with the reason and advice', async () => {
    await damage();
    const server = serve();
    expect(await server.exited).to.equal(3);
    expect(server.text).to.match(/CURRENT: it is missing.*\.c?js repair.*STORE_CORRUPT/s);
  });

  it('is repaired at the start with `--on-damage repair`, with an error in the log', async () => {
    await damage();
    const server = serve('--on-damage', 'repair');
    await server.url();
    expect(server.text).to.match(/"level":50.*damaged store is repaired: saved 0 names, 1 day, 1 entry/);
    expect(await readdir(folder.path('store'))).to.include('damaged-1');
  });

  it('is repaired at the next start if only the check in the background found the damage', async () => {
    await damage();
    const repaired = start('repair');
    expect(await repaired.exited).to.equal(0);
    expect(repaired.text).to.match(/now import the last backup.*\.c?js import --store level:/);
    await writeFile(folder.path('store', 'DAMAGED'), '000005.ldb: its block at 0 is damaged\n');
    const refused = serve();
    expect(await refused.exited).to.equal(3);
    expect(refused.text).to.match(
      /000005\.ldb: its block at 0 is damaged; `node \S+\.c?js repair --store level:\S+`/,
    );
    const server = serve('--on-damage', 'repair');
    await server.url();
    expect(await readdir(folder.path('store'))).not.to.include('DAMAGED');
  });

  it('serves within three starts after a page of a used table became unreadable', async () => {
    await makeOneTable(folder.path('store'));
    const server = serve('--on-damage', 'repair');
    const client = new HttpClient(await server.url());
    // From now on the table is mapped into memory.
    await client.json('/api/mapping?id=04A2B300');
    const tables = (await readdir(folder.path('store'))).filter((name) => name.endsWith('.ldb'));
    // Memory behind the end of a mapped file is as unreadable as a bad sector.
    // It ends among the names, which come after the changes of the journal.
    for (const name of tables) {
      const { size } = await stat(folder.path('store', name));
      await truncate(folder.path('store', name), Math.floor(size * 0.7));
    }
    const answer = await client.mapping().catch(() => undefined);
    expect(answer).to.equal(undefined);
    await server.kill();

    let names: Readonly<Record<string, unknown>> | undefined;
    for (let n = 0; n < 3 && names === undefined; n++) {
      const again = serve('--on-damage', 'repair');
      names = await again.url().then(
        (url) => new HttpClient(url).mapping(),
        () => undefined,
      );
    }
    expect(Object.keys(names ?? {}))
      .to.include('04A2B300')
      .and.to.have.lengthOf.below(1_000);
  });
});
