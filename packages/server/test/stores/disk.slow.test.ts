import { open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDisks } from '../fixtures/disk/disks.js';
import { EventStream } from '../fixtures/http/event-stream.js';
import { useFailingDisk } from '../fixtures/disk/failing-disk.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import { ServerProcess, TallybookProcess } from '../fixtures/processes/server-process.js';

const indicatingServer = join(import.meta.dirname, '../fixtures/indicating-server.ts');
const SMALL_DISK_BYTES = 6 << 20;
/** A full disk may still have room in the current block of LevelDB. */
const ATTEMPTS_MAX = 200;
const WAITING = 3;

/** Writes a file until the disk has no room. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const bytes of [1 << 20, 1 << 12, 1]) {
      for (let isFull = false; !isFull;) {
        const written = file.appendFile(Buffer.alloc(bytes)).then(() => file.sync());
        isFull = await written.then(
          () => false,
          (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOSPC',
        );
      }
    }
  } finally {
    await file.close();
  }
}

describe('tallybook serve, on a disk that fails', () => {
  const processes = runningProcesses();

  function serve(path: string, variables: NodeJS.ProcessEnv = {}, ...args: string[]): ServerProcess {
    return processes.add(
      TallybookProcess.with(
        variables,
        ...['serve', '--port', '0', '--store', `level:${path}`, '--repeat-window', '0', ...args],
      ),
    );
  }

  interface Trouble {
    /** The folder of the store. */
    readonly path: string;
    readonly variables?: NodeJS.ProcessEnv;
    readonly begin: () => unknown;
    readonly end: () => unknown;
    /** Whether no tag is tapped after the trouble. */
    readonly isLeftAlone?: boolean;
    readonly checkMeanwhile?: () => Promise<void>;
    /** Lines of the log about the beginning and the end of the trouble. */
    readonly says?: readonly RegExp[];
  }

  /** Takes taps and names before, during and after a disk fault, and checks which of them are kept. */
  async function outlive({
    path,
    variables,
    begin,
    end,
    isLeftAlone,
    checkMeanwhile,
    says = [],
  }: Trouble): Promise<void> {
    const server = serve(path, variables);
    const url = await server.url();
    const client = new HttpClient(url);
    const stream = await EventStream.open(url);
    const tapped: string[] = [];
    const tap = async (): Promise<void> => {
      const id = `AB${String(tapped.length).padStart(8, '0')}`;
      tapped.push(id);
      server.tap(id);
      await stream.data('msg', tapped.length);
    };
    const waiting = async (): Promise<unknown> =>
      (await client.json<{ waiting: number }>('/api/backlog')).waiting;

    expect(await client.putName('0006547886', 'before')).to.equal(201);
    await tap();
    await stream.data('attendance', 1);

    await begin();
    let failed = 0;
    for (let n = 0; n < ATTEMPTS_MAX && failed < WAITING; n++) {
      await tap();
      const recorded = stream.data('attendance', tapped.length - failed).then(() => 0);
      failed += await Promise.race([recorded, stream.data('failed', failed + 1).then(() => 1)]);
    }
    expect(failed).to.equal(WAITING);
    expect(await waiting()).to.equal(WAITING);
    const recorded = tapped.slice(0, -WAITING);
    for (let n = 0; n < 2; n++) {
      expect(await client.putName('0006547887', 'meanwhile')).to.equal(503);
      expect(Object.keys(await client.mapping())).to.deep.equal(['0006547886']);
      expect((await client.allEntries()).map(({ id }) => id)).to.deep.equal(recorded);
    }
    await checkMeanwhile?.();

    await end();
    if (isLeftAlone !== true) await tap();
    await stream.data('attendance', tapped.length);
    const announced = stream.events.values.filter(({ event }) => event === 'attendance');
    expect(announced.map(({ data }) => (JSON.parse(data) as { id: string }).id)).to.deep.equal(tapped);
    expect(await waiting()).to.equal(0);
    expect(await client.putName('0006547888', 'after')).to.equal(201);
    for (const each of says) await server.says(each);

    await server.kill();
    const again = new HttpClient(await serve(path).url());
    const entries = await again.allEntries();
    expect(entries.map(({ id }) => id)).to.deep.equal(tapped);
    for (const { first, last, count } of entries)
      expect({ last, count }).to.deep.equal({ last: first, count: 1 });
    // A refused name may be stored, but only as a whole.
    const { '0006547887': refused, ...names } = await again.mapping();
    expect(names).to.deep.equal({
      '0006547886': { first: 'Ada', last: 'before' },
      '0006547888': { first: 'Ada', last: 'after' },
    });
    expect([undefined, { first: 'Ada', last: 'meanwhile' }]).to.deep.include(refused);
  }

  describe('that is mounted', () => {
    const disks = useDisks();

    it('survives a full disk', async () => {
      const disk = disks.mountSmall(SMALL_DISK_BYTES);
      const ballast = join(disk, 'ballast');
      await outlive({
        path: join(disk, 'store'),
        begin: () => writeFile(ballast, Buffer.alloc(SMALL_DISK_BYTES)).catch(() => undefined),
        end: () => rm(ballast),
        isLeftAlone: true,
      });
    });

    for (const [what, mount] of [
      ['in memory', () => disks.mountSmall(SMALL_DISK_BYTES)],
      [
        'of a card',
        () => {
          const card = disks.makeCard();
          card.insert();
          return card.slot;
        },
      ],
    ] as const) {
      it(`starts on a full disk ${what}, serves its data, and records by itself when there is room`, async () => {
        const disk = mount();
        const path = join(disk, 'store');
        const before = serve(path);
        const first = new HttpClient(await before.url());
        expect(await first.putName('0006547886', 'before')).to.equal(201);
        before.tap('0006547886');
        await before.says(/scan recorded/);
        await before.kill();
        const ballast = join(disk, 'ballast');
        await fillUp(ballast);

        // After a kill it starts again, because it took nothing.
        for (let start = 0; start < 2; start++) {
          const full = serve(path);
          const reading = new HttpClient(await full.url());
          await full.says(
            /the disk of .* is full; free some space\. Until then names and days can be read, and scans are kept in memory/,
          );
          expect(await reading.mapping()).to.have.nested.property('0006547886.last', 'before');
          await full.kill();
        }
        const server = serve(path);
        const url = await server.url();
        const client = new HttpClient(url);
        const stream = await EventStream.open(url);
        server.tap('04A2B3C4D5');
        await stream.data('failed', 1);
        expect(await client.putName('0006547887', 'meanwhile')).to.equal(503);
        expect((await client.allEntries()).map(({ id }) => id)).to.deep.equal(['0006547886']);
        expect(await client.json('/api/backlog')).to.include({ waiting: 1, refused: 0 });

        await rm(ballast);
        await stream.data('attendance', 1);
        await server.says(/the disk of .* accepts writes again/);
        expect(await client.putName('0006547888', 'after')).to.equal(201);
        await server.kill();
        const again = new HttpClient(await serve(path).url());
        expect((await again.allEntries()).map(({ id }) => id)).to.deep.equal(['0006547886', '04A2B3C4D5']);
        expect(await again.mapping()).to.deep.equal({
          '0006547886': { first: 'Ada', last: 'before' },
          '0006547888': { first: 'Ada', last: 'after' },
        });
      });
    }

    for (const [place, folder] of [
      ['in a folder of a card', 'store'],
      ['at the top of a card', '.'],
    ] as const) {
      it(`survives that the card is pulled and put back, with the store ${place}`, async () => {
        const card = disks.makeCard();
        card.insert();
        await outlive({
          path: join(card.slot, folder),
          begin: () => card.pull(),
          checkMeanwhile: async () => {
            expect(await readdir(card.slot), 'files on the disk below').to.deep.equal([]);
          },
          end: () => card.insert(),
        });
      });
    }

    it('keeps its record when the kernel makes the disk read-only after an error', async () => {
      const card = disks.makeCard();
      card.insert();
      const path = join(card.slot, 'store');
      const server = serve(path, {}, '--reader', 'stdin:', '--reader', 'http:gate');
      const url = await server.url();
      const client = new HttpClient(url);
      expect(await client.putName('0006547886', 'before')).to.equal(201);
      const stream = await EventStream.open(url);
      server.tap('04A2B3C4D5');
      await stream.data('attendance');

      card.spoil();
      const refused = await fetch(`${url}/api/mapping`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: '0006547886', name: { first: 'Ada', last: 'after' } }),
      });
      expect(refused.status).to.equal(503);
      expect(await refused.text()).to.match(
        /^The store cannot be written: its disk is read-only or broken\. Nothing is stored/,
      );
      server.tap('04A2B3C4D6');
      const failed = await stream.data('failed');
      expect(JSON.parse(failed)).to.deep.equal({ id: '04A2B3C4D6', reader: 'stdin', isKept: false });
      // The device still has the scan, so it keeps it.
      const pushed = await client.post('/api/readers/gate/readings', {
        ...{ run: 'a', readings: [{ n: 1, id: '04A2B3C4D7' }] },
      });
      expect(pushed).to.equal(503);
      expect(await client.json('/api/backlog')).to.include({ waiting: 1 });
      const { parts } = await client.json<{ parts: { part: string; status: string; detail: string }[] }>(
        '/api/health',
      );
      const store = parts.find(({ part }) => part === 'store');
      expect(store).to.have.property('status', 'fail');
      expect(store?.detail).to.match(/Read-only file system.*nothing is stored until somebody repairs/i);
      expect((await client.allEntries()).map(({ id }) => id)).to.deep.equal(['04A2B3C4D5']);
      // The kernel accepts the disk again only after a check, which needs that no process uses it.
      server.child.kill('SIGTERM');
      expect(await server.exited).to.equal(0);
      expect(server.text).to.match(/"lost":1,"scans":\[\{"id":"04A2B3C4D6","reader":"stdin",/);

      card.remove();
      card.check();
      card.insert();
      const again = new HttpClient(await serve(path).url());
      expect(await again.mapping()).to.have.nested.property('0006547886.last', 'before');
      expect((await again.allEntries()).map(({ id }) => id)).to.deep.equal(['04A2B3C4D5']);
    });
  });

  describe('with errors of the system', () => {
    const disk = useFailingDisk();

    it('survives a read-only disk', async () => {
      await outlive({
        path: join(disk.path, 'store'),
        variables: disk.variables,
        begin: () => disk.fail('EROFS'),
        end: () => disk.heal(),
        says: [/nothing is stored until somebody repairs or replaces it/, /accepts writes again/],
      });
    });

    it('survives a disk that accepts writes but does not keep them', async () => {
      await outlive({
        path: join(disk.path, 'store'),
        variables: disk.variables,
        begin: () => disk.fail('EIO', 'sync'),
        end: () => disk.heal(),
        says: [/nothing is stored until somebody repairs or replaces it/, /accepts writes again/],
      });
    });

    it('keeps the oldest scans within the limit, and counts and logs the others', async () => {
      const server = serve(join(disk.path, 'store'), disk.variables, '--backlog', '5');
      const url = await server.url();
      const client = new HttpClient(url);
      const stream = await EventStream.open(url);
      const ids = Array.from({ length: 8 }, (_, n) => `04A2B3C4D${n}`);
      disk.fail('ENOSPC');
      for (const [n, id] of ids.entries()) {
        server.tap(id);
        await stream.data('failed', n + 1);
      }
      const failed = stream.events.values.filter(({ event }) => event === 'failed');
      expect(failed.map(({ data }) => JSON.parse(data) as unknown)).to.deep.equal(
        ids.map((id, n) => ({ id, reader: 'stdin', isKept: n < 5 })),
      );
      expect(await client.json('/api/backlog')).to.deep.equal({ waiting: 5, limit: 5, refused: 3 });
      await server.says(/scan not recorded; the tag/);

      disk.heal();
      await server.says(/"written":5,"refused":3/);
      expect((await client.allEntries()).map(({ id }) => id)).to.deep.equal(ids.slice(0, 5));
    });

    it('indicates at the reader that the scan failed, and later whether a scan counted', async () => {
      const server = processes.add(
        new ServerProcess(
          ['--import=tsx', '--conditions=@tallybook/source', indicatingServer, join(disk.path, 'store')],
          disk.variables,
        ),
      );
      await server.url();
      server.tap('04A2B3C4D5');
      await server.says(/shown: 04A2B3C4D5 unknown/);
      disk.fail('EIO');
      server.tap('04A2B3C4D6');
      await server.says(/shown: 04A2B3C4D6 failed/);
      disk.heal();
      server.tap('04A2B3C4D7');
      await server.says(/shown: 04A2B3C4D7 unknown/);
      // Nobody is at the reader any more when the kept scan is written.
      expect(server.text).not.to.match(/shown: 04A2B3C4D6 unknown/);
    });
  });
});
