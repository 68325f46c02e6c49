import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { migratePostgres, PostgresStorage } from '@tallybook/store-postgres';
import { migrations } from '../../src/schema/migrations.js';
import { refusal, useOwnServer } from '../fixtures/postgres.js';
import { TestServer } from '../fixtures/postgres-server.js';
import { facetOf } from '@tallybook/testing';
import { has } from '../fixtures/has.js';
import { sql } from '../fixtures/sql.js';

const latest = migrations.at(-1)?.format;

describe('Opening a PostgreSQL', () => {
  const server = useOwnServer(() => undefined);
  let databases = 0;

  /** The URL of a new database without tables. */
  async function empty(): Promise<string> {
    const name = `d${databases++}`;
    await sql(server.url, `CREATE DATABASE ${name}`);
    return server.url.replace(/postgres$/, name);
  }

  it('asks for "tallybook migrate" if there are no tables', async () => {
    const error = await refusal(await empty(), 'STORE_UNAVAILABLE');
    assert.match(error.message, /tallybook migrate/);
  });

  it('asks for it as well if the tables are those of an older version', async () => {
    const url = await empty();
    await migratePostgres(url);
    await sql(url, 'UPDATE tallybook.format SET format = 0, compatible = 0');
    const error = await refusal(url, 'STORE_FORMAT_UNSUPPORTED');
    assert.match(error.message, /tallybook migrate/);
  });

  it('refuses tables of a newer version, and takes those that are made for this one as well', async () => {
    const url = await empty();
    await migratePostgres(url);
    await sql(url, 'UPDATE tallybook.format SET format = 99, compatible = 99');
    await refusal(url, 'STORE_FORMAT_UNSUPPORTED');
    await assert.rejects(migratePostgres(url), has('STORE_FORMAT_UNSUPPORTED'));
    await sql(url, 'UPDATE tallybook.format SET compatible = 1');
    await openAndClose(url);
    assert.deepEqual(await migratePostgres(url), { from: 99, to: 99 });
  });

  it('makes the tables once, also when several do it at the same time', async () => {
    const url = await empty();
    const reports = await Promise.all([1, 2, 3, 4].map(() => migratePostgres(url)));
    assert.deepEqual(reports.map(({ from }) => from).sort(), [0, latest, latest, latest]);
    await openAndClose(url);
  });

  it('needs no right to make anything if the tables are there', async () => {
    const url = await empty();
    await migratePostgres(url);
    await sql(
      url,
      `CREATE ROLE clerk LOGIN PASSWORD 'sesame';
        GRANT USAGE ON SCHEMA tallybook TO clerk;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tallybook TO clerk`,
    );
    const ofClerk = url.replace(/\/\/.*@/, '//clerk:sesame@');
    assert.deepEqual(await migratePostgres(ofClerk), { from: latest, to: latest });
    await openAndClose(ofClerk);
  });

  it('fails with STORE_UNAVAILABLE if nobody listens, with a wrong password, and without the database', async () => {
    const wrong = server.url.replace(/:[^:@]+@/, ':sesame@');
    for (const url of [
      'postgres://ada:sesame@127.0.0.1:1/base',
      wrong,
      server.url.replace(/postgres$/, 'nothing'),
    ]) {
      const error = await refusal(url, 'STORE_UNAVAILABLE');
      assert.ok(!`${error.message}${error.stack ?? ''}`.includes('sesame'));
      await assert.rejects(migratePostgres(url), has('STORE_UNAVAILABLE'));
    }
    assert.match((await refusal(wrong, 'STORE_UNAVAILABLE')).message, /; the password came from the URL$/);
  });

  it('goes by a Unix socket', async () => {
    await migratePostgres(server.socketUrl);
    await openAndClose(server.socketUrl);
  });

  it('finds the password in PGPASSWORD', async () => {
    await migratePostgres(server.url);
    const [, password = ''] = /:([^:@]+)@/.exec(server.url) ?? [];
    const url = server.url.replace(`:${password}@`, '@');
    const environment = { PGPASSWORD: decodeURIComponent(password) };
    await openAndClose(url, environment);
  });

  it('finds the password in the file that PGPASSFILE names, unless others may read it', async () => {
    await migratePostgres(server.url);
    const [, password = ''] = /:([^:@]+)@/.exec(server.url) ?? [];
    const url = server.url.replace(`:${password}@`, '@');
    const file = join(server.folder, 'pgpass');
    writeFileSync(file, `127.0.0.1:${server.port}:*:tallybook:${decodeURIComponent(password)}\n`, {
      mode: 0o600,
    });
    const before = process.env['PGPASSFILE'];
    process.env['PGPASSFILE'] = file;
    try {
      await openAndClose(url);
      chmodSync(file, 0o644);
      const error = await refusal(url, 'STORE_UNAVAILABLE');
      assert.match(
        error.message,
        /no password of tallybook is given: .*pgpass is not read, since others may read it/,
      );
      assert.ok(error.message.includes(file));
      chmodSync(file, 0o600);
      writeFileSync(file, '127.0.0.1:1:*:somebody:sesame');
      assert.match(
        (await refusal(url, 'STORE_UNAVAILABLE')).message,
        /has no line for 127\.0\.0\.1:\d+:postgres:tallybook/,
      );
      writeFileSync(file, `127.0.0.1:${server.port}:*:tallybook:sesame\n`);
      const refused = (await refusal(url, 'STORE_UNAVAILABLE')).message;
      assert.match(
        refused,
        /password authentication failed .*; the password came from the line for .* in .*pgpass/,
      );
      assert.ok(!refused.includes('sesame'));
      process.env['PGPASSFILE'] = join(server.folder, 'nothing');
      assert.match(
        (await refusal(url, 'STORE_UNAVAILABLE')).message,
        /none in the URL or in PGPASSWORD, and .*nothing cannot be read$/,
      );
    } finally {
      if (before === undefined) delete process.env['PGPASSFILE'];
      else process.env['PGPASSFILE'] = before;
    }
  });

  describe('with several hosts', () => {
    let standby: TestServer;

    before(async () => {
      // As far as a client can tell: it accepts connections and no writes.
      standby = await TestServer.start({ default_transaction_read_only: 'on' });
    });

    after(async () => {
      await (standby as TestServer | undefined)?.stop();
    });

    it('takes the one that accepts writes', async () => {
      await migratePostgres(server.url);
      const all = `127.0.0.1:1,127.0.0.1:${standby.port},127.0.0.1:${server.port}`;
      await openAndClose(server.url.replace(`127.0.0.1:${server.port}`, all));
    });

    it('fails with STORE_UNAVAILABLE if none does', async () => {
      const url = standby.url.replace(`127.0.0.1:${standby.port}`, `127.0.0.1:${standby.port},127.0.0.1:1`);
      const error = await refusal(url, 'STORE_UNAVAILABLE');
      assert.match(
        error.message,
        new RegExp(
          `127\\.0\\.0\\.1:${standby.port}: .*default_transaction_read_only is on; 127.*:1: .*ECONNREFUSED`,
        ),
      );
    });
  });
});

