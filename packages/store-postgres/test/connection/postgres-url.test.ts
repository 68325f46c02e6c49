import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTallybookError } from '@tallybook/domain';
import { PostgresStorage } from '@tallybook/store-postgres';
import {
  describeTarget,
  isPostgresUrl,
  parsePostgresUrl,
  tlsOptions,
} from '../../src/connection/postgres-url.js';
import { has } from '../fixtures/has.js';

/** Any two files: nothing here looks whether they are certificates. */
const thisFile = join(import.meta.dirname, 'postgres-url.test.ts');
const otherFile = join(import.meta.dirname, 'session.test.ts');

describe('The URL of a PostgreSQL', () => {
  it('has user, password, hosts with ports, database, site and TLS', () => {
    const target = parsePostgresUrl(
      'postgres://ada:se%3Acret@db1.example.org:6432,[2001:db8::1]:5433,db3/attendance?site=hall-1&sslmode=verify-ca&sslrootcert=/etc/ca.pem',
    );
    assert.deepEqual(target, {
      hosts: [
        { host: 'db1.example.org', port: 6432 },
        { host: '2001:db8::1', port: 5433 },
        { host: 'db3', port: 5432 },
      ],
      user: 'ada',
      database: 'attendance',
      password: 'se:cret',
      passwordFrom: 'the URL',
      site: 'hall-1',
      tlsMode: 'verify-ca',
      rootCertificate: '/etc/ca.pem',
      certificate: undefined,
      key: undefined,
    });
  });

  it('may have the parameters of libpq that hosts add to it', () => {
    const url = 'postgres://ada@db1,db2/base?';
    assert.deepEqual(
      parsePostgresUrl(
        `${url}target_session_attrs=read-write&channel_binding=require&gssencmode=disable&application_name=x&connect_timeout=10`,
      ),
      parsePostgresUrl(url),
    );
  });

  it('takes what it leaves out from the environment, as libpq does', () => {
    const environment = {
      PGHOST: 'db.example.org',
      PGPORT: '6000',
      PGUSER: 'bob',
      PGPASSWORD: 'secret',
      PGDATABASE: 'club',
      PGSSLMODE: 'require',
      PGSSLROOTCERT: '/ca',
      PGSSLCERT: '/cert',
      PGSSLKEY: '/key',
    };
    assert.deepEqual(parsePostgresUrl('postgresql://', environment), {
      hosts: [{ host: 'db.example.org', port: 6000 }],
      user: 'bob',
      database: 'club',
      password: 'secret',
      passwordFrom: 'PGPASSWORD',
      site: 'main',
      tlsMode: 'require',
      rootCertificate: '/ca',
      certificate: '/cert',
      key: '/key',
    });
    const said = parsePostgresUrl('postgres://ada@here:1/base?sslmode=disable', environment);
    assert.deepEqual([said.user, said.hosts, said.database], ['ada', [{ host: 'here', port: 1 }], 'base']);
    assert.equal(said.tlsMode, 'disable');
  });

  it('has a Unix socket as a folder, in the host or after the "?"', () => {
    const hosts = [{ host: '/run/postgresql', port: 5433 }];
    for (const url of [
      'postgres://%2Frun%2Fpostgresql/base?port=5433',
      'postgres:///base?host=/run/postgresql&port=5433',
    ]) {
      assert.deepEqual(parsePostgresUrl(url).hosts, hosts);
    }
    // A folder has no port, whatever its name is.
    assert.deepEqual(parsePostgresUrl('postgres:///base?host=/run/db:1,/run/[2]').hosts, [
      { host: '/run/db:1', port: 5432 },
      { host: '/run/[2]', port: 5432 },
    ]);
  });

  it('counts what is empty as left out', () => {
    const empty = {
      PGPASSWORD: '',
      PGSSLMODE: '',
      PGSSLROOTCERT: '',
      PGSSLCERT: '',
      PGSSLKEY: '',
      PGPORT: '',
    };
    const target = parsePostgresUrl(
      'postgres://ada:@:6000,/?site=&port=&sslmode=&sslrootcert=&sslcert=&sslkey=',
      empty,
    );
    assert.deepEqual(target, {
      hosts: [
        { host: 'localhost', port: 6000 },
        { host: 'localhost', port: 5432 },
      ],
      user: 'ada',
      database: 'ada',
      password: undefined,
      passwordFrom: undefined,
      site: 'main',
      tlsMode: undefined,
      rootCertificate: undefined,
      certificate: undefined,
      key: undefined,
    });
  });

  it('has the user of the system, or else postgres, if nobody says who', () => {
    assert.equal(parsePostgresUrl('postgres://db', { USER: 'eve' }).user, 'eve');
    assert.equal(parsePostgresUrl('postgres://db', { USER: 'eve', PGUSER: 'bob' }).user, 'bob');
    assert.equal(parsePostgresUrl('postgres://db').user, 'postgres');
    assert.deepEqual(parsePostgresUrl('postgres:///base').hosts, [{ host: 'localhost', port: 5432 }]);
  });

  it('takes the first and the last port, and a site as long as may be', () => {
    const longest = 'x'.repeat(63);
    const { hosts, site } = parsePostgresUrl(`postgres://a:1,b:65535/base?site=${longest}`);
    assert.deepEqual([hosts.map(({ port }) => port), site], [[1, 65_535], longest]);
  });

  it('says the certificate and the key that this end shows', () => {
    const { certificate, key } = parsePostgresUrl('postgres://db/base?sslcert=/cert&sslkey=/key', {
      PGSSLCERT: '/other',
      PGSSLKEY: '/other',
    });
    assert.deepEqual([certificate, key], ['/cert', '/key']);
  });

  for (const [what, url] of [
    ['another scheme', 'mysql://ada:sesame@db/base'],
    ['a port that is none', 'postgres://ada:sesame@db:0/base'],
    ['a port that is too high', 'postgres://ada:sesame@db:65536/base'],
    ['a port that is no whole number', 'postgres://ada:sesame@%2Frun/base?port=1.5'],
    ['an address without its end', 'postgres://ada:sesame@[::1/base'],
    ['more after its host', 'postgres://ada:sesame@[::1]x/base'],
    ['more before it', ' postgres://ada:sesame@db/base'],
    ['a fragment', 'postgres://ada:sesame@db/base#more'],
    ['a port that is no number', 'postgres://ada:sesame@db:http/base'],
    ['a parameter that nobody knows', 'postgres://ada:sesame@db/base?ssl=true'],
    ['a standby', 'postgres://ada:sesame@db/base?target_session_attrs=standby'],
    ['a parameter twice', 'postgres://ada:sesame@db/base?site=a&site=b'],
    ['an sslmode that does not protect', 'postgres://ada:sesame@db/base?sslmode=prefer'],
    ['a site with other characters', 'postgres://ada:sesame@db/base?site=a%20b'],
    ['a site that is too long', `postgres://ada:sesame@db/base?site=${'x'.repeat(64)}`],
    ['a "%" that stands for nothing', 'postgres://ada:sesame%zz@db/base'],
    ['a password with an "@" in it', 'postgres://ada:sesame@sesame@db/base'],
  ] as const) {
    it(`is refused with ${what}, and the password is not in the message`, () => {
      assert.throws(
        () => new PostgresStorage(url, { environment: {} }),
        (error) => isTallybookError(error, 'INVALID_OPTION') && !error.message.includes('sesame'),
      );
    });
  }

  it('is described without its password', () => {
    const target = parsePostgresUrl('postgres://ada:sesame@db,[::1]:1/base?site=hall');
    assert.equal(describeTarget(target), 'postgres://ada@db:5432,[::1]:1/base?site=hall');
  });

  it('is known by its scheme', () => {
    assert.deepEqual(
      ['postgres://db', 'postgresql:', 'POSTGRES://db', './postgres', 'level:x'].map(isPostgresUrl),
      [true, true, true, false, false],
    );
  });
});

