// Two versions on the same data: that of this commit, and a made-up next one, whose store and database have format 2. `run.mjs`
// makes both and runs this.
import { cp, readdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Receiver } from '../../../packages/outputs/test/webhook/fixtures/receiver.js';
import { EventStream } from '../../../packages/server/test/fixtures/http/event-stream.js';
import { until } from '../../../packages/server/test/fixtures/processes/centre.js';
import { SECRET, type Payload } from '../../../packages/server/test/fixtures/processes/webhook-service.js';
import { temporaryFolder } from '../../../packages/server/test/fixtures/temporary-folder.js';
import { readRawRows } from '../../../packages/store-level/test/fixtures/raw-rows.js';
import {
  findPrograms,
  NOT_INSTALLED,
  TestServer,
} from '../../../packages/store-postgres/test/fixtures/postgres-server.js';
import { HeldPort } from '../../../packages/testing/test/fixtures/held-port.js';
import { Version, type Service } from './version.js';

const [ADA, GRACE, KATE, LATE, LATER] = [
  '04A2B3C4D5',
  '0011223344',
  '0102030405',
  '0102030406',
  '0102030407',
];
/** Milliseconds between taps under load, and the number of recorded taps after which a process is killed. */
const [LOAD_MS, ENOUGH] = [20, 1_000];
const tagOf = (n: number): string => `0A0B${n.toString(16).toUpperCase().padStart(6, '0')}`;