describe('TLS to a PostgreSQL', () => {
  const server = useOwnServer(async function (started) {
    const [key, certificate] = [
      join(started.folder, 'data/server.key'),
      join(started.folder, 'data/server.crt'),
    ];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ]);
    if (made.error !== undefined) this.skip('openssl is not installed');
    assert.equal(made.status, 0, made.stderr.toString());
    started.own(key, certificate);
    chmodSync(key, 0o600);
    await sql(started.url, 'ALTER SYSTEM SET ssl = on');
    await started.end();
    await started.resume();
    await migratePostgres(started.url);
  });

  const withTls = (host: string, query: string): string =>
    `${server.url.replace('127.0.0.1', host)}?${query}`;

  it('is not made if nobody vouches for the certificate', async () => {
    await refusal(withTls('localhost', 'sslmode=verify-full'), 'STORE_UNAVAILABLE');
    await refusal(withTls('localhost', 'sslmode=verify-ca'), 'STORE_UNAVAILABLE');
  });

  it('is made if the certificate and its name are right', async () => {
    const root = join(server.folder, 'root.crt');
    writeFileSync(root, readFileSync(join(server.folder, 'data/server.crt')));
    await openAndClose(withTls('localhost', `sslmode=verify-full&sslrootcert=${root}`));
    const other = withTls('127.0.0.1', `sslmode=verify-full&sslrootcert=${root}`);
    await refusal(other, 'STORE_UNAVAILABLE');
    await openAndClose(withTls('127.0.0.1', `sslmode=verify-ca&sslrootcert=${root}`));
  });

  it('is made without a look at the certificate if somebody says so', async () => {
    await openAndClose(withTls('127.0.0.1', 'sslmode=require'));
  });
});

describe('TLS to what does not speak it', () => {
  let server: Server;

  before(async () => {
    // Answers "no" to the question for TLS.
    server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.write('N'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  after(async () => {
    server.close();
    await once(server, 'close');
  });

  it('is refused, and no password is sent', async () => {
    const { port } = server.address() as AddressInfo;
    const url = `postgres://ada:sesame@127.0.0.1:${port}/base?sslmode=verify-full`;
    await refusal(url, 'STORE_UNAVAILABLE');
  });
});

async function openAndClose(url: string, environment?: Readonly<Record<string, string>>): Promise<void> {
  const store = facetOf(new PostgresStorage(url, environment && { environment }), 'mapping');
  await store.open();
  await store.close();
}