describe('The protection of a connection', () => {
  const optionsOf = (url: string): ReturnType<typeof tlsOptions> => {
    const target = parsePostgresUrl(url);
    const [host] = target.hosts;
    assert.ok(host !== undefined);
    return tlsOptions(target, host);
  };

  it('is TLS with the name in the certificate, if nothing is said', () => {
    assert.deepEqual(optionsOf('postgres://db.example.org/base'), { rejectUnauthorized: true });
    assert.deepEqual(optionsOf('postgres://10.0.0.1/base'), { rejectUnauthorized: true });
  });

  it('is none on this machine, if nothing is said', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.8.9.1',
      '127.100.20.3',
      '[::1]',
      '%2Frun%2Fpostgresql',
    ]) {
      assert.equal(optionsOf(`postgres://${host}/base`), false, host);
    }
    assert.notEqual(optionsOf('postgres://localhost/base?sslmode=verify-full'), false);
    // A Unix socket has none at all.
    assert.equal(optionsOf('postgres://%2Frun%2Fpostgresql/base?sslmode=verify-full'), false);
    assert.notEqual(optionsOf('postgres://127.example.org/base'), false);
  });

  it('is none, or without a look at the certificate, only if somebody says so', () => {
    assert.equal(optionsOf('postgres://db/base?sslmode=disable'), false);
    const required = optionsOf('postgres://db/base?sslmode=require');
    assert.equal(required !== false && required.rejectUnauthorized, false);
    const verified = optionsOf('postgres://db/base?sslmode=verify-ca');
    assert.equal(verified !== false && verified.rejectUnauthorized, true);
  });

  it('is checked against a certificate that somebody names, also with sslmode=require', () => {
    const options = optionsOf(`postgres://db/base?sslmode=require&sslrootcert=${thisFile}`);
    assert.ok(options !== false);
    assert.equal(options.rejectUnauthorized, true);
    assert.deepEqual(options.ca, readFileSync(thisFile));
  });

  it('is checked against the certificates of the system, if somebody says so', () => {
    const root = 'sslrootcert=system';
    assert.deepEqual(optionsOf(`postgres://db/base?${root}`), { rejectUnauthorized: true });
    const required = optionsOf(`postgres://db/base?sslmode=require&${root}`);
    assert.equal(required !== false && required.rejectUnauthorized, false);
  });

  it('shows a certificate of its own, if one is named', () => {
    const options = optionsOf(`postgres://db/base?sslcert=${thisFile}&sslkey=${otherFile}`);
    assert.deepEqual(options, {
      rejectUnauthorized: true,
      cert: readFileSync(thisFile),
      key: readFileSync(otherFile),
    });
  });

  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    it(`fails with STORE_UNAVAILABLE if the file of ${name} cannot be read`, () => {
      assert.throws(() => optionsOf(`postgres://db/base?${name}=/does/not/exist`), has('STORE_UNAVAILABLE'));
    });
  }
});