describe('The version of this commit and the next one', () => {
  const folder = temporaryFolder();
  const [old, next] = [new Version('old'), new Version('new')];
  const store = (name = 'store'): string => `level:${folder.path(name)}`;

  /** All rows of a store, read from a copy of it. */
  async function rowsOf(name: string): Promise<ReadonlyMap<string, string>> {
    await cp(folder.path(name), folder.path('read'), { recursive: true, force: true });
    return readRawRows(folder.path('read'));
  }

  describe('one after another on a folder', () => {
    it('have every row in common, also after a kill under load: only names and the format are written anew', async () => {
      const before = await old.serve(store());
      const names = Array.from({ length: 40 }, (_, n) => tagOf(n));
      for (const id of names) expect(await before.http.putName(id, `Lovelace ${id}`)).to.equal(201);
      const stream = await EventStream.open(before.url);
      let acknowledged = 0;
      const isEnough = stream.until(({ event }) => event === 'attendance' && ++acknowledged === ENOUGH);
      let taps = 0;
      // A tag has one tap in a second.
      const tapMany = (): void => before.process.tap(...names.map(() => tagOf(taps++)));
      const load = setInterval(tapMany, LOAD_MS);
      await isEnough.finally(() => clearInterval(load));
      before.process.child.kill('SIGKILL');
      await before.process.exited;
      stream.close();
      const added = await old.call(
        'user',
        'add',
        'ada',
        '--role',
        'admin',
        '--no-password',
        '--store',
        store(),
      );
      expect(added.exitCode).to.equal(0);
      // What the old version finds after the kill.
      const whole = await old.call('export', '--store', store());
      const rows = await rowsOf('store');
      const exported = await next.call('export', '--store', store());
      expect(exported.errors).to.equal('');
      expect(linesOf(exported.output)).to.deep.equal(linesOf(whole.output));
      expect(countTaps(exported.output)).to.be.at.least(ENOUGH);
      const after = await rowsOf('store');
      const written = [...after].filter(([key, value]) => rows.get(key) !== value).map(([key]) => key);
      const expected = ['00', ...names.map((id) => `01${id.toLowerCase()}`)];
      expect(written.sort()).to.deep.equal(expected.sort());
      expect([...after.keys()].sort()).to.deep.equal([...rows.keys()].sort());
      expect(linesOf((await next.call('user', 'list', '--store', store())).output).join()).to.match(
        /ada +admin/,
      );
    });

    it('refuse each other in words where they must, and nothing changes', async () => {
      await (await old.serve(store())).stop();
      await (await next.serve(store())).stop();
      const rows = await rowsOf('store');
      const refused = old.start(store());
      expect(await refused.exited).to.equal(1);
      expect(refused.text).to.match(
        /holds storage format version 2; this program supports storage format version 1.*STORE_FORMAT_UNSUPPORTED/,
      );
      expect((await old.call('repair', '--store', store())).errors).to.match(/storage format version 2/);
      expect((await old.call('rollback', '--confirm', '--store', store())).errors).to.match(
        /storage format version 2/,
      );
      expect(await rowsOf('store')).to.deep.equal(rows);
    });
  });

  describe('after a rollback', () => {
    let receiver: Receiver;

    beforeEach(async () => {
      receiver = await Receiver.create();
      await writeFile(folder.path('secret'), `${SECRET}\n`, { mode: 0o600 });
    });
    afterEach(() => receiver.dispose());

    it('the old one goes on: streams, a centre and webhooks get each tap, and the backup brings the newer ones back', async () => {
      const centre = await next.serve(store('centre'));
      await makeToken(next, 'centre');
      const settings = [
        ...['--publish', `${receiver.url}?secret-file=${folder.path('secret')}&name=office`],
        ...['--upstream', centre.url, '--upstream-token-file', folder.path('token')],
      ];
      let device = await old.serve(store(), ...settings);
      await device.tap(ADA);
      await device.http.putName(ADA, 'Lovelace');
      await receiver.tookTag(ADA);
      await device.stop();

      device = await next.serve(store(), ...settings);
      expect(device.process.text).to.match(
        /bringing the store to storage format 2.*go back with tallybook rollback/,
      );
      const stream = await EventStream.open(device.url);
      await device.tap(GRACE, KATE);
      const lastEventId = (await eventsOf(stream, 'attendance', 2)).at(-1)?.id ?? '';
      for (const id of [GRACE, KATE]) await receiver.tookTag(id);
      await until(async () => (await centre.tags()).length === 3);
      stream.close();
      await device.stop();

      const back = await next.call(
        'rollback',
        '--confirm',
        '--out',
        folder.path('newer.jsonl'),
        '--store',
        store(),
      );
      expect(back.errors).to.equal('');
      expect(back.output).to.match(/2 taps since the update are only there.*as it was before the update/s);
      expect(
        (await readdir(folder.path('store'))).filter((name) => /before|damaged|repair/.test(name)),
      ).to.deep.equal([]);

      device = await old.serve(store(), ...settings);
      expect(await device.tags()).to.deep.equal([ADA]);
      const resumed = await EventStream.open(device.url, lastEventId);
      expect(await resumed.data('reset')).to.match(/unknown/);
      // Its cursor is that of a tap that was rolled back.
      await device.tap(LATE, LATER);
      const resumedTaps = (await eventsOf(resumed, 'attendance', 2)).map(({ data }) => tagIn(data));
      expect(resumedTaps).to.deep.equal([LATE, LATER]);
      for (const id of [LATE, LATER]) await receiver.tookTag(id);
      await until(async () => (await centre.tags()).length === 5);
      const taken = receiver.taken;
      const ids = taken.map(({ body }) => (JSON.parse(body) as Payload).data.id);
      expect(ids).to.deep.equal([ADA, GRACE, KATE, LATE, LATER]);
      expect(new Set(taken.map(({ id }) => id)).size).to.equal(5);
      resumed.close();
      await device.stop();

      expect((await old.call('import', folder.path('newer.jsonl'), '--store', store())).errors).to.equal('');
      device = await old.serve(store(), ...settings);
      expect([...(await device.tags())].sort()).to.deep.equal([ADA, GRACE, KATE, LATE, LATER].sort());
      expect((await device.http.mapping())[ADA]?.last).to.equal('Lovelace');
      // And the next one can follow again.
      await device.stop();
      device = await next.serve(store(), ...settings);
      expect(await device.tags()).to.have.length(5);
    });

    it('of a centre, its stations send what it lacks', async () => {
      await using port = await HeldPort.take();
      const atPort = ['--port', String(port.port)];
      let centre = await old.serve(store('centre'), ...atPort);
      await makeToken(old, 'centre');
      const station = await startStation(old, centre);
      await station.tap(ADA);
      await until(async () => (await centre.tags()).includes(ADA));
      await centre.stop();
      centre = await next.serve(store('centre'), ...atPort);
      await station.tap(GRACE);
      await station.http.putName(GRACE, 'Hopper');
      await until(async () => (await centre.http.mapping())[GRACE] !== undefined);
      await until(async () => (await centre.tags()).includes(GRACE));
      await centre.stop();
      expect((await next.call('rollback', '--confirm', '--store', store('centre'))).errors).to.equal('');
      centre = await old.serve(store('centre'), ...atPort);
      expect(await centre.tags()).to.deep.equal([ADA]);
      await station.tap(LATE);
      await until(async () => (await centre.tags()).length === 3);
      await until(async () => (await centre.http.mapping())[GRACE]?.last === 'Hopper');
    });
  });

  for (const [what, ofStation, ofCentre] of [
    ['an old station and a new centre', old, next],
    ['a new station and an old centre', next, old],
  ] as const) {
    it(`${what} share taps and names, those of before and those from while the centre was away`, async () => {
      await using port = await HeldPort.take();
      const atPort = ['--port', String(port.port)];
      let centre = await ofCentre.serve(store('centre'), ...atPort);
      await makeToken(ofCentre, 'centre');
      const station = await startStation(ofStation, centre);
      await station.tap(ADA);
      await until(async () => (await centre.tags()).includes(ADA));
      await centre.stop();
      await station.tap(LATE);
      await station.http.putName(LATE, 'Johnson');
      centre = await ofCentre.serve(store('centre'), ...atPort);
      await centre.http.putName(ADA, 'Lovelace');
      await until(async () => (await centre.tags()).length === 2);
      await until(async () => (await centre.http.mapping())[LATE]?.last === 'Johnson');
      await until(async () => (await station.http.mapping())[ADA]?.last === 'Lovelace');
      const listed = await ofCentre.call('stations', '--json', '--store', store('centre'));
      const stations = JSON.parse(listed.output) as readonly { readonly refused: readonly unknown[] }[];
      expect(stations.map(({ refused }) => refused)).to.deep.equal([[]]);
    });
  }

  it('carry a row of a kind that neither knows: through backups, a station, an update and a rollback', async () => {
    const row = {
      kind: 'muster',
      id: 'fire-drill',
      stamp: [7_000, 1, 'hall'],
      persons: [],
      tags: [ADA],
      value: { at: 7 },
    };
    await (await old.serve(store('centre'))).stop();
    const lines = linesOf((await old.call('export', '--store', store('centre'))).output);
    const end = JSON.parse(lines.at(-1) ?? '') as Readonly<Record<string, unknown>>;
    const withRow = [
      lines[0],
      JSON.stringify({ kind: 'carried', row }),
      JSON.stringify({ ...end, carried: 1 }),
    ];
    await writeFile(folder.path('with-row.jsonl'), `${withRow.join('\n')}\n`);
    expect(
      (await old.call('import', folder.path('with-row.jsonl'), '--store', store('centre'))).errors,
    ).to.equal('');

    const centre = await old.serve(store('centre'));
    await makeToken(old, 'centre');
    const station = await startStation(next, centre);
    await until(async () => (await rowsIn(next, 'station')).length === 1);
    await station.tap(ADA);
    await until(async () => (await centre.tags()).includes(ADA));
    for (const each of [station, centre]) await each.stop();
    expect(await rowsIn(next, 'station')).to.deep.equal([row]);
    expect(await rowsIn(next, 'centre')).to.deep.equal([row]);
    expect((await next.call('rollback', '--confirm', '--store', store('centre'))).errors).to.equal('');
    expect(await rowsIn(old, 'centre')).to.deep.equal([row]);
  });

  describe('at the same time on one PostgreSQL', () => {
    let database: TestServer;

    before(async function () {
      if (findPrograms() === undefined) this.skip(NOT_INSTALLED);
      database = await TestServer.start();
    });
    after(async () => {
      await (database as TestServer | undefined)?.stop();
    });

    it('take taps, and each shows those of the other, while one of them changes the tables', async () => {
      const { url } = database;
      expect((await old.call('migrate', '--store', url)).output).to.match(/made tables of format 1/);
      const first = await old.serve(url);
      await first.http.putName(ADA, 'Lovelace');
      const early = next.start(url);
      expect(await early.exited).to.equal(1);
      expect(early.text).to.match(
        /has format 1, an older format; run .* migrate --store URL. with this version/,
      );

      let taps = 0;
      const load = setInterval(() => first.process.tap(tagOf(taps++)), LOAD_MS);
      await until(async () => (await first.tags()).length > 20);
      expect((await next.call('migrate', '--store', url)).output).to.match(/brought format 1 to 2/);
      const second = await next.serve(url);
      await second.tap(LATE);
      await second.http.putName(GRACE, 'Hopper');
      const more = taps + 20;
      await until(async () => (await first.tags()).length > more);
      clearInterval(load);
      const all = [...Array.from({ length: taps }, (_, n) => tagOf(n)), LATE].sort();
      for (const server of [first, second]) {
        await until(async () => (await server.tags()).length === all.length);
        expect([...(await server.tags())].sort()).to.deep.equal(all);
        expect(Object.keys(await server.http.mapping()).sort()).to.deep.equal([GRACE, ADA].sort());
      }
      await first.stop();
      // The tables say that the version before may still use them.
      const again = await old.serve(url);
      await again.tap(LATER);
      expect(await second.tags()).to.include(LATER);
    });

    it('are told that a database goes back by its own backup', async () => {
      const { errors, exitCode } = await next.call('rollback', '--confirm', '--store', database.url);
      expect(exitCode).to.equal(2);
      expect(errors).to.match(/a PostgreSQL is put back from its own backup/);
    });
  });

  /** The carried rows of a store. */
  async function rowsIn(version: Version, name: string): Promise<readonly unknown[]> {
    const lines = linesOf((await version.call('export', '--store', store(name))).output);
    const records = lines.map(
      (line) => JSON.parse(line) as { readonly kind: string; readonly row?: unknown },
    );
    return records.flatMap(({ kind, row }) => (kind === 'carried' ? [row] : []));
  }

  async function makeToken(version: Version, centre: string): Promise<void> {
    const made = await version.call('token', 'add', 'hall', '--role', 'station', '--store', store(centre));
    await writeFile(folder.path('token'), made.output, { mode: 0o600 });
  }

  function startStation(version: Version, centre: Service): Promise<Service> {
    const settings = ['--upstream', centre.url, '--upstream-token-file', folder.path('token')];
    return version.serve(store('station'), ...settings);
  }
});

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

const tagIn = (data: string): string => (JSON.parse(data) as { readonly id: string }).id;

/** The taps in a backup. */
function countTaps(backup: string): number {
  const lines = linesOf(backup).map(
    (line) => JSON.parse(line) as { readonly kind: string; readonly count?: number },
  );
  return lines.reduce((sum, { kind, count = 0 }) => (kind === 'entry' ? sum + count : sum), 0);
}

/** The first events of a kind, when there are as many. */
async function eventsOf(stream: EventStream, event: string, count: number) {
  await stream.data(event, count);
  return stream.events.values.filter((each) => each.event === event).slice(0, count);
}
